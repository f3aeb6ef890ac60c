"""Turns what a clause asks for into a decision, by risk and confidence.

A read runs when it is likely; a write when the person said it all; what cannot be taken back is always asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sayso.decision import Call, ClarifyReason, Decision, Evidence, Option
from sayso.engine.clauses.detect import Sense, confidence
from sayso.engine.decide.trained import MOST_LITERAL, Gate
from sayso.engine.decide.wording import Voice
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.pack import Act, Tool
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.grammar.target import Target
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.link import link
from sayso.engine.repeats.repeats import Lead, Repeat
from sayso.engine.slots.arguments import fill
from sayso.engine.slots.doubt import doubtful
from sayso.engine.slots.extract import Reading
from sayso.engine.slots.several import days_of, deeds_of, each_of
from sayso.engine.slots.validate import faults, suited
from sayso.engine.text.tokens import Token

if TYPE_CHECKING:
    from sayso.engine.linking.inventory import Part

_VOUCHED = 0.8  # the least that is believed of a text that is plainly a thing to do
_DOUBTED = 0.8  # how sure we are at most of a text that may hold more than a text


class Thresholds(NamedTuple):
    """Below `act` we ask; below `inferred` what we filled in is confirmed first.

    Below `about` what was said is not about our things at all. Of several at most `options` are offered. Without
    `compose` a proposed call is not looked at, without `reader` the rules decide alone: to test a pack's sentences.
    """

    act: float = 0.7
    inferred: float = 0.9
    about: float = 0.02
    options: int = 5
    compose: bool = True
    reader: bool = True


class Room(NamedTuple):
    """All that deciding needs beside the sense: the grammar, the message, the scene, the clock, the voice."""

    grammar: Grammar
    sheet: Sheet
    scene: Scene
    now: datetime
    voice: Voice
    thresholds: Thresholds
    gate: Gate | None
    clause: tuple[int, int]  # the words that are being decided on


class Plan(NamedTuple):
    """A call that is complete, before anyone asked whether it may run."""

    tool: str
    arguments: dict[str, Any]
    evidence: dict[str, Evidence]
    confidence: float
    inferred: bool
    target: str | None
    note: str = ""  # selects the text of the question: a parameter, optionally with a suffix


def decide(room: Room, sense: Sense, base: dict[str, Any] | None = None) -> list[Decision]:
    """The decisions that one sense comes to: one, or one for each thing it is about."""
    reading = sense.reading
    act = room.grammar.pack.acts[reading.act]
    sure = confidence(act, sense)
    if act.tool is None:
        return [room.voice.nothing(act.reason, sure, reading.act)]
    if room.gate is not None and on_words_alone(act, reading):
        belief = believed(room.gate, room.sheet, room.clause, reading)
        if belief < room.thresholds.about and not act.brief:
            return [room.voice.nothing("out_of_scope", round(1 - belief, 3))]
        sure = _doubted(room, act, sure, round(belief, 3))
    target = reading.target
    if target is not None and target.problem is not None and reading.target_param is not None:
        if target.problem in ("bulk", "not_found") and (found := _described(room, reading, act.tool, sure)):
            return found
        return [_unresolved(room, reading, act.tool, target, sure)]
    if reading.target_param is None and target is not None:
        return [_about(room, reading, act.tool, target, sure)]
    if act.each is not None:
        parts = each_of(room.sheet, reading)
        asked = [name for name, one in room.grammar.pack.tools[act.tool].params.items() if one.slot == act.each]
        calls = [one for part in parts for one in _calls(room, part, act.tool, sure, base)]
        return calls or [room.voice.missing(act.tool, {}, asked, sure)]
    return _deeds(room, reading, act, sure) or _calls(room, reading, act.tool, sure, base)


def _described(room: Room, reading: Reading, tool: str, sure: float) -> list[Decision]:
    from sayso.engine.decide.described import described  # noqa: PLC0415  few messages mean several things by a description

    return described(room, reading, tool, max(sure, room.thresholds.act))


def _deeds(room: Room, reading: Reading, act: Act, sure: float) -> list[Decision]:
    """A call for each thing to do that was named, where all of them run at once; nobody is asked six questions. Of
    what is only looked at, one for each day."""
    grammar, sheet, texts = room.grammar, room.sheet, reading.texts.values()
    if act.tool is not None and grammar.pack.tools[act.tool].risk == "read":
        return [one for part in days_of(sheet, reading) for one in _calls(room, part, act.tool, sure, None)]
    unsure = act.inferred or any(doubtful(sheet, act.tool or "", one, reading.chunks) for one in texts)
    parts = deeds_of(sheet, reading) if not unsure else []
    found = [one for part in parts for one in _calls(room, part, act.tool or "", sure, None)]
    return found if all(isinstance(one, Call) for one in found) else []


def _calls(room: Room, reading: Reading, tool: str, sure: float, base: dict[str, Any] | None) -> list[Decision]:
    """The calls of a reading that lacks no thing: one for each that it is about."""
    act = room.grammar.pack.acts[reading.act]
    target, texts = reading.target, reading.texts.values()
    unsure = any(doubtful(room.sheet, tool, piece, reading.chunks) for piece in texts)
    note = _unsure_repeat(room, tool, reading)
    unsure = unsure or bool(note) or _unsure_group(room, reading)
    sure = min(sure, _DOUBTED) if unsure else sure
    ids: tuple[str | None, ...] = target.ids if target is not None else (None,)
    found: list[Decision] = []
    for identifier in ids or (None,):
        arguments, evidence = _complete(room, reading, identifier)
        evidence = {**{name: Evidence(source="history") for name in base or {}}, **evidence}
        arguments = {**(base or {}), **arguments}
        part = target is not None and identifier is not None and _names_part(room, target, identifier)
        doubt = unsure or part
        held = min(sure, _DOUBTED) if part else sure
        plan = Plan(tool, arguments, evidence, held, act.inferred or doubt, identifier, note)
        found.append(settle(room, plan, act.asks))
    param = reading.target_param or ""
    lost = target.lost if target is not None and param else ()
    return [*found, *(room.voice.which(tool, {}, param, (), "not_found", said) for said in lost)]


def _unsure_repeat(room: Room, tool: str, reading: Reading) -> str:
    """The note for a question about the repeat, or "" if none is needed.

    A question is needed if a text still contains a repeat that cannot be expressed ("every time it rains"), or if the
    words of the repeat may also mean a single date.
    """
    repeats, slots = room.grammar.repeats, room.grammar.pack.slots
    params = room.grammar.pack.tools[tool].params.items()
    name = next((name for name, one in params if one.slot and slots[one.slot].type == "repeat"), "")
    free = {slot: one for slot, one in reading.texts.items() if not one.quoted and not slots[slot].verbatim}
    pieces = [one for one in free.values() if one.first < one.last]
    if repeats is None or not name or not pieces:
        return ""
    if any(isinstance(one.value, Repeat) and not one.value.sure for one in reading.chunks):
        return f"{name}.perhaps"
    read = {at for one in reading.chunks for at in range(one.start, one.end)}
    hints = [hint for hint in repeats.hints(room.sheet.lows, room.now) if read.isdisjoint(range(*hint))]
    return name if any(a < one.last and one.first < b for a, b in hints for one in pieces) else ""


def _unsure_group(room: Room, reading: Reading) -> bool:
    """Whether the group is uncertain: several are named, or one without its noun ("add drive to work", where a list
    "work" exists)."""
    named = [chunk for chunk in reading.chunks if chunk.slot in room.grammar.shared]
    if not named:
        return False
    places = range(*room.clause)
    chunks = (one for at in places for one in room.sheet.chunks.get(at, ()) if one.slot == named[0].slot)
    told = {one.value for one in chunks if one.strong}
    return len(told) > 1 or (reading.target is None and any(chunk.cost for chunk in named))


def _names_part(room: Room, target: Target, identifier: str) -> bool:
    """ "the eggs are done", of a task "milk, eggs and bread": one part of it was named, and all of it would change."""
    from sayso.engine.decide.described import is_portion  # noqa: PLC0415  only what touches a thing waits for it

    return is_portion(room.sheet, target, room.voice.label(identifier))


def _doubted(room: Room, act: Act, sure: float, belief: float) -> float:
    """A read does no harm, a hint is confirmed in any case; a command that may be meant for others is asked about."""
    harmless = act.inferred or act.tool is None or room.grammar.pack.tools[act.tool].risk == "read"
    return min(sure, max(belief, room.thresholds.act) if harmless else belief)


def believed(gate: Gate, sheet: Sheet, clause: tuple[int, int], reading: Reading) -> float:
    """How likely the clause, or the message that it is part of, is for us."""
    words, literal = sheet.words, reading.match.literal
    repeats = any(isinstance(chunk.value, Repeat) for chunk in reading.chunks)
    tokens = _beside_values(sheet, reading)
    vouched = bool(literal or repeats) and any(sheet.vouches(one.first) for one in reading.texts.values())
    literal += MOST_LITERAL * vouched  # what is to be written down is a thing to do
    first, last = clause
    whole = max(gate.belief(tokens, literal), _VOUCHED * vouched)
    if last - first >= len(words):
        return whole
    start, end = words[first].start, words[last - 1].end
    return max(whole, gate.belief([token for token in tokens if start <= token.start and token.end <= end], literal))


def _beside_values(sheet: Sheet, reading: Reading) -> Sequence[Token]:
    """The tokens without repeats and lead times, which do not tell what a message is about."""
    told = [chunk for chunk in reading.chunks if isinstance(chunk.value, Repeat | Lead)]
    if not told:
        return sheet.text.tokens
    spans = [(sheet.words[chunk.start].start, sheet.words[chunk.end - 1].end) for chunk in told]
    return [one for one in sheet.text.tokens if not any(a <= one.start and one.end <= b for a, b in spans)]


def on_words_alone(act: Act, reading: Reading) -> bool:
    """Whether nothing but the words speaks for a reading: no thing of the person's, nothing said or done before."""
    found = reading.target is not None and (reading.target.ids or reading.target.pronoun)
    return not (found or act.narrows or act.again or act.previous or act.after)


