"""Finds several things by a description ("everything from today"), and parts of a name that lists several.

Each of them becomes a separate decision, and one question asks about all of them. If the description has words that
are not understood, or means the whole list, there is no decision here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from sayso.decision import Confirm, Decision, Evidence
from sayso.engine.decide.room import Room
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.pack import Param, Tool
from sayso.engine.grammar.sheet import Sheet, Stretch, Target
from sayso.engine.slots.arguments import fill
from sayso.engine.slots.reading import Reading
from sayso.engine.slots.validate import faults
from sayso.engine.text.tokens import normalise
from sayso.engine.values.when import When, falls_on, is_past
from sayso.record import Entity

MOST = 50  # decisions that one question may be about
GROUP = "several"
_SMALL = (
    "all",
    "rest",
    "it",
    "them",
    "each",
    "article",
    "dummy",
    "possessive",
    "of",
    "be",
    "wh",
    "function",
    "filler",
    "polite",
)


def described(room: Room, reading: Reading, tool_name: str, sure: float) -> list[Decision]:
    """A question for each thing that is described; empty if the description is not understood."""
    tool, target, param = room.grammar.pack.tools[tool_name], reading.target, reading.target_param
    if tool.several is None or target is None or target.span is None or param is None:
        return []
    said = room.sheet.within(target.span)
    _, first, last = _with_values_beside(room, reading, tool, said)
    if target.problem == "ambiguous" and first == said.start:
        return []
    filters, reading = _told(room, reading, tool, first, last)
    if not _is_covered(room, first, last, filters) or (target.problem == "missing" and not filters):
        return []
    if tool.risk == "destructive" and _leaves_date(room, filters):
        return []  # "everything due today can go to friday" deletes nothing
    ids = _meant(room, reading, tool, filters, first, last)
    if not filters and tool.risk == "destructive" and len(ids) == len(room.scene.things):
        return []  # the whole list is deleted one by one, or not at all
    return _questions(room, reading, tool_name, ids[:MOST], sure)


def is_understood(room: Room, reading: Reading, tool_name: str) -> bool:
    """Whether a description consists only of values of things. It is possible that no thing has them."""
    tool, target = room.grammar.pack.tools[tool_name], reading.target
    if tool.several is None or target is None or target.span is None:
        return False
    _, first, last = _with_values_beside(room, reading, tool, room.sheet.within(target.span))
    filters, _ = _told(room, reading, tool, first, last)
    return bool(filters) and _is_covered(room, first, last, filters) and _are_known(room, filters)


def _leaves_date(room: Room, filters: Sequence[Chunk]) -> bool:
    """Whether the clause has a date that does not describe the things."""
    dates = (one for one in Stretch(room.sheet, *room.clause).chunks if isinstance(one.value, When))
    return any(not any(each.start <= one.core and one.end <= each.end for each in filters) for one in dates)


def _questions(room: Room, reading: Reading, tool_name: str, ids: Sequence[str], sure: float) -> list[Decision]:
    if len(ids) > 1 and _gives_name(room, reading, tool_name):
        return []
    found = (_asked(room, reading, tool_name, identifier, sure) for identifier in ids)
    return [one for one in found if one is not None]


def _gives_name(room: Room, reading: Reading, tool_name: str) -> bool:
    """Whether things get a new name, which only one of them can have."""
    names = {kind.name for kind in room.grammar.pack.entities.values()}
    params = room.grammar.pack.tools[tool_name].params.items()
    return any(param.slot in reading.texts and name.removeprefix("new_") in names for name, param in params)


def _are_known(room: Room, filters: Sequence[Chunk]) -> bool:
    """Whether things have fields for every value that describes them."""
    return all(_field(room, chunk) is not None for chunk in filters)


def _with_values_beside(room: Room, reading: Reading, tool: Tool, stretch: Stretch) -> Stretch:
    """The description with the values beside it that belong to it: "everything left from today", "all that is on the
    shopping list". A value that the tool does not take belongs to it: "move the overdue ones to monday"."""
    sheet, start, end = stretch
    start = min((one.start for one in reading.chunks if not _is_taken(tool, one)), default=start)
    end = min((one.start for one in stretch.chunks if start < one.start < end <= one.core), default=end)  # "due today"
    given = {name.removeprefix("new_") for name in room.grammar.pack.acts[reading.act].set}
    usual = {name: value for name, value in (tool.several or {}).items() if name not in given}
    told = [one for one in sheet.chunks.get(end, ()) if not isinstance(one.value, When)]
    after = [one for one in told if usual.get(_field(room, one) or "") == str(one.value) or not _is_taken(tool, one)]
    end = max((one.end for one in after), default=end)
    small = sheet.has(end, *_SMALL) if end < room.clause[1] else 0
    chunks = (one for at in {end, small or end} for one in sheet.chunks.get(at, ()) if one.end <= room.clause[1])
    groups = (one for one in chunks if _is_group_of_things(room, reading, tool, one))
    return Stretch(sheet, start, max((one.end for one in groups), default=end))


