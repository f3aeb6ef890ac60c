"""The gate: what is for the pack, and what it changes in a decision."""

from __future__ import annotations

import pytest

from sayso.decider import Decider
from sayso.engine.decide.trained import Gate, Weights, around, within, words_of
from sayso.engine.text.tokens import normalise
from talk import DECIDER, case

OURS = (
    "add milk to my to-do list",
    "remind me to call the vet tomorrow",
    "aggiungi il latte alla lista",
    "ricordami di chiamare il veterinario",
)
ELSEWHERE = (
    "add john to my contacts",
    "put this song on my playlist",
    "transfer fifty dollars to my savings account",
    "manda una mail a Paolo con il verbale",
)


@pytest.fixture(scope="module")
def gate():
    found = DECIDER.pack("tasks").languages.trained.gate
    assert found is not None
    return found


def test_what_is_ours_scores_above_what_is_not(gate):
    ours = [gate.score(normalise(text).tokens) for text in OURS]
    elsewhere = [gate.score(normalise(text).tokens) for text in ELSEWHERE]
    assert min(ours) > 0 > max(elsewhere)


def test_a_frame_that_names_more_words_is_believed_more(gate):
    tokens = normalise("note the plumber").tokens
    beliefs = [gate.belief(tokens, literal) for literal in range(5)]
    assert beliefs == sorted(beliefs)
    assert gate.belief(tokens, 4) == gate.belief(tokens, 40)


def test_a_long_message_is_scored_by_its_beginning(gate):
    words = "add milk and " * 20
    assert gate.score(normalise(words).tokens) == gate.score(normalise(words + "eggs").tokens)


@pytest.mark.parametrize("text", ["", "🙂", "\ud800 add", "???"])
def test_odd_text_has_a_score(gate, text):
    assert isinstance(gate.score(normalise(text).tokens), float)


def test_words_lose_their_accents_and_figures_their_value():
    assert words_of(normalise('Perché "no way" 1984, 25?').tokens) == ["perche", '"', "0000", "00", "?"]


def test_the_features_of_a_word_are_itself_and_its_runs_of_letters():
    assert list(within("to")) == ["wto", "c^to", "cto$", "c^to$"]


def test_the_features_between_words_are_pairs_and_triples():
    assert list(around(["add", "milk"])) == ["b^ add", "badd milk", "t^ add milk", "bmilk $", "tadd milk $"]


def test_weights_are_signed_bytes():
    table = bytearray(16)
    weights = Weights(scale=0.5, bias=-1.0, line=(0.0, 1.0, 0.0), table=bytes(table))
    assert Gate(weights).score(normalise("hello there").tokens) == -1.0
    table[:] = [0xFF] * 16  # minus one
    assert Gate(Weights(scale=0.5, bias=-1.0, line=(0.0, 1.0, 0.0), table=bytes(table))).score(
        normalise("hi").tokens
    ) == pytest.approx(-1.0 - 0.5 * 7)  # four features of the word, three around it


@pytest.mark.parametrize("text", ELSEWHERE)
def test_what_is_not_for_us_writes_nothing(text):
    kinds = {type(decision).__name__ for decision in DECIDER.decide(case(text)).decisions}
    assert "Call" not in kinds


def test_the_gate_never_makes_a_call_of_what_the_rules_leave_alone():
    alone = Decider.installed(trained=False)
    for text in (*OURS, *ELSEWHERE, "my to-do list is long", "tasks tasks tasks", "what a lovely list"):
        with_gate, without = DECIDER.decide(case(text)).decisions, alone.decide(case(text)).decisions
        called = [decision for decision in with_gate if type(decision).__name__ == "Call"]
        assert all(any((one.tool, one.arguments) == (o.tool, o.arguments) for o in without) for one in called)
