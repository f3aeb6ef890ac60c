"""The short form of every proof of the devices; `python -m benchmarks` lists the long ones."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("mosquitto")]


@pytest.mark.long
def test_a_broker_that_is_killed_doubles_nothing_and_nobody_trespasses(prove):
    small = ("--commands", "30", "--machines", "12", "--kills", "3", "--restless", "4", "--attempts", "500")
    said = prove("fleet-chaos", *small)
    assert "0 doubled, 0 after their end, 0 without an order, 0 wrongly told" in said
    assert "500 attempts to reach another user's machines: 0 messages across" in said


@pytest.mark.long
def test_the_link_loses_no_reading(prove):
    said = prove("fleet-size", "--machines", "200", "--seconds", "5", "--warm", "2", "--every", "1", "--most", "100")
    assert ", 0 lost" in said
    assert "times" in said
