"""Fit: a linear model over hashed features, by gradient descent. Plain Python: a minute's work, the same every time.

The steps shrink for features that were often moved (AdaGrad), which is all the regularisation that a few rounds over
the data need.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple
from zlib import crc32

from sayso.engine.decide.trained import around, within, words_of
from sayso.engine.text.tokens import normalise
from sayso.evals.training.logistic import chance

BITS = 16
_ROUNDS = 8
_STEP = 0.5
_SETTLED = 0.002  # an example that is off by less moves nothing


class Example(NamedTuple):
    """A sentence and whether it is for the pack; `weight` says how much it counts."""

    text: str
    ours: bool
    weight: float = 1.0


class Model(NamedTuple):
    """The weights, as floats."""

    bias: float
    weights: list[float]

    def score(self, text: str) -> float:
        places, share = _features(text)
        return self.bias + share * sum(self.weights[at] for at in places)


Watch = Callable[[Iterable[int], str], Iterable[int]]


def fit(examples: Sequence[Example], watch: Watch, what: str = "training") -> Model:
    """A model of the examples."""
    seen = [(*_features(one.text), float(one.ours), one.weight) for one in examples]
    weights, moved = [0.0] * (1 << BITS), [1.0] * (1 << BITS)
    bias = -2.0
    order = random.Random(7)  # noqa: S311  the same order every time
    for _ in watch(range(_ROUNDS), what):
        order.shuffle(seen)
        for places, share, wanted, weight in seen:
            score = bias + share * sum([weights[at] for at in places])
            off = (chance(score) - wanted) * weight
            if -_SETTLED < off < _SETTLED:
                continue
            bias -= 0.005 * off
            slope = off * share
            square = slope * slope
            for at in places:
                moved[at] += square
                weights[at] -= _STEP * slope / math.sqrt(moved[at])
    return Model(bias, weights)


def table(model: Model) -> tuple[float, bytes]:
    """The weights as one signed byte each, and what one unit of them is worth."""
    scale = max(abs(weight) for weight in model.weights) / 127
    return scale, bytes(round(weight / scale) & 0xFF for weight in model.weights)


def _features(text: str) -> tuple[list[int], float]:
    words = words_of(normalise(text).tokens)
    named = [*(feature for word in words for feature in within(word)), *around(words)]
    places = [crc32(feature.encode("utf-8", "surrogatepass")) & ((1 << BITS) - 1) for feature in named]
    return places, 1 / math.sqrt(max(len(words), 1))
