"""Finds the words of a message that no decision accounts for: a write does not run while there are any.

"add milk to the zorb list" with the title "milk" leaves "zorb" over. A word is accounted for where it is in a value or
in the name of a thing, where the language or the pack knows it as part of a command, a courtesy or a filler, and where
it belongs to a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from msgspec import UNSET

from sayso.decision import Decision, Nothing, Span
from sayso.engine.decide.decide import Room
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.lexicon.words import Word

_REASONS = ("because", "reason", "governs")
_ENDS = frozenset(".;!?")
_BREAKS = frozenset(".;!?,:-–")


def left_over(room: Room, decisions: Iterable[Decision]) -> list[int]:
    """The places of the words that are left over."""
    grammar, sheet = room.grammar, room.sheet
    spans = [span for one in decisions for span in spans_of(one)]
    known = _known(sheet)
    found: list[int] = []
    explained = False
    for at, word in enumerate(sheet.words):
        explained = (explained and word.low not in _ENDS) or bool(sheet.has(at, *_REASONS))
        telling = word.kind != "mark" and sheet.stems[at] not in grammar.little and at not in known
        if telling and not explained and not _is_in(word, spans):
            found.append(at)
    return found


def _known(sheet: Sheet) -> set[int]:
    """The places of all words of phrases that are known: "per favore"."""
    phrases = ((at, end) for at, edges in enumerate(sheet.edges) for ends in edges.values() for end, _ in ends)
    return {place for at, end in phrases for place in range(at, max(end, at + 1))}


def _is_in(word: Word, spans: Iterable[Span]) -> bool:
    return any(start < word.end and word.start < end for start, end in spans)


def left_beside(room: Room, decisions: Sequence[Decision]) -> bool:
    """Whether a word is left over in the same part of the message as a value, or a figure anywhere.

    Parts are divided by marks: "guests are gone, switch off the sauna" gives a reason in the first one.
    """
    words = room.sheet.words
    spans = [span for one in decisions for span in spans_of(one)]
    taken = [_is_in(word, spans) for word in words]
    if any(not said and any(map(str.isdigit, word.text)) for word, said in zip(words, taken, strict=True)):
        return True
    parts = list(accumulate((word.low in _BREAKS for word in words), initial=0))[1:]
    own = {part for part, said in zip(parts, taken, strict=True) if said}
    return any(parts[at] in own for at in left_over(room, decisions))


def spans_of(decision: Decision) -> list[tuple[int, int]]:
    """Where in the message the values of a decision are said."""
    if isinstance(decision, Nothing):
        return []
    evidence = getattr(decision, "evidence", {}).values()
    return [one.span for one in evidence if one.span is not UNSET]
