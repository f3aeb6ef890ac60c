"""Finds signs that a text holds more than a text, so that it must be asked about.

"note buy bread" may still hold its command, "wash the car it's filthy" a sentence that nobody wants on a list.
"""

from __future__ import annotations

from collections.abc import Iterable

from sayso.engine.dates.dates import When
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.lexicon.words import is_punctuation
from sayso.engine.slots.texts import Piece


def doubtful(sheet: Sheet, tool: str, piece: Piece, chunks: Iterable[Chunk]) -> bool:
    """Whether a free text is to be asked about before it is written, with these values beside it."""
    if piece.quoted or piece.first >= piece.last:
        return False
    if _orders_more(sheet, tool, piece) or _goes_on(sheet, piece) or _keeps_day(sheet, piece, chunks):
        return True
    if is_order(sheet, tool, piece) or _runs_on(sheet, piece):
        return True
    return any(piece.text.count(left) < piece.text.count(right) for left, right in ("()", "[]", "{}"))


def _keeps_day(sheet: Sheet, piece: Piece, chunks: Iterable[Chunk]) -> bool:
    """Whether a day is left in a text of which the time was read: "sunday lunch at one" is hardly for today."""
    times = (chunk.value for chunk in chunks if isinstance(chunk.value, When))
    if not any(time.time is not None and not time.day_said for time in times):
        return False
    left = (chunk.value for at in range(piece.first, piece.last) for chunk in sheet.chunks.get(at, ()))
    return any(isinstance(value, When) and value.day_said for value in left)


def is_order(sheet: Sheet, tool: str | None, piece: Piece) -> bool:
    """Whether a text begins like a command to the same tool, in a form in which people command and name no thing."""
    grammar = sheet.grammar
    first = piece.first
    if piece.quoted or first >= piece.last or not is_verb(sheet, first):
        return False
    named = sheet.lows[first] in grammar.lemmas  # "record player"; but "record buy milk" is said by nobody of a thing
    heads = grammar.book.heads
    if named and not (heads and first + 1 < piece.last and sheet.has(first + 1, *heads)):
        return False
    found = next(grammar.frames.match(("command",), first, piece.last, sheet.view), None)
    return found is not None and found.first == first and grammar.pack.acts[found.act].tool == tool


def _orders_more(sheet: Sheet, tool: str, piece: Piece) -> bool:
    """Whether an "and" amid a text is followed by a command to another tool that needs no thing to be one."""
    for at in range(piece.first + 1, piece.last - 1):
        after = sheet.has(at, "link")
        if not 0 < after < piece.last or not is_verb(sheet, after):
            continue
        found = next(sheet.grammar.frames.match(("command",), after, piece.last, sheet.view), None)
        act = sheet.grammar.pack.acts[found.act] if found is not None and found.first == after else None
        if act is not None and act.tool not in (None, tool) and not act.must_link:
            return True
    return False


def _goes_on(sheet: Sheet, piece: Piece) -> bool:
    """Whether a pause follows a value amid a text, which may have been its end: "ring Bo tomorrow, then Gus"."""
    words = sheet.words
    inside = (one for one in piece.chunks if piece.first < one.start and one.end < piece.last)
    return any(is_punctuation(words[one.end]) and not is_punctuation(words[one.start - 1]) for one in inside)


def is_verb(sheet: Sheet, at: int) -> bool:
    """Whether one of the pack's verbs stands here, spelt as it is, and may begin a command."""
    spelt = any(ends[0][1] == 0 for cls, ends in sheet.edges[at].items() if cls in sheet.grammar.verbs)
    return spelt and sheet.commands(at)


def _runs_on(sheet: Sheet, piece: Piece) -> bool:
    """Whether a sentence of its own begins amid a text, and nothing before it asks for one."""
    for at in range(piece.first, piece.last - 1):
        if sheet.has(at, "governs"):
            return False
        if at > piece.first and sheet.has(at, "sentence"):
            return True
    return False
