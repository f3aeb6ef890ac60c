"""Reads the parts of an answer beside yes, no and a choice.

"order more printer paper" is the title that was asked for, "no, the tax letter" names
another thing, "make it Tuesday" another value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sayso.decision import Call, Clarify, Confirm, Decision, Evidence, Pending, Span
from sayso.engine.clauses.clause import Clause
from sayso.engine.decide.check import settle
from sayso.engine.decide.room import Plan, Room
from sayso.engine.dialogue.assent import asks_back, covered
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.pack import Act, Param, Tool
from sayso.engine.grammar.sheet import TYPOS, Stretch, Target
from sayso.engine.linking.link import link
from sayso.engine.linking.positions import places
from sayso.engine.slots.arguments import in_form
from sayso.engine.slots.texts import Piece, read_text
from sayso.record import Entity

_AROUND = ("hesitation", "filler", "polite")
_TURNING = (*_AROUND, "no", "correction", "instead", "link", "it")  # allowed beside a replacement value
_SENTENCE = ("be", "wh", "negation", "link")  # words that make more than a name: "yes, when the report is done"
_LONGEST = 30  # words in which people say a value


def target_of(room: Room, pending: Pending) -> tuple[str | None, str | None]:
    param = room.grammar.pack.target_param(pending.tool)
    value = pending.arguments.get(param) if param else None
    return (str(value) if isinstance(value, str | int) else None), param


def gone(room: Room, pending: Pending) -> Decision | None:
    """Say that the target of the open question no longer exists. An open slot takes ids that are not in the list."""
    pack = room.grammar.pack
    param = pack.target_param(pending.tool)
    if param is None or pending.tool is None or pending.arguments.get(param) is None:
        return None
    slot, target = pack.tools[pending.tool].params[param].slot, str(pending.arguments[param])
    if (slot is not None and pack.slots[slot].open) or room.scene.things.get(target) is not None:
        return None
    return room.voice.which(pending.tool, {}, param, (), "not_found", target)


def replaced(room: Room, pending: Confirm, beyond: list[Clause]) -> Decision | None:
    """ "no, the tax letter": the same act on another thing, or the same thing with another value."""
    other = asked_again(room, pending)
    if other is not None:
        return other
    param = room.grammar.pack.target_param(pending.tool)
    if param is None:
        return None
    start, end = _span_of(room, beyond)
    start = _after_no(room, start, end)
    told = _after_other(room, start, end)
    allowed = (lambda known: known != pending.arguments.get(param)) if told > start else None
    target = link(Stretch(room.sheet, told, end), room.scene, allowed)
    if len(target.ids) != 1 or target.pronoun or target.ids[0] == pending.arguments.get(param):
        return None
    return on_other(room, pending, target)


def named_alone(room: Room, pending: Confirm, start: int, clauses: list[Clause]) -> Target | None:
    """The one thing that all words from here on name: "the oven", "the kitchen one". `None` if more is said."""
    end = clauses[-1].end
    start = opening(Stretch(room.sheet, start, end))
    stretch = Stretch(room.sheet, start, end)
    if start >= end or room.grammar.pack.target_param(pending.tool) is None or end - start > _LONGEST:
        return None
    if stretch.holds(*_SENTENCE):
        return None
    target = link(stretch, room.scene, None)
    if len(target.ids) != 1 or target.pronoun or target.span is None:
        return None
    return target if all(_is_small_beside(room, at, target.span) for at in stretch.places) else None


def _is_small_beside(room: Room, at: int, span: Span) -> bool:
    """Whether a word is inside a name, or adds nothing beside it."""
    word = room.sheet.words[at]
    if word.kind == "mark" or (span[0] <= word.start and word.end <= span[1]):
        return True
    small = (*_AROUND, "article", "it", "dummy", "of", "possessive", "emphasis", *room.grammar.nouns)
    return bool(room.sheet.has(at, *small, slips=TYPOS))


def on_other(room: Room, pending: Confirm, target: Target) -> Decision | None:
    """The pending call on another thing."""
    param = room.grammar.pack.target_param(pending.tool)
    if param is None:
        return None
    arguments = {**pending.arguments, param: target.ids[0]}
    from sayso.engine.decide.operate import swap  # noqa: PLC0415  only packs whose things have parts wait for it

    if (swapped := swap(room, pending, param, target.ids[0])) is not None:
        return swapped
    evidence = {name: Evidence(source="pending") for name in arguments}
    evidence[param] = _proof(target)
    return settle(room, Plan(pending.tool, arguments, evidence, 0.93, False, target.ids[0]))


def _after_no(room: Room, start: int, end: int) -> int:
    at = start
    while at < end:
        after = room.sheet.has(at, "no", "correction", "hesitation", "filler", "polite", slips=TYPOS)
        if room.sheet.words[at].kind == "mark":
            after = at + 1
        if not after:
            return at
        at = after
    return at


def _after_other(room: Room, start: int, end: int) -> int:
    """Past "the other" at the beginning of a name: "the other garage one", "the other one, the hedge"."""
    at = max(start, room.sheet.has(start, "article")) if start < end else start
    after = max((room.sheet.has(place, "other") for place in {start, at} if place < end), default=0)
    while 0 < after < end and room.sheet.words[after].kind == "mark":
        after += 1
    return after if start < after < end else start


def _proof(target: Target) -> Evidence:
    if target.span is None:
        return Evidence(source=target.source, entity=target.ids[0])
    return Evidence(source=target.source, entity=target.ids[0], span=target.span)


def _span_of(room: Room, clauses: list[Clause]) -> tuple[int, int]:
    if not clauses:
        return 0, len(room.sheet.words)
    return clauses[0].start, clauses[-1].end


def asked_again(room: Room, pending: Confirm) -> Decision | None:
    """ "make it Tuesday", without a yes: the question again, with the other value. Not "ring Ann on Tuesday"."""
    if _names_more(room, pending):
        return None
    found = changed(room, pending)
    if not isinstance(found, Call):
        return found
    target, _ = target_of(room, pending)
    return room.voice.confirm(found.tool, found.arguments, found.evidence, found.confidence, pending.reason, target)


def _names_more(room: Room, pending: Confirm) -> bool:
    """Whether a word belongs neither to a value, nor to the pending call, nor to a command."""
    target, _ = target_of(room, pending)
    label = room.voice.label(target) if target is not None else ""
    asked = {room.grammar.stems.stem(word) for text in (label, *_texts(pending)) for word in text.casefold().split()}
    valued = {at for chunk in chunks_in(room) for at in range(chunk.start, chunk.end)}
    sheet, little = room.sheet, room.grammar.little
    return any(
        word.kind == "word" and at not in valued and not sheet.edges[at] and sheet.stems[at] not in little | asked
        for at, word in enumerate(sheet.words)
    )


def _texts(pending: Confirm) -> Iterator[str]:
    return (value for value in pending.arguments.values() if isinstance(value, str))


def changed(room: Room, pending: Confirm) -> Decision | None:
    """ "make it Tuesday": the pending call with another value."""
    found = _values(room, pending.tool, pending.arguments)
    if not found:
        return None
    arguments = {**pending.arguments, **{name: value for name, (value, _) in found.items()}}
    evidence = {name: Evidence(source="pending") for name in arguments}
    evidence.update({name: proof for name, (_, proof) in found.items()})
    return settle(room, Plan(pending.tool, arguments, evidence, 0.92, False, target_of(room, pending)[0]))


def turned(room: Room, pending: Confirm, *, surely: bool) -> Decision | None:
    """ "no, make it Tuesday", after the question whether to delete it: another call, which takes only the value."""
    target, param = target_of(room, pending)
    if param is None or target is None or room.scene.things.get(target) is None:
        return None
    start = range(min(2, len(room.sheet.words)))
    remark = not surely and room.sheet.first(start, "it", "be") is not None
    if remark or not _is_bare_value(room, *(_TURNING if surely else _AROUND)):
        return None
    return _with_value(room, target, surely=surely)


def _with_value(room: Room, target: str, *, surely: bool) -> Decision | None:
    """The first call that takes only the value."""
    for act in room.grammar.pack.acts.values():  # acts that a few words may express after another call
        own = room.grammar.pack.target_param(act.tool) if act.after else None
        found = _values_for(room, act, own, target) if own is not None else {}
        if own is not None and found:
            return _changed(room, act.tool or "", own, target, found, surely=surely)
    return None


def _changed(
    room: Room, tool: str, param: str, target: str, found: dict[str, tuple[Any, Evidence]], *, surely: bool
) -> Decision:
    """The call that gives these values to the thing of the open question."""
    arguments = {param: target, **{name: value for name, (value, _) in found.items()}}
    evidence = {param: Evidence(source="pending"), **{name: proof for name, (_, proof) in found.items()}}
    return settle(room, Plan(tool, arguments, evidence, 0.92 if surely else 0.8, not surely, target))


def _values_for(room: Room, act: Act, param: str, target: str) -> dict[str, tuple[Any, Evidence]]:
    """The values that were said, if an act takes them all, and in slots that it requires."""
    tool = act.tool or ""
    slots = {slot for need in act.needs for slot in need.split("|")}
    told = _values(room, tool, {param: target})
    params = room.grammar.pack.params_of(act.tool)
    return told if all(params[name].slot in slots for name in told) else {}


def _values(room: Room, tool_name: str, known: dict[str, Any]) -> dict[str, tuple[Any, Evidence]]:
    """The dates and values anywhere in the message, by parameter."""
    found: dict[str, tuple[Any, Evidence]] = {}
    pack = room.grammar.pack
    target = pack.target_param(tool_name)
    entity = room.scene.things.get(str(known.get(target))) if target else Entity(known)
    params = pack.tools[tool_name].params if tool_name in pack.tools else {}
    for chunk in chunks_in(room):
        for name, param in params.items():
            if param.slot == chunk.slot and not isinstance(chunk.value, (int, float)):
                value = in_form(chunk, param, entity, room.now, name)
                if value is not None:
                    span = (room.sheet.words[chunk.core].start, room.sheet.words[chunk.end - 1].end)
                    found[name] = (value, Evidence(source="message", span=span))
    return found


def chunks_in(room: Room) -> list[Chunk]:
    """The longest chunk from each place, none inside another."""
    kept: list[Chunk] = []
    end = 0
    for at in sorted(room.sheet.chunks):
        if at >= end:
            chunk = max(room.sheet.chunks[at], key=lambda chunk: chunk.end)
            kept.append(chunk)
            end = chunk.end
    return kept


def filled(room: Room, pending: Clarify, tool_name: str, command: bool) -> Decision | None:
    """The value that the question asked for, read from the message by the type of its slot."""
    tool = room.grammar.pack.tools.get(tool_name)
    if tool is None or not pending.missing:
        return None
    if (lost := gone(room, pending)) is not None:
        return lost
    values = {**_values(room, tool_name, pending.arguments), **_numbers(room, tool, pending.missing)}
    command = command and not _is_only(room, values)
    arguments: dict[str, Any] = dict(pending.arguments)
    evidence = {name: Evidence(source="pending") for name in arguments}
    for name in pending.missing:
        if name in values and not command:
            arguments[name], evidence[name] = values[name]
        else:
            _fill_in(room, pending, tool, name, arguments, evidence, command=command)
    if all(name not in arguments for name in pending.missing):
        return None
    return _settled(room, pending, tool_name, arguments, evidence)


def _is_only(room: Room, values: Mapping[str, Any]) -> bool:
    """Whether the message consists only of values."""
    return bool(values) and _is_bare_value(room, "choose", "correction", *_AROUND)


def _settled(
    room: Room, pending: Clarify, tool_name: str, arguments: dict[str, Any], evidence: dict[str, Evidence]
) -> Decision:
    """The pending call, with the values that are known now."""
    target_id, _ = target_of(
        room, Clarify(tool=tool_name, arguments=arguments, confidence=1, question="", reason="missing")
    )
    other = bool(pending.options)  # none of the offered options, so ask for confirmation
    left = tuple(name for name in pending.missing if name not in arguments)
    return settle(room, Plan(tool_name, arguments, evidence, 0.8 if other else 0.93, other, target_id), left)


def _fill_in(
    room: Room,
    pending: Clarify,
    tool: Tool,
    name: str,
    arguments: dict[str, Any],
    evidence: dict[str, Evidence],
    *,
    command: bool,
) -> None:
    """Adds the thing or the text that the question asked for, unless the message is a separate command."""
    param = tool.params.get(name)
    kind = _kind(room, param)
    if kind == "entity" and (not command or is_place(room)):
        start = _after_no(room, 0, len(room.sheet.words))
        target = link(room.sheet.since(start), room.scene, _fitting(room, pending.tool or ""))
        if len(target.ids) == 1:
            arguments[name], evidence[name] = target.ids[0], _proof(target)
    elif kind == "text" and len(pending.missing) == 1 and not (command and not _announced(room, param)):
        _fill_text(room, tool, name, arguments, evidence)


def _kind(room: Room, param: Param | None) -> str:
    """The type of a parameter's slot."""
    return room.grammar.pack.slots[param.slot].type if param is not None and param.slot else ""


