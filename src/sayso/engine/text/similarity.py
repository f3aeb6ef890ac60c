"""Measures how far two words are apart, with rapidfuzz, which is loaded when it is first needed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any


@cache
def _fuzz() -> Any:
    import rapidfuzz  # noqa: PLC0415  that is the point

    return rapidfuzz


def is_within(most: int, word: str, other: str) -> bool:
    """Whether a word becomes the other by so many slips."""
    return bool(_fuzz().distance.OSA.distance(word, other, score_cutoff=most) <= most)


def all_within(most: int, word: str, others: Iterable[str]) -> list[tuple[str, int]]:
    """Those of many that are within so many slips, each with their number; one call over all of them."""
    fuzz = _fuzz()
    found = fuzz.process.extract(word, others, scorer=fuzz.distance.OSA.distance, score_cutoff=most, limit=None)
    return [(other, int(distance)) for other, distance, _ in found]


def similarity(word: str, other: str, least: float) -> float:
    """From 0 to 1; 0 for less than the least."""
    return float(_fuzz().distance.OSA.normalized_similarity(word, other, score_cutoff=least))
