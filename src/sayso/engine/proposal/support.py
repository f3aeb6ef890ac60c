"""Finds evidence for each proposed value in the words, the history or the person's things.

"the kitchen lamp" proposed as a device, and the person said "lamp in the kitchen": there is evidence. A priority that
nobody spoke of has none, and is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from functools import cached_property
from math import isclose
from typing import Any, NamedTuple

from sayso.decision import Evidence, Span
from sayso.engine.decide.decide import Room
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.pack import Param, Slot, Tool
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.linking.inventory import Inventory, Part, thing_fit
from sayso.engine.linking.units import Unit, is_concept, said
from sayso.engine.proposal.sanitise import Offer
from sayso.engine.slots.arguments import in_form
from sayso.engine.text.similarity import is_within
from sayso.engine.text.tokens import MARK, bare, fold, normalise

_NAMED = 0.5  # the share of a name that must have been said
_CLEARLY = 0.25  # so many more words than any other thing
_BARELY = 0.02  # so much more of what was said
_POINTING = ("it", "them", "dummy")


class Supported(NamedTuple):
    """A value with what bears it out."""

    value: Any
    evidence: Evidence


def supported(room: Room, offer: Offer, texts: Sequence[str]) -> dict[str, Supported]:
    """The arguments of an offer that have evidence, by parameter; `texts` are all that the person said."""
    tool = room.grammar.pack.tools[offer.tool]
    if room.grammar.is_bare(offer.tool):
        telling = Telling(room.grammar, texts, room.now)
        borne = {name: value for name, value in offer.arguments.items() if telling.bears_out(value, name)}
        return {name: Supported(value, _proposed(_whole(room))) for name, value in borne.items()}
    found: dict[str, Supported] = {}
    thing: str | None = None
    for name in sorted(
        offer.arguments, key=lambda name: _kind(room, tool, name) != "entity"
    ):  # a thing, then its parts
        value, key = offer.arguments[name], tool.params[name].slot
        slot = room.grammar.pack.slots[key] if key else None
        one = _of_slot(room, tool, slot, value, thing, name)
        if one is not None:
            found[name] = one
            thing = one.value if slot is not None and slot.type == "entity" else thing
    return found


def _kind(room: Room, tool: Tool, name: str) -> str:
    slot = tool.params[name].slot
    return room.grammar.pack.slots[slot].type if slot else ""


def _of_slot(room: Room, tool: Tool, slot: Slot | None, value: Any, thing: str | None, name: str) -> Supported | None:
    kind = slot.type if slot is not None else ""
    if kind == "entity":
        return _entity(room, value) if isinstance(value, str) else None
    if slot is not None and kind == "part":
        return _part(room, slot, value, thing, reads=tool.risk == "read")
    if kind in ("date", "value", "number", "repeat", "lead", "shared"):
        return _value(room, tool.params[name], value, thing, name)
    return _text(room, value) if isinstance(value, str) else None


def _value(room: Room, param: Param, value: Any, thing: str | None, name: str) -> Supported | None:
    """A value that one of our own readers finds in the words as well."""
    entity = room.scene.things.get(thing) if thing is not None else None
    wanted = _canonical(room, param, value, name)
    for chunk in _chunks(room, param.slot or ""):
        if in_form(chunk, param, entity, room.now, name) == wanted is not None:
            return Supported(wanted, _proposed(_span_of(room, chunk.core, chunk.end)))
    return None


def _proposed(span: Span) -> Evidence:
    return Evidence(source="proposed", span=span)


def _chunks(room: Room, slot: str) -> Iterator[Chunk]:
    first, last = room.clause
    for at in range(first, last):
        yield from (chunk for chunk in room.sheet.chunks.get(at, ()) if chunk.slot == slot and chunk.end <= last)


def _canonical(room: Room, param: Param, value: Any, name: str) -> Any:
    """The value as our own readers give it: "High" → high, "domani" → the day, a date with seconds without them."""
    if not isinstance(value, str):
        return value
    allowed = param.schema.get("enum", ())
    plain = next((one for one in allowed if isinstance(one, str) and one.casefold() == value.strip().casefold()), None)
    if plain is not None or value in param.names.values():
        return plain or value
    moment = _moment(value)
    if moment is not None and "format" in param.schema:
        return moment
    return _as_read(room, param, value, name)


def _as_read(room: Room, param: Param, value: str, name: str) -> Any:
    """A value as it is read when the person says it, and nothing else."""
    whole = room.grammar.read(normalise(value), room.now).whole
    chunks = (chunk for chunk in whole.chunks if chunk.slot == param.slot and chunk.end - chunk.start == whole.end)
    read = (in_form(chunk, param, None, room.now, name) for chunk in chunks)
    return next((one for one in read if one is not None), value)


def _moment(value: str) -> str | None:
    """A date as machines write it, without seconds and zone; midnight is no time of day."""
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    bare = len(value.strip()) <= len("2026-01-01") or (moment.hour, moment.minute) == (0, 0)
    return moment.date().isoformat() if bare else moment.strftime("%Y-%m-%dT%H:%M")


def _text(room: Room, value: str) -> Supported | None:
    """A text that the person said, word by word; as they wrote it."""
    wanted = [token.low for token in normalise(value).tokens if token.low.strip(".,;:!?'\"")]
    tokens = [token for token in room.sheet.text.tokens if token.low.strip(".,;:!?'\"")]
    lows = [token.low for token in tokens]
    for at in range(len(lows) - len(wanted) + 1):
        if wanted and lows[at : at + len(wanted)] == wanted:
            span = (tokens[at].start, tokens[at + len(wanted) - 1].end)
            return Supported(room.sheet.text.said(*span), _proposed(span))
    return None


def _entity(room: Room, value: str) -> Supported | None:
    """The thing that is meant, where the person named it, or nothing else is being spoken of."""
    meant = _meant(room, value)
    spoken = _spoken_of(room)
    margin = _CLEARLY if room.scene.inventory is not None else _BARELY
    best = [identifier for identifier, score in spoken.items() if score >= max(spoken.values()) - margin]
    if len(best) == 1 and best[0] in meant and _is_named(room, best[0]):
        return Supported(best[0], Evidence(source="proposed", entity=best[0], span=_whole(room)))
    focus = room.scene.earlier[-1:] or room.scene.focus
    if not spoken and len(focus) == 1 and focus[0] in meant and _points(room):
        return Supported(focus[0], Evidence(source="history", entity=focus[0]))
    return None


def _is_named(room: Room, identifier: str) -> bool:
    """Whether enough of a name was said, where a name may share a word with anything."""
    if room.scene.inventory is not None:
        return True
    things = room.scene.things
    return any(hit.named >= _NAMED for hit in things.search(room.sheet.stems, things.only([identifier])))


def _points(room: Room) -> bool:
    first, last = room.clause
    return any(room.sheet.has(at, *_POINTING) for at in range(first, last))


def _meant(room: Room, value: str) -> frozenset[str]:
    """The things that an id or a name may mean."""
    things = room.scene.things
    identifier = things.by_id(value.strip())
    if identifier is not None:
        return frozenset([identifier])
    if room.scene.inventory is not None:
        return _meant_machines(room.scene.inventory, value)
    hits = things.search(things.stems_of(fold(value)))
    return frozenset(hit.id for hit in hits if hit.said >= hits[0].said and hit.named >= _NAMED)


def _meant_machines(inventory: Inventory, value: str) -> frozenset[str]:
    """The machines that a name fits best, all of what it says they are: a pump is no lamp."""
    units = inventory.read(value)
    scores = inventory.fitting(units)
    kinds = [unit for unit in units if is_concept(unit) and not unit.light]
    fitting = {one.id for one in inventory.stock.things("", ()) if all(thing_fit(unit, one) for unit in kinds)}
    return frozenset(one for one, score in scores.items() if score >= max(scores.values()) and one in fitting)


def _spoken_of(room: Room) -> dict[str, float]:
    """The things that the words name, with how well."""
    first, last = room.clause
    if room.scene.inventory is not None:
        return room.scene.inventory.fitting(said(Stretch(room.sheet, first, last)))
    hits = room.scene.things.search(room.sheet.stems[first:last])
    return {hit.id: hit.said for hit in hits}


def _part(room: Room, slot: Slot, value: Any, thing: str | None, *, reads: bool) -> Supported | None:
    """The parts of the thing that are meant, by id or name, where the words speak of them.

    What is only read may go by another word than the thing has for it ("how much milk", the level), if it has it and
    the words name none of its parts.
    """
    inventory = room.scene.inventory
    if inventory is None or thing is None:
        return None
    parts = next((one.parts for one in inventory.stock.things(slot.of, ()) if one.id == thing), ())
    spoken = _spoken_parts(room, parts)
    several = isinstance(value, list)
    meant = (_part_meant(parts, inventory.read(str(one)), one) for one in (value if several else [value]))
    ids = [part.id for part in meant if part is not None and (part in spoken or (reads and not spoken))]
    if not ids:
        return None
    told = Evidence(source="proposed", entity=thing, span=_whole(room))
    proof = told if spoken else Evidence(source="entity", entity=thing)
    return Supported(ids if several else ids[0], proof)


def _spoken_parts(room: Room, parts: Sequence[Part]) -> list[Part]:
    """The parts that a word of the clause fits."""
    units = [unit for unit in said(Stretch(room.sheet, *room.clause)) if not unit.light]
    return [part for part in parts if any(unit.fits(one) for unit in units for one in part.units)]


def _part_meant(parts: Sequence[Part], names: Sequence[Unit], wanted: Any) -> Part | None:
    """The one part with this id, or that goes by this name."""
    by_id = [part for part in parts if part.id == wanted]
    by_name = [part for part in parts if names and all(any(one.fits(own) for own in part.units) for one in names)]
    found = by_id or by_name
    return found[0] if len(found) == 1 else None


def _whole(room: Room) -> Span:
    return _span_of(room, *room.clause)


def _span_of(room: Room, first: int, last: int) -> Span:
    words = room.sheet.words
    return (words[first].start, words[max(last, first + 1) - 1].end)


_ENOUGH = 0.5  # the share of a text's words that must have been said
_SAME = 5  # letters by which two long words are one: "translate", "translation"
_SCALES = (1, 60, 3_600, 24, 7, 12, 100, 1_000, 1_000_000)
_DEEPEST = 6
_MOMENT = re.compile(r"(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})?[T ]*(?:(\d{1,2}):(\d{2})(?::\d{2})?)?[Z+\-:.\d]*")
_YEARS = range(1900, 2200)
_LONGEST = 4_000  # characters of all that was said


class Telling:
    """What was said, ready to be asked about many values."""

    def __init__(self, grammar: Grammar, texts: Sequence[str], now: datetime) -> None:
        self._grammar, self._now = grammar, now
        self._text = "\n".join(texts)[-_LONGEST:]

    @cached_property
    def _lows(self) -> list[str]:
        tokens = normalise(self._text).tokens
        return [part for token in tokens for part in _parts(token.low)] if tokens else []

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(bare(low) for low in self._lows if any(letter.isalnum() for letter in low))

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(self._grammar.stems.stem(word) for word in self._words)

    @cached_property
    def _initials(self) -> str:
        return "".join(word[0] for word in re.findall(r"\b[A-Z][a-z]+", self._text))

    @cached_property
    def _numbers(self) -> frozenset[float]:
        figures = (
            float(one.replace(",", ""))
            for one in re.findall(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?", self._text)
            if len(one) < 30
        )
        lows = [word for low in self._lows for word in (low.split("-") if not low[:1].isdecimal() else [low])]
        spoken = (self._grammar.numbers.read(lows, at) for at in range(len(lows)))
        ordinal = (self._grammar.numbers.read_ordinal(lows, at) for at in range(len(lows)))
        months = [float(day.month) for day in self._moments[0]]
        return frozenset([*figures, *months, *(float(one[0]) for one in (*spoken, *ordinal) if one is not None)])

    @cached_property
    def _moments(self) -> tuple[frozenset[date], frozenset[tuple[int, int]]]:
        """The days and the times that were said."""
        spans = self._grammar.dates.find([token.low for token in normalise(self._text).tokens], self._now)
        days = [day for span in spans for day in (span.when.day, *(span.when.period or ())) if day is not None]
        return frozenset(days), frozenset(span.when.time for span in spans if span.when.time is not None)

    def bears_out(self, value: Any, about: str, depth: int = 0) -> bool:
        """Whether there is evidence for a value; `about` is what its parameter is called."""
        if depth > _DEEPEST:
            return False
        if value is None or value == "":
            return True  # no value at all
        if isinstance(value, dict):
            return all(self.bears_out(one, key, depth + 1) for key, one in value.items())
        if isinstance(value, (list, tuple)):
            return all(self.bears_out(one, about, depth + 1) for one in value)
        if isinstance(value, bool):
            return self._share(about) > 0
        if isinstance(value, (int, float)):
            return self._has_number(float(value))
        return isinstance(value, str) and self._has_text(value, about)

    def _has_number(self, value: float) -> bool:
        near = (value * scale for scale in _SCALES)
        far = (value / scale for scale in _SCALES)
        wanted = [*near, *far]
        return any(isclose(one, said, rel_tol=1e-6, abs_tol=1e-9) for one in wanted for said in self._numbers)

    def _has_text(self, value: str, about: str) -> bool:
        text = value.strip()
        if text.casefold() in ("true", "false"):
            return self._share(about) > 0
        figure = re.fullmatch(r"[-+]?\d+(?:\.\d+)?", text)
        if figure and self._has_number(float(text)):
            return True
        if self._low.find(text.casefold()) >= 0:
            return True
        if re.search(r"\d", text) and _MOMENT.fullmatch(text):
            return self._has_moment(text)
        if text.isupper() and 1 < len(text) <= 4 and text in self._initials:
            return True
        return self._share(text) >= _ENOUGH

    def _has_moment(self, text: str) -> bool:
        """A date or a time in figures: its day and month, and its hour, were said; its year, or none."""
        day, _, _ = text.partition("T")[0].strip().partition(" ")
        figures = [int(one) for one in re.split(r"[-/.]", day) if one.isdecimal()] if ":" not in day else []
        return self._has_day(figures) and self._has_hour(text)

    def _has_day(self, figures: Sequence[int]) -> bool:
        """Whether a day in figures was said, in any order; a year only where one was said."""
        days, _ = self._moments
        year = next((one for one in figures if one in _YEARS), None)
        rest = sorted(one for one in figures if one != year)
        if figures and not any(sorted((one.day, one.month)) == rest for one in days):
            return False
        if year is None or not self._says_year:
            return True
        return year in self._numbers or any(one.year == year for one in days)

    def _has_hour(self, text: str) -> bool:
        """Whether the hour of a time in figures was said; the first and the last minute of a day stand for none."""
        _, times = self._moments
        clock = re.search(r"(\d{1,2}):(\d{2})", text)
        at = (int(clock[1]), int(clock[2])) if clock else (0, 0)
        return at in ((0, 0), (23, 59)) or at in times or float(at[0] % 12 or 12) in self._numbers

    @cached_property
    def _says_year(self) -> bool:
        return any(one in _YEARS for one in self._numbers)

    @cached_property
    def _low(self) -> str:
        return self._text.casefold()

    def _share(self, text: str) -> float:
        """The share of a text's telling words that were said."""
        words = [bare(part) for part in _spelled(text)]
        telling = [word for word in words if self._grammar.stems.stem(word) not in self._grammar.little] or words
        return sum(self._has_word(word) for word in telling) / len(telling) if telling else 0.0

    def _has_word(self, word: str) -> bool:
        if word in self._words or self._grammar.stems.stem(word) in self._stems:
            return True
        if not word.isalpha() or len(word) < _SAME:
            return False
        return any(
            said[:_SAME] == word[:_SAME] or (len(word) > _SAME and is_within(1, word, said))
            for said in self._words
            if len(said) >= _SAME
        )


def _parts(low: str) -> Iterator[str]:
    """A quotation is several words."""
    yield from low.split() if " " in low else (low,)


def _spelled(text: str) -> Iterator[str]:
    """The words of a text or of a name in code: "numberOfAdults", "six_months"."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", text[:400])
    for token in normalise(spaced).tokens:
        if token.kind != MARK:
            yield from (part for part in re.split(r"[\s'/.-]+", token.low) if part)
