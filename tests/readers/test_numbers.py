"""The number reader: numbers_en.yaml and numbers_it.yaml hold words, their value and what is left unread."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert

import sayso.languages
from sayso.engine.values.numbers import Numbers
from sayso.engine.values.specs import NumberSpec

HERE = Path(__file__).parent
LANGUAGES = Path(sayso.languages.__file__).parent
TAGS = ("en", "it")
NUMBERS = {
    tag: Numbers(convert(yaml.safe_load((LANGUAGES / tag / "numbers.yaml").read_text("utf-8")), NumberSpec))
    for tag in TAGS
}
SHEETS = {tag: yaml.safe_load((HERE / f"numbers_{tag}.yaml").read_text("utf-8")) for tag in TAGS}


def cases(kind: str) -> list[tuple[str, str, float]]:
    return [(tag, said, value) for tag in TAGS for said, value in SHEETS[tag][kind].items()]


@pytest.mark.parametrize(("tag", "said", "value"), cases("cardinals"))
def test_a_cardinal_is_read_whole(tag, said, value):
    words = said.split()
    assert NUMBERS[tag].read(words, 0) == (value, len(words))


@pytest.mark.parametrize(("tag", "said", "value"), cases("beginnings"))
def test_a_number_ends_where_the_next_begins(tag, said, value):
    found = NUMBERS[tag].read(said.split(), 0)
    assert found is not None
    assert found[0] == value
    assert found[1] < len(said.split())


@pytest.mark.parametrize(("tag", "said", "value"), cases("ordinals"))
def test_an_ordinal_is_read(tag, said, value):
    words = said.split()
    assert NUMBERS[tag].read_ordinal(words, 0) == (value, len(words))


@pytest.mark.parametrize(("tag", "said"), [(tag, said) for tag in TAGS for said in SHEETS[tag]["none"]])
def test_what_is_no_number_is_not_read(tag, said):
    assert NUMBERS[tag].read(said.split(), 0) is None


@pytest.mark.parametrize("tag", TAGS)
def test_reading_past_the_end_finds_nothing(tag):
    assert NUMBERS[tag].read(["5"], 1) is None
    assert NUMBERS[tag].read_ordinal(["5"], 1) is None


@pytest.mark.parametrize("tag", TAGS)
@given(number=st.integers(0, 10**12))
def test_figures_read_as_themselves(tag, number):
    assert NUMBERS[tag].read([str(number)], 0) == (number, 1)


@pytest.mark.parametrize("tag", TAGS)
@given(words=st.lists(st.sampled_from([*sorted(NUMBERS["en"].vocabulary | NUMBERS["it"].vocabulary), "", "7,5"])))
def test_any_words_are_read_without_error(tag, words):
    for at in range(len(words)):
        for found in (NUMBERS[tag].read(words, at), NUMBERS[tag].read_ordinal(words, at)):
            assert found is None or at < found[1] <= len(words)
