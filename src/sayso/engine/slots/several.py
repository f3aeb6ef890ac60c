"""Divides one command with several texts into one command for each.

"add two things: wash the car and ring Ann" is two calls, if there are as many texts as were announced; "add ring Ann
and wash the car" is two as well, because each part says on its own what to do. "buy milk and eggs" is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.linking.trim import trim
from sayso.engine.slots.reading import Reading
from sayso.engine.slots.texts import Piece, read_text
from sayso.engine.values.when import When

_BETWEEN = frozenset(",;")
_MOST = 12  # texts that people expect to be separated
_LONGEST = 60  # words of all the texts
_FEW = 4  # most telling words of one of several things
_MOST_DAYS = 3  # that are read one by one


def each_of(sheet: Sheet, reading: Reading) -> list[Reading]:
    """A reading for each text of the act's slot; empty if their number is not the announced one."""
    act = sheet.grammar.pack.acts[reading.act]
    held = next(((first, last) for slot, first, last in reading.match.slots if slot == act.each), None)
    if held is None or act.each is None or act.tool is None:
        return []
    pieces = _texts_of(sheet, reading, *held, _typed(sheet.grammar, act.tool))
    if not _are_as_announced(pieces, _announced(sheet, reading, held[0])):
        return []
    beside = tuple(chunk for chunk in reading.chunks if chunk.end <= held[0])
    return [
        reading._replace(texts={**reading.texts, act.each: piece}, chunks=(*beside, *piece.chunks)) for piece in pieces
    ]


def _are_as_announced(pieces: Sequence[Piece], announced: int | None) -> bool:
    """Whether there are as many texts as were announced, if a number was, and not too many. One is not a list."""
    return announced != 1 and len(pieces) <= _MOST and len(pieces) == (announced or len(pieces))


def _texts_of(sheet: Sheet, reading: Reading, start: int, end: int, typed: frozenset[str | None]) -> list[Piece]:
    """The texts between commas and linking words, with the values after them; empty if one of them is empty."""
    until = max((end, *(chunk.end for chunk in reading.chunks if chunk.start >= start)))
    read = [read_text(part, typed) for part in _parts(Stretch(sheet, start, until))]
    pieces = [piece for piece in read if piece is not None and piece.text]
    return pieces if len(pieces) == len(read) else []


def _typed(grammar: Grammar, tool: str) -> frozenset[str | None]:
    """The slots of a tool that take values rather than words."""
    return frozenset(param.slot for param in grammar.pack.tools[tool].params.values() if param.slot in grammar.typed)


def deeds_of(sheet: Sheet, reading: Reading) -> list[Reading]:
    """A reading for each thing to do in the text that names the new thing; empty if it is one text."""
    tool = sheet.grammar.pack.acts[reading.act].tool
    slot = _naming_slot(sheet.grammar, tool)
    piece = reading.texts.get(slot) if slot is not None and len(reading.texts) == 1 else None
    if slot is None or tool is None or piece is None or piece.quoted or piece.last - piece.first > _LONGEST:
        return []
    pieces = _pieces(sheet, reading, piece, _typed(sheet.grammar, tool))
    earlier = [chunk for own in pieces[:-1] for chunk in own.chunks]
    beside = tuple(chunk for chunk in reading.chunks if chunk not in earlier)
    return [reading._replace(texts={slot: one}, chunks=(*one.chunks, *_not_said(beside, one.chunks))) for one in pieces]


def _pieces(sheet: Sheet, reading: Reading, piece: Piece, typed: frozenset[str | None]) -> list[Piece]:
    """The texts of several things to do, in lines or in a row; empty unless all of them are, and of one kind."""
    parts = _lines(Stretch(sheet, piece.first, piece.last))
    if len(parts) < 2:
        parts = _things_to_do(sheet, reading, piece)
    if not 1 < len(parts) <= _MOST:
        return []
    read = (read_text(part, typed) for part in parts)
    pieces = [one for one in read if one is not None and one.text]
    return pieces if len(pieces) == len(parts) and len({one.quoted for one in pieces}) == 1 else []


def _naming_slot(grammar: Grammar, tool: str | None) -> str | None:
    """The slot for the name of the thing that a tool creates, in a language that says how things to do begin."""
    name = grammar.pack.naming_param(tool)
    if name is None or tool is None or not grammar.book.heads:
        return None
    return grammar.pack.tools[tool].params[name].slot or ""


def _things_to_do(sheet: Sheet, reading: Reading, piece: Piece) -> list[Stretch]:
    """The parts of a text, if each is a thing to do: quoted, told as such, or short in a named group."""
    last = max((piece.last, *(chunk.end for chunk in piece.chunks)))
    parts = [_headed(part) for part in _parts(Stretch(sheet, piece.first, last))]
    several = _are_quoted(parts) or _are_deeds(parts)
    several = several or (reading.has_value_of(sheet.grammar.shared) and _are_short(parts, piece.last))
    return parts if several else []


def things_in(stretch: Stretch, *, grouped: bool) -> list[Stretch]:
    """The things that a text names, separately: those of a named group, or those that each say what to do.

    A text that names one thing is returned whole.
    """
    parts = [_headed(part) for part in _parts(stretch)]
    apart = grouped or _are_deeds(parts)
    return parts if apart and 1 < len(parts) <= _MOST else [stretch]


