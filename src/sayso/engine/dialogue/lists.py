"""Decides acts on the list that was shown last, and how to undo the last change.

"only the late ones" narrows it, "and those that are done?" changes its filter, "next page" continues after its end.
The history says which list that was: a list, and every turn that narrowed it or turned its pages since.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from sayso.case import Case
from sayso.decision import Decision, Evidence
from sayso.engine.clauses.clause import Sense
from sayso.engine.clauses.detect import confidence
from sayso.engine.decide.check import settle
from sayso.engine.decide.decide import decide
from sayso.engine.decide.room import Plan, Room
from sayso.engine.dialogue.history import earlier_senses
from sayso.engine.grammar.pack import Act, Tool
from sayso.engine.linking.index import EntityIndex
from sayso.engine.slots.arguments import fill
from sayso.record import Entity

_PAGES_BACK = 20  # the user's turns in which the list to page through is searched


def narrowed(room: Room, sense: Sense, case: Case) -> list[Decision]:
    """A list like the last one, from its beginning, with the new filter added."""
    act = room.grammar.pack.acts[sense.reading.act]
    base = _last_list(room, act.tool, earlier_senses(room.grammar, room, case))
    return decide(room, sense, None if base is None else _from_the_start(room.grammar.pack.tools[act.tool or ""], base))


def turned(room: Room, sense: Sense, case: Case) -> list[Decision]:
    """Another page of the last list; of all items if that list is not known."""
    act = room.grammar.pack.acts[sense.reading.act]
    base = _last_list(room, act.tool, earlier_senses(room.grammar, room, case, _PAGES_BACK)) or {}
    said, proof = fill(room.sheet, sense.reading, None, room.now)
    arguments = {**_moved(room.grammar.pack.tools[act.tool or ""], act, base), **said}
    evidence = {**{name: Evidence(source="history") for name in arguments}, **proof}
    return [settle(room, Plan(act.tool or "", arguments, evidence, confidence(act, sense), act.inferred, None))]


def _last_list(room: Room, tool: str | None, earlier: Iterator[tuple[Sense, Room]]) -> dict[str, Any] | None:
    """The arguments of the last list, or `None` if there was no list."""
    for sense, then in earlier:
        act = room.grammar.pack.acts[sense.reading.act]
        if act.tool != tool or tool is None:
            continue
        own, _ = fill(then.sheet, sense.reading, None, room.now)
        if not (act.narrows or act.pages):
            return own
        base = _last_list(room, tool, earlier) or {}
        known = room.grammar.pack.tools[tool]
        return {**(_moved(known, act, base) if act.pages else _from_the_start(known, base)), **own}
    return None


def _from_the_start(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments without the page: another list begins with its first page."""
    start = tool.paging.start if tool.paging is not None else None
    return {name: value for name, value in arguments.items() if name != start}


def _moved(tool: Tool, act: Act, arguments: dict[str, Any]) -> dict[str, Any]:
    """The list one page on, one page back, or at its first page; for `onward`, the week after this week, if known."""
    paging = tool.paging
    if paging is None:
        return arguments
    start = arguments.get(paging.start, tool.params[paging.start].default)
    size = arguments.get(paging.size, tool.params[paging.size].default)
    if act.pages == "onward":
        for name, follows in paging.onward.items():
            if (then := follows.get(str(arguments.get(name)))) is not None:
                return {**_from_the_start(tool, arguments), name: then}
    moved = {"next": start + size, "onward": start + size, "previous": max(0, start - size), "first": 0}[act.pages]
    return {**_from_the_start(tool, arguments), **({paging.start: moved} if moved else {})}


_ROLES: Final[tuple[Literal["user", "assistant"], ...]] = ("user", "assistant")


def taken_back(room: Room, sense: Sense, case: Case) -> list[Decision]:
    """Undoes a change to a named thing; to "it" only if the last action changed that thing and this act undoes it."""
    target, act = sense.reading.target, room.grammar.pack.acts[sense.reading.act]
    if target is None or target.source != "history":
        return decide(room, sense)
    if not sense.reading.chunks and _was_done(room, case, act, target.ids):  # with a new date it does more than undo
        return decide(room, sense)
    return [room.voice.nothing("unsupported", 0.9, "undo")]


def _was_done(room: Room, case: Case, act: Act, ids: tuple[str, ...]) -> bool:
    """Whether the last request was the action that this act undoes, or else the last action reported as done."""
    entity = room.scene.things.get(ids[0]) if len(ids) == 1 else None
    if entity is None or not room.scene.things.among(act.among)(entity.id):
        return False
    pack, then = room.grammar.pack, _as_before(room, act, entity)
    for role in _ROLES:
        for sense, _ in earlier_senses(room.grammar, then, case, 1, role):
            deed = pack.acts[sense.reading.act]
            if deed.tool is not None and (role == "user" or not deed.past):  # "I've added the milk": not bought
                return _undoes(act, pack.tools[deed.tool]) and sense.reading.about == ids
    return False


def _undoes(act: Act, tool: Tool) -> bool:
    """Whether an act is the inverse of a tool."""
    inverse = tool.inverse or {}
    return (inverse.get("tool"), inverse.get("set")) == (act.tool, act.set)


def _as_before(room: Room, act: Act, entity: Entity) -> Room:
    """The room with the one thing as it was before the action: a done task cannot be completed."""
    values = {field: value for field in entity for name, value in act.set.items() if name.endswith(field)}
    grammar = room.grammar
    things = EntityIndex([Entity({**entity, **values})], grammar.pack.entities, grammar.stems, grammar.little)
    return room._replace(scene=room.scene._replace(things=things))
