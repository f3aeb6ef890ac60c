"""Doubt: signs that a text holds more than a text, so that writing it down unasked may be wrong.

"note buy bread" may still hold its command, "wash the car it's filthy" a sentence that nobody wants on a list.
"""

from __future__ import annotations

from sayso.engine.grammar import Grammar, Sheet
from sayso.engine.texts import Piece


def doubtful(grammar: Grammar, sheet: Sheet, tool: str, piece: Piece) -> bool:
    """Whether a free text is to be asked about before it is written."""
    if piece.quoted or piece.first >= piece.last:
        return False
    if is_order(grammar, sheet, tool, piece) or _runs_on(grammar, sheet, piece):
        return True
    return any(piece.text.count(left) < piece.text.count(right) for left, right in ("()", "[]", "{}"))


def is_order(grammar: Grammar, sheet: Sheet, tool: str | None, piece: Piece) -> bool:
    """Whether a text begins like a command to the same tool, in a form in which people command and name no thing."""
    first = piece.first
    if piece.quoted or first >= piece.last or sheet.lows[first] in grammar.lemmas:
        return False
    if grammar.verbs.isdisjoint(sheet.edges[first]) or not grammar.commands(sheet, first):
        return False
    found = next(grammar.frames.match(("command",), first, piece.last, sheet.view), None)
    return found is not None and found.first == first and grammar.pack.acts[found.act].tool == tool


def _runs_on(grammar: Grammar, sheet: Sheet, piece: Piece) -> bool:
    """Whether a sentence of its own begins amid a text, and nothing before it asks for one."""
    for at in range(piece.first, piece.last - 1):
        if grammar.has(sheet, at, "governs", slips=0.0):
            return False
        if at > piece.first and grammar.has(sheet, at, "sentence", slips=0.0):
            return True
    return False
