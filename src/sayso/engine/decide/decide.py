"""Turns the request of a clause into a decision, by risk and confidence.

A likely read runs. A write runs if the user said all of it. A destructive call always requires confirmation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sayso.decision import Call, ClarifyReason, Confirm, Decision, Evidence, Option
from sayso.engine.clauses.clause import Sense
from sayso.engine.clauses.detect import confidence
from sayso.engine.decide.check import proof_of, settle
from sayso.engine.decide.room import Plan, Room
from sayso.engine.decide.trained import MOST_LITERAL, Gate
from sayso.engine.grammar.pack import Act
from sayso.engine.grammar.sheet import Sheet, Stretch, Target
from sayso.engine.linking.link import link
from sayso.engine.repeats.recurrence import Lead, Repeat
from sayso.engine.slots.arguments import fill
from sayso.engine.slots.bounds import doubtful
from sayso.engine.slots.reading import Reading
from sayso.engine.slots.ringing import Ringing, ringing, rings
from sayso.engine.slots.several import days_of, deeds_of, each_of
from sayso.engine.slots.texts import Piece
from sayso.engine.text.tokens import Token

_VOUCHED = 0.8  # the least confidence for a text that is plainly a thing to do
_DOUBTED = 0.8  # the most confidence for a text that may contain more than a text


def decide(room: Room, sense: Sense, base: dict[str, Any] | None = None) -> list[Decision]:
    """The decisions for one sense: one, or one for each thing it is about."""
    reading = sense.reading
    if reading.deed is not None:
        return _on_parts(room, sense)
    act = room.grammar.pack.acts[reading.act]
    sure = confidence(act, sense)
    if act.tool is None:
        return [room.voice.nothing(act.reason, sure, reading.act)]
    belief = _belief(room, act, reading)
    if belief is not None:
        if belief < room.thresholds.about and not act.brief:
            return [room.voice.nothing("out_of_scope", round(1 - belief, 3))]
        sure = _doubted(room, act, sure, round(belief, 3))
    target = reading.target
    if target is not None:
        if reading.target_param is None:
            return [_about(room, reading, act.tool, target, sure)]
        if target.problem is not None:
            return _described(room, reading, act.tool, sure) or [_unresolved(room, reading, act.tool, target, sure)]
    if act.each is not None:
        return _for_each(room, reading, act.each, act.tool, sure, base)
    return _deeds(room, reading, act, sure) or _calls(room, reading, act.tool, sure, base)


def _for_each(
    room: Room, reading: Reading, slot: str, tool: str, sure: float, base: dict[str, Any] | None
) -> list[Decision]:
    """A call for each text of a slot, or the question for the texts if there are no texts."""
    parts = each_of(room.sheet, reading)
    asked = [name for name, one in room.grammar.pack.tools[tool].params.items() if one.slot == slot]
    return _calls_of(room, parts, tool, sure, base) or [room.voice.missing(tool, {}, asked, sure)]


def _on_parts(room: Room, sense: Sense) -> list[Decision]:
    from sayso.engine.decide.operate import operate  # noqa: PLC0415  only packs whose things have parts wait for it

    return operate(room, sense)


def _described(room: Room, reading: Reading, tool: str, sure: float) -> list[Decision]:
    """The decisions about several things that are described."""
    if reading.target is None or reading.target.problem not in ("bulk", "not_found", "missing", "ambiguous"):
        return []
    from sayso.engine.decide.described import described  # noqa: PLC0415  few messages mean several things by a description

    return described(room, reading, tool, max(sure, room.thresholds.act))


def _is_understood(room: Room, reading: Reading, tool: str) -> bool:
    from sayso.engine.decide.described import is_understood  # noqa: PLC0415  few messages mean several things by a description

    return is_understood(room, reading, tool)


def _deeds(room: Room, reading: Reading, act: Act, sure: float) -> list[Decision]:
    """A call for each thing to do that was named, if all of them run at once. If all need a new group, one question is
    about all of them. A read makes one call for each day."""
    tool = act.tool or ""
    if room.grammar.pack.reads(act.tool):
        return _calls_of(room, days_of(room.sheet, reading), tool, sure)
    if (act.inferred and not reading.has_value_of(room.grammar.shared)) or _has_doubtful_text(room, tool, reading):
        return []
    found = _calls_of(room, deeds_of(room.sheet, reading), tool, sure)
    return found if {type(one) for one in found} in ({Call}, {Confirm}) else []


def _calls_of(
    room: Room, readings: Iterable[Reading], tool: str, sure: float, base: dict[str, Any] | None = None
) -> list[Decision]:
    return [one for reading in readings for one in _calls(room, reading, tool, sure, base)]


def _calls(room: Room, reading: Reading, tool: str, sure: float, base: dict[str, Any] | None) -> list[Decision]:
    """The calls of a reading that lacks nothing: one for each thing that it is about."""
    act, target = room.grammar.pack.acts[reading.act], reading.target
    note = _unsure_repeat(room, tool, reading)
    unsure = bool(note) or _is_unsure(room, tool, reading)
    held = base or {}
    history = {name: Evidence(source="history") for name in held}
    ids: tuple[str | None, ...] = target.ids if target is not None else (None,)
    found: list[Decision] = []
    for identifier in ids or (None,):
        arguments, evidence = _complete(room, reading, identifier)
        doubt = unsure or _names_part(room, target, identifier)
        certainty = min(sure, _DOUBTED) if doubt else sure
        plan = Plan(tool, held | arguments, history | evidence, certainty, act.inferred or doubt, identifier, note)
        found.append(settle(room, plan, act.asks))
    return [*found, *_lost(room, reading, tool)]


def _is_unsure(room: Room, tool: str, reading: Reading) -> bool:
    return _unsure_group(room, reading) or _has_doubtful_text(room, tool, reading)


def _has_doubtful_text(room: Room, tool: str, reading: Reading) -> bool:
    return any(doubtful(room.sheet, tool, piece, reading.chunks) for piece in reading.texts.values())


def _lost(room: Room, reading: Reading, tool: str) -> list[Decision]:
    """A question for each name that was said beside others, and that no thing has."""
    param, target = reading.target_param, reading.target
    if not param or target is None:
        return []
    return [room.voice.which(tool, {}, param, (), "not_found", said) for said in target.lost]


def _unsure_repeat(room: Room, tool: str, reading: Reading) -> str:
    """The note for a question about the repeat, or "" if none is needed.

    A question is needed if a text still contains a repeat that cannot be expressed ("every time it rains"), or if the
    words of the repeat may also mean a single date.
    """
    repeats, name = room.grammar.repeats, _repeat_param(room, tool)
    pieces = _free_texts(room, reading)
    if repeats is None or not name or not pieces:
        return ""
    if any(isinstance(one.value, Repeat) and not one.value.sure for one in reading.chunks):
        return f"{name}.perhaps"
    hints = _unread(repeats.hints(room.sheet.lows, room.now), reading)
    return name if any(_is_within(hint, pieces) for hint in hints) else ""


def _repeat_param(room: Room, tool: str) -> str:
    """The parameter of a tool that takes a repeat, or "" if none does."""
    params, slots = room.grammar.pack.tools[tool].params.items(), room.grammar.pack.slots
    return next((name for name, one in params if one.slot and slots[one.slot].type == "repeat"), "")


def _is_within(place: tuple[int, int], pieces: Iterable[Piece]) -> bool:
    first, last = place
    return any(first < one.last and one.first < last for one in pieces)


def _free_texts(room: Room, reading: Reading) -> list[Piece]:
    """The texts that were neither quoted nor dictated."""
    slots = room.grammar.pack.slots
    free = (one for slot, one in reading.texts.items() if not one.quoted and not slots[slot].verbatim)
    return [one for one in free if one.first < one.last]


def _unread(places: Iterable[tuple[int, int]], reading: Reading) -> list[tuple[int, int]]:
    """The places in which no value was read."""
    read = {at for one in reading.chunks for at in range(one.start, one.end)}
    return [place for place in places if read.isdisjoint(range(*place))]


def _unsure_group(room: Room, reading: Reading) -> bool:
    """Whether the group is uncertain: several are named, or one without its noun ("add drive to work", where a list
    "work" exists)."""
    named = [chunk for chunk in reading.chunks if chunk.slot in room.grammar.shared]
    if not named:
        return False
    chunks = Stretch(room.sheet, *room.clause).chunks
    told = {one.value for one in chunks if one.slot == named[0].slot and one.strong}
    return len(told) > 1 or (reading.target is None and any(chunk.cost for chunk in named))


def _names_part(room: Room, target: Target | None, identifier: str | None) -> bool:
    """ "the eggs are done", of a task "milk, eggs and bread": the user named one part, but the whole task would change.

    Guards a change of the whole task that the user did not ask for.
    """
    if target is None or identifier is None:
        return False
    from sayso.engine.decide.described import is_portion  # noqa: PLC0415  only what touches a thing waits for it

    return is_portion(room.sheet, target, room.voice.label(identifier))


def _belief(room: Room, act: Act, reading: Reading) -> float | None:
    """How likely the message is for us; `None` if more than its words supports the reading."""
    if room.gate is None or not on_words_alone(act, reading):
        return None
    return believed(room.gate, room.sheet, room.clause, reading)


def _doubted(room: Room, act: Act, sure: float, belief: float) -> float:
    """The confidence of an act that may be meant for others. A read does no harm, a hint is confirmed in any case, and
    an act that needs the name of a list is about this user's lists."""
    read = act.tool is None or room.grammar.pack.tools[act.tool].risk == "read"
    on_list = not room.grammar.shared.keys().isdisjoint(act.needs)
    return min(sure, max(belief, room.thresholds.act) if act.inferred or read or on_list else belief)


