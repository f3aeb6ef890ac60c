"""Puts what this person chose before first when they are asked again.

A choice lifts its option by at most a tenth. It orders what is offered; it settles nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sayso.case import Preference
from sayso.decision import Clarify, Decision, Option
from sayso.engine.linking.index import EntityIndex

_MOST = 0.1
_EACH = 0.025  # four choices count in full


def preferred(
    decision: Decision, preferences: Sequence[Preference], said: Sequence[str], index: EntityIndex
) -> Decision:
    """The question with what was chosen before in front; `said` are the stems of the message."""
    if not isinstance(decision, Clarify) or decision.reason != "ambiguous" or not preferences:
        return decision
    spoken = frozenset(said)
    lifts = {
        one.chose: min(_MOST, _EACH * max(one.times, 0))
        for one in preferences
        if (stems := frozenset(index.telling(index.stems_of(one.said)))) and stems <= spoken
    }
    options = [_lifted(option, lifts) for option in decision.options]
    options.sort(key=lambda option: -option.confidence)
    confidence = max((option.confidence for option in options), default=decision.confidence)
    return msgspec.structs.replace(decision, options=tuple(options), confidence=confidence)


def _lifted(option: Option, lifts: dict[str, float]) -> Option:
    lift = max((lifts.get(value, 0.0) for value in option.arguments.values() if isinstance(value, str)), default=0.0)
    return msgspec.structs.replace(option, confidence=round(min(option.confidence + lift, 0.99), 3))
