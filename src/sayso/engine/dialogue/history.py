"""Decides acts that refer to earlier turns.

"no, the other one" does the last act again on the other thing; "the same for the milk" on one more.
The steps that read the message also read the history, to find the earlier acts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Literal

from sayso.case import Case
from sayso.decision import Call, Confirm, Decision, Evidence, Pending
from sayso.engine.clauses.clause import Clause, Sense
from sayso.engine.clauses.split import split
from sayso.engine.decide.check import proof_of, settle
from sayso.engine.decide.room import Plan, Room
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.linking.focus import is_about_one, scene_of
from sayso.engine.linking.link import link
from sayso.engine.slots.arguments import fill, values_for
from sayso.engine.text.tokens import normalise

_BACK = 4  # the user's turns that are read again


def earlier_senses(
    grammar: Grammar,
    room: Room,
    case: Case,
    back: int = _BACK,
    role: Literal["user", "assistant"] = "user",
    *,
    past: bool = False,
) -> Iterator[tuple[Sense, Room]]:
    """The user's earlier requests, latest first; or the assistant's turns, as if the user had said them."""
    said = [number for number, turn in enumerate(case.history) if turn.role == role]
    for number in reversed(said[-back:]):
        before = scene_of(_until(case, number), room.scene.things)
        before = before._replace(inventory=room.scene.inventory, past=past)
        sheet = grammar.read(normalise(case.history[number].content), case.now)
        then = room._replace(sheet=sheet, scene=before)
        for clause in reversed(split(sheet, before, 0)):
            if clause.sense is not None:
                yield clause.sense, then


def lately(room: Room, case: Case, question: Pending | None) -> Callable[[], str | None]:
    """The tool of the open question, else that of the user's turn before, if that was about one thing."""

    @cache
    def found() -> str | None:
        if question is not None:
            return question.tool if isinstance(question, Confirm) else None
        if not is_about_one(case, room.scene.things):
            return None
        senses = earlier_senses(room.grammar, room, case, past=True)
        acts = (room.grammar.pack.acts[sense.reading.act] for sense, _ in senses)
        return next((act.tool for act in acts if not act.again), None)  # "eggs too" did the same once more

    return found


def mentioned(room: Room, case: Case) -> Callable[[frozenset[str]], bool]:
    """Whether the last message or its answer has a word of these classes: the subject of a bare value after it."""

    @cache
    def found(names: frozenset[str]) -> bool:
        turns = case.history[-2:]
        sheets = (room.grammar.read(normalise(turn.content), case.now) for turn in turns)
        return any(sheet.whole.holds(*names) for sheet in sheets)

    return found


def again(room: Room, sense: Sense, case: Case) -> list[Decision]:
    """The last act on another thing. If the tool has an inverse, the mistake is undone first."""
    act = room.grammar.pack.acts[sense.reading.act]
    if room.grammar.acts_on_parts and (done := _with_parts_again(room, sense, case)) is not None:
        return done
    meant = _meant(room, sense, act.again)
    if meant is None:
        return [room.voice.nothing("unsupported", 0.6, "other")]
    for earlier, then in earlier_senses(room.grammar, room, case):
        last = room.grammar.pack.acts[earlier.reading.act].tool
        param = earlier.reading.target_param
        if last is None or param is None:
            continue
        if sense.mood.asks and sense.mood.name == "open" and not room.grammar.pack.reads(last):
            break  # a question never reaches a tool that writes
        undo = [] if act.again in ("also", "further") else _undo(room, last, param)
        return [*undo, _on_another(room, then, earlier, meant)]
    return [room.voice.nothing("unsupported", 0.6, "other")]


def _with_parts_again(room: Room, sense: Sense, case: Case) -> list[Decision] | None:
    """The last action on a thing with parts, on another thing."""
    from sayso.engine.decide.operate import did_something, operate_again  # noqa: PLC0415  only packs whose things have parts wait for it

    other = room.grammar.pack.acts[sense.reading.act].again == "other"
    for earlier, then in earlier_senses(room.grammar, room, case):
        if did_something(earlier):
            return operate_again(room, then, earlier, sense.mood.asks, other)
    return None


def _on_another(room: Room, then: Room, earlier: Sense, identifier: str) -> Decision:
    """The earlier request, on another thing."""
    param = earlier.reading.target_param or ""
    arguments, evidence = fill(then.sheet, earlier.reading, room.scene.things.get(identifier), room.now)
    proof = {name: Evidence(source="history") for name in evidence}
    proof[param] = Evidence(source="history", entity=identifier)
    tool = room.grammar.pack.acts[earlier.reading.act].tool or ""
    return settle(room, Plan(tool, {param: identifier, **arguments}, proof, 0.92, False, identifier))