def _fill_text(room: Room, tool: Tool, name: str, arguments: dict[str, Any], evidence: dict[str, Evidence]) -> None:
    """Adds the text of the message, with the values said beside it."""
    piece = _text(room, tool, tool.params.get(name))
    if piece is not None and piece.text and _is_answer(room):
        arguments[name], evidence[name] = piece.text, Evidence(source="message", span=piece.span)
        _add_values(room, tool, piece, arguments, evidence)


def _numbers(room: Room, tool: Tool, missing: Sequence[str]) -> dict[str, tuple[Any, Evidence]]:
    """The number that the question asked for, by parameter."""
    slots = room.grammar.pack.slots
    params = {name: tool.params[name] for name in missing if name in tool.params and tool.params[name].slot}
    asked = {name: param for name, param in params.items() if slots[param.slot or ""].type == "number"}
    found = {name: _number(room, param) for name, param in asked.items()}
    return {name: number for name, number in found.items() if number is not None}


def _number(room: Room, param: Param) -> tuple[Any, Evidence] | None:
    """The one number of the message."""
    chunks = [chunk for here in room.sheet.chunks.values() for chunk in here if chunk.slot == param.slot]
    if len(chunks) != 1:
        return None
    (chunk,) = chunks
    value = chunk.value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value, Evidence(source="message", span=room.sheet.over(chunk).span)


