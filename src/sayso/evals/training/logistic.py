"""Logistic regression over a handful of features, by Newton's method: from what was seen to a probability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

_STEPS = 40
_RIDGE = 1e-3  # keeps the coefficients finite if the sides can be separated without errors


class Seen(NamedTuple):
    """An observation: its features, whether it was right, and its weight."""

    features: tuple[float, ...]
    right: bool
    weight: float = 1.0


def chance(score: float) -> float:
    """The probability that belongs to log odds."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def logistic(seen: Sequence[Seen]) -> tuple[float, ...]:
    """The offset, and the slope of each feature."""
    size = len(seen[0].features) + 1
    found = [0.0] * size
    for _ in range(_STEPS):
        gradient = [_RIDGE * value for value in found]
        curve = [[_RIDGE if row == column else 0.0 for column in range(size)] for row in range(size)]
        for one in seen:
            row = (1.0, *one.features)
            likely = chance(sum(a * b for a, b in zip(found, row, strict=True)))
            off, spread = one.weight * (likely - one.right), one.weight * likely * (1 - likely)
            for i, value in enumerate(row):
                gradient[i] += off * value
                for j, other in enumerate(row):
                    curve[i][j] += spread * value * other
        found = [value - step for value, step in zip(found, _solve(curve, gradient), strict=True)]
    return tuple(found)


def _solve(matrix: list[list[float]], wanted: list[float]) -> list[float]:
    """The x with matrix · x = wanted, by elimination; the matrix is positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, wanted, strict=True)]
    size = len(rows)
    for at in range(size):
        for below in range(at + 1, size):
            share = rows[below][at] / rows[at][at]
            rows[below] = [a - share * b for a, b in zip(rows[below], rows[at], strict=True)]
    solution = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][other] * solution[other] for other in range(at + 1, size))
        solution[at] = (rows[at][size] - known) / rows[at][at]
    return solution
