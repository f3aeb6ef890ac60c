"""Divides one command with several texts into one command for each.

"add two things: wash the car and ring Ann" is two calls, if there are as many texts as were announced; "add ring Ann
and wash the car" is two as well, since each part says by itself what is to be done. "buy milk and eggs" is one.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

from sayso.engine.dates.dates import When
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.linking.trim import trim
from sayso.engine.slots.extract import Reading
from sayso.engine.slots.texts import Piece, read_text

_BETWEEN = frozenset(",;")
_MOST = 12  # texts that anybody means to be taken apart
_LONGEST = 60  # words in which they stand
_FEW = 4  # most words of one of several things
_MOST_DAYS = 3  # that are looked at one by one


def each_of(sheet: Sheet, reading: Reading) -> list[Reading]:
    """A reading for each text of the act's slot; none where their number is not the one that was announced."""
    grammar = sheet.grammar
    act = grammar.pack.acts[reading.act]
    held = next(((first, last) for slot, first, last in reading.match.slots if slot == act.each), None)
    if held is None or act.each is None or act.tool is None:
        return []
    params = grammar.pack.tools[act.tool].params.values()
    typed = frozenset(param.slot for param in params if param.slot in grammar.typed)
    beside = tuple(chunk for chunk in reading.chunks if chunk.end <= held[0])
    until = max((held[1], *(chunk.end for chunk in reading.chunks if chunk.start >= held[0])))
    found: list[Reading] = []
    for first, last in _parts(Stretch(sheet, held[0], until)):
        piece = read_text(Stretch(sheet, first, last), typed)
        if piece is None or not piece.text:
            return []
        found.append(reading._replace(texts={**reading.texts, act.each: piece}, chunks=(*beside, *piece.chunks)))
    announced = _announced(sheet, reading, held[0])
    return found if len(found) == (announced or len(found)) and len(found) <= _MOST and announced != 1 else []


def deeds_of(sheet: Sheet, reading: Reading) -> list[Reading]:
    """A reading for each thing to do in the text that names what is made; none where it is one text."""
    grammar = sheet.grammar
    act = grammar.pack.acts[reading.act]
    name = grammar.pack.naming_param(act.tool)
    if name is None or act.tool is None or not grammar.book.heads or len(reading.texts) != 1:
        return []
    params = grammar.pack.tools[act.tool].params
    slot = params[name].slot or ""
    piece = reading.texts.get(slot)
    if piece is None or piece.quoted or piece.last - piece.first > _LONGEST:
        return []
    typed = frozenset(param.slot for param in params.values() if param.slot in grammar.typed)
    last = max((piece.last, *(chunk.end for chunk in piece.chunks)))
    parts = _lines(Stretch(sheet, piece.first, piece.last))
    if len(parts) < 2:
        parts = [_headed(Stretch(sheet, *part)) for part in _parts(Stretch(sheet, piece.first, last))]
        several = _are_quoted(sheet, parts) or _are_deeds(sheet, parts)
        several = several or (_in_group(grammar, reading) and _are_short(parts, piece.last))
        parts = parts if several or _are_dated(sheet, parts, typed) else []
    if not 1 < len(parts) <= _MOST:
        return []
    pieces = [read_text(Stretch(sheet, first, last), typed) for first, last in parts]
    if any(one is None or not one.text for one in pieces) or len({one.quoted for one in pieces if one}) > 1:
        return []
    held = [one.chunks for one in pieces if one is not None]
    beside = tuple(chunk for chunk in reading.chunks if not any(chunk in own for own in held[:-1]))
    return [
        reading._replace(texts={slot: one}, chunks=(*one.chunks, *_not_said(beside, one.chunks)))
        for one in pieces
        if one is not None
    ]


def things_in(stretch: Stretch, *, grouped: bool) -> list[tuple[int, int]]:
    """The things that a text names, each for itself: those of a named group, or those that each say what to do.

    A text that names one thing is returned whole.
    """
    sheet, first, last = stretch
    parts = [_headed(Stretch(sheet, *part)) for part in _parts(stretch)]
    apart = grouped or _are_deeds(sheet, parts)
    return parts if apart and 1 < len(parts) <= _MOST else [(first, last)]


def _in_group(grammar: Grammar, reading: Reading) -> bool:
    """Whether a group is named: "milk, eggs and bread to the shopping list" is three tasks."""
    return any(chunk.slot in grammar.shared for chunk in reading.chunks)


def _are_short(parts: list[tuple[int, int]], end: int) -> bool:
    return all(min(last, end) - first <= _FEW for first, last in parts)


def days_of(sheet: Sheet, reading: Reading) -> list[Reading]:
    """A reading for each of several days that are asked about at once: "monday and friday", a weekend; none where it is
    one."""
    for chunk in reading.chunks:
        days = [*_days_before(sheet, reading.start, chunk), *_each_day(chunk)]
        if len(days) > 1:
            rest = tuple(one for one in reading.chunks if one is not chunk)
            return [reading._replace(chunks=(*rest, day)) for day in days]
    return []


