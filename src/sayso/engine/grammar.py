"""The grammar: a pack in one language, compiled for reading messages. Made once per pack and language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from sayso.engine.automaton import Block
from sayso.engine.classes import classes_of
from sayso.engine.facts import Fact, Facts
from sayso.engine.frames import Chunk, Frames, View
from sayso.engine.language import Language
from sayso.engine.lexicon import Edges, Lexicon
from sayso.engine.normalise import Text, shown
from sayso.engine.pack import Pack, Phrasebook
from sayso.engine.pattern import symbols, words_in
from sayso.engine.plurals import Plurals
from sayso.engine.readers.dates import Dates
from sayso.engine.readers.numbers import Numbers
from sayso.engine.readers.when import FIRST_YEAR, LAST_YEAR
from sayso.engine.stems import Stems
from sayso.engine.target import Target
from sayso.engine.words import Word, is_punctuation, words_of

# What it costs to pass over a word that no frame names.
_MARK_SKIP, _SMALL_SKIP, _FUNCTION_SKIP, _POINT_SKIP, _WORD_SKIP, _QUOTE_SKIP, _NEVER = (
    0.03,
    0.06,
    0.12,
    0.6,
    1.2,
    3.0,
    99.0,
)
_SMALL = ("hesitation", "filler", "polite", "greeting")
_FUNCTION = ("function", "article", "possessive", "be", "of", "link")
_POINTING = ("it", "them", "dummy", "all", "wh")
_LONGEST_LEAD = 6


class Sheet(NamedTuple):
    """A message with everything that reading word by word can tell."""

    text: Text
    words: tuple[Word, ...]
    lows: list[str]
    edges: list[Edges]
    chunks: dict[int, list[Chunk]]
    skips: list[float]
    stems: tuple[str, ...]
    view: View
    linked: dict[tuple[Any, ...], Target]  # what stretches of the words were found to point at


class Table(msgspec.Struct, frozen=True):
    """The patterns of a pack in one language, worked out; kept in the wheel, since that takes as long as all else."""

    classes: list[str]
    vocabulary: list[str]
    lexicon: Block[int]
    frames: dict[str, Block[str]]


class Grammar:
    """Reads messages of one language for one pack; with the table of what its patterns come to, where it was kept."""

    def __init__(self, pack: Pack, book: Phrasebook, language: Language, table: Table | None = None) -> None:
        self.pack, self.book, self.language = pack, book, language
        self.nouns = book.nouns
        self.numbers = Numbers(language.numbers)
        self.dates = Dates(language.dates, self.numbers)
        self.stems = Stems(language.words.stems)
        reader_words = self.dates.vocabulary | self.numbers.vocabulary
        self.lexicon = Lexicon(reader_words.union(language.words.common.split()), self.stems.stem)
        if table is not None:
            self.lexicon.take(table.classes, table.vocabulary, table.lexicon)
        else:
            self._fill_lexicon(reader_words)
        self.cls = self.lexicon.ids
        self._together: dict[tuple[str, ...], frozenset[int]] = {}  # classes that are asked for together
        self.verbs = frozenset(self.cls[name] for name in book.verbs)
        self.lemmas = frozenset(lemma.partition(" ")[0] for lemmas in book.verbs.values() for lemma in lemmas)
        parts = (part for kind in pack.entities.values() for part in kind.parts.values())
        measures = {name for part in parts for name in part.measured}
        self.concepts = {
            self.cls[f"concept:{name}"]: f"{'m' if name in measures else 'c'}:{name}" for name in book.concepts
        }
        self.concepts |= {self.cls[name]: f"c:{name}" for name in book.verbs if name in book.concepts}
        self._index_slots()
        self._fill_frames(table.frames if table is not None else {})
        self._skip_costs = self._costs()
        self.tiny = self._stems_in(*_FUNCTION)
        self.links = frozenset(one for one in language.words.classes.link if one.isalpha())
        pointing, asides = self._stems_in(*_POINTING), self._stems_in(*_SMALL)
        self.little = self.tiny | pointing | asides
        self.asides = asides - pointing - self.tiny
        self._facts = Facts(self.lexicon, self.stems, (self.dates, self.numbers), self.tiny, self.little)
        self._undivided: set[str] = set()
        self._verbs: dict[str, frozenset[int]] = {}
        leaning = (name for name, act in pack.acts.items() if act.narrows or act.after or act.again == "further")
        narrowing = (book.acts.get(name, ()) for name in leaning)
        named = {symbol.name for patterns in narrowing for pattern in patterns for symbol in symbols(pattern)}
        self._narrowing = frozenset(self.cls[name] for name in named if name in book.classes)
        self.plurals = Plurals(language.words.plurals, book.concepts, self.lexicon.knows)
        past = language.words.forms.get("past")
        self._past = frozenset(language.words.past.split())
        self._past_endings = tuple(new for _, news in past.endings for new in news if len(new) > 1) if past else ()

    def _index_slots(self) -> None:
        slots, values = self.pack.slots, self.book.values
        self.typed = frozenset(
            name for name, slot in slots.items() if slot.type in ("date", "value", "number", "quote")
        )
        self.date_slots = [name for name, slot in slots.items() if slot.type == "date"]
        self._number_slots = [name for name, slot in slots.items() if slot.type == "number"]
        self._quote_slots = [name for name, slot in slots.items() if slot.type == "quote"]
        slot_of = {slot.of: name for name, slot in slots.items() if slot.type == "value"}
        self._values = {
            self.cls[f"value:{name}={value}"]: (slot_of[name], value)
            for name in values
            if name in slot_of
            for value in values[name]
        }
        self._leads = {slot: self.cls[f"lead:{slot}"] for slot in self.book.leads}

    def _fill_lexicon(self, reader_words: frozenset[str]) -> None:
        readers = ("reader", filter(str.isalpha, reader_words))
        for name, patterns in (*classes_of(self.book, self.language), readers):
            self.lexicon.ids.setdefault(name, len(self.lexicon.ids))
            for pattern in patterns:
                self.lexicon.add(name, pattern)

    def table(self) -> Table:
        """What its patterns come to, to be kept; it must not have read anything yet."""
        words = sorted(self.lexicon.vocabulary)
        return Table(list(self.cls), words, self.lexicon.kept(), self.frames.kept())

    def _fill_frames(self, blocks: Mapping[str, Block[str]]) -> None:
        self.frames = Frames(self.cls, self.typed, {act: self._taken_by(act) for act in self.book.acts}, blocks)
        for act, patterns in self.book.acts.items():
            for pattern in patterns:
                self.frames.add(self.pack.acts[act].mood, act, pattern)

    def _taken_by(self, act: str) -> frozenset[str]:
        """The slots that may be filled from anywhere in a sentence of this act: those of its tool, and dates."""
        tool = self.pack.acts[act].tool
        params = self.pack.tools[tool].params.values() if tool else ()
        return frozenset({*(param.slot for param in params if param.slot), *self.date_slots})

    def _costs(self) -> dict[int, float]:
        costs = {self.cls[name]: _FUNCTION_SKIP for name in _FUNCTION}
        costs |= {self.cls[name]: _SMALL_SKIP for name in (*_SMALL, "address")}
        costs |= {self.cls[name]: _POINT_SKIP for name in _POINTING}
        costs[self.cls["negation"]] = _NEVER
        return costs

    def _stems_in(self, *classes: str) -> frozenset[str]:
        """The stems of the words that are of such a class by themselves, not as part of a phrase."""
        patterns = (pattern for name in classes for pattern in getattr(self.language.words.classes, name))
        ways = (way.strip() for pattern in patterns for way in pattern.strip("()").split("|"))
        return frozenset(self.stems.stem(way) for way in ways if way and words_in(way) == [way])

    def has(self, sheet: Sheet, at: int, *names: str, slips: float = 0.9) -> int:
        """Where the longest phrase of one of these classes that begins here ends, or 0."""
        edges, longest = sheet.edges[at], 0
        if not edges:
            return longest
        wanted = self._together.get(names) or self._classes(names)
        if edges.keys().isdisjoint(wanted):  # as nearly always, and nothing is asked as often
            return longest
        for cls in wanted:
            if (found := edges.get(cls)) is not None:
                for end, cost in found:
                    if end > longest and cost <= slips:
                        longest = end
        return longest

    def first(self, sheet: Sheet, places: Iterable[int], *names: str) -> int | None:
        """The first of these places where a phrase of one of these classes begins, rightly spelt."""
        wanted, edges = self._together.get(names) or self._classes(names), sheet.edges
        for at in places:
            if not edges[at].keys().isdisjoint(wanted) and self.has(sheet, at, *names, slips=0.0):
                return at
        return None

    def _classes(self, names: tuple[str, ...]) -> frozenset[int]:
        found = self._together[names] = frozenset([self.cls[name] for name in names])
        return found

    def ends(self, sheet: Sheet, at: int, *names: str, slips: float = 0.9) -> set[int]:
        """Where the phrases of these classes that begin here may end."""
        edges, ids = sheet.edges[at], self.cls
        return {end for name in names for end, cost in edges.get(ids[name], ()) if cost <= slips}

    def commands(self, sheet: Sheet, at: int) -> bool:
        """Whether a command may begin here, with a word that tells something."""
        if sheet.stems[at] in self.little:
            return False
        begins = self.frames.begins
        return any(begins("command", cls) for cls, ends in sheet.edges[at].items() if ends[0][1] < 0.5)

    def narrows(self, sheet: Sheet, at: int) -> bool:
        """Whether a word stands here that narrows the last list or goes on from what was done: "just", "also"."""
        return not self._narrowing.isdisjoint(sheet.edges[at])

    def vouches(self, sheet: Sheet, at: int) -> bool:
        """Whether a text that begins here is of the kind that the pack is about."""
        names, count = self.book.vouches, len(sheet.words)
        while names and at < count and sheet.stems[at] in self.little:
            at += 1
        return bool(names) and at < count and bool(self.has(sheet, at, *names, slips=0.0))

    def continues(self, sheet: Sheet, at: int) -> bool:
        """Whether a sentence that begins here goes on with the request before it."""
        return bool(self.book.continues) and bool(self.has(sheet, at, *self.book.continues))

    def is_bare(self, tool: str) -> bool:
        """Whether nobody said how people ask for a tool: its name and its schema are all there is."""
        return not any(act.tool == tool for act in self.pack.acts.values())

    def verbs_of(self, tool: str) -> frozenset[int]:
        """The classes of the verbs, in any form, that the sentences of a tool are made of."""
        if tool not in self._verbs:
            acts = (self.book.acts.get(name, ()) for name, act in self.pack.acts.items() if act.tool == tool)
            named = {symbol.name for patterns in acts for pattern in patterns for symbol in symbols(pattern)}
            self._verbs[tool] = frozenset(self.cls[name] for name in named if name.split(":")[0] in self.book.verbs)
        return self._verbs[tool]

    def is_past(self, word: str) -> bool:
        """Whether the word looks like a past form: "vaccinated", "bought"."""
        return word in self._past or (len(word) > 4 and word.endswith(self._past_endings))

    def look_at(self, text: Text) -> tuple[tuple[Word, ...], list[Edges], list[str]]:
        """The words of a text, their classes and their stems, without dates and values: enough for a name."""
        words = words_of(text, self.language.words, self.lexicon.knows, self.lexicon.is_common, self._undivided)
        facts = [self._facts.of(word) for word in words]
        return words, self.lexicon.edges([fact.readings for fact in facts]), [fact.stem for fact in facts]

    def read(self, text: Text, now: datetime) -> Sheet:
        """Words, classes and values of a message."""
        words = words_of(text, self.language.words, self.lexicon.knows, self.lexicon.is_common, self._undivided)
        facts = [self._facts.of(word) for word in words]
        lows = [word.low for word in words]
        edges = self.lexicon.edges([fact.readings for fact in facts])
        chunks: dict[int, list[Chunk]] = {}
        for chunk in self._chunks(words, facts, lows, edges, now):
            chunks.setdefault(chunk.start, []).append(chunk)
        skips = self._skips(words, edges)
        view = View(edges, chunks, skips, [fact.opens for fact in facts])
        return Sheet(text, words, lows, edges, chunks, skips, tuple([fact.stem for fact in facts]), view, {})

    def _chunks(
        self, words: Sequence[Word], facts: Sequence[Fact], lows: list[str], edges: list[Edges], now: datetime
    ) -> Iterator[Chunk]:
        yield from self._value_chunks(words, edges)
        if self.date_slots:
            yield from self._date_chunks(words, [fact.dated for fact in facts], edges, now)
        for at, word in enumerate(words):
            if word.kind == "quote":
                for slot in self._quote_slots:
                    yield Chunk(at, at + 1, slot, shown(word.text), at, True, 0.0, False)
            elif facts[at].counts and self._number_slots and (number := self.numbers.read(lows, at)) is not None:
                for slot in self._number_slots:
                    yield Chunk(at, number[1], slot, number[0], at, False, 0.0, False)

    def _value_chunks(self, words: Sequence[Word], edges: list[Edges]) -> Iterator[Chunk]:
        for at, here in enumerate(edges):
            for cls in self._values.keys() & here.keys():
                slot, value = self._values[cls]
                for end, cost in here[cls]:
                    for start in self._announced(edges, at, slot):
                        strong = end - start > 1 or not self.lexicon.is_common(words[at].low)
                        yield Chunk(start, end, slot, value, at, strong, cost)

    def _date_chunks(
        self, words: Sequence[Word], dated: Sequence[str], edges: list[Edges], now: datetime
    ) -> Iterator[Chunk]:
        if not FIRST_YEAR < now.year < LAST_YEAR:  # a clock beyond our calendar: nothing can be reckoned from it
            return
        for span in self.dates.find(dated, now):
            end = span.end
            while is_punctuation(words[end - 1]):  # "by December 11, …": the comma is not the date's
                end -= 1
            for slot in self.date_slots:
                starts = {
                    span.start,
                    *self._announced(edges, span.lead, slot),
                    *self._announced(edges, span.start, slot),
                }
                for start in sorted(starts):
                    strong = span.strong or start < span.start
                    yield Chunk(start, end, slot, span.when, span.start, strong)

    def _announced(self, edges: list[Edges], at: int, slot: str) -> list[int]:
        """Where a value that begins here may be said to begin: there, or at the words that announce it ("due …")."""
        lead = self._leads.get(slot)
        if lead is None:
            return [at]
        earlier = range(max(0, at - _LONGEST_LEAD), at)
        return [at, *(start for start in earlier if (at, 0.0) in edges[start].get(lead, ()))]

    def _skips(self, words: Sequence[Word], edges: list[Edges]) -> list[float]:
        kinds = {"mark": _MARK_SKIP, "quote": _QUOTE_SKIP, "word": _WORD_SKIP}
        skips = [kinds[word.kind] for word in words]
        costs, article = self._skip_costs, self.cls["article"]
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
