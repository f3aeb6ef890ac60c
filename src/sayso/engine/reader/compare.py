"""Compares the results of the rules and the learned reader, and turns a write that may be wrong into a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UnsetType

from sayso.decision import Call, Clarify, Confirm, Decision, Nothing, Span
from sayso.engine.decide.merge import joined
from sayso.engine.decide.room import Room
from sayso.engine.grammar.moods import moods
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.reader.doubts import has_other_date, left_over, writes
from sayso.engine.reader.read import Draft, Prediction
from sayso.engine.values.when import When

Agreement = Literal["agree", "rules alone", "reader alone", "differ", "no reader"]
_SUBJECT = 5  # words at the beginning of a question that contain its subject
_ASKING = frozenset({"question", "hypothetical"})
_RESERVING = ("negation", "reported", "condition", "unreal", "others_word")
_EDGES = re.compile(r"^\W+|\W+$")


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Probability thresholds for the learned reader, chosen on untuned first runs."""

    write: float = 0.9  # without the rules, a write runs from here
    act: float = 0.6  # without the rules, the reader counts only if the act is at least this likely
    read: float = 0.2  # without the rules, a read runs from here: a wrong one does no harm
    ask: float = 0.25  # without the rules, Sayso asks about a write from here
    hint: float = 0.1  # the same if the act is sure and only its values are not
    destroy: float = 0.75  # without the rules, Sayso asks about a destructive call from here
    plain: float = 0.95  # the rules win against an unsure reader if they are at least this sure
    silence: float = 0.9  # the rules' write is dropped if the reader is this sure that nothing is asked for
    doubt: float = 0.5  # and Sayso asks about it from here
    likelier: float = 0.8  # if both differ, Sayso asks about the reader's version from here
    allow: float = 0.05  # an explicit command to add an item runs if the reader gives it at least this
    testify: float = 0.9  # below this the reader counts as silent if the rules have a call


# For things with parts, chosen on the batches that are kept out of training: the rules are right more often there.
PARTS = Trust(write=0.97, act=0.85, silence=0.99, doubt=0.9, likelier=0.9, testify=0.95)


def is_mild(room: Room, asked: Call | Confirm) -> bool:
    """Whether a decision is only about mild values."""
    params = room.grammar.pack.tools[asked.tool].params
    values = set(asked.arguments) - {room.grammar.pack.target_param(asked.tool)}
    return bool(values) and all(params[name].mild for name in values)


def is_silent(rules: Sequence[Decision]) -> bool:
    return all(isinstance(one, Nothing) for one in rules)


def is_lacking(decisions: Iterable[Decision]) -> bool:
    """Whether one of them asks for a missing value."""
    return any(isinstance(one, Clarify) for one in decisions)


def is_same_tool(rules: Iterable[Decision], prediction: Prediction) -> bool:
    """Whether all decisions of the rules are for the tool that the reader names."""
    return all(not isinstance(one, Nothing) and one.tool == prediction.act for one in rules)


def _changes(room: Room, decision: Decision) -> bool:
    """Whether a decision would change one of the user's things."""
    target = None if isinstance(decision, Nothing) else room.grammar.pack.target_param(decision.tool)
    return isinstance(decision, Call) and target is not None and writes(room, decision)


def several(
    room: Room, rules: list[Decision], drafts: Sequence[Draft | None], trust: Trust, *, silent: bool
) -> tuple[Agreement, list[Decision]]:
    """Several clauses: the rules are better at them. The reader decides only if the rules find nothing."""
    known = _found(drafts)
    learned = joined(room, [decision for one in known for decision in one.decisions])
    if silent:
        sure = None not in drafts and _are_likely(known, trust)
        return ("reader alone", as_questions(room, learned)) if sure else ("rules alone", rules)
    if len(rules) == 1 and among(rules[0], learned):
        return "agree", [one if among(one, rules) else as_question(room, one) for one in learned]
    if len(rules) == 1 and (more := _with_more(room, rules[0], known, learned, trust)) is not None:
        others = [one for one in learned if target(one) != target(more)]
        return "differ", as_questions(room, [more, *others])
    return ("agree" if are_among(rules, learned) else "rules alone"), _milder(room, rules, known, trust)


def _with_more(
    room: Room, rule: Decision, drafts: Sequence[Draft], learned: Sequence[Decision], trust: Trust
) -> Call | None:
    """The change that the rules found, with other values for the same thing that the reader finds."""
    if not isinstance(rule, Call):
        return None
    for one in learned:
        if isinstance(one, Call) and one.tool == rule.tool and rule.arguments.items() < one.arguments.items():
            return one
    for found in drafts:
        both = joined(room, [*found.decisions, rule]) if found.chance >= trust.ask else []
        if found.prediction.chance >= trust.testify and len(both) == 1 and isinstance(both[0], Call):
            return both[0]
    return None