def believed(gate: Gate, sheet: Sheet, clause: tuple[int, int], reading: Reading) -> float:
    """How likely the clause, or the message that it is part of, is for us."""
    words, literal = sheet.words, reading.match.literal
    repeats = any(isinstance(chunk.value, Repeat) for chunk in reading.chunks)
    tokens = _beside_values(sheet, reading)
    vouched = bool(literal or repeats) and any(sheet.vouches(one.first) for one in reading.texts.values())
    literal += MOST_LITERAL * vouched  # the text to write down is a thing to do
    first, last = clause
    whole = max(gate.belief(tokens, literal), _VOUCHED * vouched)
    if last - first >= len(words):
        return whole
    start, end = words[first].start, words[last - 1].end
    return max(whole, gate.belief([token for token in tokens if start <= token.start and token.end <= end], literal))


def _beside_values(sheet: Sheet, reading: Reading) -> Sequence[Token]:
    """The tokens without repeats and lead times, which do not show the subject of a message."""
    told = [chunk for chunk in reading.chunks if isinstance(chunk.value, Repeat | Lead)]
    if not told:
        return sheet.text.tokens
    spans = [(sheet.words[chunk.start].start, sheet.words[chunk.end - 1].end) for chunk in told]
    return [one for one in sheet.text.tokens if not any(a <= one.start and one.end <= b for a, b in spans)]


