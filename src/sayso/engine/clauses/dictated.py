"""Finds a command after a remark that no mark separates from it.

"la multa me la son scordata spostala a domani" names the fine, tells of it, and then says what to do with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sayso.engine.clauses.detect import best
from sayso.engine.clauses.pieces import Piece
from sayso.engine.grammar.grammar import Grammar, Sheet
from sayso.engine.grammar.moods import opening
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


def parted(grammar: Grammar, sheet: Sheet, scene: Scene, found: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, with those in two of which only the end makes sense as a command."""
    for piece in found:
        cut = _order_in(grammar, sheet, scene, piece)
        if cut is None or best(grammar, sheet, scene, piece.start, piece.end) is not None:
            yield piece
        else:
            yield piece._replace(end=cut)
            yield Piece(cut, piece.end, False)


def _order_in(grammar: Grammar, sheet: Sheet, scene: Scene, piece: Piece) -> int | None:
    """Where a command begins amid a piece: with a name after a colon, or a verb and the pronoun written onto it."""
    first = opening(grammar, sheet, piece.start, piece.end)
    for at in range(first + _REMARK, piece.end - 1):
        named = sheet.lows[at - 1] == ":" and not grammar.commands(sheet, at)
        if named or (_points(grammar, sheet, at) and _begins_with_name(grammar, sheet, scene, first)):
            told = any(grammar.has(sheet, before, *_TOLD, slips=0.0) for before in range(first, at))
            return None if told else at
    return None


def _begins_with_name(grammar: Grammar, sheet: Sheet, scene: Scene, at: int) -> bool:
    """Whether it is a thing of the person's that is spoken of, and nobody else who says something."""
    at = max(at, grammar.has(sheet, at, "article", "possessive", slips=0.0))
    return at < len(sheet.words) and bool(scene.things.search(sheet.stems[at : at + 1]))


def _points(grammar: Grammar, sheet: Sheet, at: int) -> bool:
    """Whether a command stands here with its object written onto it: "spostala"."""
    words = sheet.words
    joined = words[at].end == words[at + 1].start and words[at + 1].kind == "word" and words[at].kind == "word"
    return joined and bool(grammar.has(sheet, at + 1, "it", slips=0.0)) and bool(grammar.commands(sheet, at))
