"""Finds the values in a message, each with its slot and place: dates, repeats, numbers, choices.

"every monday at 9" is one repeat and not a date: the words of a repeat are hidden from the date reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from sayso.engine.dates.dates import Dates
from sayso.engine.grammar.facts import Fact
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.groups import Groups, Named
from sayso.engine.grammar.pack import Pack, Phrasebook
from sayso.engine.lexicon.lexicon import Edges, Lexicon
from sayso.engine.lexicon.words import Word, is_punctuation
from sayso.engine.repeats.recurrence import RepeatSpan
from sayso.engine.repeats.repeats import Repeats
from sayso.engine.text.tokens import shown
from sayso.engine.values.numbers import Numbers
from sayso.engine.values.when import FIRST_YEAR, LAST_YEAR

_LONGEST_LEAD = 6
_SMALL = (
    "function",
    "link",
    "filler",
    "polite",
    "hesitation",
    "greeting",
    "wh",
    "first",
    "third",
    "negation",
    "yes",
    "no",
)
_NAME_ALONE = 0.05  # cost of a group that is named without its noun
_HIDDEN = "\0"  # replaces a word that another reader has read


class Chunks:
    """Finds the values that a pack has slots for."""

    def __init__(
        self,
        pack: Pack,
        book: Phrasebook,
        lexicon: Lexicon,
        readers: tuple[Dates, Numbers, Repeats | None],
    ) -> None:
        self._lexicon = lexicon
        self._dates, self._numbers, self._repeats = readers
        ids = lexicon.ids
        self._repeat_slots = pack.slots_of("repeat")
        self._lead_slots = pack.slots_of("lead")
        self._date_slots = pack.slots_of("date")
        self._number_slots = pack.slots_of("number")
        self._quote_slots = pack.slots_of("quote")
        self._shared_slots = pack.slots_of("shared")
        self._values = _value_classes(pack, book, ids)
        verbs = frozenset(ids[name] for name in book.verbs)
        heads, small = (frozenset(ids[name] for name in names) for names in (book.heads, _SMALL))
        self._groups = Groups(book.named, verbs, heads, small)
        self._specifies, self._nouns = ids["specifies"], [ids[name] for name in book.nouns]
        self._leads = {slot: ids[f"lead:{slot}"] for slot in book.leads}

    def of(
        self, words: Sequence[Word], facts: Sequence[Fact], lows: list[str], edges: list[Edges], now: datetime
    ) -> Iterator[Chunk]:
        """The values in the words, each at every place where it may begin."""
        yield from self._value_chunks(words, edges)
        yield from self._group_chunks(words, edges)
        if FIRST_YEAR < now.year < LAST_YEAR:  # outside this range no date can be computed
            yield from self._timed_chunks(words, [fact.dated for fact in facts], edges, now)
        for at, word in enumerate(words):
            if word.kind == "quote":
                for slot in self._quote_slots:
                    yield Chunk(at, at + 1, slot, shown(word.text), at, True, 0.0, False)
            elif facts[at].counts and self._number_slots and (number := self._numbers.read(lows, at)) is not None:
                for slot in self._number_slots:
                    yield Chunk(at, number[1], slot, number[0], at, False, 0.0, False)

    def has_group_noun(self, slot: str, lows: Sequence[str]) -> bool:
        """Whether the noun for the groups of this slot occurs: "list"."""
        return self._groups.has_noun(slot, lows)

    def with_groups(
        self,
        words: Sequence[Word],
        edges: list[Edges],
        chunks: Mapping[int, list[Chunk]],
        slot: str,
        names: dict[str, str],
    ) -> tuple[dict[int, list[Chunk]], tuple[tuple[int, int], ...]]:
        """Adds the names of existing groups, and uses their spelling. Also returns where a name is next to its noun.

        There the words mean only the name: "lista di Pasqua" contains no date.
        """
        found = {at: [_spelt(one, slot, names) for one in here] for at, here in chunks.items()}
        groups = [*self._groups.known(slot, words, names)]
        sure = [one for one in groups if one.by_noun]
        others = frozenset(self._shared_slots) - {slot}
        found = {
            at: [one for one in here if one.slot in others or not _overlaps(one, sure)] for at, here in found.items()
        }
        taken = {at for here in found.values() for one in here if one.slot == slot for at in range(one.start, one.end)}
        for start, end, name, by_noun in groups:
            if by_noun or taken.isdisjoint(range(start, end)):
                for begin in self._announced(edges, start, slot):
                    told, cost = by_noun and begin < start, 0.0 if by_noun else _NAME_ALONE
                    found.setdefault(begin, []).append(Chunk(begin, end, slot, name, start, told, cost, floats=told))
        return {at: here for at, here in found.items() if here}, tuple((one.start, one.end) for one in sure)

    def _group_chunks(self, words: Sequence[Word], edges: list[Edges]) -> Iterator[Chunk]:
        """Yields groups that are named with their noun. They float only if a word announces them."""
        for slot in self._shared_slots:
            for start, end, name, _ in self._groups.of(slot, words, edges):
                for begin in self._announced(edges, start, slot):
                    told = begin < start
                    yield Chunk(begin, end, slot, name, start, told, floats=told)

    def _timed_chunks(
        self, words: Sequence[Word], dated: list[str], edges: list[Edges], now: datetime
    ) -> Iterator[Chunk]:
        """Yields repeats and lead times, then dates found in the remaining words."""
        if self._repeats is not None:
            found = [*self._repeat_chunks(self._repeats, words, dated, edges, now)]
            found += self._lead_chunks(self._repeats, dated, edges, now)
            yield from found
            hidden = {at for chunk in found if chunk.floats for at in range(chunk.core, chunk.end)}
            dated = [_HIDDEN if at in hidden else word for at, word in enumerate(dated)] if hidden else dated
        if self._date_slots:
            yield from self._date_chunks(words, dated, edges, now)

    def _value_chunks(self, words: Sequence[Word], edges: list[Edges]) -> Iterator[Chunk]:
        for at, here in enumerate(edges):
            for cls in self._values.keys() & here.keys():
                slot, value = self._values[cls]
                for end, cost in here[cls]:
                    for start in self._announced(edges, at, slot):
                        strong = end - start > 1 or not self._lexicon.is_common(words[at].low)
                        yield Chunk(start, end, slot, value, at, strong, cost)

    def _repeat_chunks(
        self, repeats: Repeats, words: Sequence[Word], dated: Sequence[str], edges: list[Edges], now: datetime
    ) -> Iterator[Chunk]:
        """Yields repeats. If the words may also mean a single date, the chunk does not float and hides no date."""
        for span in repeats.find(dated, now) if self._repeat_slots else ():
            start, end = _without_marks(words, span)
            for slot in self._repeat_slots:
                for begin in sorted({start, *self._announced(edges, start, slot)}):
                    yield Chunk(begin, end, slot, span.value, start, True, floats=span.value.sure)

    def _lead_chunks(
        self, repeats: Repeats, dated: Sequence[str], edges: list[Edges], now: datetime
    ) -> Iterator[Chunk]:
        """Yields lead times. They float only if a word announces a reminder: "an hour before" may also move a date."""
        for span in repeats.leads.find(dated, now) if self._lead_slots else ():
            for slot in self._lead_slots:
                starts = self._announced(edges, span.start, slot)
                for begin in sorted(starts):
                    told = begin < span.start
                    yield Chunk(begin, span.end, slot, span.value, span.start, told, floats=told)

    def _date_chunks(
        self, words: Sequence[Word], dated: Sequence[str], edges: list[Edges], now: datetime
    ) -> Iterator[Chunk]:
        for span in self._dates.find(dated, now):
            end = span.end
            while is_punctuation(words[end - 1]):  # "by December 11, …": the comma is not part of the date
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
                    beside = start < span.start - which  # "the email from Monday" is not an email on Monday
                    strong = beside or (span.strong and not which)
                    beside = beside or not which
                    yield Chunk(start, end, slot, span.when, span.start, strong, 0.0, beside)

    def _tells_which(self, edges: list[Edges], at: int) -> bool:
        """Whether a date that begins here describes the word before it: "the version from August"."""
        if at < 2 or (at, 0.0) not in edges[at - 1].get(self._specifies, ()):
            return False
        return all((at - 1, 0.0) not in edges[at - 2].get(noun, ()) for noun in self._nouns)

    def _announced(self, edges: list[Edges], at: int, slot: str) -> list[int]:
        """The places where a value that begins here may start: there, or at the words that announce it ("due …")."""
        lead = self._leads.get(slot)
        if lead is None:
            return [at]
        earlier = range(max(0, at - _LONGEST_LEAD), at)
        return [at, *(start for start in earlier if (at, 0.0) in edges[start].get(lead, ()))]


def _value_classes(pack: Pack, book: Phrasebook, ids: Mapping[str, int]) -> dict[int, tuple[str, str]]:
    """The slot and the value of each class of words for a value."""
    slot_of = {pack.slots[name].of: name for name in pack.slots_of("value")}
    return {
        ids[f"value:{name}={value}"]: (slot_of[name], value)
        for name, values in book.values.items()
        if name in slot_of
        for value in values
    }


def _overlaps(chunk: Chunk, groups: Sequence[Named]) -> bool:
    return any(chunk.core < group.end and group.start < chunk.end for group in groups)


def _spelt(chunk: Chunk, slot: str, names: dict[str, str]) -> Chunk:
    if chunk.slot != slot:
        return chunk
    return chunk._replace(value=names.get(str(chunk.value).casefold(), chunk.value))


def _without_marks(words: Sequence[Word], span: RepeatSpan) -> tuple[int, int]:
    start, end = span.start, span.end
    while start < end - 1 and is_punctuation(words[start]):
        start += 1
    while end - 1 > start and is_punctuation(words[end - 1]):
        end -= 1
    return start, end
