"""Computes the facts about a single word, and what it costs a sentence to skip it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sayso.engine.dates.dates import Dates
from sayso.engine.lexicon.lexicon import Edges, Lexicon, Readings
from sayso.engine.lexicon.stems import Stems
from sayso.engine.lexicon.words import Word, is_punctuation
from sayso.engine.values.numbers import Numbers

_REMEMBERED = 20_000
_LONGEST = 40  # characters; longer is no word that anybody repeats


class Fact(NamedTuple):
    """A word's stem, the known words it may stand for, and what other readers make of it."""

    stem: str
    readings: Readings
    dated: str  # the word as the date reader should see it: a slip mended, a quotation hidden
    counts: bool  # a number may begin with it
    opens: bool  # what a person says in a slot may begin with it


class Facts:
    """The facts about words of one language in one pack. `tiny` and `little` are stems of words that tell nothing."""

    def __init__(
        self,
        lexicon: Lexicon,
        stems: Stems,
        readers: tuple[Dates, Numbers],
        tiny: frozenset[str],
        little: frozenset[str],
    ) -> None:
        self._lexicon, self._stems, self._tiny, self._little = lexicon, stems, tiny, little
        self._dates, self._numbers = readers
        self._remembered: dict[tuple[str, str, str], Fact] = {}

    def of(self, word: Word) -> Fact:
        key = (word.low, word.bare, word.kind)
        fact = self._remembered.get(key)
        if fact is None:
            fact = self._work_out(word)
            if len(word.low) <= _LONGEST:
                if len(self._remembered) >= _REMEMBERED:
                    self._remembered.clear()
                self._remembered[key] = fact
        return fact

    def _work_out(self, word: Word) -> Fact:
        low = word.low
        return Fact(
            stem=self._stem(word),
            readings=self._lexicon.readings(word),
            dated=self._dated(word),
            counts=self._numbers.knows(low) or self._numbers.read((low, "1"), 0) is not None,
            opens=not is_punctuation(word) or low == "#",
        )

    def _stem(self, word: Word) -> str:
        """The stem; a little word counts as such even when two letters changed places ("teh")."""
        stem = self._stems.stem(word.low)
        if stem not in self._little and word.kind == "word" and word.low not in self._lexicon.vocabulary:
            for known, _ in self._lexicon.readings(word):
                if sorted(known) == sorted(word.low) and (other := self._stems.stem(known)) in self._tiny:
                    return other
        return stem

    def _dated(self, word: Word) -> str:
        if word.kind == "quote":
            return "\0"
        if word.kind == "word" and word.low not in self._lexicon.vocabulary:
            for known, cost in self._lexicon.readings(word):
                if cost < 1 and (known in self._dates.vocabulary or known in self._numbers.vocabulary):
                    return known
        return word.low


_MARK_SKIP, _SMALL_SKIP, _FUNCTION_SKIP, _POINT_SKIP, _WORD_SKIP, _QUOTE_SKIP, _NEVER = (
    0.03,
    0.06,
    0.12,
    0.6,
    1.2,
    3.0,
    99.0,
)
SMALL = ("hesitation", "filler", "polite", "greeting")
FUNCTION = ("function", "article", "possessive", "be", "of", "link")
POINTING = ("it", "them", "dummy", "all", "wh")


class Skips:
    """The costs of the words of a language, by the classes they are of."""

    def __init__(self, cls: Mapping[str, int]) -> None:
        costs = {cls[name]: _FUNCTION_SKIP for name in FUNCTION}
        costs |= {cls[name]: _SMALL_SKIP for name in (*SMALL, "address")}
        costs |= {cls[name]: _POINT_SKIP for name in POINTING}
        costs[cls["negation"]] = _NEVER
        self._costs, self._article = costs, cls["article"]

    def of(self, words: Sequence[Word], edges: list[Edges]) -> list[float]:
        """What each of the words costs."""
        kinds = {"mark": _MARK_SKIP, "quote": _QUOTE_SKIP, "word": _WORD_SKIP}
        skips = [kinds[word.kind] for word in words]
        costs, article = self._costs, self._article
        for at, here in enumerate(edges):
            for cls in costs.keys() & here.keys():
                for end, slips in here[cls]:
                    if slips == 0 or (slips < 0.5 and not (at and article in edges[at - 1])):
                        _lower(skips, at, end, costs[cls])  # after an article, what is nearly a filler is a name
        return skips


def _lower(skips: list[float], start: int, end: int, cost: float) -> None:
    if cost == _NEVER:
        skips[start] = cost
        return
    for at in range(start, end):
        if skips[at] != _NEVER:
            skips[at] = min(skips[at], cost)
