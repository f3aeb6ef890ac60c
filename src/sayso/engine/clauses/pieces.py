"""Finds where one clause may end and the next begin, by marks and linking words.

Nothing is split inside a quotation, a value or a complete name. `split` decides whether a piece is a clause.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import TYPOS, Sheet, Stretch
from sayso.engine.linking.focus import Scene

SENTENCE_END = frozenset(".!?;…")
_PAUSE = frozenset(",—–-()=")
_MOST, _MOST_OF_MANY = 10, 7  # pieces; a message with more is read as a whole
_MANY_WORDS = 120


class Piece(NamedTuple):
    """A stretch of words that may be a clause."""

    start: int
    end: int
    hard: bool  # a sentence ends before it


def pieces(sheet: Sheet, scene: Scene, start: int) -> list[Piece]:
    """The pieces of a message from words[start] on, in order."""
    found = _cut(sheet, scene, start)
    told = [one for one in found if any(word.kind != "mark" for word in sheet.over(one).words)]
    told = told or found[:1]
    most = _MOST if len(sheet.words) <= _MANY_WORDS else _MOST_OF_MANY
    return told if len(told) <= most else [Piece(start, len(sheet.words), False)]


def _cut(sheet: Sheet, scene: Scene, start: int) -> list[Piece]:
    """The message cut wherever a piece may end, but not within a name."""
    names: set[int] | None = None
    found: list[Piece] = []
    first, hard = start, False
    at = start
    while at < len(sheet.words):
        stops, next_hard = _boundary(sheet, first, at)
        stops = stops or (bool(sheet.grammar.acts_on_parts) and _adds(sheet, at))
        if stops:
            names = held(sheet, scene) if names is None else names
            stops = at not in names
        if stops and at > first:
            # a mark closes the piece before it, a linking word opens the next one
            close = at + 1 if sheet.words[at].kind == "mark" else at
            found.append(Piece(first, close, hard))
            first, hard = close, next_hard
        at = max(at + 1, opening(sheet.since(at), exactly=True) if stops else 0)
    if first < len(sheet.words):
        found.append(Piece(first, len(sheet.words), hard))
    return found


def held(sheet: Sheet, scene: Scene) -> set[int]:
    """Places inside a complete name, a value or a phrase, where nothing is split."""
    found = {at for a, b, _ in scene.things.mentions(sheet.stems) for at in range(a + 1, b)}
    for chunks in sheet.chunks.values():
        for chunk in chunks:
            found.update(range(chunk.start + 1, chunk.end))
    for place, edges in enumerate(sheet.edges):
        for ends in edges.values():
            for end, cost in ends:
                if cost == 0 and end - place > 2:
                    found.update(range(place + 1, end))
    return found


def _boundary(sheet: Sheet, first: int, at: int) -> tuple[bool, bool]:
    """Whether a piece that began at `first` ends here, and whether a sentence does."""
    word = sheet.words[at]
    if word.kind == "mark":
        return _mark_ends(sheet, at)
    if word.broken:
        return True, True
    if sheet.has(at, "link", slips=TYPOS):
        return not (at > first and sheet.has(at - 1, "article") == at), False  # "the next page"
    breaks = _so_do(sheet, at) or (at > first and _breaks(sheet, first, at))
    return breaks or _makes_new_request(sheet, first, at), False


def _mark_ends(sheet: Sheet, at: int) -> tuple[bool, bool]:
    """The same for a mark; a full stop may belong to an abbreviation or a name."""
    mark = sheet.lows[at]
    if mark == "." and at and (_is_short(sheet, at) or _is_inside(sheet, at)):
        return False, False
    return mark in SENTENCE_END or mark in _PAUSE, mark in SENTENCE_END


def _makes_new_request(sheet: Sheet, first: int, at: int) -> bool:
    """Whether a request begins here that does not belong to the words since `first`."""
    if sheet.has(at, "mood:request", slips=TYPOS) <= at + 1:
        return False
    if _is_reported(sheet, first, at):
        return False
    begin = opening(Stretch(sheet, first, at))
    return not (begin < at and sheet.has(begin, "mood:question", slips=TYPOS))  # "what do you need to …"


def _is_reported(sheet: Sheet, first: int, at: int) -> bool:
    """Whether the words before report that somebody asks or wonders: "asked whether you could …"."""
    if at > first and sheet.has(at - 1, "wh") == at:
        return True
    return bool(sheet.has(at, "why")) and Stretch(sheet, first, at).holds("wonder")


def _adds(sheet: Sheet, at: int) -> bool:
    """ "fan on + lamp off": a sign that links two requests and does not belong to a number."""
    linked = sheet.words[at].kind == "mark" and sheet.has(at, "link") == at + 1
    return linked and at + 1 < len(sheet.words) and sheet.words[at + 1].kind == "word"


def _so_do(sheet: Sheet, at: int) -> bool:
    """ "…so tick it", "…so you can tick it": a command that follows from an event."""
    so = sheet.has(at, "therefore")
    if not 0 < so < len(sheet.words):
        return False
    follows = opening(sheet.since(so))
    asked = sheet.has(follows, "mood:request") if follows < len(sheet.words) else 0
    follows = asked if follows < asked < len(sheet.words) else follows
    return follows < len(sheet.words) and sheet.commands(follows)


def _breaks(sheet: Sheet, first: int, at: int) -> bool:
    """Whether words that begin a clause in this pack do so here, and are not asked, denied or reported."""
    names = sheet.grammar.book.breaks
    if not names or not sheet.has(at, *names):
        return False
    if sheet.has(at - 1, "function", "link", "wh", "negation", "filler", "polite"):
        return False
    told = (said for said in range(first, at) if not sheet.has(said, "it"))
    return not any(sheet.has(said, "governs", "reported", "negation", "wh") for said in told)


def _is_short(sheet: Sheet, at: int) -> bool:
    """The full stop of an abbreviation."""
    return bool(sheet.has(at - 1, "abbreviation"))


def _is_inside(sheet: Sheet, at: int) -> bool:
    """The dot of a name such as ".env": a space comes before it, and none after it."""
    words = sheet.words
    return words[at - 1].end < words[at].start and at + 1 < len(words) and words[at].end == words[at + 1].start
