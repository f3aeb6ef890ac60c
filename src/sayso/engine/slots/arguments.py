"""Turns filled slots into arguments with evidence, in the form that the tool takes.

"push it by ten days" on a task due on the 1st → new_due ten days later; the time of day it has is kept.
"every monday at 9" gives the rule of a repeat and, if the tool takes a date as well, the first time it falls due.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any

from sayso.decision import Evidence, Span
from sayso.engine.dates.clock import in_half
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.pack import Param
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.repeats.recurrence import Lead, Repeat
from sayso.engine.slots.reading import Reading
from sayso.engine.slots.ringing import SHIFTS, Ringing, ahead, due_of, rings, rung
from sayso.engine.values.specs import Part
from sayso.engine.values.when import Shift, When
from sayso.record import Entity

_NEAR = 300  # minutes by which people move a time without saying the half of the day
_DAYS = ("day", "date")  # formats without a time; JSON Schema calls it a date
_HOURS: dict[Part, frozenset[int]] = {  # the hours of a part of the day
    "morning": frozenset(range(3, 13)),
    "afternoon": frozenset(range(12, 19)),
    "evening": frozenset(range(17, 24)),
    "night": frozenset([*range(17, 24), *range(5)]),
}


def fill(
    sheet: Sheet, reading: Reading, entity: Entity | None, now: datetime, ringing: Ringing = ""
) -> tuple[dict[str, Any], dict[str, Evidence]]:
    """The arguments that the words give, each with its evidence; `entity` is the thing that they are about."""
    grammar, match = sheet.grammar, reading.match
    act = grammar.pack.acts[reading.act]
    params = grammar.pack.params_of(act.tool)
    # the values only describe the thing that loses a value: "you need not remind me of the till every evening"
    chunks = reading.chunks if not act.clears else ()
    if ringing in ("moments", *SHIFTS):
        chunks = _with_lead(Stretch(sheet, reading.start, reading.end), params, chunks)
    by_slot = {chunk.slot: chunk for chunk in stretched(grammar, params.values(), chunks)}
    said = Evidence(source="message", span=_span(Stretch(sheet, max(match.first, 0), max(match.last, match.first + 1))))
    found: dict[str, tuple[Any, Evidence]] = {}
    for name, param in params.items():
        piece = reading.texts.get(param.slot or "")
        if name in act.set or name in act.clears:
            found[name] = act.set.get(name), said
        elif piece is not None and piece.text:
            text = _with_held(piece.text, name, entity) if name in act.append else piece.text
            found[name] = text, Evidence(source="message", span=piece.span)
        elif param.slot in by_slot:
            chunk = by_slot[param.slot]
            value = in_form(_turned(chunk) if act.backwards else chunk, param, entity, now, name)
            if value is not None:
                found[name] = value, _proof(sheet, chunk)
    found |= _fall_due(sheet, params, by_slot, entity, now)
    return _with_implied(params, _rung(params, found, by_slot, entity, now, ringing))


def _with_lead(said: Stretch, params: Mapping[str, Param], chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    """Replaces a date that was read from the words of a lead time with the lead time.

    The hour of "an hour before tomorrow's call" and the 8 of "the evening before at 8" are not times of today.
    """
    how = rings(params)
    if how is None:
        return chunks
    lead, due = params[how[0]].slot, params[how[1].before].slot
    whens = {(one.start, one.end): one.value for one in said.chunks if isinstance(one.value, When) and one.slot == due}
    for one in (each for each in said.chunks if each.slot == lead):
        ago = whens.get((one.start, one.end))
        rest = tuple(each for each in chunks if each.slot not in (lead, due) or not _is_of(each, one, ago))
        if len(rest) < len(chunks):
            return (*rest, one)
    return chunks


def _is_of(chunk: Chunk, lead: Chunk, ago: When | None) -> bool:
    """Whether a value was read from the words of a lead time, or has its time from them."""
    if lead.start <= chunk.core and chunk.end <= lead.end:
        return True
    joined = ago is not None and ago.later is not None and min(ago.later) < 0
    return joined and ago is not None and isinstance(chunk.value, When) and chunk.value.time == ago.time


def _rung(
    params: Mapping[str, Param],
    found: dict[str, tuple[Any, Evidence]],
    chunks: Mapping[str, Chunk],
    entity: Entity | None,
    now: datetime,
    ringing: Ringing,
) -> dict[str, tuple[Any, Evidence]]:
    """The arguments, with a date that says when to ring converted into the time before the thing's date."""
    how = rings(params)
    if how is None:
        return found
    name, due = how[0], how[1].before
    held = held_date(entity, due)
    if name in found and due in found and held == due_of({due: found[due][0]}, due):
        found = _without(found, due)  # "an hour before tomorrow's call" only says which call
    lead = chunks.get(params[name].slot or "")
    if name in found and lead is not None and isinstance(lead.value, Lead) and lead.value.at is not None:
        given = due_of({one: value for one, (value, _) in found.items()}, due) or held
        told = ahead(lead.value, given)
        if told is None:  # the item has no date, or the reminder would come after it
            return _without(found, name) if entity is not None else found
        return found | {name: (told, found[name][1])}
    if name in found and held is None and entity is not None and due not in found:
        return _without(found, name) if found[name][0] is not None else found  # it has no date to ring before
    said = chunks.get(params[due].slot or "")
    if not ringing or name in found or due not in found or said is None or not isinstance(said.value, When):
        return found
    rang = rung(said.value, held, _held_text(name, entity) if entity is not None else "", now, ringing)
    if rang is None:
        return _without(found, due) if ringing in SHIFTS else found
    proof = found[due][1]
    if rang.due is not None:
        return found | {due: (rang.due, proof)}
    more = {name: (rang.lead, proof)} if rang.lead is not None else {}
    return (found if held is None else _without(found, due)) | more


