"""The rows of the date corpora: what is outside of our policy is left out with its reason, and right is what fits."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from benchmarks.suite.date_chrono import chrono_row
from benchmarks.suite.date_duckling import duckling_row
from benchmarks.suite.date_policy import moments, turned_back
from benchmarks.suite.date_recognizers import recognizers_row
from benchmarks.suite.date_rows import Excluded, Row, read, right
from benchmarks.suite.dates import reader

NOW = datetime(2026, 2, 4, 11, 37)  # a Wednesday
EN = reader("en")


def spec(text, value=None, timex="", *, kind="date", comment=""):
    """A row in the shape of Recognizers-Text."""
    values = [{"timex": timex, "type": kind, "value": value}]
    result = {"TypeName": f"datetimeV2.{kind}", "Start": 0, "End": len(text) - 1, "Resolution": {"values": values}}
    row = {"Input": text, "Context": {"ReferenceDateTime": NOW.isoformat()}, "Results": [result] if value else []}
    return row | ({"Comment": comment} if comment else {})


def chrono(text, expected=None, mode="casual"):
    """A row in the shape of chrono's tests."""
    return {"text": text, "reference": NOW.isoformat(), "mode": mode, "expected": expected}


@pytest.mark.parametrize(
    ("row", "source", "reason"),
    [
        (spec("in 3 years"), "DatePeriodParser", "negative of one kind only"),
        (spec("the 21st", comment="Only supported in CalendarMode"), "DateTimeModel", "negative of one mode only"),
        (spec("we met friday the 30th", "2026-01-30"), "DateTimeModel", "convention: nearest, past or future"),
        (spec("on wednesday", "2026-02-04", "XXXX-WXX-3"), "DateTimeModel", "convention: a weekday is after today"),
        (spec("4 may 1712", "1712-05-04"), "DateTimeModel", "far year"),
        (spec("every day", "2026-02-04", kind="set"), "DateTimeModel", "recurrence"),
    ],
)
def test_what_our_policy_settles_otherwise_is_left_out(row, source, reason):
    assert recognizers_row(row, source) == Excluded(reason)


@pytest.mark.parametrize(
    ("text", "day"), [("last friday", "2026-01-30"), ("on 5 may 2019", "2019-05-05"), ("this monday", "2026-02-02")]
)
def test_a_past_day_that_the_words_point_to_stays(text, day):
    assert not turned_back(text, date.fromisoformat(day), NOW)
    assert isinstance(recognizers_row(spec(text, day), "DateTimeModel"), Row)


def test_a_negative_of_the_whole_model_stays():
    row = recognizers_row(spec("you may go"), "DateTimeModel")
    assert isinstance(row, Row)
    assert right(row, read(EN, row))


def test_either_half_of_the_day_is_right_where_the_words_leave_it_open():
    at = datetime(2026, 2, 5, 3, 20)
    assert moments("at 3:20", at) == (at, datetime(2026, 2, 4, 15, 20), datetime(2026, 2, 5, 15, 20))
    for text in ("at 3:20 am", "at 3:20am", "3:20 a.m.", "3:20 in the morning", "le 3:20 di notte", "at 3:20a"):
        assert moments(text, at) == (at,)
    noon = datetime(2026, 2, 5, 12)
    assert moments("at 12", noon) == (noon,)


def test_a_time_in_the_other_half_fits_only_where_it_is_open():
    value = {"kind": "instant", "start": "2026-02-05T03:20:00", "grain": "minute"}
    row = {"text": "at 3:20", "reference": NOW.isoformat(), "locale": None, "value": value}
    open_row, said = duckling_row(row), duckling_row(row | {"text": "at 3:20am"})
    assert isinstance(open_row, Row)
    assert isinstance(said, Row)
    assert right(open_row, read(EN, open_row))
    assert right(said, read(EN, said))
    assert not right(said._replace(text="at 3:20pm"), read(EN, said._replace(text="at 3:20pm")))


def test_strict_mode_says_nothing_of_what_is_no_date():
    assert chrono_row(chrono("tomorrow", mode="strict")) == Excluded("negative of one mode only")


def test_chrono_counts_a_length_from_now():
    start = {"datetime": "2026-02-04T11:42:00"}
    row = chrono_row(chrono("wait for 5 minutes", {"start": start}))
    assert isinstance(row, Row)
    assert right(row, read(EN, row))
    late = row._replace(text="wait for 6 minutes")
    assert not right(late, read(EN, late))


def test_a_length_is_no_date_where_a_corpus_knows_no_lengths():
    row = chrono_row(chrono("wait for 5 minutes"))
    assert isinstance(row, Row)
    assert right(row, read(EN, row))
    assert not right(row._replace(lengths=True), read(EN, row))
    dated = row._replace(text="wait until tomorrow")
    assert not right(dated, read(EN, dated))
