"""Completes decisions: values that a word implies, options in the order of preference, and what may be wanted next.

"remind me on friday to water the plants" asks for a reminder as well as for a task due on Friday. The pack says which
class of words gives which value (`worded` of a parameter). A choice of the user lifts its option by at most a tenth:
it orders the options and decides nothing. A follow-up never runs automatically.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from sayso.case import Preference
from sayso.decision import Call, Clarify, Confirm, Decision, Evidence, FollowUp, Option, Span
from sayso.engine.decide.room import Room
from sayso.engine.grammar.pack import Following, Worded
from sayso.engine.linking.index import EntityIndex
from sayso.engine.linking.inventory import Part

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def with_worded(room: Room, decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions, with the values that the words around each of them give."""
    spans = [_spans(one) for one in decisions]
    found: list[Decision] = []
    for at, decision in enumerate(decisions):
        own = set(spans[at])  # a value that was said for several is said for each
        start = max((span[1] for span in spans[at - 1] if span not in own), default=0) if at else 0
        after = [span for span in spans[at + 1] if span not in own] if at + 1 < len(spans) else []
        end = min((first for first, _ in after), default=len(room.sheet.text.message))
        found.append(_worded(room, decision, start, end, found[-1] if found else None))
    return found


def _worded(room: Room, decision: Decision, start: int, end: int, before: Decision | None) -> Decision:
    tool = room.grammar.pack.tools.get(decision.tool or "") if isinstance(decision, Call | Confirm) else None
    if tool is None or not isinstance(decision, Call | Confirm):
        return decision
    for name, param in tool.params.items():
        worded = param.worded
        if worded is None or name in decision.arguments:
            continue
        proof = _proof(room, decision, worded, start, end) or _inherited(room, decision, name, worded, before)
        if proof is not None:
            arguments = {**decision.arguments, name: worded.value}
            decision = replace(decision, arguments=arguments, evidence={**decision.evidence, name: proof})
    return decision


def _proof(room: Room, decision: Call | Confirm, worded: Worded, start: int, end: int) -> Evidence | None:
    """Where the value is said, if it is, outside the values of the decision."""
    if not _is_day(decision, worded) or worded.by not in room.grammar.cls:
        return None
    sheet, taken = room.sheet, _spans(decision)
    for at, word in enumerate(sheet.words):
        if start <= word.start < end and not any(first <= word.start < last for first, last in taken):
            last = sheet.has(at, worded.by)
            if last:
                return Evidence(source="message", span=(word.start, sheet.words[last - 1].end))
    return None


def _inherited(
    room: Room, decision: Call | Confirm, name: str, worded: Worded, before: Decision | None
) -> Evidence | None:
    """Where the value was said for the thing before, if one command covers both."""
    if not isinstance(before, Call | Confirm) or before.tool != decision.tool or not _is_day(decision, worded):
        return None
    said, own = before.evidence.get(name), _spans(decision)
    if before.arguments.get(name) != worded.value or said is None or said.span is UNSET or not own:
        return None
    words, first = room.sheet.words, min(start for start, _ in own)
    between = (at for at, word in enumerate(words) if said.span[1] <= word.start < first)
    return None if any(map(room.sheet.commands, between)) else said


def _is_day(decision: Call | Confirm, worded: Worded) -> bool:
    """Whether a value that requires a date without a time has one."""
    beside = decision.arguments.get(worded.beside)
    return isinstance(beside, str) and _DAY.fullmatch(beside) is not None


def _spans(decision: Decision) -> list[Span]:
    evidence = decision.evidence.values() if isinstance(decision, Call | Confirm) else ()
    return [one.span for one in evidence if one.span is not UNSET]


_MOST = 0.1
_EACH = 0.025  # four choices count in full


def preferred(
    decision: Decision, preferences: Sequence[Preference], said: Sequence[str], index: EntityIndex
) -> Decision:
    """The question with earlier choices in front; `said` are the stems of the message."""
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


_MOST_FOLLOW_UPS = 3


def follow_ups(room: Room, decisions: Sequence[Decision]) -> tuple[FollowUp, ...]:
    """The follow-ups that the pack gives for the last decision, if that is a call."""
    last = decisions[-1] if decisions else None
    if not isinstance(last, Call):
        return ()
    offers = (one for rule in room.grammar.pack.tools[last.tool].next for one in _offers(room, last, rule))
    return tuple(islice(offers, _MOST_FOLLOW_UPS))


def _offers(room: Room, call: Call, rule: Following) -> Iterator[FollowUp]:
    label = room.grammar.book.say.next.get(f"{call.tool}.{rule.tool}")
    kept = {name: call.arguments[name] for name in rule.keep if name in call.arguments}
    if label is None or len(kept) < len(rule.keep):
        return
    arguments = {**kept, **rule.set}
    target = next((value for value in kept.values() if isinstance(value, str)), "")
    name = room.voice.label(target)
    if not rule.part:
        yield FollowUp(label=label.format(label=name), tool=rule.tool, arguments=arguments)
        return
    key = _part_param(room, rule)
    for part in _valued_parts(room, rule.part, target) if key is not None else ():
        shown = label.format(label=name, part=part.label)
        yield FollowUp(label=shown, tool=rule.tool, arguments={**arguments, str(key): part.id})


def _part_param(room: Room, rule: Following) -> str | None:
    """The parameter of the tool that takes such a part."""
    slots, params = room.grammar.pack.slots, room.grammar.pack.tools[rule.tool].params
    return next((key for key, one in params.items() if one.slot and slots[one.slot].of == rule.part), None)


def _valued_parts(room: Room, kind: str, target: str) -> Iterator[Part]:
    """The parts of a thing that take a value."""
    things = room.scene.inventory.stock.things(kind, ())
    return (part for thing in things if thing.id == target for part in thing.parts if part.valued)
