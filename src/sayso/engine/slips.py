"""Slips: which known word a person meant when a finger slipped ("remvoe" → "remove").

A table of every known word with one letter left out, made once; a lookup costs a handful of dictionary reads
however large the vocabulary is. Two slips are forgiven in long words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from rapidfuzz.distance import OSA

LONG = 8


class Slips:
    """Suggests known words for an unknown one."""

    def __init__(self, vocabulary: Iterable[str], shortest: int = 3) -> None:
        table: dict[str, set[str]] = defaultdict(set)
        for word in vocabulary:
            if len(word) >= shortest and word.isalpha():
                for key in _keys(word):
                    table[key].add(word)
        self._table = {key: tuple(sorted(words)) for key, words in table.items()}

    def suggest(self, word: str) -> tuple[tuple[str, int], ...]:
        """Known words within reach, nearest first, with the number of slips."""
        if len(word) < 2 or len(word) > 24 or not word.isalpha():
            return ()
        allowed = 2 if len(word) >= LONG else 1
        found: dict[str, int] = {}
        for key in _keys(word):
            for known in self._table.get(key, ()):
                if known not in found:
                    distance = OSA.distance(word, known, score_cutoff=allowed)
                    if distance <= allowed and plausible(word, known):
                        found[known] = distance
        return tuple(sorted(found.items(), key=lambda pair: (pair[1], pair[0][:1] != word[:1], pair[0])))


def plausible(word: str, known: str) -> bool:
    """In a short word a letter is left out, doubled or swapped; a wrong one makes another word ("vote", "note")."""
    return len(known) > 4 or len(word) != len(known) or sorted(word) == sorted(known)


def _keys(word: str) -> Iterator[str]:
    yield word
    ones = {word[:i] + word[i + 1 :] for i in range(len(word))}
    yield from ones
    if len(word) >= LONG:
        for shorter in ones:
            yield from (shorter[:i] + shorter[i + 1 :] for i in range(len(shorter)))