def _is_taken(tool: Tool, chunk: Chunk) -> bool:
    """Whether a value may be an argument of the tool."""
    return any(_takes(param, chunk) for param in tool.params.values())


def _takes(param: Param, chunk: Chunk) -> bool:
    value = str(chunk.value)
    return param.slot == chunk.slot and value in param.schema.get("enum", (value,))


def _is_group_of_things(room: Room, reading: Reading, tool: Tool, chunk: Chunk) -> bool:
    """Whether a group is the one that the things are in, and not the one that they are moved to."""
    destinations = {param.slot for param in tool.params.values()}.intersection(room.grammar.shared)
    if chunk.slot not in room.grammar.shared or chunk.slot in destinations:
        return False
    same = [one for one in room.sheet.chunks.get(chunk.start, ()) if one.end == chunk.end and one.slot in destinations]
    is_destination = any(one.start < one.core for one in same)  # "to the work list"
    beside = any(one.end <= chunk.start or one.start >= chunk.end for one in reading.chunks)
    return not destinations or (beside and not is_destination)


def _told(room: Room, reading: Reading, tool: Tool, first: int, last: int) -> tuple[tuple[Chunk, ...], Reading]:
    """The values that describe the things, and the reading with the values that they get."""
    inside = _longest(room, first, last)
    beside = _date_after(room, last)
    wanted = [chunk for chunk in reading.chunks if not (first <= chunk.start and chunk.end <= last)]
    taken = {param.slot for param in tool.params.values()}
    if not beside or beside[0].slot not in taken:
        return (*inside, *beside), reading._replace(chunks=tuple(wanted))
    apart = _from_to(room, first, beside[0])
    if apart is None:
        return inside, reading._replace(chunks=tuple(wanted))
    told, due = apart
    rest = [chunk for chunk in wanted if chunk.slot != due.slot]
    return (*inside, told), reading._replace(chunks=(*rest, due))


def _date_after(room: Room, last: int) -> list[Chunk]:
    """The date that begins here, if one does."""
    return [chunk for chunk in _longest(room, last, last + 1, room.clause[1]) if isinstance(chunk.value, When)]


def _from_to(room: Room, first: int, beside: Chunk) -> tuple[Chunk, Chunk] | None:
    """The date that describes the things and the date that they get, if both are said: "move to monday all that is for
    today", "everything from today to tomorrow"."""
    others = _dates(room, first, beside)
    if others:
        return beside, others[0]
    ends = _ends(room, beside)
    return (beside._replace(value=ends[0]), beside._replace(value=ends[1])) if ends is not None else None


def _ends(room: Room, period: Chunk) -> tuple[When, When] | None:
    """The two dates that a period is said with: "from this week to next week"; None for "next week"."""
    lows, find = room.sheet.lows[period.core : period.end], room.grammar.dates.find
    for at in range(1, len(lows)):
        first, last = find(lows[:at], room.now), find(lows[at:], room.now)
        if len(first) == len(last) == 1 and first[0].end == at and last[0].start > 0 and last[0].end == len(lows) - at:
            return first[0].when, last[0].when
    return None


def _longest(room: Room, first: int, before: int, end: int | None = None) -> tuple[Chunk, ...]:
    """The longest value from each of these places on, none inside another."""
    kept: list[Chunk] = []
    last = before if end is None else end
    for at in range(first, before):
        if kept and at < kept[-1].end:
            continue
        whole = (one for one in room.sheet.chunks.get(at, ()) if one.end <= last)
        here = [one for one in whole if not isinstance(one.value, (int, float))]
        if here:
            kept.append(max(here, key=lambda one: one.end))
    return tuple(kept)


def _dates(room: Room, first: int, beside: Chunk) -> list[Chunk]:
    """The other dates of the clause, which do not belong to the description."""
    start, end = room.clause
    found = (*_longest(room, start, first), *_longest(room, beside.end, end))
    return [one for one in found if isinstance(one.value, When) and one.slot == beside.slot]


def _is_covered(room: Room, first: int, last: int, filters: tuple[Chunk, ...]) -> bool:
    """Whether the clause says nothing beside the values that describe the things."""
    told = {at for chunk in filters for at in range(chunk.start, chunk.end)}
    at = first
    while at < last:
        small = room.sheet.has(at, *_SMALL, *room.grammar.nouns)
        little = at + 1 if room.sheet.words[at].kind == "mark" or room.sheet.stems[at] in room.grammar.little else 0
        after = max(small, little, at + 1 if at in told else 0)
        if not after:
            return False
        at = after
    return True


def _meant(
    room: Room, reading: Reading, tool: Tool, filters: tuple[Chunk, ...], first: int, last: int
) -> tuple[str, ...]:
    """The ids of the things that are described. Without a description: the things shown last if "them" points at them,
    else all. A thing that lacks a value does not need it removed."""
    found = _as_told(room, reading, tool, filters, first, last)
    held = [name.removeprefix("new_") for name in room.grammar.pack.acts[reading.act].clears]
    things = [(one, room.scene.things.get(one)) for one in found]
    return tuple(one for one, thing in things if not held or thing is None or any(map(thing.text, held)))


