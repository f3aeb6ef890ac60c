"""Turns a message and its context into the features of the learned reader.

"gym tomorrow 6pm" → three words, the last two marked as a date; no title of the user's list shares a word with it.
Training and deciding use this same code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.lexicon.words import Word
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.index import EntityIndex, Hit
from sayso.engine.linking.inventory import Thing
from sayso.engine.linking.units import Unit, said
from sayso.engine.repeats.recurrence import Lead, Repeat
from sayso.engine.values.when import When
from sayso.record import Entity

MOST_WORDS = 40  # of a message; the rest is left to the rules
_FLAT = str.maketrans("123456789", "000000000")
_LONGEST = 24  # characters of a word
_SHORTEST_RUN, _LONGEST_RUN = 2, 5  # lengths of the letter runs that represent a word
_SLIPS = 0.8  # a word with typos of less than this still belongs to its classes
_SHARES = (0.01, 0.35, 0.62, 0.9)  # steps of how well a message matches a title

OWN_FLAGS = 26  # flags of a word, beside those of its classes
CONTEXT_FLAGS = 26
FITS = "fits:"  # the prefix of flags of words that match a thing with parts: its name, its place, one of its commands
_BEST = "best:"  # the same, for the thing that most words match
_NAME, _ALSO = "name", "also"
_PART_FLAGS = 2  # kinds of parts that have flags of the message
_MOST_THINGS = 12  # things that are compared with each word


class Features(NamedTuple):
    """The input of the model for a message."""

    words: list[str]
    flags: list[tuple[int, ...]]  # for each word the numbers of its flags
    context: tuple[int, ...]  # the numbers of the flags of the message


class Extractor:
    """Computes the features of messages of one grammar; `classes` are the word classes that are flags of the model."""

    def __init__(self, grammar: Grammar, classes: Sequence[str]) -> None:
        self._grammar = grammar
        known = enumerate(classes, OWN_FLAGS)
        self._classes = {grammar.cls[name]: flag for flag, name in known if name in grammar.cls}
        own = enumerate(classes, OWN_FLAGS)
        self._fits = {name: flag for flag, name in own if name.startswith((FITS, _BEST))}

    def __call__(self, sheet: Sheet, scene: Scene, start: int = 0, end: int = MOST_WORDS) -> Features:
        """The features of words[start:end], up to the maximum number of words."""
        words, stems = sheet.words[start:end], sheet.stems[start:end]
        near = _near(scene.things, stems)
        dates, values = _chunk_flags(Stretch(sheet, start, start + len(words)))
        classes = self._class_flags(sheet, start, start + len(words))
        context = _context(scene, near.hits, near.whole)
        if self._fits:
            context += self._mark_parts(sheet, scene, start, start + len(words), classes)
        named = {at for first, last, _ in near.whole for at in range(first, last)}
        flags: list[tuple[int, ...]] = []
        for at, word in enumerate(words):
            found = [_kind(word), 6 + dates[at], 12 + values[at], *self._word_flags(word, stems[at], near)]
            if at in named:
                found.append(21)
            if self._grammar.is_past(word.low):
                found.append(22)
            if len(scene.things) and scene.things.by_id(word.text) is not None:
                found.append(23)
            flags.append((*found, *sorted(classes[at])))
        return Features([_form(word) for word in words], flags, tuple(context))

    def _word_flags(self, word: Word, stem: str, near: _Near) -> Iterator[int]:
        """Whether a line break precedes a word, it says little, or is in the name of a thing that matches."""
        if word.broken:
            yield 5
        if stem in self._grammar.little:
            yield 18
        elif stem in near.best:
            yield 19
        elif stem in near.others:
            yield 20

    def _mark_parts(self, sheet: Sheet, scene: Scene, start: int, stop: int, found: list[set[int]]) -> list[int]:
        """Marks each word that matches a thing or a part of one, and returns the flags of the message."""
        units = said(Stretch(sheet, start, stop))
        kinds = part_kinds(self._grammar)
        things = {kind: scene.inventory.stock.spoken_of(units, kind, ()) for kind in kinds}
        fits = {kind: {one.id: _fit(units, one) for one in near[:_MOST_THINGS]} for kind, near in things.items()}
        scores = _scores(fits.values())
        best = max(scores, key=scores.__getitem__, default="")
        marks = (mark for kind in kinds for mark in self._fit_flags(fits[kind], kind, best))
        for place, flag in marks:
            for at in range(units[place].start, min(units[place].end, stop)):
                found[at - start].add(flag)
        context = _part_flags([fits[kind].get(best) for kind in kinds[:_PART_FLAGS]]) if best else [21]
        second = sorted(scores.values())[-2:-1]
        return [*context, *([24] if best in scene.focus else []), *([25] if second == [scores.get(best)] else [])]

    def _fit_flags(self, fits: dict[str, _Fit], kind: str, best: str) -> Iterator[tuple[int, int]]:
        """The units that match a thing, each with a flag for the field that matches."""
        for identifier, fit in fits.items():
            for prefix in (FITS, _BEST) if identifier == best else (FITS,):
                for name, places in ((_NAME, fit.name), (_ALSO, fit.also), (kind, fit.part)):
                    flag = self._fits.get(prefix + name)
                    if flag is not None:
                        yield from ((at, flag) for at in places)

    def _class_flags(self, sheet: Sheet, start: int, stop: int) -> list[set[int]]:
        """The flags of the classes that each word is in, alone or as part of a phrase."""
        numbers = self._classes
        found: list[set[int]] = [set() for _ in range(stop - start)]
        for at in range(start, stop):
            edges = sheet.edges[at]
            for cls in edges.keys() & numbers.keys():
                end = max((end for end, cost in edges[cls] if cost < _SLIPS), default=at)
                for place in range(at, min(end, stop)):
                    found[place - start].add(numbers[cls])
        return found


class _Near(NamedTuple):
    """The user's things that a message is near to."""

    hits: list[Hit]
    whole: list[tuple[int, int, str]]  # where a full name was said
    best: frozenset[str]  # the stems of the name that matches best
    others: frozenset[str]  # those of the names that match less


