"""Mended: what becomes of the decisions where the message takes something back.

"delete the essay, no wait, don't" is cancelled; a write that rests on a guess at what was replaced is asked about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sayso.decision import Call, Decision, Nothing
from sayso.engine.decide import Room

if TYPE_CHECKING:
    from sayso.engine.repair import Repair


def mended(room: Room, repair: Repair, decisions: list[Decision]) -> list[Decision]:
    """Where all was taken back, that is what is said; a write that rests on a guess is asked about."""
    if repair.cancelled and all(isinstance(one, Nothing) for one in decisions):
        return [room.voice.nothing("cancelled", 0.95)]
    return [_asked_first(room, one) if repair.guessed or _is_undone(one, repair) else one for one in decisions]


def _is_undone(decision: Decision, repair: Repair) -> bool:
    """Whether it is just what was taken back: "…, scratch that, he comes from the south, open that one"."""
    return isinstance(decision, Call) and any(one in repair.undone for one in decision.arguments.values())


def _asked_first(room: Room, decision: Decision) -> Decision:
    if not isinstance(decision, Call) or room.grammar.pack.tools[decision.tool].risk == "read":
        return decision
    tool, arguments, evidence = decision.tool, decision.arguments, decision.evidence
    target = next((one.entity for one in evidence.values() if isinstance(one.entity, str)), None)
    return room.voice.confirm(tool, arguments, evidence, decision.confidence, "uncertain", target)