def _milder(room: Room, rules: list[Decision], drafts: Sequence[Draft], trust: Trust) -> list[Decision]:
    """The decisions of the rules. Instead of destroying their one thing, Sayso changes it, if the reader is sure of
    that: "bibs washed and pitch booked" does not pitch anything out."""
    tools = room.grammar.pack.tools
    destroying = [one for one in rules if not isinstance(one, Nothing) and one.tool and _destroys(room, one.tool)]
    if len(destroying) != 1 or len(rules) < 2:
        return rules
    for found in drafts:
        one = found.decisions[0] if len(found.decisions) == 1 else None
        milder = isinstance(one, Call) and tools[one.tool].risk == "write" and target(one) == target(destroying[0])
        if one is not None and milder and found.prediction.chance >= trust.testify:
            return [as_question(room, one) if rule is destroying[0] else rule for rule in rules]
    return rules


def _destroys(room: Room, tool: str) -> bool:
    return room.grammar.pack.tools[tool].risk == "destructive"


def _are_likely(drafts: Sequence[Draft], trust: Trust) -> bool:
    return bool(drafts) and min(one.prediction.chance for one in drafts) >= trust.act


def are_among(some: Iterable[Decision], others: list[Decision]) -> bool:
    return all(among(one, others) for one in some)


def target(decision: Decision) -> Any:
    """The value of the first argument of a decision: the thing it is about."""
    return None if isinstance(decision, Nothing) else next(iter(decision.arguments.values()), None)


def _found(drafts: Sequence[Draft | None]) -> list[Draft]:
    """The drafts without those whose thing does not exist, if other drafts have one: the former are likely remarks."""
    known = [one for one in drafts if one is not None]
    return [one for one in known if not is_lacking(one.decisions)] or known


def shared(rules: Sequence[Decision], found: Draft) -> list[Decision]:
    """The decisions that the rules and the reader share."""
    return [one for one in rules if among(one, found.decisions)]


def only_asks(room: Room, prediction: Prediction) -> bool:
    """Whether a write would result from a question about oneself: "should I add …?", "what happens if I delete …?"."""
    if room.grammar.pack.tools[prediction.act].risk == "read":
        return False
    found = moods(room.sheet.over(prediction))
    asking = [mood for mood in found if mood.name in _ASKING]
    if not asking or any(mood.name == "request" for mood in found):
        return False
    places = range(asking[0].start, min(asking[0].start + _SUBJECT, prediction.end))
    return asking[0].name == "hypothetical" or room.sheet.first(places, "first") is not None


def asks(room: Room, prediction: Prediction) -> bool:
    """Whether a clause ends with a question mark."""
    return room.sheet.lows[prediction.end - 1] == "?"


def is_reserved(room: Room, prediction: Prediction) -> bool:
    """Whether a write is denied, reported or conditional, by a word that is not in one of its values."""
    if room.grammar.pack.tools[prediction.act].risk == "read":
        return False
    inside = {at for value in prediction.values for at in range(value.first, value.last)}
    outside = (at for at in range(prediction.start, prediction.end) if at not in inside)
    return room.sheet.first(outside, *_RESERVING) is not None


def any_writes(room: Room, decisions: Iterable[Decision]) -> bool:
    return any(writes(room, one) for one in decisions)


def on_the_same(room: Room, rules: Sequence[Decision], learned: Sequence[Decision]) -> bool:
    """Whether both would change the same things."""
    about = [{target(one) for one in each} for each in (rules, learned)]
    return about[0] == about[1] and all(_changes(room, one) for one in rules)


