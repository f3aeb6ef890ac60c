"""Decides what a number or a date in a clause about a machine means.

The 2 of "washer 2" is part of a name, the second of "the second one" a place in a list, the four of "four degrees" a
value; "at 7" is a time, unless the command takes a value.
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.units import Unit
from sayso.engine.values.when import When


def value_in(sheet: Sheet, units: Sequence[Unit], known: frozenset[str]) -> Unit | None:
    """The number that does not belong to a name. After "to" it is a value, even if a name has the same number."""
    numbers = [unit for unit in units if any(key.startswith("n:") for key in unit.keys) and not stands_for_noun(unit)]
    named = in_names(numbers, known)
    free = [unit for unit in numbers if unit not in named or _is_set_to(sheet, unit)]
    return free[-1] if free else numbers[-1] if len(numbers) > 1 else None


def _is_set_to(sheet: Sheet, number: Unit) -> bool:
    """ "to 60", "for two minutes": a value, whatever the words beside it."""
    if number.start == 0 or "value_mark" not in sheet.grammar.cls:
        return False
    if sheet.has(number.start - 1, "value_mark") == number.start:
        return True
    led = sheet.has(number.start - 1, "function") == number.start
    return led and bool(measure_at(sheet, number.end))


def measure_at(sheet: Sheet, at: int, first: int = 0) -> frozenset[str]:
    """The keys of the measure that a number before this place has. The first of the pack's measures matches any unit;
    those from the second on exclude each other: minutes, hours."""
    grammar = sheet.grammar
    if at >= len(sheet.words):
        return frozenset()
    found = (name for name in grammar.measures[first:] if sheet.has(at, name))
    return frozenset(grammar.concepts[grammar.cls[name]] for name in found)


def in_names(units: Sequence[Unit], known: frozenset[str]) -> list[Unit]:
    """The numbers that are part of a name: "the fifth floor", "washer 2"."""
    return [unit for unit in units if unit.keys & known and any(key.startswith("n:") for key in unit.keys)]


def stands_for_noun(unit: Unit) -> bool:
    """Whether a number means a thing: "the one in the kitchen" gives no value."""
    return "n:1" in unit.keys and not unit.low.isdigit()


def place_in_list(
    sheet: Sheet, scene: Scene, number: Unit | None, units: Sequence[Unit], start: int
) -> tuple[str, Unit] | None:
    """ "the second one", counted in the list shown last. In "set the second one to 11", the rest is a value."""
    if number is None or not scene.listed:
        return None
    ranks = (
        unit for unit in units if unit is not number and sheet.grammar.numbers.read(sheet.lows, unit.start) is None
    )
    found = (_place(sheet, scene, unit, start) for unit in (number, *ranks))
    return next((place for place in found if place is not None), None)


def _place(sheet: Sheet, scene: Scene, number: Unit, start: int) -> tuple[str, Unit] | None:
    ordinal = sheet.grammar.numbers.read_ordinal(sheet.lows, number.start)
    if ordinal is None or number.start < start:
        return None
    rank = ordinal[0]
    inside = 0 < rank <= len(scene.listed) or -len(scene.listed) <= rank < 0
    return (scene.listed[rank - 1 if rank > 0 else rank], number) if inside else None


def other_of_two(stretch: Stretch, scene: Scene, units: Sequence[Unit]) -> tuple[str, Unit] | None:
    """ "turn the other one off too": of two that were shown, the one that is not in focus."""
    at = stretch.first("other")
    rest = [one for one in scene.listed if one not in scene.focus]
    if at is None or len(scene.listed) != 2 or len(scene.focus) != 1 or len(rest) != 1:
        return None
    word = next((unit for unit in units if unit.start <= at < unit.end), None)
    return rest[0], word or Unit(at, at + 1, frozenset(), stretch.sheet.lows[at])


def counts_nothing(sheet: Sheet, value: Unit) -> bool:
    """An ordinal that means a thing although no list was shown: "switch off the second one"."""
    ordinal = sheet.grammar.numbers.read_ordinal(sheet.lows, value.start)
    cardinal = sheet.grammar.numbers.read(sheet.lows, value.start)
    if ordinal is None or cardinal is not None:
        return False
    return ordinal[1] >= len(sheet.words) or bool(sheet.has(ordinal[1], "dummy"))


def with_fraction(sheet: Sheet, value: Unit) -> Unit:
    """ "due gradi e mezzo": the words after the unit belong to the number."""
    grammar = sheet.grammar
    names = [name for name in ("carrier", *grammar.measures) if name in grammar.cls]
    after = sheet.has(value.end, *names) if value.end < len(sheet.words) and names else 0
    if not after:
        return value
    rest = sheet.lows[after : after + 3]
    whole = grammar.numbers.read([*sheet.lows[value.start : value.end], *rest], 0)
    if whole is None or whole[1] <= value.end - value.start:
        return value
    return value._replace(keys=frozenset((f"n:{whole[0]}",)), end=after + whole[1] - (value.end - value.start))


def is_date(sheet: Sheet, chunk: Chunk, end: int) -> bool:
    """Whether words are surely a time: "at six this evening", not the 23 of "put it at 23 degrees"."""
    words = sheet.lows[chunk.start : chunk.end]
    told = sum(any(c.isalpha() for c in word) for word in words) > 1 or any(":" in word for word in words)
    return isinstance(chunk.value, When) and chunk.strong and told and chunk.end <= end


def is_hour(sheet: Sheet, chunk: Chunk, end: int) -> bool:
    """ "at 7": a time, unless the command takes a value."""
    timed = isinstance(chunk.value, When) and chunk.value.time is not None and not chunk.value.day_said
    return timed and sheet.lows[chunk.start].isalpha() and chunk.end - chunk.start > 1 and chunk.end <= end


def is_number(sheet: Sheet, chunk: Chunk) -> bool:
    """A time that is only a number ("at 6", "a ventitré e mezzo"), or a duration ("to 40 minutes")."""
    if isinstance(chunk.value, When) and chunk.value.shift is not None and chunk.value.day is None:
        return True
    for at in range(chunk.start, min(chunk.start + 2, chunk.end)):
        number = sheet.grammar.numbers.read(sheet.lows, at)
        if number is not None:
            return number[1] >= chunk.end
    return False


def overlaps(chunk: Chunk, units: Sequence[Unit]) -> bool:
    return any(unit.start < chunk.end and chunk.core < unit.end for unit in units)
