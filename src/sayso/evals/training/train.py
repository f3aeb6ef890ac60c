"""Train: the weights of a pack's gate, and how well they do on what they were not trained on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec

from sayso.case import Case
from sayso.decider import Decider
from sayso.decision import Nothing
from sayso.engine.decide.decide import on_words_alone
from sayso.engine.decide.trained import MOST_LITERAL, Training, Weights
from sayso.evals.dataset import Labelled
from sayso.evals.training import scene
from sayso.evals.training.confidence import FirstCall, error, lines_of
from sayso.evals.training.examples import Titles, own, public, said
from sayso.evals.training.fit import Example, Watch, fit, table
from sayso.evals.training.logistic import Seen, logistic

_FOLDS = 4
# People mostly ask an assistant for what it can do. There are many rows from other domains only because they were
# collected elsewhere, so each of them gets this weight when scores become probabilities.
_ELSEWHERE = 0.25


class Point(NamedTuple):
    """What the gate alone would do at one score."""

    score: float
    recall: float
    precision: float


class Trained(NamedTuple):
    """The weights, and what held-out examples say of them."""

    training: Training
    examples: int
    ours: int
    curve: tuple[Point, ...]
    error: float  # of the fitted confidence, on calls it was not fitted on


def train(
    pack: str,
    data: Path,
    labelled: Sequence[Labelled],
    titles: Titles,
    first: Sequence[FirstCall],
    watch: Watch,
) -> Trained:
    """Train the gate of an installed pack, and its confidence on what first runs came to."""
    decider = Decider.installed(trained=False)
    rows, cases = public(data), said(labelled, pack)
    more = own(decider, pack, labelled, titles, [row.text for row in rows if not row.ours])
    seen = [*rows, *cases]
    held = _held_out(seen, more, watch)
    model = fit([*seen, *more], watch, "training on all")
    scale, weights = table(model)
    scores = dict(zip((one.text for one in seen), held, strict=True))
    offset, by_score, by_word = logistic(list(_taken_up(decider, rows, labelled, pack, scores)))
    gate = Weights(scale=scale, bias=model.bias, line=(offset, by_score, by_word), table=weights)
    return Trained(
        Training(gate=gate, confidence=lines_of(first)),
        len(seen) + len(more),
        sum(one.ours for one in (*seen, *more)),
        tuple(_point(seen, held, score) for score in range(-4, 7, 2)),
        error(first),
    )


def write(trained: Trained, file: Path) -> None:
    """The weights as JSON, on one line."""
    file.write_bytes(msgspec.json.encode(trained.training) + b"\n")


def _held_out(seen: Sequence[Example], more: Sequence[Example], watch: Watch) -> list[float]:
    """A score for each example by a model that was trained without it."""
    folds = [crc32(one.text.casefold().encode("utf-8", "surrogatepass")) % _FOLDS for one in seen]
    scores = [0.0] * len(seen)
    for fold in range(_FOLDS):
        others = [one for one, at in zip(seen, folds, strict=True) if at != fold]
        model = fit([*others, *more], watch, f"held-out part {fold + 1} of {_FOLDS}")
        for place, one in enumerate(seen):
            if folds[place] == fold:
                scores[place] = model.score(one.text)
    return scores


def _taken_up(
    decider: Decider, rows: Sequence[Example], labelled: Sequence[Labelled], pack: str, scores: dict[str, float]
) -> Iterator[Seen]:
    """The readings that need no context and that the rules would follow, with the gate's score of their message."""
    for row in rows:
        for literal in _literals(decider, scene.case(row.text)):
            yield Seen((scores[row.text], literal), row.ours, 1.0 if row.ours else _ELSEWHERE)
    for one in labelled:
        if one.case.pack == pack and one.case.pending is None and one.case.message in scores:
            ours = any(pattern["kind"] != "none" for outcome in one.expect for pattern in outcome)
            for literal in _literals(decider, one.case):
                yield Seen((scores[one.case.message], literal), ours)


def _literals(decider: Decider, case: Case) -> Iterator[int]:
    """How many words the frame names, for each reading that nothing but words speaks for."""
    run = decider.run(case)
    if all(isinstance(decision, Nothing) for decision in run.answer.decisions):
        return
    for clause in run.clauses:
        if clause.sense is not None:
            act = run.grammar.pack.acts[clause.sense.reading.act]
            if act.tool is not None and on_words_alone(act, clause.sense.reading):
                yield min(clause.sense.reading.match.literal, MOST_LITERAL)


def _point(seen: Sequence[Example], scores: Sequence[float], least: float) -> Point:
    right = sum(one.ours for one, score in zip(seen, scores, strict=True) if score >= least)
    taken = sum(score >= least for score in scores)
    return Point(least, right / max(sum(one.ours for one in seen), 1), right / max(taken, 1))
