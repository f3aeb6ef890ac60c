"""Finds a command after a remark that no mark separates from it.

"la multa me la son scordata spostala a domani" names the fine, tells of it, and then says what to do with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sayso.engine.clauses.detect import best
from sayso.engine.clauses.pieces import Piece
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.linking.focus import Scene

_REMARK = 3  # words that are more than a name
_TOLD = (
    "negation",
    "third",
    "others_word",
    "reported",
    "wh",
    "doubt",
    "unreal",
    "mood:hypothetical",
    "mood:question",
    "quoting",
)


def parted(sheet: Sheet, scene: Scene, found: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, with those in two of which only the end makes sense as a command."""
    for piece in found:
        cut = _order_in(sheet, scene, piece)
        if cut is None or best(sheet.over(piece), scene) is not None:
            yield piece
        else:
            yield piece._replace(end=cut)
            yield Piece(cut, piece.end, False)


def _order_in(sheet: Sheet, scene: Scene, piece: Piece) -> int | None:
    """Where a command begins amid a piece: with a name after a colon, or a verb and the pronoun written onto it."""
    first = opening(sheet.over(piece))
    for at in range(first + _REMARK, piece.end - 1):
        named = sheet.lows[at - 1] == ":" and not sheet.commands(at)
        if named or (_points(sheet, at) and _begins_with_name(sheet, scene, first)):
            told = any(sheet.has(before, *_TOLD) for before in range(first, at))
            return None if told else at
    return None


def _begins_with_name(sheet: Sheet, scene: Scene, at: int) -> bool:
    """Whether it is a thing of the person's that is spoken of, and nobody else who says something."""
    at = max(at, sheet.has(at, "article", "possessive"))
    return at < len(sheet.words) and bool(scene.things.search(sheet.stems[at : at + 1]))


def _points(sheet: Sheet, at: int) -> bool:
    """Whether a command stands here with its object written onto it: "spostala"."""
    words = sheet.words
    joined = words[at].end == words[at + 1].start and words[at + 1].kind == "word" and words[at].kind == "word"
    return joined and bool(sheet.has(at + 1, "it")) and bool(sheet.commands(at))
