"""A clock for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = datetime(2026, 3, 10, 8, 0, tzinfo=UTC)  # a Tuesday

    def __call__(self):
        return self.now

    def pass_by(self, **time):
        self.now += timedelta(**time)