def on_words_alone(act: Act, reading: Reading) -> bool:
    """Whether only the words support a reading: none of the user's things, and nothing said or done before."""
    found = reading.target is not None and (reading.target.ids or reading.target.pronoun)
    return not (found or act.narrows or act.again or act.previous or act.after)


def _complete(room: Room, reading: Reading, identifier: str | None) -> tuple[dict[str, Any], dict[str, Evidence]]:
    entity = room.scene.things.get(identifier) if identifier is not None else None
    arguments, evidence = fill(room.sheet, reading, entity, room.now, _ringing(room, reading, identifier))
    if identifier is not None and reading.target_param is not None and reading.target is not None:
        arguments = {reading.target_param: identifier, **arguments}
        evidence[reading.target_param] = proof_of(room.scene, reading.target, identifier)
    return arguments, evidence


def _ringing(room: Room, reading: Reading, identifier: str | None) -> Ringing:
    """Whether a date of a clause says when its thing has to ring."""
    act, target = room.grammar.pack.acts[reading.act], reading.target
    how = rings(room.grammar.pack.params_of(act.tool))
    if how is None or identifier is None:
        return ""
    if act.rings:
        return act.rings
    named = target is not None and target.span is not None
    places = range(reading.start, reading.end)
    return ringing(room.sheet, room.scene, how[1], places, identifier, named=named)


def _unresolved(room: Room, reading: Reading, tool: str, target: Target, sure: float) -> Decision:
    """The question which one is meant: the user named none, named an unknown one, or too many match."""
    param = reading.target_param or ""
    arguments, _ = fill(room.sheet, reading, None, room.now)
    if target.problem == "bulk":
        if _is_understood(room, reading, tool):
            return room.voice.which(tool, arguments, param, [], "not_found", target.said)
        return room.voice.nothing("unsupported", sure)
    if target.problem == "missing" and not target.options:
        return room.voice.missing(tool, arguments, (param, *_asked_texts(room, reading, tool, arguments)), sure)
    unfit = _unfit(room, reading, target) if target.problem == "not_found" and not target.options else None
    if unfit is not None:
        return room.voice.already(tool, param, unfit)
    reason: ClarifyReason = "not_found" if target.problem == "not_found" else "ambiguous"
    return room.voice.which(tool, arguments, param, _options(room, reading, tool, target), reason, target.said)


def _asked_texts(room: Room, reading: Reading, tool: str, arguments: dict[str, Any]) -> list[str]:
    """The texts that the act requires, and that were not said."""
    asks = room.grammar.pack.acts[reading.act].asks
    return [name for name in asks if name not in arguments and _is_text(room, tool, name)]


def _options(room: Room, reading: Reading, tool: str, target: Target) -> list[Option]:
    """A call for each thing that may be meant."""
    options: list[Option] = []
    for place, identifier in enumerate(target.options):
        how = _ringing(room, reading, identifier)
        own, _ = fill(room.sheet, reading, room.scene.things.get(identifier), room.now, how)
        share = round(max(0.1, 0.5 - 0.01 * place), 2)
        label, arguments = room.voice.label(identifier), {reading.target_param or "": identifier, **own}
        options.append(Option(label=label, tool=tool, arguments=arguments, confidence=share))
    return options


def _is_text(room: Room, tool: str, name: str) -> bool:
    slot = room.grammar.pack.tools[tool].params[name].slot
    return slot is not None and room.grammar.pack.slots[slot].type == "text"


def _unfit(room: Room, reading: Reading, target: Target) -> str | None:
    """The one thing that is meant, if it already is as the act would make it: a done task cannot be completed."""
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
