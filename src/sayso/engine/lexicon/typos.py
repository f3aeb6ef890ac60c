"""Finds the known word behind a typo: "remvoe" → "remove".

One slip leaves a word its beginning or its end, and two in a long word leave it one of these or its middle: known words
are kept by these parts, so that a lookup compares a few of them, however large the vocabulary is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from sayso.engine.text.similarity import all_within

LONG = 9
_SHORT = 4  # in a word so short a slip may touch both its beginning and its end
_PATIENCE = 60_000  # comparisons; after that many the parts have paid for themselves


class Slips:
    """Suggests known words for an unknown one: by trying them all at first, by their parts once that pays."""

    def __init__(self, vocabulary: Iterable[str], shortest: int = 3) -> None:
        self._words = sorted(word for word in vocabulary if len(word) >= shortest and word.isalpha())
        self._patience = _PATIENCE

    def suggest(self, word: str) -> tuple[tuple[str, int], ...]:
        """Known words within reach, nearest first, with the number of slips."""
        if len(word) < 2 or len(word) > 24 or not word.isalpha():
            return ()
        most = 2 if len(word) >= LONG else 1
        near: Iterable[str] = self._words
        if self._patience > 0:
            self._patience -= len(self._words)
        else:
            near = self._near(word)
        slips = [(known, distance) for known, distance in all_within(most, word, near) if plausible(word, known)]
        return tuple(sorted(slips, key=lambda pair: (pair[1], pair[0][:1] != word[:1], pair[0])))

    def _near(self, word: str) -> list[str]:
        """The known words that share with this one what slips leave as it was."""
        parts = self._parts
        if len(word) <= _SHORT:
            return parts.get("", [])
        places = [f"{word[:2]}-", f"-{word[-2:]}", word[3:6] if len(word) >= LONG else ""]
        return list({known for place in places if place for known in parts.get(place, ())})

    def warm(self) -> None:
        """Be done with trying all words."""
        self._patience = 0
        self._near("")

    @cached_property
    def _parts(self) -> dict[str, list[str]]:
        """Known words by beginning, end and, as slips may move it by a letter, three middles; the short under none."""
        parts: dict[str, list[str]] = defaultdict(list)
        for known in self._words:
            parts[f"{known[:2]}-"].append(known)
            parts[f"-{known[-2:]}"].append(known)
            if len(known) > LONG - 3:
                for middle in {known[2:5], known[3:6], known[4:7]}:
                    parts[middle].append(known)
            if len(known) <= _SHORT + 1:
                parts[""].append(known)
        return parts


def plausible(word: str, known: str) -> bool:
    """In a short word a letter is left out or two change places; anything else makes another word ("vote", "tune")."""
    if len(known) > 4:
        return True
    return len(word) < len(known) or (len(word) == len(known) and sorted(word) == sorted(known))