def _near(things: EntityIndex, stems: Sequence[str]) -> _Near:
    if not len(things):
        return _Near([], [], frozenset(), frozenset())
    hits = things.search(stems)[:5]
    best = frozenset(things.label_stems(hits[0].id)) if hits else frozenset()
    others = frozenset(stem for hit in hits[1:] for stem in things.label_stems(hit.id))
    return _Near(hits, things.mentions(stems), best, others)


class _Fit(NamedTuple):
    """The units that match a thing by its name, by its other fields, and by one of its parts."""

    name: list[int]
    also: list[int]
    part: list[int]

    @property
    def score(self) -> float:
        return len(self.name) + 0.7 * len(self.also) + 0.6 * len(self.part)


def _fit(units: Sequence[Unit], thing: Thing) -> _Fit:
    (_, names), *fields = thing.fields
    others = [other for _, field in fields for other in field]
    parts = [other for part in thing.parts for other in part.units]
    name = _naming(units, names)
    also = [at for at in _naming(units, others) if at not in name]
    return _Fit(name, also, [at for at, unit in enumerate(units) if any(map(unit.fits, parts))])


def _naming(units: Sequence[Unit], names: Sequence[Unit]) -> list[int]:
    return [at for at, unit in enumerate(units) if any(map(unit.names, names))]


def _scores(fits: Iterable[dict[str, _Fit]]) -> dict[str, float]:
    """The best score of each thing."""
    scores: dict[str, float] = {}
    for fitting in fits:
        for identifier, fit in fitting.items():
            scores[identifier] = max(scores.get(identifier, 0.0), fit.score)
    return scores


def _part_flags(fits: Iterable[_Fit | None]) -> list[int]:
    """The flags of the message for the kinds of parts of a thing that were named."""
    return [number for number, fit in enumerate(fits, 22) if fit is not None and fit.part]