def differ(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """Both have a complete call, and the calls differ. For a read, the likelier one runs; for a write, Sayso asks."""
    changes = any_writes(room, rules)
    if _destroys_more(room, rules, found):
        return "differ", as_questions(room, rules)
    if not changes and (only_asks(room, prediction) or asks(room, prediction)):
        return "rules alone", rules  # a question never writes
    same = is_same_tool(rules, prediction)
    likelier = found.chance >= trust.likelier or (not same and is_likelier(prediction, found, trust))
    likelier = likelier or _has_use_for_date(room, rules, prediction, found, trust)
    doubted = same and (
        _only_reader_asks(rules, found) or _cuts_name(room, rules, found) or _hides_group(room, rules, found)
    )
    better = list(found.decisions) if likelier and not doubted else rules
    if changes or any_writes(room, found.decisions):
        return "differ", as_questions(room, better)
    return "differ", rules if any(map(leans, rules)) else better


def differ_in_direction(room: Room, rules: Sequence[Decision], learned: Sequence[Decision]) -> bool:
    """Whether both move one thing by the same duration. Only the rules read the direction: "forward by a day"."""
    if len(rules) != 1 or len(learned) != 1:
        return False
    one, other = rules[0], learned[0]
    if not isinstance(one, Call | Confirm) or not isinstance(other, Call | Confirm) or one.tool != other.tool:
        return False
    names = one.arguments.keys()
    apart = [name for name in names if not equal(one.arguments[name], other.arguments.get(name))]
    if names != other.arguments.keys() or not apart or not set(apart) <= one.evidence.keys() & other.evidence.keys():
        return False
    return all(_is_length(room, {each.evidence[name].span for each in (one, other)}) for name in apart)


def _is_length(room: Room, spans: Collection[Span | UnsetType]) -> bool:
    """Whether all these spans are one duration."""
    lengths = (one for one in room.sheet.whole.chunks if isinstance(one.value, When) and one.value.shift is not None)
    return len(spans) == 1 and any(Stretch(room.sheet, one.core, one.end).span in spans for one in lengths)


def _has_use_for_date(
    room: Room, rules: Sequence[Decision], prediction: Prediction, found: Draft, trust: Trust
) -> bool:
    """Whether the reader is sure of the act, and uses a date that the rules leave out, about the same thing: "the
    fitting is moved to 10:30" does not say that the fitting is done."""
    about = [{target(one) for one in each} for each in (rules, found.decisions)]
    if prediction.chance < trust.plain or about[0] != about[1]:
        return False
    return has_other_date(room, rules) and not has_other_date(room, found.decisions)


def _only_reader_asks(rules: Iterable[Decision], found: Draft) -> bool:
    """Whether the reader would only ask, for example about a list that does not exist, and the rules have calls."""
    doubtful = any(isinstance(one, Confirm) and one.reason == "uncertain" for one in found.decisions)
    return doubtful and all(isinstance(one, Call) for one in rules)


def _cuts_name(room: Room, rules: Sequence[Decision], found: Draft) -> bool:
    """Whether the reader's name for a new thing ends before that of the rules: "ring Ed tonight about lifts"."""
    naming = room.grammar.pack.naming_param(found.prediction.act)
    if naming is None or len(rules) != 1 or len(found.decisions) != 1:
        return False
    long, short = (folded(str(getattr(one, "arguments", {}).get(naming, ""))) for one in (rules[0], found.decisions[0]))
    return bool(short) and long.startswith(f"{short} ") and bool(left_over(room, found.decisions))


def _hides_group(room: Room, rules: Sequence[Decision], found: Draft) -> bool:
    """Whether the rules put a new thing into an existing group, and the reader reads the group's name as other words:
    "add bread to groceries"."""
    pack, act = room.grammar.pack, found.prediction.act
    slots = {name: pack.slots[one.slot] for name, one in pack.params_of(act).items() if one.slot}
    groups = {name: slot.of for name, slot in slots.items() if slot.type == "shared"}
    if pack.naming_param(act) is None or len(rules) != 1 or len(found.decisions) != 1:
        return False
    own, other = (getattr(one, "arguments", {}) for one in (rules[0], found.decisions[0]))
    return any(
        own.get(name) is not None
        and other.get(name) is None
        and str(own[name]).casefold() in room.scene.things.shared(field)
        for name, field in groups.items()
    )


def _destroys_more(room: Room, rules: Sequence[Decision], found: Draft) -> bool:
    """Whether the rules change a mild value of the thing that the reader would destroy: "delete the reminder of the
    call" names a value by its own word, and the reader has no such word."""
    tools = room.grammar.pack.tools
    wiped = tools[found.prediction.act].risk == "destructive"
    mild = all(isinstance(one, Call) and is_mild(room, one) for one in rules)
    return wiped and mild and on_the_same(room, rules, found.decisions)


def is_likelier(prediction: Prediction, found: Draft, trust: Trust) -> bool:
    """Whether the reader is believed although the rules have another tool."""
    return prediction.chance >= trust.plain and found.chance >= trust.doubt


def among(decision: Decision, others: Sequence[Decision]) -> bool:
    return any(is_same(decision, other) for other in others)


def leans(decision: Decision) -> bool:
    """Whether a decision takes a value from an earlier turn, as a follow-up to a list does."""
    return isinstance(decision, Call) and any(one.source == "history" for one in decision.evidence.values())


def is_same(one: Decision, other: Decision) -> bool:
    """Whether two decisions would call the same tool with the same arguments."""
    if isinstance(one, Nothing) or isinstance(other, Nothing):
        return isinstance(one, Nothing) and isinstance(other, Nothing)
    if one.tool != other.tool:
        return False
    if isinstance(one, Clarify) or isinstance(other, Clarify):
        return isinstance(one, Clarify) and isinstance(other, Clarify)
    names = {*one.arguments, *other.arguments}
    return all(equal(one.arguments.get(name), other.arguments.get(name)) for name in names)


def equal(one: Any, other: Any) -> bool:
    """Whether two values mean the same. A note that is appended to another counts as the words of the new note."""
    if isinstance(one, str) and isinstance(other, str):
        return folded(one) == folded(other) or one.endswith(f"\n{other}")
    return bool(one == other)


def folded(value: str) -> str:
    """A text without irrelevant differences: case, spaces, and marks and emoji around it."""
    return _EDGES.sub("", " ".join(value.casefold().split()))


def as_questions(room: Room, decisions: Iterable[Decision]) -> list[Decision]:
    return [as_question(room, one) for one in decisions]


def as_question(room: Room, decision: Decision) -> Decision:
    """A write that may be wrong, as a question; any other decision unchanged."""
    if not isinstance(decision, Call) or not writes(room, decision):
        return decision
    target = room.grammar.pack.target_param(decision.tool)
    thing = decision.arguments.get(target) if target is not None else None
    return room.voice.confirm(
        decision.tool, decision.arguments, decision.evidence, min(decision.confidence, 0.8), "uncertain", thing
    )
