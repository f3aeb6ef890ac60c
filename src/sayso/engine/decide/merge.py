"""Merges the clauses that are about one thing into one decision.

"add call the bank and make it urgent" is one new task; "its temperature, and the humidity?" one reading.
A clause may also repeat another one, or take part of it back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import UNSET

from sayso.decision import Call, Clarify, Confirm, Decision, Evidence, Nothing, Span
from sayso.engine.clauses.clause import Sense
from sayso.engine.decide.room import Room
from sayso.engine.grammar.pack import Tool
from sayso.engine.slots.arguments import values_for
from sayso.engine.slots.reading import Reading
from sayso.engine.slots.texts import Piece
from sayso.engine.values.when import When


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


def rings_too(room: Room, before: Call | Confirm, reading: Reading) -> bool:
    """ "call grandma, remind me wednesday at noon": a request to ring that names nothing is about the new thing before
    it, unless that thing already has a date."""
    pack = room.grammar.pack
    naming, act = pack.naming_param(before.tool), pack.acts[reading.act]
    if naming is None or act.tool != before.tool:
        return False
    params = pack.tools[before.tool].params
    words = {param.worded.by for param in params.values() if param.worded is not None}
    texts = {piece.text for piece in reading.texts.values() if piece.text}
    again = act.previous is not None and texts <= {before.arguments.get(naming)}
    named = bool(texts and not again) or reading.target is not None
    if named or room.sheet.first(range(*room.clause), *words) is None:
        return False
    said = {chunk.slot for chunk in reading.chunks}
    return not any(param.slot in said and name in before.arguments for name, param in params.items())


def _takes_all(room: Room, tool: Tool, reading: Reading) -> bool:
    """Whether a tool takes every text and value of a reading."""
    slots = {param.slot for param in tool.params.values()}
    texts = _texts_for(room, tool, reading)
    return len(texts) == len(reading.texts) and all(chunk.slot in slots for chunk in reading.chunks)


def _texts_for(room: Room, tool: Tool, reading: Reading) -> dict[str, Piece]:
    """The texts of a change by the parameters of the tool that creates the thing: a new description is its first."""
    pack = room.grammar.pack
    change = pack.tools.get(pack.acts[reading.act].tool or "")
    found: dict[str, Piece] = {}
    for name, param in change.params.items() if change is not None else ():
        own = next((one for one in (name, *param.also) if one in tool.params and not tool.params[one].required), None)
        if own is not None and param.slot in reading.texts:
            found[own] = reading.texts[param.slot]
    return found


def as_one(room: Room, before: Decision, after: Decision, reading: Reading) -> Call | None:
    """Merges several changes to one thing, or several readings of it, into one call."""
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
    """Merges two changes: the value said last counts, and a time alone is for the day said before."""
    one = one_change(tool, before, after)
    if one is None:
        return None
    timed = _timed(tool, before.arguments, after.arguments, reading)
    return msgspec.structs.replace(one, arguments={**one.arguments, **timed})


def one_change(tool: Tool, before: Call, after: Call) -> Call | None:
    """Two changes to the same thing as one; `None` if they are about two things, or are not changes."""
    required = [name for name, param in tool.params.items() if param.required]
    same = before.tool == after.tool and all(before.arguments.get(one) == after.arguments.get(one) for one in required)
    if not tool.at_least_one or not same:
        return None
    return Call(
        tool=before.tool,
        arguments={**before.arguments, **after.arguments},
        confidence=min(before.confidence, after.confidence),
        evidence={**before.evidence, **after.evidence},
    )


def joined(room: Room, decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions. Successive changes to several values of the same thing become one."""
    found: list[Decision] = []
    for one in decisions:
        before, both = found[-1] if found else None, None
        if isinstance(before, Call) and isinstance(one, Call) and _agree(before.arguments, one.arguments):
            both = one_change(room.grammar.pack.tools[one.tool], before, one)
        found = [*found, one] if both is None else [*found[:-1], both]
    return found


def _agree(before: dict[str, Any], after: dict[str, Any]) -> bool:
    return all(before[name] == after[name] for name in before.keys() & after.keys())


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
    """The new thing with the values said after it. A question that was due is still asked."""
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


def without_whole(room: Room, decisions: list[Decision]) -> list[Decision]:
    """Without a new thing whose name contains those of others: "milk and eggs are out, put them on the list"."""
    spans = [_name_span(room, one) for one in decisions]
    names = [span for span in spans if span is not None]
    if len(names) < 3:
        return decisions
    pairs = zip(decisions, spans, strict=True)
    return [one for one, span in pairs if span is None or sum(_holds(span, name) for name in names) < 2]


