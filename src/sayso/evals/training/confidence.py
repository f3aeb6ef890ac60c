"""Confidence: from the scores of calls that were made on a first run, and whether they were right, to a probability.

Cases that were fixed until they pass say nothing about the next message. So each round of fresh cases stores
the results of its first run, one line per call: `{"id", "lang", "score", "right"}`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from sayso.decider import Decider
from sayso.decision import Call
from sayso.evals.compare import Tools
from sayso.evals.dataset import Labelled
from sayso.evals.score import judge
from sayso.evals.training.logistic import Seen, chance, logistic

_FEWEST = 40  # calls in a language, below which nothing is fitted
_FOLDS = 5


class FirstCall(msgspec.Struct, frozen=True):
    """A call of a first run."""

    id: str
    lang: str
    score: float
    right: bool


def first_calls(labelled: Iterable[Labelled], decider: Decider, tools: Tools) -> list[FirstCall]:
    """What a run comes to now; `decider` must be one without what was trained on earlier runs."""
    found: list[FirstCall] = []
    for one in labelled:
        answer = decider.decide(one.case)
        scores = [decision.confidence for decision in answer.decisions if isinstance(decision, Call)]
        calls = judge(one, answer, tools).calls
        found += [
            FirstCall(one.case.id, answer.lang, score, right) for score, (_, right) in zip(scores, calls, strict=True)
        ]
    return found


def read(file: Path) -> list[FirstCall]:
    """The calls of a file; an empty list if the file does not exist."""
    lines = file.read_bytes().splitlines() if file.exists() else []
    return [msgspec.json.decode(line, type=FirstCall) for line in lines if line.strip()]


def lines_of(calls: Sequence[FirstCall]) -> dict[str, tuple[float, float]]:
    """The line of each language that has calls enough."""
    by_language = {lang: [call for call in calls if call.lang == lang] for lang in sorted({c.lang for c in calls})}
    return {lang: _line(found) for lang, found in by_language.items() if len(found) >= _FEWEST}


def error(calls: Sequence[FirstCall]) -> float:
    """The expected calibration error of a fitted probability, on calls it was not fitted on."""
    off: list[tuple[float, bool]] = []
    for lang in sorted({call.lang for call in calls}):
        found = [call for call in calls if call.lang == lang]
        for fold in range(_FOLDS):
            others = [call for place, call in enumerate(found) if place % _FOLDS != fold]
            if len(others) < _FEWEST:
                continue
            offset, slope = _line(others)
            held = (call for place, call in enumerate(found) if place % _FOLDS == fold)
            off += [(chance(offset + slope * _odds(call.score)), call.right) for call in held]
    return _ece(off)


def _line(calls: Sequence[FirstCall]) -> tuple[float, float]:
    offset, slope = logistic([Seen((_odds(call.score),), call.right) for call in calls])
    if slope < 0:  # few misses, and chance put them among the surest: then one figure serves all
        share = (sum(call.right for call in calls) + 1) / (len(calls) + 2)
        return math.log(share / (1 - share)), 0.0
    return offset, slope


def _odds(score: float) -> float:
    known = min(max(score, 0.01), 0.99)
    return math.log(known / (1 - known))


def _ece(seen: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    total = 0.0
    for place in range(bins):
        inside = [one for one in seen if place <= one[0] * bins < place + 1]
        total += abs(sum(likely - right for likely, right in inside))
    return total / max(len(seen), 1)