def _days_before(sheet: Sheet, first: int, chunk: Chunk) -> list[Chunk]:
    """The days of the same slot that stand before one, with nothing but a comma or a linking word between them."""
    if not _is_day(chunk):
        return []
    for at in range(chunk.start - 1, first, -1):
        ends = {one.end: one for start in range(max(first, at - 4), at) for one in sheet.chunks.get(start, ())}
        before = ends.get(at)
        if before is not None and before.slot == chunk.slot and _is_day(before):
            return [*_days_before(sheet, first, before), before]
        if not _parts_here(sheet, at - 1) and not _parts_here(sheet, at):
            return []
    return []


def _each_day(chunk: Chunk) -> list[Chunk]:
    """The days of a short stretch; of a longer one nobody wants as many lists."""
    period = chunk.value.period if isinstance(chunk.value, When) else None
    if period is None or period[0] == period[1] or (period[1] - period[0]).days >= _MOST_DAYS:
        return [chunk]
    days = (period[0] + timedelta(days=number) for number in range((period[1] - period[0]).days + 1))
    return [chunk._replace(value=When(day=day)) for day in days]


def _is_day(chunk: Chunk) -> bool:
    return isinstance(chunk.value, When) and chunk.value.day is not None and chunk.value.day_said


def _lines(stretch: Stretch) -> list[tuple[int, int]]:
    """The lines of a list that is written down one below the other, each after a mark."""
    sheet, first, last = stretch
    starts = [at for at in range(first + 1, last) if sheet.words[at].broken and sheet.words[at].kind == "mark"]
    cuts = [first, *starts, last]
    return [trim(Stretch(sheet, start, end)) for start, end in pairwise(cuts)] if starts else []


def _not_said(beside: tuple[Chunk, ...], own: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    """The values said for all, without those that a part has for itself."""
    said = {chunk.slot for chunk in own}
    return tuple(chunk for chunk in beside if chunk.slot not in said)


def _are_dated(sheet: Sheet, parts: list[tuple[int, int]], typed: frozenset[str | None]) -> bool:
    """Whether each part is a text with a date of its own: "the dentist on friday and the vet on monday"."""
    pieces = [read_text(Stretch(sheet, first, last), typed) for first, last in parts]
    dated = [piece for piece in pieces if piece is not None and piece.text and _has_date(piece)]
    return len(dated) == len(parts) > 1


def _has_date(piece: Piece) -> bool:
    return any(isinstance(chunk.value, When) and chunk.value.day_said for chunk in piece.chunks)


def _headed(stretch: Stretch) -> tuple[int, int]:
    """A part without what only announces one more: "(also to) write to Ann"."""
    sheet, first, last = stretch
    end = sheet.has(first, *sheet.grammar.book.heads_more)
    told = (at for at in range(first + 1, end) if sheet.has(at, *sheet.grammar.book.heads))
    return next(told, first), last


def _are_quoted(sheet: Sheet, parts: list[tuple[int, int]]) -> bool:
    """ "add «Ring Ann» and «Wash the car»": each part is a quotation, and nothing more."""
    return all(last - first == 1 and sheet.words[first].kind == "quote" for first, last in parts)


def _are_deeds(sheet: Sheet, parts: list[tuple[int, int]]) -> bool:
    """Whether each part says what to do with what, and none leans on another: "wash and dry the car"."""
    for first, last in parts:
        after = sheet.has(first, *sheet.grammar.book.heads)
        leans = any(_points(sheet, at, last) for at in range(first, last))
        told = first < after < last and not sheet.has(after, "wh")  # "ask whether …" goes on
        if not told or leans or sheet.has(after, "function") >= last:
            return False
    return True


def _announced(sheet: Sheet, reading: Reading, end: int) -> int | None:
    """The number said before the texts: "two things"."""
    for at in range(reading.match.start, end):
        number = sheet.grammar.numbers.read(sheet.lows, at)
        if number is not None and isinstance(number[0], int):
            return number[0]
    return None


def _parts(stretch: Stretch) -> list[tuple[int, int]]:
    """The stretches between commas, linking words and new lines, without what only counts them ("the other is …")."""
    sheet, first, last = stretch
    dated = {at for chunk in _dates(stretch) for at in range(chunk.core, chunk.end)}  # "next Friday"
    cuts = [first, *(at for at in range(first + 1, last) if at not in dated and _parts_here(sheet, at))]
    parts: list[tuple[int, int]] = []
    for start, end in zip(cuts, [*cuts[1:], last], strict=True):
        a, b = trim(Stretch(sheet, start, end))
        told = sheet.has(a, "item") if a < b else 0
        a = told if a < told < b else a
        if a < b:
            parts.append((a, b))
    return parts


def _dates(stretch: Stretch) -> list[Chunk]:
    chunks = (chunk for at in stretch.places for chunk in stretch.sheet.chunks.get(at, ()))
    return [chunk for chunk in chunks if isinstance(chunk.value, When) and chunk.end <= stretch.end]


def _parts_here(sheet: Sheet, at: int) -> bool:
    broken = sheet.lows[at] in _BETWEEN or sheet.words[at].broken
    return broken or bool(sheet.has(at, "link"))


def _points(sheet: Sheet, at: int, last: int) -> bool:
    """Whether a word points at what another part names; before a noun it may be an article."""
    owns = sheet.has(at, "possessive")
    if owns and (at + 1 >= last or sheet.has(at + 1, "article")):  # "tell her the news"
        return True
    named = at + 1 < last and (owns or sheet.has(at, "article"))
    return not named and sheet.has(at, "it", "them", "third") == at + 1
