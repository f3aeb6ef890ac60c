"""Slips: the fast suggestion equals the slow obvious one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from sayso.engine.lexicon.lexicon import LONG, Slips, plausible

VOCABULARY = [
    "add",
    "remove",
    "delete",
    "complete",
    "task",
    "tasks",
    "note",
    "vote",
    "tue",
    "tune",
    "the",
    "them",
    "then",
    "list",
    "lists",
    "show",
    "mark",
    "done",
    "finish",
    "priority",
    "tomorrow",
    "today",
    "monday",
    "tuesday",
    "wednesday",
    "due",
    "high",
    "low",
    "medium",
    "rename",
    "reschedule",
    "postpone",
    "groceries",
    "description",
    "deadline",
    "città",
    "attività",
    "perché",
    "cancellare",
    "eliminare",
    "aggiungere",
]
letters = st.sampled_from("abdeimnorstuvé")
words = st.text(letters, min_size=1, max_size=10)


@st.composite
def slipped(draw):
    """A known word after up to three slips of the finger."""
    word = list(draw(st.sampled_from(VOCABULARY)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, max(len(word) - 1, 0)))
        kind = draw(st.sampled_from(["drop", "add", "change", "swap"]))
        if kind == "drop":
            del word[at : at + 1]
        elif kind == "add":
            word.insert(at, draw(letters))
        elif kind == "change":
            word[at : at + 1] = draw(letters)
        else:
            word[at : at + 2] = reversed(word[at : at + 2])
    return "".join(word)


def slow(word, vocabulary):
    """Every known word, compared one by one."""
    if not 2 <= len(word) <= 24 or not word.isalpha():
        return ()
    most = 2 if len(word) >= LONG else 1
    near = [(known, OSA.distance(word, known)) for known in sorted(vocabulary) if len(known) >= 3 and known.isalpha()]
    near = [pair for pair in near if pair[1] <= most and plausible(word, pair[0])]
    return tuple(sorted(near, key=lambda pair: (pair[1], pair[0][0] != word[0], pair[0])))


def tabled(vocabulary):
    """Slips that have made their table."""
    slips = Slips(vocabulary)
    slips._patience = 0
    return slips


FRESH, TABLED = Slips(VOCABULARY), tabled(VOCABULARY)


@given(slipped() | words)
def test_before_the_table_is_made_it_equals_comparing_with_every_word(word):
    FRESH._patience = 1
    assert FRESH.suggest(word) == slow(word, VOCABULARY)


@given(slipped() | words)
def test_after_the_table_is_made_it_equals_comparing_with_every_word(word):
    assert TABLED.suggest(word) == slow(word, VOCABULARY)


@given(st.lists(words, max_size=12, unique=True), words)
def test_it_holds_for_any_vocabulary(vocabulary, word):
    assert tabled(vocabulary).suggest(word) == Slips(vocabulary).suggest(word) == slow(word, vocabulary)


def test_the_table_is_made_only_once_it_pays():
    slips = Slips(VOCABULARY)
    slips.suggest("remvoe")
    assert "_parts" not in vars(slips)
    slips._patience = 0
    slips.suggest("remvoe")
    assert "_parts" in vars(slips)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("remvoe", ("remove", 1)),
        ("delet", ("delete", 1)),
        ("compelte", ("complete", 1)),
        ("tomorow", ("tomorrow", 1)),
        ("wednsday", ("wednesday", 1)),
        ("descripton", ("description", 1)),
        ("teh", ("the", 1)),
        ("ntoe", ("note", 1)),
        ("tsk", ("task", 1)),
        ("ad", ("add", 1)),
        ("attivita", ("attività", 1)),
    ],
)
def test_a_slip_is_mended(word, meant):
    assert Slips(VOCABULARY).suggest(word)[0] == meant


@pytest.mark.parametrize(
    ("word", "other"), [("vote", "note"), ("tune", "tue"), ("addd", "add"), ("mask", "mark"), ("dune", "due")]
)
def test_a_short_word_of_its_own_is_no_slip_for_another(word, other):
    known = [one for one in VOCABULARY if one not in ("vote", "tune")]
    assert other in known
    assert other not in dict(Slips(known).suggest(word))


@pytest.mark.parametrize("word", ["a", "", "x" * 25, "d3lete", "9am", "de-lete", "💥💥"])
def test_what_is_no_word_is_never_a_slip(word):
    assert Slips(VOCABULARY).suggest(word) == ()


def test_two_slips_are_forgiven_in_long_words_only():
    assert Slips(VOCABULARY).suggest("decsripton") == (("description", 2),)
    assert Slips(VOCABULARY).suggest("tomrow") == ()
