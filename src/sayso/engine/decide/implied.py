"""Adds values that a word of the command implies.

"remind me on friday to water the plants" asks for a reminder as well as for a task due on Friday. The pack says which
class of words gives which value (`worded` of a parameter).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from sayso.decision import Call, Confirm, Decision, Evidence, Span
from sayso.engine.decide.decide import Room
from sayso.engine.grammar.pack import Worded

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def with_worded(room: Room, decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions, with the values that the words around each of them give."""
    spans = [_spans(one) for one in decisions]
    found: list[Decision] = []
    for at, decision in enumerate(decisions):
        start = max((end for _, end in spans[at - 1]), default=0) if at else 0
        after = spans[at + 1] if at + 1 < len(spans) else []
        end = min((first for first, _ in after), default=len(room.sheet.text.message))
        found.append(_worded(room, decision, start, end))
    return found


def _worded(room: Room, decision: Decision, start: int, end: int) -> Decision:
    tool = room.grammar.pack.tools.get(decision.tool or "") if isinstance(decision, Call | Confirm) else None
    if tool is None or not isinstance(decision, Call | Confirm):
        return decision
    for name, param in tool.params.items():
        worded = param.worded
        if worded is None or name in decision.arguments:
            continue
        proof = _proof(room, decision, worded, start, end)
        if proof is not None:
            arguments = {**decision.arguments, name: worded.value}
            decision = replace(decision, arguments=arguments, evidence={**decision.evidence, name: proof})
    return decision


def _proof(room: Room, decision: Call | Confirm, worded: Worded, start: int, end: int) -> Evidence | None:
    """Where the value is said, if it is, outside of the values of the decision."""
    beside = decision.arguments.get(worded.beside)
    if not isinstance(beside, str) or not _DAY.fullmatch(beside) or worded.by not in room.grammar.cls:
        return None
    sheet, taken = room.sheet, _spans(decision)
    for at, word in enumerate(sheet.words):
        if start <= word.start < end and not any(first <= word.start < last for first, last in taken):
            last = sheet.has(at, worded.by)
            if last:
                return Evidence(source="message", span=(word.start, sheet.words[last - 1].end))
    return None


def _spans(decision: Decision) -> list[Span]:
    evidence = decision.evidence.values() if isinstance(decision, Call | Confirm) else ()
    return [one.span for one in evidence if one.span is not UNSET]
