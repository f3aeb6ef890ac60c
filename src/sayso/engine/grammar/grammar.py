"""Compiles a pack in one language for reading messages, once per pack and language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from sayso.engine.dates.dates import Dates
from sayso.engine.grammar.chunks import Chunks
from sayso.engine.grammar.classes import Plurals, classes_of
from sayso.engine.grammar.facts import FUNCTION, POINTING, SMALL, Facts, Skips
from sayso.engine.grammar.frames import Chunk, Frames, View
from sayso.engine.grammar.pack import Pack, Phrasebook
from sayso.engine.grammar.target import Target
from sayso.engine.lexicon.language import Language
from sayso.engine.lexicon.lexicon import Edges, Lexicon
from sayso.engine.lexicon.stems import Stems
from sayso.engine.lexicon.words import Word, words_of
from sayso.engine.repeats.repeats import Repeats
from sayso.engine.text.automaton import Block
from sayso.engine.text.patterns import symbols, words_in
from sayso.engine.text.tokens import Text
from sayso.engine.values.numbers import Numbers

_FEW_WORDS = 3  # in which people name nothing but a group: "groceries, please"


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
        told = any(slot.type in ("repeat", "lead") for slot in pack.slots.values())
        spec = language.repeats if told else None
        self.repeats = Repeats(spec, language.dates, self.dates, self.numbers) if spec is not None else None
        self.stems = Stems(language.words.stems, language.words.synonyms)
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
        measures = dict.fromkeys(name for part in parts for name in part.measured)
        self.measures = tuple(f"concept:{name}" for name in measures if name in book.concepts)
        self.concepts = {
            self.cls[f"concept:{name}"]: f"{'m' if name in measures else 'c'}:{name}" for name in book.concepts
        }
        self.concepts |= {self.cls[name]: f"c:{name}" for name in book.verbs if name in book.concepts}
        self._index_slots()
        self._fill_frames(table.frames if table is not None else {})
        self._skips = Skips(self.cls)
        self.tiny = self._stems_in(*FUNCTION)
        self.links = frozenset(one for one in language.words.classes["link"] if one.isalpha())
        pointing, asides = self._stems_in(*POINTING), self._stems_in(*SMALL)
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
        slots = self.pack.slots
        self.typed = frozenset(
            name
            for name, slot in slots.items()
            if slot.type in ("date", "value", "number", "quote", "repeat", "lead", "shared")
        )
        self.date_slots = [name for name, slot in slots.items() if slot.type == "date"]
        self._floating = frozenset(name for name, slot in slots.items() if slot.type in ("date", "repeat", "lead"))
        self.shared = {name: slot.of for name, slot in slots.items() if slot.type == "shared"}
        readers = (self.dates, self.numbers, self.repeats)
        self._chunks = Chunks(self.pack, self.book, self.lexicon, readers)

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
        """The slots that may be filled from anywhere in a sentence of this act: those of its tool, dates, repeats."""
        tool = self.pack.acts[act].tool
        params = self.pack.tools[tool].params.values() if tool else ()
        return frozenset({*(param.slot for param in params if param.slot), *self._floating})

    def _stems_in(self, *classes: str) -> frozenset[str]:
        """The stems of the words that are of such a class by themselves, not as part of a phrase."""
        patterns = (pattern for name in classes for pattern in self.language.words.classes[name])
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

    def may_name_group(self, sheet: Sheet, slot: str) -> bool:
        """Whether the name of a group may be in the message: after a word that announces one, before a colon, alone."""
        lead = self.cls.get(f"lead:{slot}", -1)
        if len(sheet.words) <= _FEW_WORDS or ":" in sheet.lows or any(lead in edges for edges in sheet.edges):
            return True
        return any(chunk.slot == slot for chunks in sheet.chunks.values() for chunk in chunks)

    def with_groups(self, sheet: Sheet, slot: str, names: dict[str, str]) -> Sheet:
        """Add chunks for the groups with these names."""
        chunks = self._chunks.with_groups(sheet.words, sheet.edges, sheet.chunks, slot, names)
        return sheet._replace(chunks=chunks, view=sheet.view._replace(chunks=chunks), linked={})

    def read(self, text: Text, now: datetime) -> Sheet:
        """Words, classes and values of a message."""
        words = words_of(text, self.language.words, self.lexicon.knows, self.lexicon.is_common, self._undivided)
        facts = [self._facts.of(word) for word in words]
        lows = [word.low for word in words]
        edges = self.lexicon.edges([fact.readings for fact in facts])
        chunks: dict[int, list[Chunk]] = {}
        for chunk in self._chunks.of(words, facts, lows, edges, now):
            chunks.setdefault(chunk.start, []).append(chunk)
        skips = self._skips.of(words, edges)
        view = View(edges, chunks, skips, [fact.opens for fact in facts])
        return Sheet(text, words, lows, edges, chunks, skips, tuple([fact.stem for fact in facts]), view, {})
