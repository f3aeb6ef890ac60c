"""Tasks that repeat: which rules are read, and which date comes next, across changes of the clock."""

from __future__ import annotations

from datetime import date, datetime
from time import thread_time
from zoneinfo import ZoneInfo

import pytest

from sayso.tasks.timing.due import Due, read_due
from sayso.tasks.timing.remind import read_remind
from sayso.tasks.timing.repeat import read_repeat

ROME = ZoneInfo("Europe/Rome")


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("FREQ=DAILY", "FREQ=DAILY"),
        ("FREQ=DAILY;INTERVAL=1", "FREQ=DAILY"),
        ("rrule: freq=weekly; byday=th,mo ;interval=2", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH"),
        ("BYDAY=FR,MO,MO;FREQ=WEEKLY;", "FREQ=WEEKLY;BYDAY=MO,FR"),
        ("FREQ=MONTHLY;BYDAY=-1FR,+1MO", "FREQ=MONTHLY;BYDAY=1MO,-1FR"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1,15,1", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1"),
        ("FREQ=YEARLY;COUNT=3;INTERVAL=2", "FREQ=YEARLY;INTERVAL=2;COUNT=3"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"),
        ("FREQ=DAILY;UNTIL=20260601", "FREQ=DAILY;UNTIL=20260601"),
        ("FREQ=DAILY;UNTIL=20260601T170000", "FREQ=DAILY;UNTIL=20260601T170000"),
        ("FREQ=DAILY;UNTIL=20260601T220000Z", "FREQ=DAILY;UNTIL=20260602T000000"),
    ],
)
def test_a_rule_is_brought_into_its_canonical_form(given, canonical):
    assert str(read_repeat(given, ROME)) == canonical
    assert str(read_repeat(canonical, ROME)) == canonical


@pytest.mark.parametrize("given", [None, "", "  "])
def test_no_rule_is_no_repeat(given):
    assert read_repeat(given, ROME) is None


@pytest.mark.parametrize(
    "given",
    [
        "every monday", "FREQ", "FREQ=", "FREQ=HOURLY", "INTERVAL=2", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;INTERVAL=x",
        "FREQ=DAILY;INTERVAL=1000", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;COUNT=-1", "FREQ=DAILY;FREQ=WEEKLY",
        "FREQ=DAILY;COUNT=2;UNTIL=20260601", "FREQ=DAILY;UNTIL=tomorrow", "FREQ=DAILY;UNTIL=20260231",
        "FREQ=DAILY;DTSTART=20260101", "FREQ=DAILY;BYHOUR=9", "FREQ=DAILY;BYSETPOS=1", "FREQ=WEEKLY;BYDAY=",
        "FREQ=WEEKLY;BYDAY=MO,XX", "FREQ=WEEKLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=6MO", "FREQ=MONTHLY;BYDAY=0MO",
        "FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=1", "FREQ=MONTHLY;BYMONTHDAY=0", "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=WEEKLY;BYMONTHDAY=1", "FREQ=DAILY;INTERVAL=7;BYDAY=MO", "FREQ=DAILY;" * 60,
        "FREQ=DAILY;UNTIL=99991231T235959Z", "FREQ=DAILY;UNTIL=20260601Z",
    ],
)  # fmt: skip
def test_what_is_no_rule_is_refused(given):
    with pytest.raises(ValueError, match=r"."):
        read_repeat(given, ROME)


@pytest.mark.parametrize(
    ("given", "kept"),
    [("PT0S", "PT0S"), ("PT10M", "PT10M"), ("P1D", "P1D"), ("p1w", "P1W"), ("PT1H30M", "PT1H30M"), ("P1DT2H", "P1DT2H"),
     (" PT0M ", "PT0S"), ("P0D", "PT0S"), (None, None), ("", None)],
)  # fmt: skip
def test_a_lead_time_is_an_iso_duration(given, kept):
    assert read_remind(given) == kept


@pytest.mark.parametrize(
    "given", ["10 minutes", "P", "PT", "P1M", "P1Y", "-PT10M", "PT1.5H", "PT10", "P1DT", "P400D", "PT10M1H", "P1D2W"]
)
def test_what_is_no_lead_time_is_refused(given):
    with pytest.raises(ValueError, match=r"."):
        read_remind(given)