def once_more(room: Room, sense: Sense, prior: Sense | None) -> list[Decision]:
    """ "stop the chairlift and the tow", "the essay is done, and the poem too": the request just before, for one more
    thing."""
    act = room.grammar.pack.acts[sense.reading.act]
    if act.again != "also" or prior is None:
        return []
    if prior.reading.deed is None:
        return _as_before(room, sense, prior)
    if prior.reading.deed.problem is not None:
        return []
    from sayso.engine.decide.operate import operate_again  # noqa: PLC0415  only packs whose things have parts wait for it

    return operate_again(room, room, prior, sense.mood.asks, False)


def _as_before(room: Room, sense: Sense, prior: Sense) -> list[Decision]:
    """The act of the clause before, on the thing that this one names."""
    act, target = room.grammar.pack.acts[prior.reading.act], sense.reading.target
    param = prior.reading.target_param
    if act.tool is None or param is None or target is None or len(target.ids) != 1 or target.pronoun:
        return []
    meant, things = target.ids[0], room.scene.things
    if meant in (prior.reading.about or ()) or (act.among and not things.among(act.among)(meant)):
        return []
    arguments, evidence = fill(room.sheet, prior.reading, things.get(meant), room.now)
    proof = {**evidence, param: proof_of(room.scene, target, meant)}
    return [settle(room, Plan(act.tool, {param: meant, **arguments}, proof, 0.92, act.inferred, meant))]


def named_too(room: Room, sense: Sense, prior: Sense) -> list[Decision]:
    """ "delete the milk and the gym", though a gym would also be something to add: a name takes over the verb before
    it, and Sayso says that a missing thing is not found."""
    pack, reading = room.grammar.pack, sense.reading
    act, param = pack.acts[prior.reading.act], prior.reading.target_param
    piece = next(iter(reading.texts.values()), None)
    if not pack.acts[reading.act].after or pack.acts[reading.act].tool == act.tool or reading.target is not None:
        return []
    if act.tool is None or param is None or piece is None:
        return []
    allowed = room.scene.things.among(act.among) if act.among else None
    target = link(Stretch(room.sheet, piece.first, piece.last), room.scene, allowed)
    if len(target.ids) != 1 or target.pronoun:
        return [room.voice.which(act.tool, {}, param, (), "not_found", piece.text)]
    found = sense._replace(reading=reading._replace(target=target))
    return _as_before(room, found, prior)


def gapped(room: Room, before: Decision, clause: Clause) -> Decision | None:
    """ "move the report to friday and the milk to monday": one verb applies to two things."""
    if not isinstance(before, (Call, Confirm)):
        return None
    params = room.grammar.pack.tools[before.tool].params
    param = room.grammar.pack.target_param(before.tool)
    chunks = tuple(_values_in(room, clause, {one.slot for one in params.values()}))
    if param is None or not chunks:
        return None
    target = link(Stretch(room.sheet, clause.start, chunks[0].start), room.scene, None)
    if len(target.ids) != 1 or target.pronoun or target.certainty < 0.8 or target.span is None:
        return None
    entity = room.scene.things.get(target.ids[0])
    values, proof = values_for(room.sheet, before.tool, chunks, room.now, entity)
    proof[param] = proof_of(room.scene, target, target.ids[0])
    return settle(room, Plan(before.tool, {param: target.ids[0], **values}, proof, 0.92, False, target.ids[0]))


def _values_in(room: Room, clause: Clause, slots: set[str | None]) -> Iterator[Chunk]:
    """The values in a clause, the longest from each place."""
    end = clause.start
    for at in range(clause.start, clause.end):
        here = [
            one for one in room.sheet.chunks.get(at, ()) if one.slot in slots and one.end <= clause.end and one.floats
        ]
        if here and at >= end:
            longest = max(here, key=lambda chunk: chunk.end)
            end = longest.end
            yield longest


def _meant(room: Room, sense: Sense, how: str) -> str | None:
    focus = room.scene.focus
    if how in ("named", "also"):
        target = sense.reading.target
        known = target.ids[0] if target is not None and len(target.ids) == 1 else None
        return known if known not in focus else None
    others = _others(room, sense)
    return others[0] if len(others) == 1 and len(focus) == 1 else None


def _others(room: Room, sense: Sense) -> list[str]:
    """The things that the words name, else those shown last, without the one in focus: "the other reply"."""
    focus = room.scene.focus
    others = [identifier for identifier in room.scene.listed if identifier not in focus]
    for piece in sense.reading.texts.values():
        hits = room.scene.things.search(room.sheet.stems[piece.first : piece.last])
        others = [hit.id for hit in hits if hit.said >= 0.5 and hit.id not in focus]
    return others


def _undo(room: Room, tool: str, param: str) -> list[Decision]:
    inverse = room.grammar.pack.tools[tool].inverse
    if inverse is None or len(room.scene.focus) != 1:
        return []
    wrong = room.scene.focus[0]
    arguments: dict[str, Any] = {param: wrong, **inverse["set"]}
    proof = {name: Evidence(source="history", entity=wrong) for name in arguments}
    return [settle(room, Plan(inverse["tool"], arguments, proof, 0.92, False, wrong))]


def _until(case: Case, number: int) -> Case:
    return Case(message="", now=case.now, history=case.history[:number])
