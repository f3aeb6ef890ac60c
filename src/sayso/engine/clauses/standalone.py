"""Decides whether a piece of a message is a separate request, given the clause before it.

"…and eggs" belongs to the text before it, "…and show me the list" does not; "…, oh and milk" is an afterthought.
A command may also follow a remark that no mark separates from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sayso.engine.clauses.clause import Sense
from sayso.engine.clauses.detect import best, lacks_text
from sayso.engine.clauses.pieces import Piece
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.pack import Act
from sayso.engine.grammar.sheet import TYPOS, Sheet
from sayso.engine.linking.focus import Scene

_SAID_BESIDE = (
    *("mood:comment", "because", "function", "be", "first", "third", "possessive"),
    *("it", "wh", "doubt", "negation", "hold"),
)


def stands_alone(sheet: Sheet, before: Sense | None, piece: Piece, alone: Sense | None) -> bool:
    """Whether a piece is a separate request, given the clause before it."""
    if before is None:
        return alone is not None
    if alone is None:
        beside = _is_afterthought(sheet, before, piece) or _is_remark(sheet, piece)
        return not _is_announced(sheet, before, piece) and beside
    act = sheet.grammar.pack.acts[alone.reading.act]
    if act.again == "also" or (before.reading.texts and _is_noted(sheet, piece)):
        return False  # "drop the tent and the rope too": one more for the same act
    return act.tool is None or _is_request(sheet, before, piece, alone)


def _is_request(sheet: Sheet, before: Sense, piece: Piece, alone: Sense) -> bool:
    """Whether a possible command is one, and does not continue the request before it."""
    act = sheet.grammar.pack.acts[alone.reading.act]
    takes_text = any(not piece.quoted for piece in before.reading.texts.values())  # a quotation is complete
    if takes_text and _goes_into_text(sheet, before, piece, alone):
        return False
    if alone.mood.name == "open" and alone.reading.match.literal < 1:
        return False
    if act.narrows or alone.reading.act.endswith("_fragment"):
        narrows = not takes_text and bool(act.narrows) and _looks_elsewhere(sheet, before, act)
        return narrows or _is_announced_more(sheet, before, piece, alone)
    return True


def _goes_into_text(sheet: Sheet, before: Sense, piece: Piece, alone: Sense) -> bool:
    """Whether a possible command continues the text before it: it points at nothing, or is one more thing to do."""
    act, target = sheet.grammar.pack.acts[alone.reading.act], alone.reading.target
    more = target is not None and target.pronoun and bool(alone.reading.chunks)  # "…and make it due friday"
    if (act.must_link and not more) or _is_one_more(sheet, before, piece, alone):
        return True
    return target is not None and not (target.ids or target.pronoun)


def _looks_elsewhere(sheet: Sheet, before: Sense, act: Act) -> bool:
    """Whether the request before it reads something else: "who am I, and what is left?"."""
    said = sheet.grammar.pack.acts[before.reading.act].tool
    return said != act.tool and sheet.grammar.pack.reads(said)


def _is_announced(sheet: Sheet, before: Sense, piece: Piece) -> bool:
    """ "can you add something for me? wash the car": the text that the sentence before it asks for."""
    at = opening(sheet.over(piece), exactly=True)
    if at >= piece.end or not lacks_text(sheet.grammar, before.reading):
        return False
    return bool(sheet.has(at, "item")) or not sheet.has(at, *_SAID_BESIDE, slips=TYPOS)


def _is_afterthought(sheet: Sheet, before: Sense, piece: Piece) -> bool:
    """ "…, oh and milk": after a pause one more thing comes to mind, which does not belong to the text before it.

    Guards a new thing whose name has those words in it.
    """
    grammar = sheet.grammar
    if piece.start == 0 or sheet.words[piece.start - 1].kind != "mark" or not grammar.book.heads:
        return False
    tool = grammar.pack.acts[before.reading.act].tool
    told = sheet.has(piece.start, "further")
    return 0 < told < piece.end and grammar.pack.naming_param(tool) is not None


def _is_one_more(sheet: Sheet, before: Sense, piece: Piece, alone: Sense) -> bool:
    """ "remind me to ring Ann and to write to Bob": words that sound like a command are one more thing to do.

    Guards a write: "a Bob" would be added alone.
    """
    grammar = sheet.grammar
    book, acts = grammar.book, grammar.pack.acts
    if not book.heads or grammar.pack.naming_param(acts[before.reading.act].tool) is None:
        return False
    at = opening(sheet.over(piece), exactly=True)
    if not any(sheet.has(text.first, *book.heads) for text in before.reading.texts.values()):
        return False
    if at < piece.end and sheet.has(at, *book.heads_more):
        return True
    makes = acts[alone.reading.act].tool == acts[before.reading.act].tool and alone.reading.match.literal <= 1
    return makes and at < piece.end and bool(sheet.has(at, *book.heads))


def _is_announced_more(sheet: Sheet, before: Sense, piece: Piece, alone: Sense) -> bool:
    """ "remind me to ring Ann, and another one to write to Bob": one more thing of the same kind, announced as such."""
    acts, heads = sheet.grammar.pack.acts, sheet.grammar.book.heads
    if not heads or acts[alone.reading.act].tool != acts[before.reading.act].tool or alone.mood.name != "open":
        return False
    at = opening(sheet.over(piece), exactly=True)
    named = any(at < text.first and sheet.has(text.first, *heads, slips=TYPOS) for text in alone.reading.texts.values())
    return named and alone.reading.match.first == at


def _is_noted(sheet: Sheet, piece: Piece) -> bool:
    """ "…, note: ring twice": a text for the request just before, not another request."""
    at = opening(sheet.over(piece))
    ends = sheet.ends(at, *sheet.grammar.book.continues) if at < piece.end else ()
    return any(sheet.lows[end - 1] == ":" for end in ends)


def _is_remark(sheet: Sheet, piece: Piece) -> bool:
    """ "I saw her at church": a remark beside the request. So is a separate sentence, unless it only adds a value."""
    at = opening(sheet.over(piece), exactly=True)  # a word that only resembles a filler is more likely a name
    if at >= piece.end:
        return True
    if any(chunk.end >= piece.end - 1 for start in range(piece.start, at + 1) for chunk in sheet.chunks.get(start, ())):
        return False
    if sheet.has(at, "mood:comment", "because", slips=TYPOS) or sheet.has(piece.start, "because", slips=TYPOS):
        return True
    return piece.hard and not sheet.continues(at)


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
    """The pieces. A piece of which only the end makes sense as a command is cut in two."""
    for piece in found:
        cut = _order_in(sheet, scene, piece)
        if cut is None or best(sheet.over(piece), scene) is not None:
            yield piece
        else:
            yield piece._replace(end=cut)
            yield Piece(cut, piece.end, False)


def _order_in(sheet: Sheet, scene: Scene, piece: Piece) -> int | None:
    """Where a command begins inside a piece: with a name after a colon, or a verb with its pronoun attached."""
    first = opening(sheet.over(piece))
    for at in range(first + _REMARK, piece.end - 1):
        named = sheet.lows[at - 1] == ":" and not sheet.commands(at)
        if named or (_points(sheet, at) and _begins_with_name(sheet, scene, first)):
            told = any(sheet.has(before, *_TOLD) for before in range(first, at))
            return None if told else at
    return None


def _begins_with_name(sheet: Sheet, scene: Scene, at: int) -> bool:
    """Whether these words mention one of the user's things, and not another person who says something."""
    at = max(at, sheet.has(at, "article", "possessive"))
    return at < len(sheet.words) and bool(scene.things.search(sheet.stems[at : at + 1]))


def _points(sheet: Sheet, at: int) -> bool:
    """Whether a command is here with its object attached: "spostala"."""
    words = sheet.words
    joined = words[at].end == words[at + 1].start and words[at + 1].kind == "word" and words[at].kind == "word"
    return joined and bool(sheet.has(at + 1, "it")) and bool(sheet.commands(at))
