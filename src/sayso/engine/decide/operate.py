"""Turns an operation on a thing into decisions.

"lamp on" with two lamps asks which; "printer" asks what to do with it; a destructive part requires confirmation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sayso.decision import Clarify, ClarifyReason, Confirm, Decision, Evidence, Nothing, Option, Span
from sayso.engine.clauses.clause import Sense
from sayso.engine.decide.check import settle
from sayso.engine.decide.room import Plan, Room
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.pack import Act, Tool
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.linking.deed import Deed, Pair
from sayso.engine.linking.inventory import Part, Thing
from sayso.engine.linking.units import Unit, said
from sayso.engine.machines.amounts import measure_at
from sayso.engine.machines.statements import has
from sayso.engine.slots.arguments import values_for
from sayso.engine.slots.reading import Reading

_LEFT = 0.04  # subtracted for each word that nothing explains
_LONE = 0.04  # subtracted if the thing was not named
_FOCUS = 0.03
_OTHERWISE = ("show", "wh", "be", "negation", "mood:request", "mood:comment")  # a different request for the other thing
_NEAR = 4  # words after "all" that it may count
_WHOLE = Part("", "", (), (), False, False)  # no part in particular


def operate(room: Room, sense: Sense, *, alone: bool = False) -> list[Decision]:
    """The decisions for a reading with a `Deed`; `alone`: look only for the one thing."""
    reading, found = sense.reading, sense.reading.deed
    act = room.grammar.pack.acts[reading.act]
    if found is None or act.tool is None or _is_bulk(room, act.tool, found):
        return [room.voice.nothing(act.reason, act.confidence, reading.act)]
    tool = room.grammar.pack.tools[act.tool]
    sure = _sure(act, found)
    if found.problem == "ambiguous" and (_both(room, found) or _each_named(room, found)):
        each = (found._replace(pairs=(pair,), problem=None) for pair in found.pairs)
        return [one for deed in each for one in operate(room, _with_deed(sense, deed))]
    if found.problem is not None:
        return [_unsettled(room, act, tool, found, sure)]
    done = settle(room, _plan(room, act.tool, reading, found, sure))
    also = None if alone else _also(room, act, found)
    if also is None:
        return [done]
    return [done, *operate(room, _with_deed(sense, found._replace(pairs=(also,))), alone=True)]


def _with_deed(sense: Sense, found: Deed) -> Sense:
    return sense._replace(reading=sense.reading._replace(deed=found))


def _takes_no_value(tool: Tool, part: Part) -> bool:
    return bool(part.id) and not part.valued and tool.risk != "read"


def _plan(room: Room, name: str, reading: Reading, found: Deed, sure: float) -> Plan:
    """The call for one thing and its part, with the value that was said for it."""
    tool, best = room.grammar.pack.tools[name], found.best
    part = best.parts[0] if best.parts else _WHOLE
    arguments, evidence = _arguments(room, tool, found, best)
    values, proof = values_for(room.sheet, name, reading.chunks, room.now)
    if values and (_takes_no_value(tool, part) or _counts_other(room, reading, part)):
        values, proof = {}, {}
    return Plan(name, {**arguments, **values}, {**evidence, **proof}, sure, False, best.thing.id)


def _counts_other(room: Room, reading: Reading, part: Part) -> bool:
    """ "for two hours", if the command takes minutes: the number is not the value."""
    wants = {key for unit in (*part.units, *part.more) for key in unit.keys if key[0] == "m"}
    told = [measure_at(room.sheet, chunk.end, 1) for chunk in reading.chunks]
    return bool(wants) and any(keys and not keys & wants for keys in told)


def _also(room: Room, act: Act, found: Deed) -> Pair | None:
    """ "start the bore pump and the dam pump": after a linking word, one more thing that can do the same."""
    first, last = room.clause
    link = next((at for at in range(last - 1, first, -1) if room.sheet.has(at, "link")), None)
    if link is None or not found.best.by_thing:
        return None
    places = _said_after(found, link)
    if not places or any(has(room.sheet, at, name) for at in range(link + 1, last) for name in _OTHERWISE):
        return None
    units = [found.units[at] for at in places]
    pairs = _pairs_like(found, room.scene.inventory.stock.things(act.part, act.concepts), units, ())
    best = _clear_best(pairs, len(units))
    if best is None:
        return None
    return best._replace(by_thing=tuple(places[at] for at in best.by_thing), by_part=found.best.by_part)


def _said_after(found: Deed, link: int) -> list[int]:
    """The telling words after a linking word, if the thing and its part are named before it."""
    best = found.best
    places = [at for at, unit in enumerate(found.units) if unit.start > link and not unit.light]
    named = not set(best.by_thing) <= set(places) and set(best.by_part).isdisjoint(places)
    return places if named else []


def _clear_best(pairs: Sequence[Pair], words: int) -> Pair | None:
    """The pair that all words name, if it matches clearly better than the others."""
    whole = [pair for pair in pairs if len(pair.by_thing) == words]
    most = max((pair.score for pair in whole), default=0.0)
    best = [pair for pair in whole if pair.score > most - 0.1]
    return best[0] if len(best) == 1 else None


def _is_bulk(room: Room, tool: str, found: Deed) -> bool:
    """ "switch every lamp off": one at a time."""
    words = [name for name in ("all", "everywhere", "several") if name in room.grammar.cls]
    if room.grammar.pack.reads(tool):  # "which lights are on?"
        several = found.group or any(found.units[at].ones for at in found.best.by_part)
        return several and found.problem == "ambiguous" and Stretch(room.sheet, *room.clause).holds(*words)
    places = range(room.clause[0], _remark_start(room, found))
    every = [at for at in places if room.sheet.has(at, *words[:2])]
    if not every:
        return False
    if found.problem == "no_thing" and room.grammar.nouns:  # "turn off all the machines"
        return Stretch(room.sheet, every[0], min(every[0] + _NEAR, room.clause[1])).holds(*room.grammar.nouns)
    if not found.best.parts or found.problem not in (None, "ambiguous"):
        return False
    anything = any(room.sheet.has(at, *words[1:2], *room.grammar.nouns) for at in every)
    return _means_all(found, every[0], anything=anything)


def _means_all(found: Deed, at: int, *, anything: bool) -> bool:
    """Whether a word such as "all" counts things ("turn everything off everywhere"), and not the state of one."""
    if anything and not found.best.by_thing and not found.from_focus:
        return True
    return found.problem == "ambiguous" or not _is_said_of_part(found, at)


def _remark_start(room: Room, found: Deed) -> int:
    """Where a pause follows the words for the thing and its part: "stop the press, paper everywhere"."""
    last = room.clause[1]
    told = max((found.units[at].end for at in (*found.best.by_thing, *found.best.by_part)), default=last)
    return next((at for at in range(told, last) if room.sheet.lows[at] == ","), last)


def _is_said_of_part(found: Deed, at: int) -> bool:
    """Whether the next telling word after this place names only the part: "all off" of one lamp."""
    after = next((place for place, unit in enumerate(found.units) if unit.start > at and not unit.light), None)
    return after is not None and after in found.best.by_part and after not in found.best.by_thing


def _both(room: Room, found: Deed) -> bool:
    """ "the light in both cabinets": two things, one decision each."""
    first, last = room.clause
    meant = all(pair.by_thing or pair.thing.id in room.scene.two for pair in found.pairs)
    return meant and len(found.pairs) == 2 and any(room.sheet.has(at, "each") for at in range(first, last))


def _each_named(room: Room, found: Deed) -> bool:
    """ "the temperature of chiller A and chiller B": each thing has its full name in the words, and both are meant."""
    first, last = room.clause
    if not Stretch(room.sheet, first + 1, last).holds("link") or Stretch(room.sheet, first, last).holds("doubt"):
        return False
    ids = {pair.thing.id for pair in found.pairs}
    if len(ids) != len(found.pairs) or not all(pair.parts for pair in found.pairs):
        return False
    named = {at for pair in found.pairs for at in pair.by_thing}
    return all(_is_said(found, pair) and set(pair.left) <= named for pair in found.pairs)


def _is_said(found: Deed, pair: Pair) -> bool:
    name = [unit for unit in pair.thing.fields[0][1] if not unit.light]
    return len(name) > 1 and all(any(found.units[at].fits(unit) for at in pair.by_thing) for unit in name)


def one_more(room: Room, sense: Sense, prior: Sense | None, earlier: Iterator[tuple[Sense, Room]]) -> list[Decision]:
    """ "the temperature of dryer 1 and dryer 2", "and the guest room?" after a reading: the clause has only a thing.
    It repeats the request before it for that thing. A request from an earlier message is repeated only if it reads."""
    found = sense.reading.deed
    clause = Stretch(room.sheet, *room.clause)
    begins = opening(clause, linked=True)
    linked = begins < clause.end and room.sheet.has(begins, "link") > 0
    if found is None or found.problem != "no_part" or not found.best.by_thing or not (linked or sense.mood.asks):
        return []
    if prior is not None:
        return _once_more(room, room, prior, sense) if linked else []
    before, then = next((pair for pair in earlier if did_something(pair[0])), (None, room))
    reads = before is not None and room.grammar.pack.reads(room.grammar.pack.acts[before.reading.act].tool)
    return _once_more(room, then, before, sense) if before is not None and reads else []


def did_something(sense: Sense) -> bool:
    """Whether the sense was about a thing and a known part."""
    deed = sense.reading.deed
    return deed is not None and (bool(deed.best.parts) or deed.problem is None)


def _once_more(room: Room, then: Room, earlier: Sense, sense: Sense) -> list[Decision]:
    deed = earlier.reading.deed
    if deed is None or deed.problem is not None:
        return []
    return [one for one in operate_again(room, then, earlier, sense.mood.asks, False) if not isinstance(one, Nothing)]


def _sure(act: Act, found: Deed) -> float:
    best = found.best
    value = act.confidence - _LEFT * len(best.left)
    if found.from_focus:
        value -= _FOCUS
    elif not best.by_thing:
        value -= _LONE
    return round(max(0.3, value), 3)


def _arguments(room: Room, tool: Tool, found: Deed, pair: Pair) -> tuple[dict[str, Any], dict[str, Evidence]]:
    """The thing and its parts as arguments, each with the words that mention it."""
    arguments: dict[str, Any] = {}
    evidence: dict[str, Evidence] = {}
    slots = room.grammar.pack.slots
    parts = [part.id for part in pair.parts if part.id]
    for name, param in tool.params.items():
        kind = slots[param.slot].type if param.slot else ""
        if kind == "entity":
            arguments[name] = pair.thing.id
            evidence[name] = _proof(room, found, pair.by_thing, pair.thing.id)
        elif kind == "part" and parts:
            arguments[name] = parts if param.schema.get("type") == "array" else parts[0]
            evidence[name] = _proof(room, found, pair.by_part, pair.thing.id)
    return arguments, evidence


def _proof(room: Room, found: Deed, places: tuple[int, ...], identifier: str) -> Evidence:
    if not places:
        return Evidence(source="history" if found.from_focus else "entity", entity=identifier)
    units = [found.units[at] for at in places]
    words = room.sheet.words
    span: Span = (min(words[unit.start].start for unit in units), max(words[unit.end - 1].end for unit in units))
    return Evidence(source="message", entity=identifier, span=span)


def _label(room: Room, pair: Pair) -> str:
    name = room.voice.label(pair.thing.id)
    parts = ", ".join(part.label for part in pair.parts if part.label)
    return f"{name}: {parts}" if parts else name


def _unsettled(room: Room, act: Act, tool: Tool, found: Deed, sure: float) -> Decision:
    """The question which thing is meant or what to do with it, or the answer that there is no such thing."""
    name, best = act.tool or "", found.best
    pack = room.grammar.pack
    things, parts = pack.params_for(name, "entity"), pack.params_for(name, "part")
    if found.problem == "ambiguous":
        same = len({pair.thing.id for pair in found.pairs}) == 1
        options = [_option(room, name, tool, found, pair) for pair in found.pairs]
        return room.voice.which(name, {}, (parts if same and parts else things)[0], options, "ambiguous", "")
    if found.problem == "no_thing":
        said = " ".join(room.sheet.words[found.units[at].start].text for at in best.left)
        return room.voice.which(name, {}, things[0], [], "not_found", said)
    whole = [_option(room, name, tool, found, best._replace(parts=(part,))) for part in best.thing.parts if part.id]
    reason: ClarifyReason = "missing" if found.problem == "no_part" else "not_found"
    known, _ = _arguments(room, tool, found, best._replace(parts=()))
    text = room.voice.what(name, best.thing.id, whole, reason)
    return Clarify(
        tool=name,
        arguments=known,
        missing=tuple(parts[:1]),
        confidence=sure,
        question=text,
        options=tuple(whole[: room.thresholds.options]),
        reason=reason,
    )


def _option(room: Room, name: str, tool: Tool, found: Deed, pair: Pair) -> Option:
    arguments, _ = _arguments(room, tool, found, pair)
    return Option(label=_label(room, pair), tool=name, arguments=arguments, confidence=0.5)


def operate_again(room: Room, then: Room, earlier: Sense, asks: bool, other: bool) -> list[Decision]:
    """Repeats the last action on another: "same for the living room", "no, the one in the kitchen", "the other one".

    A question runs nothing: after a command, "and the boiler?" makes Sayso ask what to do with the boiler."""
    act = room.grammar.pack.acts[earlier.reading.act]
    here = _same_elsewhere(room, earlier.reading.deed, act, other=other)
    if here is None or act.tool is None:
        return [room.voice.nothing("unsupported", 0.6, "other")]
    tool = room.grammar.pack.tools[act.tool]
    if here.problem is not None:
        return [_unsettled(room, act, tool, here, act.confidence)]
    if asks and tool.risk != "read":
        return [_unsettled(room, act, tool, here._replace(problem="no_part"), act.confidence)]
    arguments, evidence = _arguments(room, tool, here, here.best)
    values, _ = values_for(then.sheet, act.tool, earlier.reading.chunks, room.now)
    proof = {**evidence, **{name: Evidence(source="history") for name in values}}
    plan = Plan(act.tool, {**arguments, **values}, proof, 0.92, False, here.best.thing.id)
    return [settle(room, plan)]


def _same_elsewhere(room: Room, found: Deed | None, act: Act, *, other: bool) -> Deed | None:
    """The last action with the things that the words name instead, or with the `other` of the things shown last."""
    if found is None:
        return None
    units = [] if other else said(Stretch(room.sheet, *room.clause))
    pairs = _pairs_like(found, room.scene.inventory.stock.things(act.part, act.concepts), units, room.scene.focus)
    if other:
        pairs = [pair for pair in pairs if pair.thing.id in room.scene.listed] or pairs
    top = max((pair.score for pair in pairs), default=0.0)
    best = tuple(pair for pair in pairs if pair.score >= top - 0.1)
    return Deed(best, tuple(units), "ambiguous" if len(best) > 1 else None) if best else None


def _pairs_like(found: Deed, things: Sequence[Thing], units: Sequence[Unit], focus: Sequence[str]) -> list[Pair]:
    """The other things that have the parts of the last action, by how well the words match them."""
    pairs: list[Pair] = []
    wanted = found.best
    done = (*focus, wanted.thing.id) if found.problem is None else tuple(focus)
    for thing in things:
        parts = tuple(one for part in wanted.parts if (one := _same_part(part, thing.parts)) is not None)
        if thing.id in done or len(parts) < len(wanted.parts):
            continue
        fits = [_called(unit, thing) for unit in units]
        places = tuple(at for at, fit in enumerate(fits) if fit)
        if places or not units:
            pairs.append(Pair(thing, parts, sum(fits) + 0.3 * _are_alike(wanted.thing, thing), places, (), ()))
    return pairs


def _called(unit: Unit, thing: Thing) -> float:
    """How well a word matches the names of a thing."""
    return max((weight * unit.fits(other) for weight, names in thing.fields for other in names), default=0.0)


def _are_alike(thing: Thing, other: Thing) -> bool:
    """Whether two names share a word: a lamp for a lamp."""
    return any(one.fits(two) for one in thing.fields[0][1] for two in other.fields[0][1])


def _same_part(part: Part, parts: Sequence[Part]) -> Part | None:
    """The part of another thing that has the same name."""
    keys = frozenset(key for unit in part.units for key in unit.keys)
    alike = (one for one in parts if all(keys & unit.keys for unit in one.units))
    return next(alike, None)


def swap(room: Room, pending: Confirm, param: str, identifier: str) -> Decision | None:
    """The pending call on another thing: with that thing's own part, or the question what to do with it."""
    slots, tool = room.grammar.pack.slots, room.grammar.pack.tools[pending.tool]
    name = next(iter(room.grammar.pack.params_for(pending.tool, "part")), None)
    if name is None:
        return None
    kind = slots[tool.params[name].slot or ""].of
    things = {thing.id: thing for thing in room.scene.inventory.stock.things(kind, ())}
    before, after = things.get(str(pending.arguments.get(param))), things.get(identifier)
    other = _its_part(before, after, pending.arguments.get(name))
    if other is None:
        return room.voice.missing(pending.tool, {param: identifier}, [name], 0.7, identifier)
    arguments = {**pending.arguments, param: identifier, name: other.id}
    evidence = {key: Evidence(source="pending") for key in arguments}
    evidence[param] = evidence[name] = Evidence(source="entity", entity=identifier)
    return settle(room, Plan(pending.tool, arguments, evidence, 0.93, False, identifier))


def _its_part(before: Thing | None, after: Thing | None, identifier: object) -> Part | None:
    """The part of one thing that is the same as a part of another."""
    if before is None or after is None:
        return None
    part = next((one for one in before.parts if one.id == identifier), None)
    return _same_part(part, after.parts) if part is not None else None
