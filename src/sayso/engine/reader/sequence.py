"""Finds the likeliest tags of a message and how likely they are, all together.

A tag is 0 outside of values, 1 + slot where a value begins, 1 + slots + slot where it goes on. A value goes on only
where it began; apart from that any tag may follow any other, so each step looks at each tag once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from operator import add, mul
from typing import NamedTuple

_NEVER = -1e9


def tags_for(slots: Sequence[str]) -> tuple[str, ...]:
    """The names of the tags: O, then B-slot for each slot, then I-slot."""
    return ("O", *(f"B-{slot}" for slot in slots), *(f"I-{slot}" for slot in slots))


class Tagging(NamedTuple):
    """The best tags of a message. `weight` is the log of the summed weight of all taggings that were allowed."""

    path: list[int]
    chance: float  # that all tags are right
    weight: float


def only(scores: Sequence[Sequence[float]], slots: Collection[int], count: int) -> list[list[float]]:
    """The scores with those of all other slots ruled out; `count` is the number of slots."""
    allowed = {0, *(1 + slot for slot in slots), *(1 + count + slot for slot in slots)}
    return [[score if tag in allowed else _NEVER for tag, score in enumerate(row)] for row in scores]


def decode(scores: Sequence[Sequence[float]], slots: int) -> Tagging:
    """The best tags of the words and the probability that all of them are right."""
    first = slots + 1
    best = [*scores[0][:first], *[_NEVER] * slots]
    total, weight = _normalised(best)
    back: list[tuple[int, list[int]]] = []
    for row in scores[1:]:
        most = max(best)
        begun, on = best[1:first], best[first:]
        sources = [at + 1 if new > old else at + first for at, (new, old) in enumerate(zip(begun, on, strict=True))]
        back.append((best.index(most), sources))
        onward = [*[most] * first, *map(max, begun, on)]
        best = list(map(add, onward, row))
        # A value that begins or a word outside may follow anything, and `total` sums to one.
        here, share = _normalised(row)
        going_on = map(mul, map(add, total[1:first], total[first:]), here[first:])
        total = [*here[:first], *going_on]
        whole = sum(total)
        total = [each / whole for each in total]
        weight += share + math.log(whole)
    most = max(best)
    path = [best.index(most)]
    for source, sources in reversed(back):
        path.append(source if path[-1] < first else sources[path[-1] - first])
    return Tagging(path[::-1], math.exp(min(0.0, most - weight)), weight)


def _normalised(row: Sequence[float]) -> tuple[list[float], float]:
    """The weights of a row of scores, summing to one, and the log of their sum before."""
    most = max(row)
    weights = [math.exp(score - most) for score in row]
    whole = sum(weights)
    return [weight / whole for weight in weights], most + math.log(whole)
