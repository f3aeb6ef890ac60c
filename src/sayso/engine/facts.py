"""Facts: what a word tells by itself, whatever stands around it. Worked out once a word, since people repeat theirs."""

from __future__ import annotations

from typing import NamedTuple

from sayso.engine.lexicon import Lexicon, Readings
from sayso.engine.readers.dates import Dates
from sayso.engine.readers.numbers import Numbers
from sayso.engine.stems import Stems
from sayso.engine.words import Word, is_punctuation

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
