"""The shortlist: the best of very many, the same as by looking at each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.engine.linking import index as engine_index
from sayso.engine.linking.fits import Posting, best, bits_of, by_length, numbers_of
from sayso.engine.linking.index import EntityIndex
from talk import DECIDER, task

GRAMMAR = DECIDER.pack("tasks").languages.grammar("en")
places = st.lists(st.integers(0, 300), unique=True).map(sorted)


@given(places)
def test_numbers_become_bits_and_back(numbers):
    assert numbers_of(bits_of(numbers), 1000) == numbers
    assert Posting(numbers).bits == sum(1 << number for number in numbers)


@given(places, st.integers(1, 5))
def test_reading_bits_stops_early(numbers, most):
    assert numbers_of(bits_of(numbers), most)[:most] == numbers[:most]


@given(st.lists(st.tuples(places, st.sampled_from([0.1, 0.25, 0.6, 1.0])), max_size=5), st.integers(1, 12))
def test_the_best_are_those_with_the_highest_sums(gains, most):
    scores: dict[int, int] = {}
    for numbers, share in gains:
        for number in numbers:
            scores[number] = scores.get(number, 0) + round(share * 255)
    found = best([(bits_of(numbers), share) for numbers, share in gains], [], most, None)
    assert found == sorted(sorted(scores, key=lambda number: (-scores[number], number))[:most])


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60), st.integers(1, 9))
def test_of_equals_those_with_short_names_go_first(lengths, most):
    everything = bits_of(range(len(lengths)))
    found = best([(everything, 0.5)], by_length(lengths), most, None)
    assert found == sorted(sorted(range(len(lengths)), key=lambda number: (min(lengths[number], 15), number))[:most])


def test_what_is_not_allowed_is_not_among_the_best():
    assert best([(0b1111, 0.5), (0b0001, 0.5)], [], 2, 0b1110) == [1, 2]
    assert best([(0b1111, 0.5)], [], 2, 0) == []
    assert best([], [], 2, None) == []


WHO = ["anna", "bruno", "carla", "dario", "elena", "fabio", "gina", "hugo"]
WHAT = ["call", "email", "visit", "thank", "invite", "pay", "remind", "answer"]
WHERE = ["the office", "Rome", "Milan", "the station", "Turin", "the garden", "Genoa", "Naples"]
NAMES = [f"{what.title()} {who} about {where}" for what in WHAT for who in WHO for where in WHERE]
STATUSES = ["pending", "completed"]


def index_of(names):
    things = [task(f"t{number}", name, status=STATUSES[number % 2]) for number, name in enumerate(names)]
    return EntityIndex(things, GRAMMAR.pack.entities, GRAMMAR.stems, GRAMMAR.little)


@pytest.mark.parametrize(
    "said",
    [
        "call anna about the station",
        "rome anna call",
        "cal anna about rome",
        "anna",
        "milan station",
        "viist hugo milan",
        "gina xyzzy rome",
    ],
)
@pytest.mark.parametrize("status", [None, "pending", "completed"])
def test_choosing_all_at_once_finds_the_same_as_looking_at_each(monkeypatch, said, status):
    index = index_of(NAMES)
    allowed = index.among({"status": status}) if status else None
    found = []
    for many in (0, 10**9):
        monkeypatch.setattr(engine_index, "_MANY", many)
        hits = index.search(index.stems_of(said), allowed)
        assert hits
        found.append(([round(hit.said, 6) for hit in hits], {hit for hit in hits if hit.said > 0.6}))
        assert status is None or {index.get(hit.id)["status"] for hit in hits} == {status}
    assert found[0] == found[1]


def test_any_question_by_id_may_tell_what_is_allowed(monkeypatch):
    monkeypatch.setattr(engine_index, "_MANY", 0)
    index = index_of(NAMES)
    stems = index.stems_of("anna station")
    ids = {hit.id for hit in index.search(stems)[::2]}
    assert {hit.id for hit in index.search(stems, ids.__contains__)} == ids
    assert index.search(stems, ids.__contains__) == index.search(stems, index.only(ids))


def test_a_whole_name_is_found_among_many_that_begin_alike():
    index = index_of([*(f"Call {number}" for number in range(200)), "Call the bank"])
    assert index.mentions(index.stems_of("please call the bank")) == [(1, 4, "t200")]


def test_the_letters_of_a_word_that_nobody_knows_choose_among_equals():
    index = index_of(
        ["Sign the papers near the river", "Sign the papers near the castle", "Sign the papers near the mill"]
    )
    assert index.search(index.stems_of("sign the papers near the caztlle"))[0].id == "t1"
    assert index.search(index.stems_of("sign the papers near the rixxer"))[0].id == "t0"
