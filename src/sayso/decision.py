"""The decision: what should happen, and why. The decision contract fixes its JSON.

"mark it as done", one task in focus →
Call(tool="complete_task", arguments={"task_identifier": "t1"}, confidence=0.95, evidence={…})
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

Source: TypeAlias = Literal["message", "history", "entity", "pending", "proposed", "default"]
Span: TypeAlias = tuple[int, int]
Arguments: TypeAlias = dict[str, Any]

ConfirmReason: TypeAlias = Literal["destructive", "uncertain", "several"]
ClarifyReason: TypeAlias = Literal["missing", "ambiguous", "not_found", "invalid", "low_confidence"]
CompositionStatus: TypeAlias = Literal["completed", "needs_clarification", "failed"]
NothingReason: TypeAlias = Literal["out_of_scope", "smalltalk", "unsupported", "cancelled", "empty"]


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Where the value of an argument comes from; `span` counts characters of the message."""

    source: Source
    entity: str | UnsetType = UNSET
    span: Span | UnsetType = UNSET


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One possible answer to a question."""

    label: str
    tool: str
    arguments: Arguments
    confidence: float = 0.5


class FollowUp(msgspec.Struct, frozen=True, kw_only=True):
    """A call that the user may want next. Sayso only offers it."""

    label: str
    tool: str
    arguments: Arguments = {}


class Call(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="call"):
    """Run it now."""

    tool: str
    arguments: Arguments
    confidence: float
    evidence: dict[str, Evidence] = {}


class Confirm(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="confirm"):
    """Run it after the user confirms; decisions with the same `group` are one question."""

    tool: str
    arguments: Arguments
    confidence: float
    evidence: dict[str, Evidence] = {}
    question: str
    reason: ConfirmReason
    group: str | UnsetType = UNSET


class Clarify(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="clarify"):
    """Something is missing, not found or ambiguous."""

    tool: str | None
    arguments: Arguments = {}
    missing: tuple[str, ...] = ()
    confidence: float
    question: str
    options: tuple[Option, ...] = ()
    reason: ClarifyReason


class Nothing(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="none"):
    """Call no tool."""

    confidence: float
    reason: NothingReason
    reply: str | UnsetType = UNSET


Decision: TypeAlias = Call | Confirm | Clarify | Nothing
Pending: TypeAlias = Confirm | Clarify


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a case: at least one decision, in the order of the message."""

    id: str
    lang: str
    decisions: tuple[Decision, ...]
    next: tuple[FollowUp, ...] | UnsetType = UNSET


def composition_status(decision: Decision) -> CompositionStatus:
    """A decision as a status for the program that proposed a call: completed, to be clarified, or failed."""
    match decision:
        case Call():
            return "completed"
        case Clarify(reason="not_found", options=()) | Nothing():
            return "failed"
        case _:
            return "needs_clarification"