def _without(found: dict[str, tuple[Any, Evidence]], name: str) -> dict[str, tuple[Any, Evidence]]:
    return {one: value for one, value in found.items() if one != name}


def _with_held(text: str, name: str, entity: Entity | None) -> str:
    """A text below the text that the thing has already."""
    held = _held_text(name, entity) if entity is not None else ""
    return f"{held}\n{text}" if held else text


def _with_implied(
    params: Mapping[str, Param], found: Mapping[str, tuple[Any, Evidence]]
) -> tuple[dict[str, Any], dict[str, Evidence]]:
    """The arguments and their evidence, with those that another one implies: reading a named list shows its open
    tasks."""
    arguments = {name: value for name, (value, _) in found.items()}
    evidence = {name: proof for name, (_, proof) in found.items()}
    for name in [one for one in arguments if params[one].implies]:
        for other, value in params[name].implies.items():
            if other not in arguments:
                arguments[other], evidence[other] = value, evidence[name]
    return arguments, evidence


def _fall_due(
    sheet: Sheet,
    params: Mapping[str, Param],
    chunks: Mapping[str, Chunk],
    entity: Entity | None,
    now: datetime,
) -> dict[str, tuple[Any, Evidence]]:
    """The first date of a repeat, by parameter, if the tool takes both a repeat and a date."""
    repeat = next((one for one in chunks.values() if isinstance(one.value, Repeat)), None)
    found: dict[str, tuple[Any, Evidence]] = {}
    if repeat is None or not isinstance(repeat.value, Repeat):
        return found
    for name, param in params.items():
        if not _takes_moment(sheet, param):
            continue
        said = chunks.get(param.slot or "")
        due = first_due(repeat.value, _when(said), held_date(entity, name), now)
        if due is not None:
            found[name] = due, _proof(sheet, said or repeat)
    return found


def _when(chunk: Chunk | None) -> When | None:
    return chunk.value if chunk is not None and isinstance(chunk.value, When) else None


def _takes_moment(sheet: Sheet, param: Param) -> bool:
    """Whether a parameter takes a date that may have a time."""
    dated = param.slot is not None and sheet.grammar.pack.slots[param.slot].type == "date"
    return dated and param.schema.get("format") not in _DAYS