def settle(room: Room, plan: Plan, asks: tuple[str, ...] = ()) -> Decision:
    """A plan checked against the tool's schema, its risk and our confidence."""
    tool = room.grammar.pack.tools[plan.tool]
    plan = plan._replace(arguments={name: _as_wanted(tool, name, value) for name, value in plan.arguments.items()})
    wrong = faults(tool, plan.arguments)
    invalid = [name for name, fault in wrong.items() if fault == "invalid"]
    if invalid:
        kept = {name: value for name, value in plan.arguments.items() if name not in invalid}
        return room.voice.invalid(plan.tool, kept, invalid[0], plan.confidence)
    missing = [name for name in wrong if name in asks] or list(wrong)
    if missing:
        return room.voice.missing(plan.tool, plan.arguments, missing, plan.confidence, plan.target)
    arguments, evidence, sure = plan.arguments, plan.evidence, plan.confidence
    takes_part, part = part_of(room, tool, arguments)
    value = _value_of(room, tool) if part is not None and part.valued else None
    if value is not None and arguments.get(value) is None:
        return room.voice.missing(plan.tool, arguments, [value], sure, plan.target)
    label = f"{room.voice.label(plan.target)}: {part.label}" if part is not None and plan.target else ""
    if sure < room.thresholds.act:
        question = room.voice.confirm(plan.tool, arguments, evidence, sure, "uncertain", plan.target, label).question
        return room.voice.unsure(Option(label=question, tool=plan.tool, arguments=arguments, confidence=sure), sure)
    group = _new_group(room, tool, plan)
    if group is not None and tool.risk == "read":
        return _no_such_group(room, plan, group)
    unknown = takes_part and part is None  # what a thing does not have is not run unasked
    if tool.risk == "destructive" or (tool.risk == "write" and (unknown or (part is not None and part.destroys))):
        return room.voice.confirm(plan.tool, arguments, evidence, sure, "destructive", plan.target, label)
    if tool.risk == "write" and (group is not None or (plan.inferred and sure < room.thresholds.inferred)):
        asked = room.voice.confirm(plan.tool, arguments, evidence, sure, "uncertain", plan.target, label)
        return room.voice.saying(asked, plan.note or group or "")
    return Call(tool=plan.tool, arguments=arguments, confidence=sure, evidence=evidence)