def _as_told(
    room: Room, reading: Reading, tool: Tool, filters: tuple[Chunk, ...], first: int, last: int
) -> tuple[str, ...]:
    among = {**(tool.several or {}), **room.grammar.pack.acts[reading.act].among}
    if not filters:
        pointed = _pointed_at(room, tool, Stretch(room.sheet, first, last))
        return tuple(filter(room.scene.things.among(among), pointed)) if among else pointed
    return _as_described(room, among, filters) if _are_known(room, filters) else ()


def _as_described(room: Room, among: Mapping[str, str], filters: Sequence[Chunk]) -> tuple[str, ...]:
    """The ids of the things that match the values, and otherwise are as they usually are."""
    told = [(_field(room, chunk) or "", chunk) for chunk in filters]
    fields = {field for field, _ in told}
    usual = {name: value for name, value in among.items() if name not in fields}
    return tuple(one.id for one in room.scene.things.entities if _is_so(room, one, usual, told))


def _pointed_at(room: Room, tool: Tool, stretch: Stretch) -> tuple[str, ...]:
    """The things shown last, if "them" points at them; else all things, unless they would be deleted."""
    points = stretch.holds("them")
    if points and room.scene.listed:
        return room.scene.listed
    whole = (points or stretch.holds("all")) and tool.risk != "destructive"
    return tuple(one.id for one in room.scene.things.entities) if whole else ()


def _is_so(room: Room, entity: Entity, usual: Mapping[str, str], told: Sequence[tuple[str, Chunk]]) -> bool:
    """Whether a thing matches its description, and otherwise is as it usually is."""
    if any(entity.text(name) != value for name, value in usual.items()):
        return False
    return all(_holds(room, entity, field, chunk) for field, chunk in told)


def _field(room: Room, chunk: Chunk) -> str | None:
    """The field of a thing that some tool fills from such a slot, or that a value says is past."""
    names = [
        name.removeprefix("new_")
        for tool in room.grammar.pack.tools.values()
        for name, param in tool.params.items()
        if _takes(param, chunk)
    ]
    past = room.grammar.pack.past_field(str(chunk.value))
    if names and past is not None:
        return past
    return next((name for name in names if any(name in entity for entity in room.scene.things.entities)), None)


def _holds(room: Room, entity: Entity, field: str, chunk: Chunk) -> bool:
    held = entity.text(field)
    if room.grammar.pack.past_field(str(chunk.value)) == field:
        return is_past(held, room.now)
    return falls_on(chunk.value, held) if isinstance(chunk.value, When) else held == str(chunk.value)


def _asked(room: Room, reading: Reading, tool_name: str, identifier: str, sure: float) -> Confirm | None:
    entity, param = room.scene.things.get(identifier), reading.target_param or ""
    values, evidence = fill(room.sheet, reading, entity, room.now)
    arguments = {param: identifier, **values}
    if faults(room.grammar.pack.tools[tool_name], arguments):
        return None
    span = reading.target.span if reading.target is not None and reading.target.span is not None else (0, 0)
    evidence = {param: Evidence(source="message", entity=identifier, span=span), **evidence}
    question = room.voice.confirm(tool_name, arguments, evidence, sure, "several", identifier)
    return msgspec.structs.replace(question, group=GROUP)


_LONGEST = 200  # characters of a name that is looked at
_LIST = 3  # parts that are a list, of which the first is one among others
_BETWEEN = frozenset(",;+&")


def is_portion(sheet: Sheet, target: Target, label: str) -> bool:
    """Whether only one of the parts that a thing's name lists was named."""
    if target.pronoun or target.span is None or target.source != "message":
        return False
    parts = parts_of(sheet.grammar, label) if _lists(sheet, label) else []
    said = {sheet.stems[at] for at in sheet.within(target.span).places}
    named = [place for place, part in enumerate(parts) if not said.isdisjoint(part)]
    return len(named) == 1 and (named[0] > 0 or len(parts) >= _LIST)  # of two, the first often means both


def _lists(sheet: Sheet, label: str) -> bool:
    """Whether a name has a mark or a word between parts."""
    marked = not _BETWEEN.isdisjoint(label) or not sheet.grammar.links.isdisjoint(label.casefold().split())
    return marked and len(label) <= _LONGEST


def parts_of(grammar: Grammar, name: str) -> list[frozenset[str]]:
    """The telling words of each part of a name, between commas and linking words."""
    words, edges, stems = grammar.look_at(normalise(name))
    links = grammar.cls["link"]
    parts: list[set[str]] = [set()]
    for at, word in enumerate(words):
        if word.low in _BETWEEN or any(cost == 0 for _, cost in edges[at].get(links, ())):
            parts.append(set())
        elif word.kind != "mark" and stems[at] not in grammar.little:
            parts[-1].add(stems[at])
    return [frozenset(part) for part in parts if part]