def is_place(room: Room) -> bool:
    """ "l'ultima": a place in the list, although it looks like a verb."""
    words = len(room.sheet.words)
    start = _after_no(room, 0, words)
    return start < words and bool(places(Stretch(room.sheet, start, words), bool(room.scene.listed)))


def _fitting(room: Room, tool: str) -> Callable[[str], bool] | None:
    """The things that some act of the tool may be about: a done task cannot be completed."""
    acts = [act for act in room.grammar.pack.acts.values() if act.tool == tool]
    if any(not act.among for act in acts):
        return None

    def fits(identifier: str) -> bool:
        entity = room.scene.things.get(identifier)
        return entity is not None and any(
            all(entity.text(field) == value for field, value in act.among.items()) for act in acts
        )

    return fits


def _is_bare_value(room: Room, *beside: str) -> bool:
    """Whether the message is only a value and words that may come before a choice: "how about saturday"."""
    sheet = room.sheet
    if len(sheet.words) > _LONGEST:
        return False
    chunks = [chunk for chunk in chunks_in(room) if not isinstance(chunk.value, (int, float))]
    at = 0
    while at < len(sheet.words):
        after = _past_value(chunks, at) or sheet.has(at, *beside, slips=TYPOS)
        if not after and sheet.words[at].kind == "mark":
            after = at + 1
        if not after:
            return False
        at = after
    return bool(chunks)