NEXT = [
    # rule, due, the user's clock, next due, the rule from there on
    ("FREQ=DAILY", "2026-03-10", "2026-03-10T09:30", "2026-03-11", None),
    ("FREQ=DAILY", "2026-03-12", "2026-03-10T09:30", "2026-03-13", None),  # completed early
    ("FREQ=DAILY", "2026-03-01", "2026-03-10T09:30", "2026-03-10", None),  # overdue: today is not over yet
    ("FREQ=DAILY", "2026-03-01T09:00", "2026-03-10T09:30", "2026-03-11T09:00", None),  # nine o'clock is over
    ("FREQ=DAILY", "2026-03-01T10:00", "2026-03-10T09:30", "2026-03-10T10:00", None),
    ("FREQ=DAILY;INTERVAL=2", "2026-03-01", "2026-03-10T09:30", "2026-03-11", None),  # the days are still odd
    ("FREQ=WEEKLY", "2026-03-03T18:00", "2026-03-10T09:30", "2026-03-10T18:00", None),
    ("FREQ=WEEKLY;BYDAY=MO,TH", "2026-03-09", "2026-03-10T09:30", "2026-03-12", None),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "2026-03-12", "2026-03-10T09:30", "2026-03-23", None),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", "2026-01-07", "2026-03-10T09:30", "2026-03-18", None),
    ("FREQ=MONTHLY", "2026-01-31", "2026-01-31T09:30", "2026-03-31", None),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31", "2026-01-31T09:30", "2026-02-28", None),
    ("FREQ=MONTHLY;BYDAY=1MO", "2026-03-02", "2026-03-10T09:30", "2026-04-06", None),
    ("FREQ=MONTHLY;BYDAY=-1FR", "2026-03-27", "2026-03-10T09:30", "2026-04-24", None),
    ("FREQ=YEARLY", "2024-02-29", "2024-02-29T09:30", "2028-02-29", None),
    ("FREQ=DAILY", "2026-03-28T09:00", "2026-03-28T10:00", "2026-03-29T09:00", None),  # summer time begins
    ("FREQ=DAILY", "2026-03-28T02:30", "2026-03-28T10:00", "2026-03-29T02:30", None),  # an hour that is not
    ("FREQ=DAILY", "2026-10-24T09:00", "2026-10-24T10:00", "2026-10-25T09:00", None),  # summer time ends
    ("FREQ=DAILY;COUNT=3", "2026-03-10", "2026-03-10T09:30", "2026-03-11", "FREQ=DAILY;COUNT=2"),
    ("FREQ=DAILY;COUNT=9", "2026-03-05", "2026-03-10T09:30", "2026-03-10", "FREQ=DAILY;COUNT=4"),
    ("FREQ=DAILY;COUNT=5", "2026-03-05", "2026-03-10T09:30", None, None),  # all five have passed
    ("FREQ=DAILY;COUNT=1", "2026-03-10", "2026-03-10T09:30", None, None),
    ("FREQ=DAILY;UNTIL=20260311", "2026-03-10T18:00", "2026-03-10T09:30", "2026-03-11T18:00", None),
    ("FREQ=DAILY;UNTIL=20260311", "2026-03-11T18:00", "2026-03-10T09:30", None, None),
    ("FREQ=DAILY;UNTIL=20260311T120000", "2026-03-10T18:00", "2026-03-10T09:30", None, None),
    ("FREQ=WEEKLY;BYDAY=MO", "2026-03-13", "2026-03-10T09:30", "2026-03-16", None),  # moved to a Friday by hand
    ("FREQ=WEEKLY;BYDAY=MO;COUNT=2", "2026-03-13", "2026-03-10T09:30", "2026-03-16", "FREQ=WEEKLY;BYDAY=MO;COUNT=1"),
    ("FREQ=DAILY", "9999-12-31", "2026-03-10T09:30", None, None),
    ("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30", "2026-02-10", "2026-02-10T09:30", None, None),  # there is none
    ("FREQ=DAILY", None, "2026-03-10T09:30", "2026-03-11", None),  # without a due date: from today
]


@pytest.mark.parametrize(("rule", "due", "now", "expected", "left"), NEXT)
def test_the_next_date_follows_the_due_date_and_is_still_to_come(rule, due, now, expected, left):
    found = read_repeat(rule, ROME).following(read_due(due, ROME), datetime.fromisoformat(now))
    if expected is None:
        assert found is None
    else:
        assert (str(found[0]), str(found[1])) == (expected, left or rule)


@pytest.mark.parametrize(
    ("rule", "first"),
    [
        ("FREQ=DAILY", "2026-03-10"),
        ("FREQ=WEEKLY;BYDAY=TU", "2026-03-10"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", "2026-03-11"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "2026-03-27"),
        ("FREQ=MONTHLY;BYMONTHDAY=1", "2026-04-01"),
        ("FREQ=DAILY;UNTIL=20260301", ""),
    ],
)
def test_the_first_date_of_a_rule_is_from_today_on(rule, first):
    assert str(read_repeat(rule, ROME).first(date(2026, 3, 10))) == first


@pytest.mark.parametrize("freq", ["DAILY", "WEEKLY;BYDAY=SU", "MONTHLY", "YEARLY;INTERVAL=999;BYDAY=53MO"])
def test_a_date_of_long_ago_takes_no_time(freq):
    start = thread_time()
    read_repeat(f"FREQ={freq}", ROME).following(Due(day=date(1, 1, 1)), datetime(2026, 3, 10, 9, 30))
    assert thread_time() - start < 1
