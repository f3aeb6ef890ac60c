"""Evidence for values of which nothing is known but their JSON."""

from __future__ import annotations

import pytest

from sayso.engine.proposal.telling import Telling
from talk import DECIDER, NOW

ENGLISH = DECIDER.pack("tasks").languages.grammar("en")
ITALIAN = DECIDER.pack("tasks").languages.grammar("it")


def supports(said, value, about="x", grammar=ENGLISH):
    return Telling(grammar, [said], NOW).supports(value, about)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("a room in new york please", "New York, NY"),
        ("flights to San Francisco", "SF"),
        ("translate this for me", "translation"),
        ("charge the order 'A-7/K' again", "A-7/K"),
        ("wake me in ten minutes", 600),
        ("at 12.5 percent", 0.125),
        ("three tickets", 3),
        ("points 3,4,5", [3, 4, 5]),
        ("1,250 euros", 1250),
        ("twenty-one guests", "21"),
        ("on March 14th 2027", "2027-03-14"),
        ("on March 14th", "2027-03-14"),
        ("tomorrow at 5 pm", "2026-03-11T17:00"),
        ("on 14/03/2027", "14-03-2027"),
        ("for the last six months", "six_months"),
        ("a pet friendly place for Rossi", {"guest": "Rossi", "tags": ["pet-friendly"]}),
        ("anything", None),
        ("anything", ""),
    ],
)
def test_what_was_said_is_borne_out(said, value):
    assert supports(said, value)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("a room in new york please", "Boston"),
        ("three tickets", 4),
        ("on March 14th 2027", "2028-03-14"),
        ("on March 14th", "2027-03-15"),
        ("tomorrow at 5 pm", "2026-03-11T09:30"),
        ("send it to Rossi", {"guest": "Rossi", "email": "rossi@example.org"}),
        ("points 3,4,5", [3, 4, 6]),
        ("the cat", "cathedral"),
        ("send it", "the"),
        ("hello", 0),
        ("hello", object()),
    ],
)
def test_what_nobody_said_is_not(said, value):
    assert not supports(said, value)


def test_yes_and_no_need_the_words_of_their_parameter():
    assert supports("with the timelines aligned", True, "aligned")
    assert not supports("with the timelines", True, "aligned")
    assert supports("entry should be free", "True", "free_entry")


def test_other_languages_count_in_their_own_words():
    assert supports("una stanza per tre persone", 3, grammar=ITALIAN)
    assert supports("dopodomani alle nove", "2026-03-12T09:00", grammar=ITALIAN)


def test_what_goes_too_deep_is_not_followed():
    value = "three"
    for _ in range(40):
        value = [value]
    assert not supports("three", value)
