"""Slips: which known word a person meant when a finger slipped ("remvoe" → "remove").

A table of every known word with one letter left out makes a lookup cost a handful of dictionary reads, however large
the vocabulary is. Two slips are forgiven in long words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rapidfuzz import process
from rapidfuzz.distance import OSA

LONG = 9
_PATIENCE = 60_000  # comparisons; after that many the table has paid for itself


class Slips:
    """Suggests known words for an unknown one: by trying them all at first, by the table once it pays to make it."""

    def __init__(self, vocabulary: Iterable[str], shortest: int = 3) -> None:
        self._words = sorted(word for word in vocabulary if len(word) >= shortest and word.isalpha())
        self._patience = _PATIENCE
        self._table: dict[str, tuple[str, ...]] | None = None

    def suggest(self, word: str) -> tuple[tuple[str, int], ...]:
        """Known words within reach, nearest first, with the number of slips."""
        if len(word) < 2 or len(word) > 24 or not word.isalpha():
            return ()
        most = 2 if len(word) >= LONG else 1
        near: Iterable[str] = self._words
        if self._patience > 0:
            self._patience -= len(self._words)
        else:
            near = sorted(self._near(word))
        # one call over all words; the scorer's stub is stricter than what extract takes
        found = process.extract(word, near, scorer=OSA.distance, score_cutoff=most, limit=None)  # type: ignore[arg-type]
        slips = [(known, int(distance)) for known, distance, _ in found if plausible(word, known)]
        return tuple(sorted(slips, key=lambda pair: (pair[1], pair[0][:1] != word[:1], pair[0])))

    def _near(self, word: str) -> set[str]:
        """The known words that share a form with a letter or two left out."""
        if self._table is None:
            table: dict[str, tuple[str, ...]] = {}
            for known in self._words:
                for key in set(_keys(known)):
                    table[key] = (*table.get(key, ()), known)  # tuples: a hundred thousand lists burden the collector
            self._table = table
        return {known for key in _keys(word) for known in self._table.get(key, ())}


def plausible(word: str, known: str) -> bool:
    """In a short word a letter is left out or two change places; anything else makes another word ("vote", "tune")."""
    if len(known) > 4:
        return True
    return len(word) < len(known) or (len(word) == len(known) and sorted(word) == sorted(known))


def _keys(word: str) -> Iterator[str]:
    yield word
    ones = {word[:i] + word[i + 1 :] for i in range(len(word))}
    yield from ones
    if len(word) >= LONG:
        for shorter in ones:
            yield from (shorter[:i] + shorter[i + 1 :] for i in range(len(shorter)))
