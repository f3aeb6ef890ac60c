"""The date reader, sentence by sentence: what is heard, and what is left of the message once it is taken out.

dates_en.yaml and dates_it.yaml hold the sentences. `hear` is a day, a day and a time, `~` a time whose day was not
said, `+` a length, `first..last` a period; a question mark before it says that the reader is not sure.
"""

from __future__ import annotations

import time
from datetime import datetime
from itertools import product
from pathlib import Path

import pytest
import yaml

import sayso.languages
from sayso.engine.dates.dates import Dates
from sayso.engine.text.tokens import bare, normalise
from sayso.engine.values.numbers import Numbers
from sayso.engine.values.when import DateSpan, When
from sayso.languages.load import load_language

HERE = Path(__file__).parent
LANGUAGES = Path(sayso.languages.__file__).parent
TAGS = ("en", "it")


def load(tag: str) -> Dates:
    language = load_language(LANGUAGES / tag)
    return Dates(language.dates, Numbers(language.numbers))


DATES = {tag: load(tag) for tag in TAGS}
# The base loader leaves every date a text.
SHEETS = {tag: yaml.load((HERE / f"dates_{tag}.yaml").read_text("utf-8"), yaml.BaseLoader) for tag in TAGS}  # noqa: S506
CASES = [(tag, case) for tag in TAGS for case in SHEETS[tag]["cases"]]
SILENT = [(tag, text) for tag in TAGS for text in SHEETS[tag]["silent"]]
UNSURE = [(tag, text) for tag in TAGS for text in SHEETS[tag]["unsure"]]


def find(tag: str, text: str, now: str | None = None) -> tuple[DateSpan, ...]:
    words = [token.low for token in normalise(text).tokens]
    return DATES[tag].find(words, datetime.fromisoformat(now or SHEETS[tag]["now"]))


def written(when: When) -> str:
    clock = f"{when.time[0]:02}:{when.time[1]:02}" if when.time else ""
    if when.shift is not None:
        units = zip(when.shift, ("months", "days", "minutes"), strict=True)
        return "+" + " ".join(f"{count} {unit}" for count, unit in units if count)
    if when.period is not None:
        return " ".join(filter(None, (f"{when.period[0]}..{when.period[1]}", when.name)))
    if not when.day_said:
        return f"~{when.day} {clock}"
    return " ".join(filter(None, (str(when.day), clock, when.name)))


def left(text: str, spans: tuple[DateSpan, ...]) -> str:
    tokens = normalise(text).tokens
    taken = {index for span in spans for index in range(span.lead, span.end)}
    return " ".join(token.text for index, token in enumerate(tokens) if index not in taken and token.kind == "word")


@pytest.mark.parametrize(("tag", "case"), CASES, ids=[f"{tag}: {case['say']}" for tag, case in CASES])
def test_a_sentence_is_heard_as_written(tag, case):
    spans = find(tag, case["say"], case.get("now"))
    expected = [case["hear"]] if isinstance(case["hear"], str) else case["hear"]
    assert [("" if span.strong else "? ") + written(span.when) for span in spans] == expected
    if "left" in case:
        assert left(case["say"], spans) == case["left"]


@pytest.mark.parametrize(("tag", "text"), SILENT)
def test_what_is_no_date_is_not_read(tag, text):
    assert find(tag, text) == ()


@pytest.mark.parametrize(("tag", "text"), UNSURE)
def test_what_may_be_a_name_is_never_sure(tag, text):
    assert not any(span.strong for span in find(tag, text))


@pytest.mark.parametrize("case", SHEETS["it"]["cases"], ids=lambda case: case["say"])
def test_accents_may_be_missing(case):
    assert find("it", bare(case["say"]), case.get("now")) == find("it", case["say"], case.get("now"))


@pytest.mark.parametrize("text", SHEETS["it"]["elided"])
def test_an_elided_word_may_come_in_two(text):
    words = [token.low for token in normalise(text).tokens]
    apart = [part for word in words for part in (word.replace("'", "' ").split() if "'" in word else [word])]
    now = datetime.fromisoformat(SHEETS["it"]["now"])
    whole, split = DATES["it"].find(words, now), DATES["it"].find(apart, now)
    assert len(whole) == 1
    assert [span.when for span in whole] == [span.when for span in split]


@pytest.mark.parametrize("tag", TAGS)
def test_spans_are_in_order_and_do_not_overlap(tag):
    text = " ".join(case["say"] for case in SHEETS[tag]["cases"])[:5000]
    end = 0
    for span in find(tag, text):
        assert end <= span.lead <= span.start < span.end
        end = span.end


@pytest.mark.parametrize("tag", TAGS)
def test_every_word_of_the_lexicon_reads_alone_twice_and_in_pairs(tag):
    words = sorted(DATES[tag].vocabulary)
    now = datetime(2024, 2, 29, 23, 59)
    for word in words:
        DATES[tag].find([word], now)
        DATES[tag].find([word, word], now)
    for first, second in product(words[::7], words[::5]):
        DATES[tag].find(["5", first, second, "31"], now)


@pytest.mark.parametrize("tag", TAGS)
def test_hostile_input_costs_linear_time(tag):
    """Four times the words take four times the processor's time, or less once the reader stops."""
    for word in ("5", "7:30", "2-3", "'", "", *sorted(DATES[tag].vocabulary)[::25]):
        once, four_times = _best_time(tag, [word] * 100), _best_time(tag, [word] * 400)
        assert four_times < 8 * once + 0.002, word


def _best_time(tag, words):
    times = []
    for _ in range(3):
        started = time.thread_time()
        DATES[tag].find(words, datetime(2026, 2, 4, 11, 37))
        times.append(time.thread_time() - started)
    return min(times)


def test_the_end_of_the_calendar_is_no_error():
    for text in ("in 9999 years", "in 9999999 days", "31/12/2199", "in 100000 months", "9999 weeks ago"):
        find("en", text)
    for text in ("tomorrow", "next month", "the 31st", "end of next year", "29 february"):
        for now in ("2199-12-31T23:59", "2024-02-29T00:00", "1900-01-01T00:00"):
            find("en", text, now)
