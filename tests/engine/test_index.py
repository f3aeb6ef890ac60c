"""The index: things found by the stems of their names, in any order, slips forgiven."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.engine.grammar.pack import EntityKind
from sayso.engine.linking.index import EntityIndex
from sayso.record import Entity
from talk import DECIDER, task

GRAMMAR = DECIDER.pack("tasks").languages.grammar("en")
TITLES = {
    "milk": "Buy milk",
    "anna": "Buy milk for Anna",
    "mac": "Back up the Mac",
    "fire": "Mandatory fire training",
    "calves": "Vaccinate the calves",
    "Report-7": "Finish the report",
}


def index_of(*entities):
    return EntityIndex(entities, GRAMMAR.pack.entities, GRAMMAR.stems, GRAMMAR.little)


INDEX = index_of(*(task(identifier, title) for identifier, title in TITLES.items()))


def search(text, allowed=None):
    return INDEX.search(INDEX.stems_of(text), allowed)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("the fire training", "fire"),
        ("training fire", "fire"),
        ("the fire traning", "fire"),
        ("the mac backup", "mac"),
        ("vaccinated calves", "calves"),
        ("reports", "Report-7"),
        ("milk for anna", "anna"),
        ("ANNA", "anna"),
    ],
)
def test_a_name_is_found_by_part_in_any_order_and_with_slips(said, found):
    assert search(said)[0].id == found


def test_a_name_said_whole_comes_before_one_that_only_holds_it():
    best, second = search("buy milk")[:2]
    assert (best.id, best.whole, best.named) == ("milk", True, 1.0)
    assert (second.id, second.whole) == ("anna", False)
    assert second.said == best.said


def test_what_shares_no_word_is_not_found():
    assert search("polish the trumpet") == []
    assert search("") == []


def test_only_what_is_allowed_is_found():
    assert [hit.id for hit in search("buy milk", {"anna"}.__contains__)] == ["anna"]
    assert search("buy milk", set().__contains__) == []


def test_a_rare_word_tells_more_than_a_frequent_one():
    index = index_of(task("a", "Call the bank"), task("b", "Call the dentist"), task("c", "Call the plumber"))
    hits = index.search(index.stems_of("call bank tomorrow"))
    assert hits[0].id == "a"
    assert hits[0].said > 2 * hits[1].said


def test_little_words_tell_nothing_unless_there_is_nothing_else():
    assert INDEX.telling(INDEX.stems_of("the report for my")) == INDEX.stems_of("report")
    index = index_of(task("it", "It"))
    assert [hit.id for hit in index.search(index.stems_of("it"))] == ["it"]


@pytest.mark.parametrize("said", ["Report-7", "report-7", "REPORT-7"])
def test_an_id_is_found_whatever_its_case(said):
    assert INDEX.by_id(said) == "Report-7"


def test_an_id_that_nobody_has_is_not_found():
    assert INDEX.by_id("report") is None
    assert INDEX.get("nobody") is None
    assert INDEX.label_stems("nobody") == ()


def test_a_name_at_the_end_is_said_once_though_a_longer_one_begins_with_it():
    assert INDEX.mentions(INDEX.stems_of("please buy milk")) == [(1, 3, "milk")]


def test_whole_names_are_found_inside_a_text_longest_first():
    stems = INDEX.stems_of("1. Buy milk for Anna 2. Back up the Mac")
    mentions = INDEX.mentions(stems)
    assert [identifier for _, _, identifier in mentions] == ["anna", "milk", "mac"]
    assert all(stems[start:end] == INDEX.label_stems(identifier) for start, end, identifier in mentions)


def test_things_of_a_kind_that_the_pack_does_not_know_are_left_out():
    index = index_of(Entity({"kind": "ghost", "id": "g1", "title": "Buy milk"}), task("t1", "Buy milk"))
    assert len(index) == 1
    assert index.get("g1") is None
    assert index.get("t1")["title"] == "Buy milk"


def test_a_thing_without_a_name_is_no_obstacle():
    index = index_of(Entity({"kind": "task", "id": "t1"}), task("t2", ""), task("t3", "🎉"), task("t4", "Buy milk"))
    assert [hit.id for hit in index.search(index.stems_of("milk"))] == ["t4"]
    assert index.mentions(index.stems_of("buy milk")) == [(0, 2, "t4")]


def test_nothing_is_worked_out_before_it_is_needed_unless_asked_for():
    things = task("t1", "Buy milk"), task("t2", "Call Anna", description="about the milk")
    kinds = {"task": EntityKind(name="title", also=("description",))}
    index = EntityIndex(things, kinds, GRAMMAR.stems, GRAMMAR.little)
    assert index.get("t2")["title"] == "Call Anna"
    assert "_names" not in vars(index)
    index.warm()
    assert "_names" in vars(index)
    assert [(hit.id, hit.said) for hit in index.search(index.stems_of("milk"))] == [("t1", 1.0), ("t2", 0.6)]


def test_no_slip_is_lost_once_the_tables_are_made():
    index = index_of(*(task(identifier, title) for identifier, title in TITLES.items()))
    index.warm()
    assert [hit.id for hit in index.search(index.stems_of("mandatroy"))] == ["fire"]


@pytest.mark.parametrize(
    "title", ["l'acqua e il pane", "Back-up, then e-mail", "rock 'n' roll", "Zoë’s “new” bag", "½ kg"]
)
def test_a_name_is_found_by_its_own_words_whatever_signs_are_in_it(title):
    index = index_of(task("t1", title), task("t2", "Buy milk"))
    assert [hit.id for hit in index.search(index.stems_of(title))] == ["t1"]
    assert index.mentions(index.stems_of(title)) == [(0, len(index.label_stems("t1")), "t1")]


words = st.sampled_from(["buy", "milk", "call", "the", "bank", "anna", "report", "back", "up", "mac"])


@given(st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=6), st.data())
def test_every_thing_is_among_the_best_hits_for_its_own_name(names, data):
    index = index_of(*(task(f"t{number}", " ".join(name)) for number, name in enumerate(names)))
    number = data.draw(st.integers(0, len(names) - 1))
    hits = index.search(index.stems_of(" ".join(data.draw(st.permutations(names[number])))))
    best = [hit for hit in hits if hit.said == hits[0].said]
    assert f"t{number}" in [hit.id for hit in best]
    assert next(hit for hit in best if hit.id == f"t{number}").whole


@given(st.lists(words, min_size=1, max_size=5))
def test_hits_are_sorted_and_their_shares_are_shares(said):
    hits = search(" ".join(said))
    assert [hit.said for hit in hits] == sorted((hit.said for hit in hits), reverse=True)
    assert all(0 < hit.said <= 1.0001 and 0 <= hit.named <= 1 for hit in hits)
    assert len({hit.id for hit in hits}) == len(hits)
