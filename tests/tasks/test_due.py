"""Due dates on the user's own clock."""

from __future__ import annotations

from datetime import date, time
from zoneinfo import ZoneInfo

import pytest

from sayso.tasks.timing.due import Due, read_days, read_due

ROME = ZoneInfo("Europe/Rome")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (None, ""),
        ("", ""),
        ("2026-03-12", "2026-03-12"),
        (" 2026-03-12T17:00 ", "2026-03-12T17:00"),
        ("2026-03-12T17:00:59", "2026-03-12T17:00"),
        ("2026-03-12T23:30:00Z", "2026-03-13T00:30"),
        ("2026-07-01T23:30:00+00:00", "2026-07-02T01:30"),
    ],
)
def test_a_due_date_is_read_onto_the_users_clock(text, shown):
    assert str(read_due(text, ROME)) == shown


@pytest.mark.parametrize(
    "text",
    [
        "tomorrow",
        "2026-13-01",
        "2026-02-30",
        "12/03/2026",
        "2026-03-12T25:00",
        "soon",
        "20260312",
        "2026-W10-3",
        "2026-03-12-01",
    ],
)
def test_anything_else_is_no_due_date(text):
    with pytest.raises(ValueError):  # noqa: PT011  whatever the library says, it is refused
        read_due(text, ROME)


def test_a_day_without_a_time_is_not_midnight():
    assert Due(day=date(2026, 3, 12)) != Due(day=date(2026, 3, 12), time=time(0, 0))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        (None, None, None),
        ("today", "2026-03-15", "2026-03-15"),
        ("tomorrow", "2026-03-16", "2026-03-16"),
        ("this_week", "2026-03-09", "2026-03-15"),
        ("next_week", "2026-03-16", "2026-03-22"),
        ("2026-04-01", "2026-04-01", "2026-04-01"),
    ],
)
def test_the_days_of_a_list_on_a_sunday(text, first, last):
    found = read_days(text, date(2026, 3, 15))
    assert tuple(day.isoformat() if day else None for day in found) == (first, last)


@pytest.mark.parametrize(
    ("text", "zone"), [("0001-01-01T00:00+14:00", "America/New_York"), ("9999-12-31T23:59-14:00", "Pacific/Auckland")]
)
def test_a_moment_beyond_the_calendar_is_refused(text, zone):
    with pytest.raises(ValueError, match="calendar"):
        read_due(text, ZoneInfo(zone))


@pytest.mark.parametrize("text", ["20260401", "2026-W10-3", "someday"])
def test_what_is_no_day_filters_nothing(text):
    with pytest.raises(ValueError, match="calendar"):
        read_days(text, date(2026, 3, 15))