def _new_group(room: Room, tool: Tool, plan: Plan) -> str | None:
    """The parameter that names a group which does not exist yet, unless the person was already asked about it."""
    for name, param in tool.params.items():
        value, field = plan.arguments.get(name), room.grammar.shared.get(param.slot or "")
        if isinstance(value, str) and field is not None and plan.evidence[name].source != "pending":
            return name if value.casefold() not in room.scene.things.shared(field) else None
    return None


def _no_such_group(room: Room, plan: Plan, name: str) -> Decision:
    """Answer `not_found` for a group that does not exist, with the existing ones as options."""
    field = room.grammar.shared[room.grammar.pack.tools[plan.tool].params[name].slot or ""]
    rest = {key: value for key, value in plan.arguments.items() if key != name}
    options = [
        Option(label=one, tool=plan.tool, arguments={**plan.arguments, name: one}, confidence=0.5)
        for one in room.scene.things.shared(field).values()
    ]
    return room.voice.which(plan.tool, rest, name, options, "not_found", str(plan.arguments[name]))


def _as_wanted(tool: Tool, name: str, value: Any) -> Any:
    param = tool.params.get(name)
    return value if param is None else suited(value, param.schema)


def part_of(room: Room, tool: Tool, arguments: dict[str, Any]) -> tuple[bool, Part | None]:
    """Whether the tool takes one part of a thing, and the part that the arguments name, however they came about."""
    slots = {name: room.grammar.pack.slots[param.slot] for name, param in tool.params.items() if param.slot}
    thing = next((arguments.get(name) for name, slot in slots.items() if slot.type == "entity"), None)
    named = next(((slot.of, arguments.get(name)) for name, slot in slots.items() if slot.type == "part"), None)
    if named is None or room.scene.inventory is None:
        return False, None
    return True, room.scene.inventory.part(named[0], thing, named[1])