def _past_value(chunks: Sequence[Chunk], at: int) -> int:
    """The end of the value that contains a word, or 0."""
    return next((chunk.end for chunk in chunks if chunk.start <= at < chunk.end), 0)


def _is_answer(room: Room) -> bool:
    """Whether the reply is not a yes, a question back or "I don't know", none of which is the text asked for."""
    words = len(room.sheet.words)
    only = covered(room, 0, words, "yes", "no", "cancel", "wh", "doubt")
    return not (only[0] and only[1]) and room.sheet.lows[-1] != "?" and not asks_back(room)


def _text(room: Room, tool: Tool, param: Param | None) -> Piece | None:
    """The text that the question asked for, without the words that announce it ("call it …")."""
    typed = frozenset(one.slot for one in tool.params.values() if one.slot in room.grammar.typed)
    start = _announced(room, param) or opening(room.sheet.whole)
    return read_text(room.sheet.since(start), typed)


def _announced(room: Room, param: Param | None) -> int:
    """Where the text begins after words that announce it, or 0."""
    end = len(room.sheet.words)
    start = opening(Stretch(room.sheet, 0, end))
    if start >= end or param is None or param.slot not in room.grammar.book.leads:
        return 0
    after = room.sheet.has(start, f"lead:{param.slot}", slips=TYPOS)
    return after if after < end else 0


def _add_values(room: Room, tool: Tool, piece: Piece, arguments: dict[str, Any], evidence: dict[str, Evidence]) -> None:
    for chunk in piece.chunks:
        for name, param in tool.params.items():
            if param.slot == chunk.slot:
                value = in_form(chunk, param, None, room.now, name)
                if value is not None:
                    span = (room.sheet.words[chunk.core].start, room.sheet.words[chunk.end - 1].end)
                    arguments[name], evidence[name] = value, Evidence(source="message", span=span)
