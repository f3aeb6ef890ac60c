"""Several: one command with several texts, each of which is a thing of its own.

"add two things: wash the car and ring Ann" is two calls, if there are as many texts as were announced.
"""

from __future__ import annotations

from sayso.engine.extract import Reading
from sayso.engine.grammar import Grammar, Sheet
from sayso.engine.texts import read_text
from sayso.engine.trim import trim

_BETWEEN = frozenset(",;")
_MOST = 6  # texts that anybody means to be taken apart


def each_of(grammar: Grammar, sheet: Sheet, reading: Reading) -> list[Reading]:
    """A reading for each text of the act's slot; none where their number is not the one that was announced."""
    act = grammar.pack.acts[reading.act]
    held = next(((first, last) for slot, first, last in reading.match.slots if slot == act.each), None)
    if held is None or act.each is None or act.tool is None:
        return []
    params = grammar.pack.tools[act.tool].params.values()
    typed = frozenset(param.slot for param in params if param.slot in grammar.typed)
    beside = tuple(chunk for chunk in reading.chunks if chunk.end <= held[0])
    found: list[Reading] = []
    for first, last in _parts(grammar, sheet, *held):
        piece = read_text(grammar, sheet, first, last, typed)
        if piece is None or not piece.text:
            return []
        found.append(reading._replace(texts={**reading.texts, act.each: piece}, chunks=(*beside, *piece.chunks)))
    announced = _announced(grammar, sheet, reading, held[0])
    return found if len(found) == (announced or len(found)) and 1 < len(found) <= _MOST else []


def _announced(grammar: Grammar, sheet: Sheet, reading: Reading, end: int) -> int | None:
    """The number said before the texts: "two things"."""
    for at in range(reading.match.start, end):
        number = grammar.numbers.read(sheet.lows, at)
        if number is not None and isinstance(number[0], int):
            return number[0]
    return None


def _parts(grammar: Grammar, sheet: Sheet, first: int, last: int) -> list[tuple[int, int]]:
    """The stretches between commas, linking words and new lines, without what only counts them ("the other is …")."""
    cuts = [first, *(at for at in range(first + 1, last) if _parts_here(grammar, sheet, at))]
    parts: list[tuple[int, int]] = []
    for start, end in zip(cuts, [*cuts[1:], last], strict=True):
        a, b = trim(grammar, sheet, start, end)
        told = grammar.has(sheet, a, "item", slips=0.0) if a < b else 0
        a = told if a < told < b else a
        if a < b:
            parts.append((a, b))
    return parts


def _parts_here(grammar: Grammar, sheet: Sheet, at: int) -> bool:
    broken = sheet.lows[at] in _BETWEEN or sheet.words[at].broken
    return broken or bool(grammar.has(sheet, at, "link", slips=0.0))