def _name_span(room: Room, decision: Decision) -> Span | None:
    """Where the name of a new thing is said."""
    naming = room.grammar.pack.naming_param(decision.tool) if isinstance(decision, (Call, Confirm)) else None
    said = decision.evidence.get(naming) if isinstance(decision, (Call, Confirm)) and naming is not None else None
    return None if said is None or said.span is UNSET else said.span


def _holds(span: Span, other: Span) -> bool:
    return span != other and span[0] <= other[0] and other[1] <= span[1]


def _same(one: Decision, other: Decision) -> bool:
    if isinstance(one, Nothing) or isinstance(other, Nothing):
        return isinstance(one, Nothing) and isinstance(other, Nothing)
    if isinstance(one, Clarify) or isinstance(other, Clarify):
        return one == other
    return (one.tool, one.arguments) == (other.tool, other.arguments) and isinstance(one, (Call, Confirm))


def grouped(room: Room, decisions: tuple[Decision, ...]) -> tuple[Decision, ...]:
    """Several questions about the same tool are one group: "delete the milk and the gym" needs one confirmation."""
    if len(decisions) < 2:
        return decisions
    tools = [one.tool for one in decisions if isinstance(one, Confirm) and _is_about_one(room, one)]
    several = {tool for tool in tools if tools.count(tool) > 1}
    return tuple(_in_group(one, several) for one in decisions) if len(several) == 1 else decisions


def _is_about_one(room: Room, question: Confirm) -> bool:
    """Whether a question is about one whole thing, and not in a group yet. A tool does different things with parts."""
    pack = room.grammar.pack
    param = pack.target_param(question.tool) or pack.naming_param(question.tool)
    whole = question.group is UNSET and not pack.params_for(question.tool, "part")
    return whole and param in question.arguments


def _in_group(decision: Decision, tools: set[str]) -> Decision:
    if isinstance(decision, Confirm) and decision.group is UNSET and decision.tool in tools:
        return msgspec.structs.replace(decision, group=decision.tool)
    return decision


def only_named(prior: Sense, sense: Sense) -> bool:
    """ "ironing? never again, delete it": a name with a question mark only says what "it" is."""
    target, named = sense.reading.target, prior.reading
    bare = prior.mood.asks and prior.mood.name == "open" and named.match.literal <= 1 and not named.parts
    return bare and target is not None and target.pronoun and named.about == target.ids != ()


def only_repeats(before: list[Decision], found: list[Decision], sense: Sense) -> bool:
    """ "…, so tick that off" after a question about which one: the same request again."""
    last = before[-1] if before else None
    target = sense.reading.target if sense.reading.deed is None else None  # one tool does different things with parts
    asks = len(found) == 1 and isinstance(found[0], Clarify) and target is not None and target.pronoun
    if isinstance(last, Nothing) and last.reason == "unsupported":  # "list everyone's tasks, then delete them"
        return asks
    return asks and not isinstance(last, Nothing) and last is not None and last.tool == getattr(found[0], "tool", None)


def points_back(room: Room, before: list[Decision], found: list[Decision], sense: Sense) -> bool:
    """ "I've called the vet, note it": Sayso already acted on the statement, so there is nothing else to write."""
    if not before or isinstance(before[-1], (Nothing, Clarify)) or len(found) != 1 or not isinstance(found[0], Clarify):
        return False
    bare = sense.reading.target is None and not sense.reading.texts and not sense.reading.chunks
    places = range(*room.clause)
    return bare and any(room.sheet.has(at, "it") for at in places)


def says_why(room: Room, before: list[Decision], prior: Sense | None, sense: Sense) -> bool:
    """ "reopen the glue, it has run out": a statement about a thing right after a request for it is the reason."""
    acts, target = room.grammar.pack.acts, sense.reading.target
    if not before or prior is None or target is None or not isinstance(before[-1], (Call, Confirm)):
        return False
    told = acts[sense.reading.act].inferred and not acts[prior.reading.act].inferred
    unnamed = target.pronoun or target.span is None
    return told and unnamed and bool(target.ids) and set(target.ids) <= _about(before[-1])


def spared(before: list[Decision], reading: Reading) -> list[Decision] | None:
    """ "move the rent to Friday and the gym to Monday… no, leave the gym": the remaining decisions, if one of them was
    about the thing to leave alone."""
    target = reading.target
    ids = {*target.ids, *target.options} if target is not None else set()
    kept = [one for one in before if not (isinstance(one, (Call, Confirm)) and ids & _about(one))]
    return kept if len(kept) < len(before) else None


def _about(decision: Call | Confirm) -> set[str]:
    return {one.entity for one in decision.evidence.values() if isinstance(one.entity, str)}
