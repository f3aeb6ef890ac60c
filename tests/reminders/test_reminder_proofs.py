"""The short form of the proof of reminders; the long one is `python -m benchmarks reminders`."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


def test_no_reminder_is_lost_or_written_twice_when_replicas_are_killed(prove):
    said = prove("reminders", "--people", "30", "--within", "6", "--kills", "1", "--waiting", "0")
    assert "30 arrived, 0 lost, 0 early, 0 written twice" in said
