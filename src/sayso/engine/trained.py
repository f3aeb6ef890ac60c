"""What training gives a pack: a gate, and for each language how a score becomes a probability."""

from __future__ import annotations

import math

import msgspec

from sayso.engine.gate import Gate, Weights

Line = tuple[float, float]  # offset and slope, over log odds
_LEAST, _MOST = 0.01, 0.99


class Training(msgspec.Struct, frozen=True, kw_only=True):
    """trained.json."""

    gate: Weights
    confidence: dict[str, Line] = {}


class Trained:
    """What was trained, ready for use; without a training nothing is changed."""

    def __init__(self, training: Training | None = None) -> None:
        self.gate = Gate(training.gate) if training else None
        self._lines = training.confidence if training else {}

    def probability(self, language: str, score: float, edges: tuple[float, ...]) -> float:
        """The share of decisions with such a score that are right. It stays between the edges that the score is in:
        what is done depends on them, and was decided by then."""
        line = self._lines.get(language)
        if line is None:
            return score
        known = min(max(score, _LEAST), _MOST)
        likely = 1 / (1 + math.exp(-(line[0] + line[1] * math.log(known / (1 - known)))))
        low = max((edge for edge in edges if edge <= score), default=_LEAST)
        high = min((edge - 0.001 for edge in edges if edge > score), default=_MOST)
        return round(min(max(likely, low), high), 3)