def _value_of(room: Room, tool: Tool) -> str | None:
    """The parameter that takes the number a part may need: "set the temperature" to what?"""
    slots = room.grammar.pack.slots
    return next((name for name, one in tool.params.items() if one.slot and slots[one.slot].type == "number"), None)


def _complete(room: Room, reading: Reading, identifier: str | None) -> tuple[dict[str, Any], dict[str, Evidence]]:
    entity = room.scene.things.get(identifier) if identifier is not None else None
    arguments, evidence = fill(room.sheet, reading, entity, room.now)
    if identifier is not None and reading.target_param is not None and reading.target is not None:
        arguments = {reading.target_param: identifier, **arguments}
        evidence[reading.target_param] = proof_of(room.scene, reading.target, identifier)
    return arguments, evidence


def proof_of(scene: Scene, target: Target, identifier: str) -> Evidence:
    """Where a thing was named; of what is not there yet, where its name was said."""
    made = scene.made_as(identifier)
    if made is not None:
        return Evidence(source=made.source, span=made.span) if made.span else Evidence(source=made.source)
    if target.span is None:
        return Evidence(source=target.source, entity=identifier)
    return Evidence(source=target.source, entity=identifier, span=target.span)


def _unresolved(room: Room, reading: Reading, tool: str, target: Target, sure: float) -> Decision:
    """Which one? Nobody said, nobody knows, or too many fit."""
    param = reading.target_param or ""
    arguments, _ = fill(room.sheet, reading, None, room.now)
    if target.problem == "bulk":
        return room.voice.nothing("unsupported", sure)
    if target.problem == "missing" and not target.options:
        asks = room.grammar.pack.acts[reading.act].asks
        texts = [name for name in asks if name not in arguments and _is_text(room, tool, name)]
        return room.voice.missing(tool, arguments, (param, *texts), sure)
    unfit = _unfit(room, reading, target) if target.problem == "not_found" and not target.options else None
    if unfit is not None:
        return room.voice.already(tool, param, unfit)
    options: list[Option] = []
    for place, identifier in enumerate(target.options):
        entity = room.scene.things.get(identifier)
        own, _ = fill(room.sheet, reading, entity, room.now)
        share = round(max(0.1, 0.5 - 0.01 * place), 2)
        label = room.voice.label(identifier)
        options.append(Option(label=label, tool=tool, arguments={param: identifier, **own}, confidence=share))
    reason: ClarifyReason = "not_found" if target.problem == "not_found" else "ambiguous"
    return room.voice.which(tool, arguments, param, options, reason, target.said)


def _is_text(room: Room, tool: str, name: str) -> bool:
    slot = room.grammar.pack.tools[tool].params[name].slot
    return slot is not None and room.grammar.pack.slots[slot].type == "text"


def _unfit(room: Room, reading: Reading, target: Target) -> str | None:
    """The one thing that is meant, and is as the act would have it already: what is done cannot be completed."""
    act, slots = room.grammar.pack.acts[reading.act], room.grammar.pack.slots
    if not act.among:
        return None
    if target.pronoun:
        return room.scene.focus[0] if len(room.scene.focus) == 1 else None
    for name, first, last in reading.match.slots:
        if slots[name].type == "entity":
            found = link(Stretch(room.sheet, first, last), room.scene, None)
            return found.ids[0] if len(found.ids) == 1 else None
    return None


def _about(room: Room, reading: Reading, tool: str, target: Target, sure: float) -> Decision:
    """A read about one thing: its name becomes the search."""
    arguments, evidence = fill(room.sheet, reading, None, room.now)
    params = room.grammar.pack.tools[tool].params
    text = next(
        (name for name, param in params.items() if param.slot and room.grammar.pack.slots[param.slot].type == "text"),
        None,
    )
    if text is not None and target.ids:
        arguments = {text: room.voice.label(target.ids[0])}
        evidence = {text: proof_of(room.scene, target, target.ids[0])}
    elif text is not None and target.said:
        arguments = {text: target.said}
        evidence = {text: Evidence(source="message", span=target.span or (0, 0))}
    return settle(room, Plan(tool, arguments, evidence, sure, False, None))