def first_due(
    repeat: Repeat, when: When | None, held: tuple[date, tuple[int, int] | None] | None, now: datetime
) -> str | None:
    """The first date of a repeat. A time or a day said beside it takes precedence over its own.

    Returns None if the entity already has a date that the rule allows and no other time was said.
    """
    time, start = _said_beside(repeat, when)
    if held is not None:
        if time in (None, held[1]) and start is None and _is_allowed(repeat, held[0], now):
            return None
        time = time or held[1]
    found = repeat.first(now, time, start)
    if found is None:
        return None
    return found.strftime("%Y-%m-%dT%H:%M") if isinstance(found, datetime) else found.isoformat()


def _said_beside(repeat: Repeat, when: When | None) -> tuple[tuple[int, int] | None, date | None]:
    """The time of a repeat and the day it starts on, if a date beside it names them."""
    if when is None:
        return repeat.time, None
    time = in_half(when.time, repeat.part) if when.time is not None else repeat.time
    return time, when.day if when.day_said else None


def _is_allowed(repeat: Repeat, day: date, now: datetime) -> bool:
    """Whether a day that is not over yet belongs to the repeat."""
    return day >= now.date() and repeat.falls_on(day) and repeat.start is None


def stretched(grammar: Grammar, params: Iterable[Param], chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """The values. If the tool takes both ends, a period becomes its first and its last day: "this week"."""
    slots = grammar.pack.slots
    ends = {slots[param.slot].of: param.slot for param in params if param.slot and slots[param.slot].type == "date"}
    for chunk in chunks:
        when = chunk.value
        if chunk.slot in ends and isinstance(when, When) and when.period is not None and when.day is None:
            yield chunk._replace(slot=ends[chunk.slot], value=When(day=when.period[1]))
            yield chunk._replace(value=When(day=when.period[0]))
        else:
            yield chunk


def values_for(
    sheet: Sheet,
    tool: str,
    chunks: tuple[Chunk, ...],
    now: datetime,
    entity: Entity | None = None,
    ringing: Ringing = "",
) -> tuple[dict[str, Any], dict[str, Evidence]]:
    """Chunks as arguments of a tool other than the one they were said for."""
    params = sheet.grammar.pack.tools[tool].params
    found: dict[str, tuple[Any, Evidence]] = {}
    for chunk in chunks:
        for name, param in params.items():
            if param.slot == chunk.slot and (value := in_form(chunk, param, entity, now, name)) is not None:
                found[name] = value, _proof(sheet, chunk)
    by_slot = {one.slot: one for one in chunks}
    found |= _fall_due(sheet, params, by_slot, entity, now)
    return _with_implied(params, _rung(params, found, by_slot, entity, now, ringing))


def _proof(sheet: Sheet, chunk: Chunk) -> Evidence:
    return Evidence(source="message", span=_span(Stretch(sheet, chunk.core, chunk.end)))


def _turned(chunk: Chunk) -> Chunk:
    """A backward duration: "bring it forward by two days"."""
    when = chunk.value
    if isinstance(when, When) and when.shift is not None:
        return chunk._replace(value=when._replace(shift=when.shift.back()))
    return chunk


def _held_text(param: str, entity: Entity) -> str:
    """The entity's value in the field that a parameter such as new_description changes."""
    for field in entity:
        if param.endswith(field):
            return entity.text(field)
    return ""


def _span(stretch: Stretch) -> Span:
    sheet, first, last = stretch
    last = min(max(last, first + 1), len(sheet.words))
    return (sheet.words[first].start, sheet.words[last - 1].end)


def in_form(chunk: Chunk, param: Param, entity: Entity | None, now: datetime, name: str) -> Any:
    if isinstance(chunk.value, When):
        return render(chunk.value, param, entity, now, name)
    if isinstance(chunk.value, Repeat):
        return chunk.value.rule
    if isinstance(chunk.value, Lead):
        return chunk.value.duration
    if isinstance(chunk.value, float) and chunk.value.is_integer():
        return int(chunk.value)
    return chunk.value


def render(when: When, param: Param, entity: Entity | None, now: datetime, name: str) -> str | None:
    """A date in the parameter's format. If the time or the day was not said, the entity's own is used."""
    if when.name is not None and when.name in param.names:
        return param.names[when.name]
    held = held_date(entity, name)
    shift = when.shift if held is None else when.shift or when.later
    if shift is not None:
        return _shifted(shift, held, now)
    if entity is not None and when.later is not None and min(when.later) < 0:
        return None  # a thing without a date cannot be moved to an earlier one
    whole_days = param.schema.get("format") in _DAYS
    day = _day_of(when, now, exactly=whole_days)
    if day is None:
        return None
    if whole_days:
        return day.isoformat()
    return _iso(day, when.time) if held is None else _iso(*_beside(when, day, *held, now))


def _day_of(when: When, now: datetime, *, exactly: bool) -> date | None:
    """The day that is meant. Of several days, the first that is not past, or `None` if it must be a single day."""
    if when.day is not None or when.period is None:
        return when.day
    first, last = when.period
    if exactly and first != last:
        return None
    return first if first > now.date() else last


def _beside(
    when: When, day: date, held: date, held_time: tuple[int, int] | None, now: datetime
) -> tuple[date, tuple[int, int] | None]:
    """The day and the time: those that were said, and the entity's own for those that were not."""
    time = when.time
    if not when.day_said and held >= now.date():
        day = held
    if time is None and when.period is None:
        time = held_time if held_time is not None and _is_kept(day, held_time, when.part, now) else None
    elif when.guessed and time is not None and held_time is not None:
        time = _near(time, held_time)
    return day, time


def _is_kept(day: date, time: tuple[int, int], part: Part | None, now: datetime) -> bool:
    """Whether a time may be kept on a day if a part of that day was named: 11 am is not "tonight", and nor is 5:20 pm
    if that is over."""
    if part is None:
        return True
    return time[0] in _HOURS[part] and datetime.combine(day, clock(*time)) > now.replace(tzinfo=None)


def _near(time: tuple[int, int], held: tuple[int, int]) -> tuple[int, int]:
    """Moves an hour to the half of the day in which it is near the time that it corrects.

    "make it 9" after 8 pm is 21:00. A far hour stays as the language reads it: "make it 10" after 3 pm is 10:00.
    """
    for hour in (time[0] % 12, time[0] % 12 + 12):
        if abs(hour * 60 + time[1] - held[0] * 60 - held[1]) <= _NEAR:
            return hour, time[1]
    return time


def held_date(entity: Entity | None, param: str) -> tuple[date, tuple[int, int] | None] | None:
    """The date and time that a thing has in the field that a parameter such as new_due changes."""
    if entity is None:
        return None
    for field in entity:
        if param.endswith(field) and entity.text(field):
            text = entity.text(field)
            try:
                moment = datetime.fromisoformat(text)
            except ValueError:
                return None
            return moment.date(), (moment.hour, moment.minute) if "T" in text or " " in text else None
    return None


def _shifted(shift: Shift, held: tuple[date, tuple[int, int] | None] | None, now: datetime) -> str | None:
    """The entity's own date, or now, plus the duration. `None` for hours from a day that has no time."""
    day, time = held if held is not None else (now.date(), None)
    moved = shift.after(day)
    if moved is None or (shift.minutes and time is None and day != now.date()):
        return None
    if held is None and min(shift) < 0:
        return None
    if shift.minutes:
        hour, minute = time if time is not None else (now.hour, now.minute)
        moment = datetime(moved.year, moved.month, moved.day, hour, minute) + timedelta(minutes=shift.minutes)
        return _iso(moment.date(), (moment.hour, moment.minute))
    return _iso(moved, time)


def _iso(day: date, time: tuple[int, int] | None) -> str:
    return day.isoformat() if time is None else f"{day.isoformat()}T{time[0]:02d}:{time[1]:02d}"