def _are_short(parts: Sequence[Stretch], end: int) -> bool:
    """Whether the parts name goods for a list: "milk, eggs and a loaf of bread to the shopping list" is three tasks."""
    return all(_length(part.narrowed(end=min(part.end, end))) <= _FEW for part in parts)


def _length(part: Stretch) -> int:
    """The number of telling words; for a thing to do, the number of all words."""
    if part.sheet.has(part.start, *part.sheet.grammar.book.heads):
        return part.end - part.start
    return sum(map(part.sheet.tells, part.places))


def days_of(sheet: Sheet, reading: Reading) -> list[Reading]:
    """A reading for each of several days in one question: "monday and friday", a weekend; empty if there is only
    one."""
    for chunk in reading.chunks:
        days = [*_days_before(sheet, reading.start, chunk), *_each_day(chunk)]
        if len(days) > 1:
            rest = tuple(one for one in reading.chunks if one is not chunk)
            return [reading._replace(chunks=(*rest, day)) for day in days]
    return []


def _days_before(sheet: Sheet, first: int, chunk: Chunk) -> list[Chunk]:
    """The days of the same slot before one, with only a comma or a linking word between them."""
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
    """The days of a short period. For a longer one, users do not want that many lists."""
    period = chunk.value.period if isinstance(chunk.value, When) else None
    if period is None or period[0] == period[1] or (period[1] - period[0]).days >= _MOST_DAYS:
        return [chunk]
    days = (period[0] + timedelta(days=number) for number in range((period[1] - period[0]).days + 1))
    return [chunk._replace(value=When(day=day)) for day in days]


def _is_day(chunk: Chunk) -> bool:
    return isinstance(chunk.value, When) and chunk.value.day is not None and chunk.value.day_said


def _lines(stretch: Stretch) -> list[Stretch]:
    """The lines of a list that is written with a mark before each line."""
    sheet, first, last = stretch
    starts = [at for at in range(first + 1, last) if sheet.words[at].broken and sheet.words[at].kind == "mark"]
    cuts = [first, *starts, last]
    return [trim(Stretch(sheet, start, end)) for start, end in pairwise(cuts)] if starts else []


def _not_said(beside: tuple[Chunk, ...], own: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    """The values said for all parts, without those that a part has itself."""
    said = {chunk.slot for chunk in own}
    return tuple(chunk for chunk in beside if chunk.slot not in said)


def _headed(stretch: Stretch) -> Stretch:
    """A part without words that only announce one more: "(also to) write to Ann"."""
    sheet, first, _ = stretch
    end = sheet.has(first, *sheet.grammar.book.heads_more)
    told = (at for at in range(first + 1, end) if sheet.has(at, *sheet.grammar.book.heads))
    return stretch.narrowed(next(told, first))


def _are_quoted(parts: Sequence[Stretch]) -> bool:
    """ "add «Ring Ann» and «Wash the car»": each part is only a quotation."""
    return all(len(part.words) == 1 and part.words[0].kind == "quote" for part in parts)


def _are_deeds(parts: Sequence[Stretch]) -> bool:
    """Whether each part names an action and its object, and none depends on another: "wash and dry the car"."""
    for part in parts:
        sheet, first, last = part
        after = sheet.has(first, *sheet.grammar.book.heads)
        leans = any(_points(sheet, at, last) for at in part.places)
        told = first < after < last and not sheet.has(after, "wh")  # "ask whether …" continues
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


def _parts(stretch: Stretch) -> list[Stretch]:
    """The stretches between commas, linking words and new lines, without words that count them ("the other is …")."""
    sheet, first, last = stretch
    # "next Friday", "and remind me of it on Friday"
    starts = ((chunk.core if chunk.core - chunk.start < 2 else chunk.start, chunk.end) for chunk in _dates(stretch))
    dated = {at for start, end in starts for at in range(start, end)}
    cuts = [first, *(at for at in range(first + 1, last) if at not in dated and _parts_here(sheet, at))]
    parts: list[Stretch] = []
    for start, end in pairwise([*cuts, last]):
        part = trim(Stretch(sheet, start, end))
        told = sheet.has(part.start, "item") if part.start < part.end else 0
        part = part.narrowed(told) if part.start < told < part.end else part
        if part.start < part.end:
            parts.append(part)
    return parts


def _dates(stretch: Stretch) -> list[Chunk]:
    return [one for one in stretch.chunks if isinstance(one.value, When) and one.end <= stretch.end]


def _parts_here(sheet: Sheet, at: int) -> bool:
    broken = sheet.lows[at] in _BETWEEN or sheet.words[at].broken
    return broken or bool(sheet.has(at, "link"))


def _points(sheet: Sheet, at: int, last: int) -> bool:
    """Whether a word points at a thing that another part names; before a noun it may be an article."""
    owns = sheet.has(at, "possessive")
    if owns and (at + 1 >= last or sheet.has(at + 1, "article")):  # "tell her the news"
        return True
    named = at + 1 < last and (owns or sheet.has(at, "article"))
    return not named and sheet.has(at, "it", "them", "third") == at + 1
