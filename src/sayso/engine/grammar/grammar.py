"""Compiles a pack in one language for reading messages, once per pack and language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from sayso.engine.dates.dates import Dates
from sayso.engine.grammar.catalogue import Catalogue, vocabulary
from sayso.engine.grammar.chunks import Chunks
from sayso.engine.grammar.facts import FUNCTION, POINTING, SMALL, Facts, Plurals, Skips, classes_of
from sayso.engine.grammar.frames import Chunk, Frames, View
from sayso.engine.grammar.pack import Act, Pack, Phrasebook
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.lexicon.lexicon import Edges, Lexicon
from sayso.engine.lexicon.words import Language, LanguageSpec, Stems, Word, words_of
from sayso.engine.repeats.repeats import Repeats
from sayso.engine.text.automaton import Block
from sayso.engine.text.patterns import symbols, words_in
from sayso.engine.text.tokens import Text
from sayso.engine.values.numbers import Numbers

_FEW_WORDS = 3  # in which people name only a group: "groceries, please"


class Table(msgspec.Struct, frozen=True):
    """The compiled patterns of a pack in one language, stored in the wheel: compiling takes as long as the rest."""

    classes: list[str]
    vocabulary: list[str]
    lexicon: Block[int]
    frames: dict[str, Block[str]]


class Grammar:
    """Reads messages of one language for one pack. It uses the table of compiled patterns if one was stored."""

    def __init__(
        self,
        pack: Pack,
        book: Phrasebook,
        language: Language,
        table: Table | None = None,
        catalogue: Catalogue | None = None,
    ) -> None:
        self.pack, self.book, self.language, self.catalogue = pack, book, language, catalogue
        self.nouns = book.nouns
        self.numbers = Numbers(language.numbers)
        self.dates = Dates(language.dates, self.numbers)
        spec = language.repeats if pack.slots_of("repeat", "lead") else None
        self.repeats = Repeats(spec, language.dates, self.dates, self.numbers) if spec is not None else None
        self.stems = Stems(language.words.stems, language.words.synonyms)
        reader_words = self.dates.vocabulary | self.numbers.vocabulary
        self.lexicon = Lexicon(reader_words.union(language.words.common.split()), self.stems.stem)
        if table is not None:
            self.lexicon.take(table.classes, table.vocabulary, table.lexicon)
        else:
            self._fill_lexicon(reader_words)
        self.cls = self.lexicon.ids
        self.sets: dict[tuple[str, ...], frozenset[int]] = {}  # classes that were looked up together
        self._index_verbs()
        self._index_concepts()
        self.vocabulary = vocabulary(self.cls, self.concepts, book.verbs) if catalogue is not None else None
        self._index_slots()
        self._fill_frames(table.frames if table is not None else {})
        self._skips = Skips(self.cls)
        self._index_little()
        self._facts = Facts(self.lexicon, self.stems, (self.dates, self.numbers), self.tiny, self.little)
        self._undivided: set[str] = set()
        self.plurals = Plurals(language.words.plurals, book.concepts, self.lexicon.knows)

    def _index_verbs(self) -> None:
        """Indexes the verbs of the pack, the words that narrow a list, and the past forms of the language."""
        book, words = self.book, self.language.words
        self.verbs = frozenset(self.cls[name] for name in book.verbs)
        self.lemmas = frozenset(lemma.partition(" ")[0] for lemmas in book.verbs.values() for lemma in lemmas)
        self._verbs: dict[str, frozenset[int]] = {}
        leaning = [name for name, act in self.pack.acts.items() if _leans(act)]
        self.narrowing = frozenset(self.cls[name] for name in self._named_in(leaning) if name in book.classes)
        self._past = frozenset(words.past.split())
        self._past_endings = _past_endings(words)

    def _named_in(self, acts: Iterable[str]) -> set[str]:
        """The names of all classes and slots in the sentences of these acts."""
        patterns = (pattern for name in acts for pattern in self.book.acts.get(name, ()))
        return {symbol.name for pattern in patterns for symbol in symbols(pattern)}

    def _index_concepts(self) -> None:
        """Indexes the concepts: the key of each class that is one (a measure's begins with an m), the acts and tools
        about things with parts, and the concepts of actions on them. All but the keys are empty without parts."""
        concepts = self.book.concepts
        parts = [part for kind in self.pack.entities.values() for part in kind.parts.values()]
        self.actions = frozenset(f"c:{name}" for part in parts for name in part.actions)
        self.acts_on_parts = [(name, act) for name, act in self.pack.acts.items() if act.part or act.concepts]
        self.tools_on_parts = frozenset(act.tool for _, act in self.acts_on_parts if act.tool is not None)
        measures = dict.fromkeys(name for part in parts for name in part.measured)
        self.measures = tuple(f"concept:{name}" for name in measures if name in concepts)
        self.concepts = {self.cls[f"concept:{name}"]: f"{'m' if name in measures else 'c'}:{name}" for name in concepts}
        self.concepts |= {self.cls[name]: f"c:{name}" for name in self.book.verbs if name in concepts}

    def _index_little(self) -> None:
        """The stems of words that mean nothing without others."""
        self.tiny = self._stems_in(*FUNCTION)
        self.links = frozenset(one for one in self.language.words.classes["link"] if one.isalpha())
        pointing, asides = self._stems_in(*POINTING), self._stems_in(*SMALL)
        self.little = self.tiny | pointing | asides
        self.asides = asides - pointing - self.tiny

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
        """The compiled patterns, for storage. The grammar must not have read anything yet."""
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
        """The stems of the single words of these classes, without words that are only part of a phrase."""
        patterns = (pattern for name in classes for pattern in self.language.words.classes[name])
        ways = (way.strip() for pattern in patterns for way in pattern.strip("()").split("|"))
        return frozenset(self.stems.stem(way) for way in ways if way and words_in(way) == [way])

    def together(self, names: tuple[str, ...]) -> frozenset[int]:
        """The numbers of classes that are looked up together."""
        found = self.sets[names] = frozenset([self.cls[name] for name in names])
        return found

    def is_bare(self, tool: str) -> bool:
        """Whether a tool has no sentences: only its name and its schema are known."""
        return not any(act.tool == tool for act in self.pack.acts.values())

    def verbs_of(self, tool: str) -> frozenset[int]:
        """The classes of the verbs, in any form, in the sentences of a tool."""
        if tool not in self._verbs:
            named = self._named_in(name for name, act in self.pack.acts.items() if act.tool == tool)
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
        """Whether the name of a group may be in the message: after a word that announces one, beside its noun, before
        a colon, alone."""
        lead = self.cls.get(f"lead:{slot}", -1)
        if len(sheet.words) <= _FEW_WORDS or ":" in sheet.lows or any(lead in edges for edges in sheet.edges):
            return True
        return self._chunks.has_group_noun(slot, sheet.lows)

    def with_groups(self, sheet: Sheet, slot: str, names: dict[str, str]) -> Sheet:
        """Add chunks for the groups with these names."""
        chunks, groups = self._chunks.with_groups(sheet.words, sheet.edges, sheet.chunks, slot, names)
        described = [one for one in groups if _is_described(sheet, one[0])]
        edges = _without_phrases_over(sheet.edges, described)
        view = sheet.view._replace(chunks=chunks, edges=edges)
        return sheet._replace(chunks=chunks, edges=edges, view=view, linked={}, groups=groups)

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
        return Sheet(self, text, words, lows, edges, chunks, skips, tuple([fact.stem for fact in facts]), view, {})


def _leans(act: Act) -> bool:
    """Whether an act continues an earlier one."""
    return bool(act.narrows or act.after) or act.again == "further"


def _is_described(sheet: Sheet, group: int) -> bool:
    """Whether a command is about everything in the group that is named here: "move everything on the garden list"."""
    everything = sheet.first(range(group), "all")
    return everything is not None and any(sheet.commands(at) for at in range(everything))


def _without_phrases_over(edges: list[Edges], groups: Sequence[tuple[int, int]]) -> list[Edges]:
    """The edges without phrases that contain the name of a group: "everything on the garden list" means that list."""
    kept = list(edges)
    for start, end in groups:
        for at in range(start + 1):
            if any(after >= end for ends in kept[at].values() for after, _ in ends):
                left = {cls: [one for one in ends if one[0] < end] for cls, ends in kept[at].items()}
                kept[at] = {cls: ends for cls, ends in left.items() if ends}
    return kept


def _past_endings(words: LanguageSpec) -> tuple[str, ...]:
    past = words.forms.get("past")
    return tuple(new for _, news in past.endings for new in news if len(new) > 1) if past else ()