def part_kinds(grammar: Grammar) -> tuple[str, ...]:
    """The kinds of parts that the pack's things have."""
    return tuple(sorted({part for kind in grammar.pack.entities.values() for part in kind.parts}))


def fit_flags(grammar: Grammar) -> Iterator[str]:
    """The flags of words that match a thing with parts; empty if the pack's things have no parts."""
    kinds = part_kinds(grammar)
    for prefix in (FITS, _BEST) if kinds else ():
        yield from (prefix + name for name in (_NAME, _ALSO, *kinds))


def _form(word: Word) -> str:
    if word.kind == "quote":
        return '"'
    return word.bare.translate(_FLAT)[:_LONGEST]


def _kind(word: Word) -> int:
    """0 lower case, 1 capitalised, 2 capitals, 3 figures, 4 a mark or a quotation."""
    if word.kind != "word":
        return 4
    text = word.text
    if text[:1].isdigit():
        return 3
    if text[:1].isupper():
        return 2 if len(text) > 1 and text.isupper() else 1
    return 0


def _chunk_flags(stretch: Stretch) -> tuple[list[int], list[int]]:
    """For each word its role in a date (0 none, 1–2 weak, 3–4 strong) and in another value (0, 1–5)."""
    sheet, start, stop = stretch
    values = [0] * (stop - start)
    inside = [one for here in sheet.chunks.values() for one in here if start <= one.core < stop]
    for chunk in inside:
        if isinstance(chunk.value, Repeat | Lead):
            values[chunk.core - start : min(chunk.end, stop) - start] = [5] * (min(chunk.end, stop) - chunk.core)
        elif isinstance(chunk.value, str) and chunk.cost < 0.5:
            for at in range(chunk.core, min(chunk.end, stop)):
                values[at - start] = 1 + (chunk.slot == "status") * 2 + (at > chunk.core)
    return _date_flags(inside, start, stop), values


def _date_flags(chunks: Sequence[Chunk], start: int, stop: int) -> list[int]:
    dates, end = [0] * (stop - start), 0
    for chunk in _longest_dates(chunks):
        if chunk.core >= end:
            end = chunk.end
            for at in range(chunk.core, min(end, stop)):
                dates[at - start] = 1 + 2 * chunk.strong + (at > chunk.core)
    return dates


def _longest_dates(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The longest date that begins at each word, in order."""
    found: dict[int, Chunk] = {}
    for chunk in chunks:
        known = found.get(chunk.core)
        if isinstance(chunk.value, When) and (known is None or chunk.end > known.end):
            found[chunk.core] = chunk
    return [found[core] for core in sorted(found)]


def _context(scene: Scene, hits: list[Hit], whole: list[tuple[int, int, str]]) -> list[int]:
    """The flags of the message: how it matches the user's things, and what was shown before."""
    said, named = (hits[0].said, hits[0].named) if hits else (0.0, 0.0)
    found = [0 if not len(scene.things) else 1, 2 + _step(said), 7 + _step(named)]
    if whole:
        found.append(12)
    if hits and _is_done(scene.things.get(hits[0].id)):
        found.append(13)
    if len(hits) > 1 and hits[1].said > said - 0.12:
        found.append(14)
    found.append(15 + min(len(scene.focus), 2))
    found.append(18 + (len(scene.listed) > 1))
    if hits and scene.focus == (hits[0].id,):
        found.append(20)
    return found


def _is_done(entity: Entity | None) -> bool:
    return entity is not None and entity.text("status") == "completed"


def _step(share: float) -> int:
    return sum(share >= edge for edge in _SHARES)


def runs_of(word: str, rows: int) -> list[int]:
    """The rows of a table with that many rows (a power of two): the word's own first, then those of its letter runs."""
    edged = f"^{word}$"
    found = [f"w{word}"]
    for size in range(_SHORTEST_RUN, _LONGEST_RUN + 1):
        found.extend(f"c{edged[at : at + size]}" for at in range(len(edged) - size + 1))
    return [crc32(run.encode("utf-8", "surrogatepass")) & (rows - 1) for run in found]
