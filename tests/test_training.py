"""Training: the pieces, on sentences small enough to see through."""

from __future__ import annotations

import pytest

from sayso.decider import Decider
from sayso.engine.decide.trained import Gate, Weights
from sayso.engine.text.tokens import normalise
from sayso.evals.dataset import Labelled
from sayso.evals.training.examples import own, said
from sayso.evals.training.fit import Example, fit, table
from sayso.evals.training.logistic import Seen, chance, logistic
from sayso.evals.training.sentences import Sampler
from talk import case

TALK = [
    *(Example(f"{verb} {thing} to my list", True) for verb in ("add", "put") for thing in ("milk", "eggs", "tea")),
    *(Example(f"play {thing} by {who}", False) for thing in ("songs", "tunes") for who in ("ann", "bob", "cy")),
]


def quiet(rounds, _what):
    return rounds


def test_a_model_tells_the_sides_apart_and_training_is_the_same_every_time():
    model = fit(TALK, quiet)
    assert model.score("put bread to my list") > 0 > model.score("play hits by dora")
    assert fit(TALK, quiet) == model


def test_a_gate_scores_as_the_model_that_it_was_made_of():
    model = fit(TALK, quiet)
    scale, weights = table(model)
    gate = Gate(Weights(scale=scale, bias=model.bias, line=(0.0, 1.0, 0.0), table=weights))
    for text in ("add butter to my list", "play jazz by ann"):
        assert gate.score(normalise(text).tokens) == pytest.approx(model.score(text), abs=0.3)


def test_logistic_regression_finds_the_line_that_made_the_data():
    seen = [
        Seen((x, y), right, chance(-1 + 2 * x + 0.5 * y) if right else 1 - chance(-1 + 2 * x + 0.5 * y))
        for x in range(-3, 4)
        for y in range(5)
        for right in (True, False)
    ]
    assert logistic(seen) == pytest.approx((-1, 2, 0.5), abs=0.02)


@pytest.mark.parametrize("tag", ["en", "it"])
def test_most_sentences_that_a_pack_makes_are_read_by_it(tag):
    decider = Decider.installed(trained=False)
    fillers = {"title": ["oil the hinges"], "due": ["domani" if tag == "it" else "tomorrow"]}
    sampler = Sampler(decider.pack("tasks").languages.grammar(tag), fillers, seed=3)
    made = [text for text in sampler.sentences(1) if "oil the hinges" in text]
    read = [text for text in made if any(clause.sense for clause in decider.run(case(text)).clauses)]
    assert len(made) > 30
    assert len(read) > 0.8 * len(made)


def test_cases_that_stand_on_their_own_are_examples_and_lend_their_frames():
    call = {"kind": "call", "tool": "add_task", "arguments": {"title": "oil the hinges"}}
    labelled = [
        Labelled(case=case("jot down oil the hinges please"), expect=[[call]]),
        Labelled(case=case("lovely hinges"), expect=[[{"kind": "none"}]]),
        Labelled(case=case("empty the list"), expect=[[{"kind": "none", "reason": "unsupported"}]]),
    ]
    assert [(one.text, one.ours) for one in said(labelled, "tasks")] == [
        ("jot down oil the hinges please", True),
        ("lovely hinges", False),
    ]
    made = own(Decider.installed(trained=False), "tasks", labelled, {}, ["order new checks"])
    assert "jot down order new checks please" in {one.text for one in made}
    assert all(one.ours for one in made)
