"""Checks a planned call against the tool's schema, its risk and our confidence, and makes a decision of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sayso.decision import Call, Confirm, ConfirmReason, Decision, Evidence, Option
from sayso.engine.decide.room import Plan, Room
from sayso.engine.grammar.pack import Risk, Tool
from sayso.engine.grammar.sheet import Target
from sayso.engine.linking.focus import Scene
from sayso.engine.slots.validate import faults, suited

if TYPE_CHECKING:
    from sayso.engine.linking.inventory import Part


def settle(room: Room, plan: Plan, asks: tuple[str, ...] = ()) -> Decision:
    """A plan checked against the tool's schema, its risk and our confidence."""
    tool = room.grammar.pack.tools[plan.tool]
    plan = plan._replace(arguments={name: _as_wanted(tool, name, value) for name, value in plan.arguments.items()})
    if (faulty := _faulty(room, plan, tool, asks)) is not None:
        return faulty
    takes_part, part = part_of(room, tool, plan.arguments)
    if part is not None and (valueless := _valueless(room, plan, part)) is not None:
        return valueless
    label = f"{room.voice.label(plan.target)}: {part.label}" if part is not None and plan.target else ""
    if plan.confidence < room.thresholds.act:
        return _unsure(room, plan, label)
    if _destroys(tool.risk_of(plan.arguments), part, takes_part=takes_part):
        return _asking(room, plan, "destructive", label)
    return _called(room, plan, tool, label)


def _faulty(room: Room, plan: Plan, tool: Tool, asks: tuple[str, ...]) -> Decision | None:
    """The question for an argument that is wrong or missing."""
    wrong = faults(tool, plan.arguments)
    invalid = [name for name, fault in wrong.items() if fault == "invalid"]
    if invalid:
        kept = {name: value for name, value in plan.arguments.items() if name not in invalid}
        return room.voice.invalid(plan.tool, kept, invalid[0], plan.confidence)
    missing = [name for name in wrong if name in asks] or list(wrong)
    if not missing:
        return None
    return room.voice.missing(plan.tool, plan.arguments, missing, plan.confidence, plan.target)


def _valueless(room: Room, plan: Plan, part: Part) -> Decision | None:
    """The question for the value of a part that takes one."""
    value = _value_of(room, plan.tool) if part.valued else None
    if value is None or plan.arguments.get(value) is not None:
        return None
    return room.voice.missing(plan.tool, plan.arguments, [value], plan.confidence, plan.target)


def _called(room: Room, plan: Plan, tool: Tool, label: str) -> Decision:
    """The call; a question first if it names a new group, or if its change was inferred."""
    group = _new_group(room, tool, plan)
    if group is not None and tool.risk == "read":
        return _no_such_group(room, plan, group)
    guessed = plan.inferred and plan.confidence < room.thresholds.inferred
    if tool.risk == "write" and (group is not None or guessed):
        return room.voice.saying(_asking(room, plan, "uncertain", label), plan.note or group or "")
    return Call(tool=plan.tool, arguments=plan.arguments, confidence=plan.confidence, evidence=plan.evidence)


def _unsure(room: Room, plan: Plan, label: str) -> Decision:
    """The plan as the only option of a question, if it is no more than a guess."""
    question, sure = _asking(room, plan, "uncertain", label).question, plan.confidence
    return room.voice.unsure(Option(label=question, tool=plan.tool, arguments=plan.arguments, confidence=sure), sure)


def _asking(room: Room, plan: Plan, reason: ConfirmReason, label: str) -> Confirm:
    return room.voice.confirm(plan.tool, plan.arguments, plan.evidence, plan.confidence, reason, plan.target, label)


def _destroys(risk: Risk, part: Part | None, *, takes_part: bool) -> bool:
    """Whether a call requires confirmation because it is destructive. A part that the item does not have counts as
    destructive."""
    if risk == "write" and takes_part:
        return part is None or part.destroys
    return risk == "destructive"


def _new_group(room: Room, tool: Tool, plan: Plan) -> str | None:
    """The parameter that names a group which does not exist yet, unless Sayso already asked the user about it."""
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
    if named is None:
        return False, None
    return True, room.scene.inventory.part(named[0], thing, named[1])


def _value_of(room: Room, tool: str) -> str | None:
    """The parameter that takes the number a part may need: "set the temperature" to what?"""
    return next(iter(room.grammar.pack.params_for(tool, "number")), None)


def proof_of(scene: Scene, target: Target, identifier: str) -> Evidence:
    """Where a thing was named; for a thing that does not exist yet, where its name was said."""
    made = scene.made_as(identifier)
    if made is not None:
        return Evidence(source=made.source, span=made.span) if made.span else Evidence(source=made.source)
    if target.span is None:
        return Evidence(source=target.source, entity=identifier)
    return Evidence(source=target.source, entity=identifier, span=target.span)
