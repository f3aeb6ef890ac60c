"""Finds one more new thing in words beside a new thing that do not form a sentence.

"put the dentist on tuesday, oh and milk": Sayso asks about the milk, so that it is not lost; "add fix the sink; ring
the bank" names one more thing to do, as plainly as the first.
"""

from __future__ import annotations

from collections.abc import Iterator

from sayso.decision import Call, Decision, Evidence
from sayso.engine.clauses.clause import Clause
from sayso.engine.decide.check import settle
from sayso.engine.decide.room import Plan, Room
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.slots.arguments import values_for
from sayso.engine.slots.texts import Piece, read_text

_LONGEST = 8  # words in which people say one more thing to do
_NAMED = 3  # words in which people name one more thing, without articles and dates
_ASKED, _LISTED = 0.85, 0.93
_BESIDE = (
    "negation",
    "first",
    "third",
    "be",
    "wh",
    "it",
    "them",
    "doubt",
    "hold",
    "no",
    "yes",
    "cancel",
    "because",
    "greeting",
)


def lost(room: Room, clause: Clause, clauses: list[Clause], before: Decision | None) -> Decision | None:
    """The words beside a new thing that would be lost, as one more thing of its kind."""
    makes = _makes(room.grammar, clauses)
    return None if makes is None or _is_taken(clause, clauses) else _one_more(room, clause, before, makes)


def _one_more(room: Room, clause: Clause, before: Decision | None, makes: str) -> Decision | None:
    """The call that creates the thing that an unread clause names, if it can be read so; `before` came before it."""
    grammar, sheet = room.grammar, room.sheet
    start = min(opening(sheet.over(clause)), clause.end - 1)
    start = max(start, *(sheet.has(at, "further") for at in range(clause.start, start + 1)))
    if not _may_be_wished(room, start, clause.end):
        return None
    params = grammar.pack.tools[makes].params
    typed = frozenset(param.slot for param in params.values() if param.slot in grammar.typed)
    piece = read_text(Stretch(sheet, start, clause.end), typed)
    if piece is None or not piece.text or piece.quoted:
        return None
    return _added(room, clause, before, makes, start, piece)


def _added(
    room: Room, clause: Clause, before: Decision | None, makes: str, start: int, piece: Piece
) -> Decision | None:
    """The call that creates the thing a text names: it begins like a thing to do, or is brief and continues others."""
    grammar, sheet = room.grammar, room.sheet
    if sheet.has(start, *grammar.book.heads) and piece.last - piece.first > 1:
        return _asked(room, makes, piece, listed=isinstance(before, Call) and before.tool == makes)
    goes_on = (before is not None or clause.start == 0) and _is_added(room, clause, start)
    brief = _is_brief(room, piece) and (goes_on or sheet.vouches(start))
    return _asked(room, makes, piece, listed=False) if brief else None


def _is_brief(room: Room, piece: Piece) -> bool:
    """Whether a text has so few telling words that it may name something to create."""
    named = sum(room.sheet.stems[at] not in room.grammar.little for at in range(piece.first, piece.last))
    return named <= _NAMED


def _may_be_wished(room: Room, start: int, end: int) -> bool:
    """Whether the words are brief, ask nothing and tell no event."""
    grammar, sheet = room.grammar, room.sheet
    told = sum(sheet.words[at].kind != "mark" for at in range(start, end))
    if not 0 < told <= _LONGEST or sheet.lows[end - 1] == "?":
        return False
    if any(grammar.is_past(sheet.lows[at]) for at in range(start, end)):
        return False
    return not any(sheet.has(at, *_BESIDE) for at in _telling(room, start, end))


def _is_taken(clause: Clause, clauses: list[Clause]) -> bool:
    """Whether a later clause uses these words: "ring the bank, write that down"."""
    senses = (one.sense for one in clauses if one.sense is not None)
    texts = (piece for sense in senses for piece in sense.reading.texts.values())
    return any(clause.start <= piece.first < clause.end for piece in texts)


def _telling(room: Room, start: int, end: int) -> Iterator[int]:
    """The places of the words without articles, which in some languages look like pronouns."""
    sheet = room.sheet
    return (at for at in range(start, end) if at + 1 == end or not sheet.has(at, "article"))


def _is_added(room: Room, clause: Clause, start: int) -> bool:
    """Whether a clause begins with a word that continues: "oh and …", "also …"."""
    sheet = room.sheet
    return any(sheet.has(at, "link", "further") for at in range(clause.start, start))


def _asked(room: Room, makes: str, piece: Piece, *, listed: bool) -> Decision:
    name = room.grammar.pack.naming_param(makes) or ""
    values, proof = values_for(room.sheet, makes, piece.chunks, room.now)
    evidence = {name: Evidence(source="message", span=piece.span), **proof}
    sure = _LISTED if listed else _ASKED
    return settle(room, Plan(makes, {name: piece.text, **values}, evidence, sure, not listed, None))


def _makes(grammar: Grammar, clauses: list[Clause]) -> str | None:
    """The tool with which the message creates things, if one clause does and another was not understood."""
    acts, pack = grammar.pack.acts, grammar.pack
    tools = (acts[clause.sense.reading.act].tool for clause in clauses if clause.sense is not None)
    return next((tool for tool in tools if tool is not None and pack.naming_param(tool) is not None), None)
