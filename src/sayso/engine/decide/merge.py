"""Merges what several clauses say about one thing into one decision.

"add call the bank and make it urgent" is one new task; "its temperature, and the humidity?" one reading.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from sayso.decision import Call, Clarify, Confirm, Decision, Evidence, Nothing
from sayso.engine.dates.dates import When
from sayso.engine.decide.decide import Room
from sayso.engine.grammar.pack import Tool
from sayso.engine.slots.arguments import values_for
from sayso.engine.slots.extract import Reading
from sayso.engine.slots.texts import Piece


def adds_to(room: Room, before: Call | Confirm, reading: Reading) -> bool:
    """ "…and mark it high priority" after a new task says more about that task."""
    target, pack = reading.target, room.grammar.pack
    if target is None or not target.pronoun or not (reading.chunks or reading.texts):
        return False
    name = pack.naming_param(before.tool)
    if target.ids != (before.arguments.get(name),) if name is not None else room.scene.earlier:
        return False
    tool = pack.tools[before.tool]
    makes = tool.risk == "write" and pack.target_param(before.tool) is None
    return makes and _takes_all(room, tool, reading)


def _takes_all(room: Room, tool: Tool, reading: Reading) -> bool:
    """Whether a tool takes every text and value of a reading."""
    slots = {param.slot for param in tool.params.values()}
    texts = _texts_for(room, tool, reading)
    return len(texts) == len(reading.texts) and all(chunk.slot in slots for chunk in reading.chunks)


def _texts_for(room: Room, tool: Tool, reading: Reading) -> dict[str, Piece]:
    """The texts of a change by the parameters of the tool that makes the thing: a new description is its first."""
    pack = room.grammar.pack
    change = pack.tools.get(pack.acts[reading.act].tool or "")
    found: dict[str, Piece] = {}
    for name, param in change.params.items() if change is not None else ():
        own = next((one for one in (name, *param.also) if one in tool.params and not tool.params[one].required), None)
        if own is not None and param.slot in reading.texts:
            found[own] = reading.texts[param.slot]
    return found


def as_one(room: Room, before: Decision, after: Decision, reading: Reading) -> Call | None:
    """Several changes to one thing are one call; so are several readings of it."""
    if not isinstance(before, Call) or not isinstance(after, Call) or before.tool != after.tool:
        return None
    tool = room.grammar.pack.tools[before.tool]
    return _one_reading(before, after) if tool.risk == "read" else _one_change(tool, before, after, reading)


def _one_reading(before: Call, after: Call) -> Call | None:
    """ "its temperature, and what is the humidity?": one call for both."""
    differing = [name for name in before.arguments if before.arguments[name] != after.arguments.get(name)]
    if len(differing) != 1 or before.arguments.keys() != after.arguments.keys():
        return None
    held, more = before.arguments[differing[0]], after.arguments[differing[0]]
    if not isinstance(held, list) or not isinstance(more, list):
        return None
    arguments = {**before.arguments, differing[0]: list(dict.fromkeys([*held, *more]))}
    return msgspec.structs.replace(before, arguments=arguments, confidence=min(before.confidence, after.confidence))


def _one_change(tool: Tool, before: Call, after: Call, reading: Reading) -> Call | None:
    """What is said last of the same value counts; a time alone is meant for the day said before."""
    required = [name for name, param in tool.params.items() if param.required]
    same = all(before.arguments.get(name) == after.arguments.get(name) for name in required)
    if not tool.at_least_one or not same:
        return None
    return Call(
        tool=before.tool,
        arguments={**before.arguments, **after.arguments, **_timed(tool, before.arguments, after.arguments, reading)},
        confidence=min(before.confidence, after.confidence),
        evidence={**before.evidence, **after.evidence},
    )


def _timed(tool: Tool, before: dict[str, Any], after: dict[str, Any], reading: Reading) -> dict[str, str]:
    """ "I meant Friday, and make it 9:15": the day of one change with the time of the next."""
    times = {
        chunk.slot
        for chunk in reading.chunks
        if isinstance(chunk.value, When) and chunk.value.time is not None and not chunk.value.day_said
    }
    dated = [name for name, param in tool.params.items() if param.slot in times and before.get(name)]
    return {name: f"{before[name][:10]}{after[name][10:]}" for name in dated}


def merged(room: Room, before: Call | Confirm, reading: Reading) -> Call | Confirm:
    """The new thing with what was said of it afterwards; what was to be asked is still asked."""
    tool = room.grammar.pack.tools[before.tool]
    more, proof = values_for(room.sheet, before.tool, reading.chunks, room.now)
    texts = _texts_for(room, tool, reading)
    said = {name: "\n".join(filter(None, (before.arguments.get(name), one.text))) for name, one in texts.items()}
    arguments = {**before.arguments, **more, **_timed(tool, before.arguments, more, reading), **said}
    spans = {name: Evidence(source="message", span=one.span) for name, one in texts.items()}
    evidence = {**before.evidence, **proof, **spans}
    if isinstance(before, Confirm):
        return room.voice.confirm(before.tool, arguments, evidence, before.confidence, before.reason, None)
    return Call(tool=before.tool, arguments=arguments, confidence=min(before.confidence, 0.93), evidence=evidence)


def distinct(decisions: list[Decision]) -> list[Decision]:
    """Without repeats: "fixed the leak, tick it off" is one completion."""
    kept: list[Decision] = []
    for decision in decisions:
        twin = next((place for place, other in enumerate(kept) if _same(decision, other)), None)
        if twin is None:
            kept.append(decision)
        elif isinstance(decision, Call):  # said again more plainly
            kept[twin] = decision
    return kept


def _same(one: Decision, other: Decision) -> bool:
    if isinstance(one, Nothing) or isinstance(other, Nothing):
        return isinstance(one, Nothing) and isinstance(other, Nothing)
    if isinstance(one, Clarify) or isinstance(other, Clarify):
        return one == other
    return (one.tool, one.arguments) == (other.tool, other.arguments) and isinstance(one, (Call, Confirm))


def grouped(room: Room, decisions: tuple[Decision, ...]) -> tuple[Decision, ...]:
    """Several questions about the same deed are one group: "delete the milk and the gym" needs one yes."""
    if room.scene.inventory is not None or len(decisions) < 2:
        return decisions
    pack = room.grammar.pack
    asked = [one for one in decisions if isinstance(one, Confirm) and one.group is UNSET]
    tools = [one.tool for one in asked if (pack.target_param(one.tool) or pack.naming_param(one.tool)) in one.arguments]
    several = {tool for tool in tools if tools.count(tool) > 1}
    return tuple(_in_group(one, several) for one in decisions) if len(several) == 1 else decisions


def _in_group(decision: Decision, tools: set[str]) -> Decision:
    if isinstance(decision, Confirm) and decision.group is UNSET and decision.tool in tools:
        return msgspec.structs.replace(decision, group=decision.tool)
    return decision
