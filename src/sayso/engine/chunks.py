"""Chunks: the values that stand in a message, each with its slot and its place: dates, numbers, quotes, choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from sayso.engine.facts import Fact
from sayso.engine.frames import Chunk
from sayso.engine.lexicon import Edges, Lexicon
from sayso.engine.normalise import shown
from sayso.engine.pack import Pack, Phrasebook
from sayso.engine.readers.dates import Dates
from sayso.engine.readers.numbers import Numbers
from sayso.engine.readers.when import FIRST_YEAR, LAST_YEAR
from sayso.engine.words import Word, is_punctuation

_LONGEST_LEAD = 6


class Chunks:
    """Finds the values that a pack has slots for."""

    def __init__(self, pack: Pack, book: Phrasebook, lexicon: Lexicon, dates: Dates, numbers: Numbers) -> None:
        self._lexicon, self._dates, self._numbers = lexicon, dates, numbers
        slots, ids = pack.slots, lexicon.ids
        self._date_slots = [name for name, slot in slots.items() if slot.type == "date"]
        self._number_slots = [name for name, slot in slots.items() if slot.type == "number"]
        self._quote_slots = [name for name, slot in slots.items() if slot.type == "quote"]
        slot_of = {slot.of: name for name, slot in slots.items() if slot.type == "value"}
        self._values = {
            ids[f"value:{name}={value}"]: (slot_of[name], value)
            for name, values in book.values.items()
            if name in slot_of
            for value in values
        }
        self._specifies, self._nouns = ids["specifies"], [ids[name] for name in book.nouns]
        self._leads = {slot: ids[f"lead:{slot}"] for slot in book.leads}

    def of(
        self, words: Sequence[Word], facts: Sequence[Fact], lows: list[str], edges: list[Edges], now: datetime
    ) -> Iterator[Chunk]:
        """The values that stand in the words, each wherever it may be said to begin."""
        yield from self._value_chunks(words, edges)
        if self._date_slots:
            yield from self._date_chunks(words, [fact.dated for fact in facts], edges, now)
        for at, word in enumerate(words):
            if word.kind == "quote":
                for slot in self._quote_slots:
                    yield Chunk(at, at + 1, slot, shown(word.text), at, True, 0.0, False)
            elif facts[at].counts and self._number_slots and (number := self._numbers.read(lows, at)) is not None:
                for slot in self._number_slots:
                    yield Chunk(at, number[1], slot, number[0], at, False, 0.0, False)

    def _value_chunks(self, words: Sequence[Word], edges: list[Edges]) -> Iterator[Chunk]:
        for at, here in enumerate(edges):
            for cls in self._values.keys() & here.keys():
                slot, value = self._values[cls]
                for end, cost in here[cls]:
                    for start in self._announced(edges, at, slot):
                        strong = end - start > 1 or not self._lexicon.is_common(words[at].low)
                        yield Chunk(start, end, slot, value, at, strong, cost)

    def _date_chunks(
        self, words: Sequence[Word], dated: Sequence[str], edges: list[Edges], now: datetime
    ) -> Iterator[Chunk]:
        if not FIRST_YEAR < now.year < LAST_YEAR:  # a clock beyond our calendar: nothing can be reckoned from it
            return
        for span in self._dates.find(dated, now):
            end = span.end
            while is_punctuation(words[end - 1]):  # "by December 11, …": the comma is not the date's
                end -= 1
            for slot in self._date_slots:
                starts = {
                    span.start,
                    *self._announced(edges, span.lead, slot),
                    *self._announced(edges, span.start, slot),
                }
                ranges = span.when.period is not None and span.end - span.start > 2  # "from monday to friday"
                which = not ranges and self._tells_which(edges, span.start)
                for start in sorted(starts):
                    beside = start < span.start - which  # "the email from Monday" is no email on Monday
                    strong = beside or (span.strong and not which)
                    beside = beside or not which
                    yield Chunk(start, end, slot, span.when, span.start, strong, 0.0, beside)

    def _tells_which(self, edges: list[Edges], at: int) -> bool:
        """Whether a date that begins here is said of the word before it: "the version from August"."""
        if at < 2 or (at, 0.0) not in edges[at - 1].get(self._specifies, ()):
            return False
        return all((at - 1, 0.0) not in edges[at - 2].get(noun, ()) for noun in self._nouns)

    def _announced(self, edges: list[Edges], at: int, slot: str) -> list[int]:
        """Where a value that begins here may be said to begin: there, or at the words that announce it ("due …")."""
        lead = self._leads.get(slot)
        if lead is None:
            return [at]
        earlier = range(max(0, at - _LONGEST_LEAD), at)
        return [at, *(start for start in earlier if (at, 0.0) in edges[start].get(lead, ()))]
