"""Separates the reason for a request from the request itself.

"ring the bank because they blocked my card" asks for a call to the bank. Words that can only begin a reason end
the clause. Words that may be part of a name end it only if the clause scores lower with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from sayso.engine.clauses.clause import Sense
from sayso.engine.clauses.detect import best
from sayso.engine.clauses.pieces import Piece, held
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.linking.focus import Scene
from sayso.engine.slots.reading import Before
from sayso.engine.values.when import When

_MOST = 3  # places that are tried in one clause
_NAMED = 0.5  # the share of a name that mentions the thing


def without_reason(sheet: Sheet, scene: Scene, piece: Piece, previous: Before | None) -> tuple[Piece, Sense | None]:
    """The piece up to the reason, if it gives one, and the sense of that part."""
    whole = best(sheet.over(piece), scene, previous)
    for at, surely in islice(_places(sheet, scene, piece), _MOST):
        short = best(Stretch(sheet, piece.start, at), scene, previous)
        if short is None or not _says_what(sheet.grammar, short) or (whole is not None and _has_place(whole, at)):
            continue
        if surely or _is_better(sheet, scene, piece, at, short, whole):
            return piece._replace(end=at), short
    return piece, whole


def _has_place(whole: Sense, at: int) -> bool:
    """Whether the pack has a place for the reason: one of its texts begins with it."""
    texts = whole.reading.texts.values()
    return len(whole.reading.texts) + (whole.reading.target is not None) > 1 and any(
        at < piece.first <= at + 2 for piece in texts
    )


def as_good(alone: Sense | None, joined: Sense) -> bool:
    """Whether the longer piece keeps everything that was understood without the extra words."""
    if alone is None:
        return True
    if joined.reading.act != alone.reading.act:
        return joined.score >= alone.score
    return joined.score >= alone.score - 0.3


def _is_better(sheet: Sheet, scene: Scene, piece: Piece, at: int, short: Sense, whole: Sense | None) -> bool:
    """Whether the clause scores lower with the following words, and they name none of the user's things."""
    acts = sheet.grammar.pack.acts
    if _is_refused(sheet.grammar, short) and whole is not None and whole.reading.target is not None:
        return whole.reading.target.problem == "not_found"  # "tick off everything that is left, I'm off"
    if whole is not None and (as_good(short, whole) or acts[short.reading.act].tool != acts[whole.reading.act].tool):
        return False
    rest = scene.things.search(sheet.stems[at : piece.end])
    return not any(hit.named >= _NAMED for hit in rest)


def _places(sheet: Sheet, scene: Scene, piece: Piece) -> Iterator[tuple[int, bool]]:
    """Where a reason may begin, and whether the words there can only begin a reason."""
    start = opening(sheet.over(piece)) + 1
    names: set[int] | None = None
    asked = False
    for at in range(start, piece.end - 1):
        asked = asked or bool(sheet.has(at - 1, "wonder"))
        surely = _gives_reason(sheet, at, asked=asked)
        if surely is None:
            continue
        closed = _after_please(sheet, piece.start, at)
        names = held(sheet, scene) if names is None else names
        if closed or at not in names:
            yield at, surely or closed or _after_date(sheet, piece.start, at)


def _gives_reason(sheet: Sheet, at: int, *, asked: bool) -> bool | None:
    """Whether a word here surely begins a reason; `None` if it begins none. A question gives no reason."""
    if sheet.has(at, "because", *(() if asked else ("why",))):
        return True
    return None if asked or not sheet.has(at, "reason", "relative") else False


def _after_date(sheet: Sheet, start: int, at: int) -> bool:
    """ "tomorrow that she is away": a date takes no relative clause, so these words give a reason."""
    chunks = (chunk for first in range(start, at) for chunk in sheet.chunks.get(first, ()))
    return any(chunk.end == at and chunk.floats and isinstance(chunk.value, When) for chunk in chunks)


def _after_please(sheet: Sheet, start: int, at: int) -> bool:
    """ "buy biscuits please, as …": a polite word ends the request."""
    return any(at in sheet.ends(first, "polite") for first in range(max(start, at - 4), at))


def _says_what(grammar: Grammar, sense: Sense) -> bool:
    """Whether the sense says what to do with which thing: without its reason, "remind me because …" is empty."""
    if _is_refused(grammar, sense):
        return True
    target = sense.reading.target
    texts = any(piece.text for piece in sense.reading.texts.values())
    return texts or (target is not None and bool(target.ids or sense.reading.parts))


def _is_refused(grammar: Grammar, sense: Sense) -> bool:
    """Whether it asks for something that is always refused, such as an act on everything at once."""
    act = grammar.pack.acts[sense.reading.act]
    return act.tool is None and act.reason == "unsupported" and not act.again
