"""The reader of repeats and lead times, phrase by phrase: repeats_en.yaml and repeats_it.yaml hold the phrases."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
import yaml

from sayso.engine.dates.dates import Dates
from sayso.engine.repeats.recurrence import Lead, Repeat
from sayso.engine.repeats.repeats import Repeats
from sayso.engine.text.tokens import normalise
from sayso.engine.values.numbers import Numbers
from sayso.languages.load import installed_language

HERE = Path(__file__).parent
TAGS = ("en", "it")
# The base loader leaves every date a text.
SHEETS = {tag: yaml.load((HERE / f"repeats_{tag}.yaml").read_text("utf-8"), yaml.BaseLoader) for tag in TAGS}  # noqa: S506


def load(tag):
    language = installed_language(tag)
    numbers = Numbers(language.numbers)
    return Repeats(language.repeats, language.dates, Dates(language.dates, numbers), numbers)


READERS = {tag: load(tag) for tag in TAGS}


def listed(*keys):
    cases = [(tag, case) for key in keys for tag in TAGS for case in SHEETS[tag][key]]
    named = [case if isinstance(case, str) else case["say"] for _, case in cases]
    return pytest.mark.parametrize(
        ("tag", "case"), cases, ids=[f"{cases[n][0]}: {text}" for n, text in enumerate(named)]
    )


def words_of(text):
    return [token.low for token in normalise(text).tokens]


def now_of(tag):
    return datetime.fromisoformat(SHEETS[tag]["now"])


def find(tag, text):
    return READERS[tag].find(words_of(text), now_of(tag))


def written(moment):
    return moment.strftime("%Y-%m-%dT%H:%M") if isinstance(moment, datetime) else moment.isoformat()


@listed("repeats")
def test_a_phrase_is_a_rule_with_a_first_date(tag, case):
    (span,) = find(tag, case["say"])
    assert (span.start, span.end) == (0, len(words_of(case["say"])))
    assert span.value.rule == case["rule"]
    assert written(span.value.first(now_of(tag))) == case["first"]
    assert span.value.sure


@listed("repeats")
def test_a_phrase_is_read_the_same_as_an_exact_stretch(tag, case):
    words = ["x", *words_of(case["say"]), "x"]
    found = READERS[tag].read(words, 1, len(words) - 1, now_of(tag))
    assert found is not None
    assert (found.rule, written(found.first(now_of(tag)))) == (case["rule"], case["first"])


@listed("sentences")
def test_a_repeat_is_found_in_a_sentence_and_leaves_the_rest(tag, case):
    words = words_of(case["say"])
    (span,) = find(tag, case["say"])
    assert (span.value.rule, written(span.value.first(now_of(tag)))) == (case["rule"], case["first"])
    left = [word for at, word in enumerate(words) if not span.start <= at < span.end and word[:1].isalnum()]
    assert " ".join(left) == case["left"]


@listed("unsure")
def test_what_may_be_a_single_date_is_not_sure(tag, case):
    (span,) = find(tag, case["say"])
    assert not span.value.sure
    assert (span.value.rule, written(span.value.first(now_of(tag)))) == (case["rule"], case["first"])


@listed("exact")
def test_an_exact_stretch_may_say_less(tag, case):
    words = words_of(case["say"])
    found = READERS[tag].read(words, 0, len(words), now_of(tag))
    assert found is not None
    assert found.rule == case["rule"]


@listed("unread", "silent")
def test_what_is_no_repeat_is_not_found(tag, case):
    assert find(tag, case) == ()


@listed("hints")
def test_words_of_an_unreadable_repeat_are_pointed_out(tag, case):
    words = words_of(case["say"])
    assert [" ".join(words[a:b]) for a, b in READERS[tag].hints(words, now_of(tag))] == [case["hint"]]


@listed("silent", "repeats")
def test_nothing_else_is_pointed_out(tag, case):
    text = case if isinstance(case, str) else case["say"]
    assert READERS[tag].hints(words_of(text), now_of(tag)) == ()


@listed("leads")
def test_a_lead_time_is_a_duration(tag, case):
    (span,) = READERS[tag].leads.find(words_of(case["say"]), now_of(tag))
    assert span.value.duration == case["duration"]


@listed("no_leads")
def test_what_is_no_lead_time_is_not_found(tag, case):
    assert READERS[tag].leads.find(words_of(case), now_of(tag)) == ()


@listed("leads", "exact_leads")
def test_an_exact_stretch_is_a_lead_time(tag, case):
    words = words_of(case["say"])
    (span, *_) = [*READERS[tag].leads.find(words, now_of(tag)), None]
    start, end = (span.start, span.end) if span is not None else (0, len(words))
    found = READERS[tag].leads.read(words, start, end, now_of(tag))
    assert found is not None
    assert found.duration == case["duration"]


@pytest.mark.parametrize("tag", TAGS)
def test_there_are_enough_phrases(tag):
    assert len(SHEETS[tag]["repeats"]) >= 120


def test_a_time_said_elsewhere_counts_for_the_first_date():
    (span,) = find("en", "every tuesday")
    now = now_of("en")  # a Tuesday, at ten
    assert written(span.value.first(now)) == "2026-05-12"
    assert written(span.value.first(now, (9, 0))) == "2026-05-19T09:00"
    assert written(span.value.first(now, (11, 0))) == "2026-05-12T11:00"
    assert written(span.value.first(now, start=date(2026, 5, 13))) == "2026-05-19"


def test_a_series_that_is_over_has_no_first_date():
    assert Repeat("WEEKLY", days=((0, 0),), until=date(2026, 5, 13)).first(now_of("en")) is None


@pytest.mark.parametrize(
    ("lead", "duration"),
    [(Lead(), "PT0S"), (Lead(minutes=5), "PT5M"), (Lead(1, 90), "P1DT1H30M"), (Lead(minutes=1440), "PT24H")],
)
def test_a_duration_is_written_as_iso_8601_has_it(lead, duration):
    assert lead.duration == duration


@pytest.mark.parametrize("tag", TAGS)
def test_the_first_date_is_the_first_one_of_the_rule(tag):
    """The oracle is python-dateutil, which the engine itself does not use."""
    rrule = pytest.importorskip("dateutil.rrule")
    chance = random.Random(7)
    for case in SHEETS[tag]["repeats"]:
        (span,) = find(tag, case["say"])
        if span.value.anchor or span.value.start:  # these begin on a day that is not in the rule
            continue
        now = now_of(tag) + timedelta(minutes=chance.randrange(60 * 24 * 365))
        first = span.value._replace(until=None, times=None).first(now)
        start = now if span.value.time else datetime(now.year, now.month, now.day)
        rule = rrule.rrulestr(span.value._replace(until=None, times=None, interval=1).rule, dtstart=start)
        days = (day.date() for day in rule)
        wanted = next(
            day for day in days if not span.value.time or day > now.date() or span.value.time > (now.hour, now.minute)
        )
        assert (first.date() if isinstance(first, datetime) else first) == wanted, case["say"]
