"""Compares the rules with the learned reader for items with parts, such as machines.

The names of the parts tell the rules what can be done. Their call runs, unless the reader says that the message means
nothing, another action or another thing.
"""

from __future__ import annotations

from collections.abc import Container

from sayso.decision import Call, Clarify, Decision, Nothing
from sayso.engine.decide.room import Room
from sayso.engine.reader.compare import (
    Agreement,
    Trust,
    as_question,
    differ,
    is_lacking,
    is_reserved,
    is_same,
    is_same_tool,
    is_silent,
    only_asks,
    several,
    shared,
    target,
)
from sayso.engine.reader.doubts import left_beside, writes
from sayso.engine.reader.read import NOTHING, Draft, Prediction


def weigh_parts(
    room: Room,
    rules: list[Decision],
    predictions: tuple[Prediction, ...],
    drafts: tuple[Draft | None, ...],
    trust: Trust,
    *,
    known: bool,
) -> tuple[Agreement, list[Decision]]:
    """Combines the decisions of the rules and the reader for things with parts."""
    silent = is_silent(rules)
    if len(predictions) == 1 and len(rules) == 1:
        prediction, found = predictions[0], drafts[0]
        if silent:
            return _alone_on_parts(room, rules, prediction, found, trust, known=known)
        if prediction.act == NOTHING:
            return _denied(room, rules[0], prediction, trust)
        return _both_on_parts(room, rules[0], prediction, found, trust)
    if len(predictions) > 1 and (silent or len(rules) == 1):
        return several(room, rules, drafts, trust, silent=silent)
    if all(one.act == NOTHING and one.chance >= trust.doubt for one in predictions):
        return "differ", [as_question(room, one) for one in rules]
    return _one_of_several(room, rules, predictions, drafts, trust)


def _alone_on_parts(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft | None, trust: Trust, *, known: bool
) -> tuple[Agreement, list[Decision]]:
    """The rules find nothing: a reading runs if the reader is sure of it, and Sayso asks about a likely command."""
    if found is None:
        return ("agree" if prediction.act == NOTHING else "rules alone"), rules
    if known or only_asks(room, prediction) or is_reserved(room, prediction):
        return "rules alone", rules
    changing = [writes(room, one) for one in found.decisions]
    if any(changing) and left_beside(room, found.decisions):
        return "rules alone", rules  # "close it when the sun sets": a question about the rest would be another one
    whole = all(changing) and not is_lacking(found.decisions)
    likely = whole and prediction.chance >= trust.act and found.chance >= trust.ask
    if likely or prediction.chance >= trust.write:
        return "reader alone", [as_question(room, one) for one in found.decisions]
    return "rules alone", rules


def _denied(room: Room, one: Decision, prediction: Prediction, trust: Trust) -> tuple[Agreement, list[Decision]]:
    """The reader finds no request: Sayso asks about a command, and drops it only if the reader is certain."""
    commands = writes(room, one) and not isinstance(one, Clarify)
    if prediction.chance >= (trust.silence if commands else trust.doubt):
        return "differ", [room.voice.nothing("out_of_scope", prediction.chance)]
    return ("differ", [as_question(room, one)]) if prediction.chance >= trust.doubt else ("rules alone", [one])


def _both_on_parts(
    room: Room, one: Decision, prediction: Prediction, found: Draft | None, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """Both name a tool for one clause."""
    same = is_same_tool([one], prediction)
    if not same and prediction.chance < trust.testify:
        return "rules alone", [one]
    if found is None or len(found.decisions) > 1:
        return _by_tool(room, one, same=same)
    (other,) = found.decisions
    if is_same(one, other):
        return "agree", [one]
    if isinstance(one, Clarify) and not isinstance(other, Clarify):
        return _completed(room, one, prediction, found, trust)
    if isinstance(other, Clarify) or (writes(room, one) and not writes(room, other)):
        return _by_tool(room, one, same=same)
    if same and found.chance < trust.doubt:
        return "rules alone", [one]
    return differ(room, [one], prediction, found, trust)


def _by_tool(room: Room, one: Decision, *, same: bool) -> tuple[Agreement, list[Decision]]:
    """The decision of the rules, as a question if the reader names another tool."""
    return ("agree", [one]) if same else ("differ", [as_question(room, one)])


def _completed(
    room: Room, asked: Clarify, prediction: Prediction, found: Draft, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """The reader has what the rules ask for: a matching reading runs, and Sayso asks about a likely command."""
    (other,) = found.decisions
    if isinstance(other, Nothing):
        return "rules alone", [asked]
    fits = all(other.arguments.get(name) == value for name, value in asked.arguments.items())
    if fits and not writes(room, other):
        return "reader alone", [other]
    if found.chance < trust.doubt or is_reserved(room, prediction):
        return "rules alone", [asked]
    return "differ", [as_question(room, other)]


def _one_of_several(
    room: Room,
    rules: list[Decision],
    predictions: tuple[Prediction, ...],
    drafts: tuple[Draft | None, ...],
    trust: Trust,
) -> tuple[Agreement, list[Decision]]:
    """The one decision of the rules that the reader shares, if all others are questions or reads about its thing."""
    found = drafts[0] if len(drafts) == 1 else None
    if found is None or predictions[0].chance < trust.act:
        return "rules alone", rules
    same = shared(rules, found)
    others = [one for one in rules if one not in same]
    about = {target(one) for one in same}
    return ("agree", same) if same and all(_is_slight(room, one, about) for one in others) else ("rules alone", rules)


def _is_slight(room: Room, one: Decision, about: Container[str | None]) -> bool:
    """Whether it is a question, or only reads the thing of another decision."""
    return isinstance(one, Clarify) or (_looks(room, one) and target(one) in about)


def _looks(room: Room, decision: Decision) -> bool:
    """Whether a decision only reads a thing, and no particular part."""
    if not isinstance(decision, Call) or writes(room, decision):
        return False
    parts = room.grammar.pack.params_for(decision.tool, "part")
    return bool(parts) and not any(name in decision.arguments for name in parts)
