"""Divides a message that names several new things into one item for each, with the values that belong to it.

"ring Ann on monday and wash the car on friday" → ring Ann, monday; wash the car, friday. "milk and eggs on the shopping
list" → milk, shopping; eggs, shopping. A value that is said once, before or after all things, belongs to all of them.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from sayso.engine.decide.room import Room
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.reader.read import Value
from sayso.engine.slots.several import things_in

Values = Mapping[str, Sequence[Value]]


class Item(NamedTuple):
    """One new thing: the pieces of its text, and the values that belong to it by parameter."""

    texts: tuple[Value, ...]
    values: dict[str, list[Value]]


def items_of(room: Room, texts: Sequence[Value], values: Values, *, grouped: bool) -> list[Item]:
    """The items, in order. `grouped`: they go on a list that is named, so that each noun is a separate thing."""
    whole = texts if grouped else _listed(room, texts)
    pieces = [part for text in _joined(room, whole, values) for part in _apart(room, text, grouped=grouped)]
    owned: list[dict[str, list[Value]]] = [{} for _ in pieces]
    spans = [(piece[0].first, piece[-1].last) for piece in pieces]
    for name, said in values.items():
        for value, owners in zip(said, _owners(room, said, spans), strict=True):
            for at in owners:
                owned[at].setdefault(name, []).append(value)
    return [Item(tuple(piece), own) for piece, own in zip(pieces, owned, strict=True)]


def _listed(room: Room, texts: Sequence[Value]) -> list[Value]:
    """The texts, with nouns that continue the one before joined to it: "buy milk | and eggs"."""
    found: list[Value] = []
    for text in texts:
        if found and _goes_on(room, found[-1].last, text):
            found[-1] = found[-1]._replace(last=text.last)
        else:
            found.append(text)
    return found


def _goes_on(room: Room, end: int, text: Value) -> bool:
    """Whether only a comma or a linking word precedes a text that does not begin with a verb."""
    grammar, sheet = room.grammar, room.sheet
    between = range(end, text.first)
    if not between or any(sheet.words[at].broken for at in range(end, text.first + 1)):
        return False
    linked = all(sheet.lows[at] == "," or sheet.has(at, "link") == at + 1 for at in between)
    quoted = any(sheet.words[at].kind == "quote" for at in (end - 1, text.first))
    return linked and not quoted and not sheet.has(text.first, *grammar.book.heads)


def _apart(room: Room, pieces: list[Value], *, grouped: bool) -> list[list[Value]]:
    if len(pieces) > 1:
        return [pieces]
    (text,) = pieces
    if text.last - text.first == 1:
        return [pieces]
    parts = things_in(Stretch(room.sheet, text.first, text.last), grouped=grouped)
    return [[Value(text.slot, first, last)] for _, first, last in parts]


def _owners(room: Room, said: Sequence[Value], spans: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each value of a parameter, the items that it belongs to."""
    if len(spans) == 1:
        return [[0]] * len(said)
    if len(said) == 1:
        return [_owners_of_one(room, said[0], spans)]
    return [[_nearest(value, spans, said)] for value in said]


def _owners_of_one(room: Room, value: Value, spans: Sequence[tuple[int, int]]) -> list[int]:
    """The items that a single value belongs to: those on its line, all if it is outside them, else the nearest."""
    everyone = list(range(len(spans)))
    lines = [_line(room, start) for start, _ in spans]
    own = [at for at in everyone if lines[at] == _line(room, value.first)]
    header = value.last <= spans[0][0]
    if own and not header and len(set(lines)) == len(lines):
        return own
    outside = header or value.first >= spans[-1][1]
    return everyone if outside else [_nearest(value, spans, [value])]


def _nearest(value: Value, spans: Sequence[tuple[int, int]], said: Sequence[Value]) -> int:
    """The item that a value belongs to: the one before it, or the one after it if values come first."""
    leads = said[0].last <= spans[0][0] and len(said) > 1
    if leads:
        return next((at for at, (start, _) in enumerate(spans) if value.last <= start), len(spans) - 1)
    before = [at for at, (_, end) in enumerate(spans) if end <= value.first]
    return before[-1] if before else 0


def _line(room: Room, at: int) -> int:
    """The number of the line that a word is on."""
    return sum(room.sheet.words[place].broken for place in range(1, at + 1))


def _joined(room: Room, texts: Sequence[Value], values: Values) -> list[list[Value]]:
    """The texts. Texts with only other values between them are joined: "meeting [3pm] library"."""
    taken = {at for said in values.values() for one in said for at in range(one.first, one.last)}
    single = not any(_is_repeated(said) for said in values.values())
    found: list[list[Value]] = []
    for value in texts:
        if found and single and _is_one_text(room, found[-1][-1], value, taken):
            found[-1].append(value)
        else:
            found.append([value])
    return found


def _is_one_text(room: Room, before: Value, value: Value, taken: Container[int]) -> bool:
    """Whether only other values are between two pieces of text, on one line."""
    between = range(before.last, value.first)
    broken = any(room.sheet.words[at].broken for at in range(before.last, value.first + 1))
    return bool(between) and not broken and all(at in taken for at in between)


def _is_repeated(said: Sequence[Value]) -> bool:
    """Whether a parameter is given twice with other words between: two things have a date each."""
    return any(two.first - one.last > 1 for one, two in pairwise(said))
