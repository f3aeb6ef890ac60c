"""The lexicon: which classes the words of a message belong to, slips of the finger forgiven.

"creat a tsk" → create/add, a/article, task/task_noun. One table for single words, one trie for phrases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sayso.engine.slips import Slips
from sayso.engine.words import Word

_END = ""  # marks the end of a phrase in the trie; no word is empty
_REMEMBERED = 20_000


# What may begin at a place: class → (where it ends, what its slips cost), best first.
Edges = dict[int, list[tuple[int, float]]]


class Lexicon:
    """Phrases by class, compiled."""

    def __init__(self, phrases: Mapping[str, Iterable[tuple[str, ...]]], common: Iterable[str]) -> None:
        self.ids: dict[str, int] = {}
        self._single: dict[str, tuple[int, ...]] = {}
        self._trie: dict[str, Any] = {}
        words: set[str] = set()
        for name, entries in phrases.items():
            number = self.ids.setdefault(name, len(self.ids))
            for phrase in entries:
                self._add(phrase, number)
                words.update(phrase)
        self.vocabulary = frozenset(words)
        self._never_slips = frozenset(common)
        self.known = self.vocabulary | self._never_slips
        self._slips = Slips(words)
        self._remembered: dict[str, tuple[tuple[str, float], ...]] = {}

    def knows(self, word: str) -> bool:
        return word in self.vocabulary

    def is_common(self, word: str) -> bool:
        return word in self._never_slips

    def readings(self, word: Word) -> tuple[tuple[str, float], ...]:
        """The known words that this one may stand for, each with what that costs."""
        low = word.low
        if low in self.vocabulary:
            return ((low, 0.0),)
        if word.bare in self.vocabulary:
            return ((word.bare, 0.05),)
        if low in self._never_slips or word.kind != "word":
            return ()
        found = self._remembered.get(low)
        if found is None:
            found = tuple((known, _cost(low, slips)) for known, slips in self._slips.suggest(low)[:3])
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[low] = found
        return found

    def edges(self, words: Sequence[Word]) -> list[Edges]:
        """For every position, what may begin there."""
        readings = [self.readings(word) for word in words]
        found: list[Edges] = [{} for _ in words]
        for at, here in enumerate(found):
            for known, cost in readings[at]:
                for cls in self._single.get(known, ()):
                    here.setdefault(cls, []).append((at + 1, cost))
                branch = self._trie.get(known)
                if branch is not None:
                    self._follow(branch, readings, at + 1, cost, here)
        return found

    def _follow(
        self,
        branch: dict[str, Any],
        readings: Sequence[tuple[tuple[str, float], ...]],
        at: int,
        cost: float,
        found: Edges,
    ) -> None:
        for cls in branch.get(_END, ()):
            found.setdefault(cls, []).append((at, cost))
        if at < len(readings):
            for known, more in readings[at]:
                deeper = branch.get(known)
                if deeper is not None:
                    self._follow(deeper, readings, at + 1, cost + more, found)

    def _add(self, phrase: tuple[str, ...], number: int) -> None:
        if len(phrase) == 1:
            held = self._single.get(phrase[0], ())
            if number not in held:
                self._single[phrase[0]] = (*held, number)
            return
        branch = self._trie
        for word in phrase:
            branch = branch.setdefault(word, {})
        if number not in branch.get(_END, ()):
            branch[_END] = (*branch.get(_END, ()), number)


def _cost(word: str, slips: int) -> float:
    """A slip in a short word leaves more doubt than one in a long word."""
    return slips * (1.1 if len(word) <= 3 else 0.5 if len(word) <= 5 else 0.35)
