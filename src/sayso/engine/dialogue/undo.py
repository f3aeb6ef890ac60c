"""Decides how to undo the last change.

"undo that" after "buy milk is done" puts the milk back. After a new title or another date it is nothing that we do:
what was there before is not in the words.
"""

from __future__ import annotations

from typing import Final, Literal

from sayso.case import Case
from sayso.decision import Decision
from sayso.engine.clauses.detect import Sense
from sayso.engine.decide.decide import Room, decide
from sayso.engine.dialogue.history import earlier_senses
from sayso.engine.grammar.pack import Act
from sayso.engine.linking.index import EntityIndex
from sayso.record import Entity

_ROLES: Final[tuple[Literal["user", "assistant"], ...]] = ("user", "assistant")


def taken_back(room: Room, sense: Sense, case: Case) -> list[Decision]:
    """What is named is put back; what is only pointed at, if the last deed was done to it and is the one to undo."""
    target, act = sense.reading.target, room.grammar.pack.acts[sense.reading.act]
    if target is None or target.source != "history":
        return decide(room, sense)
    if not sense.reading.chunks and _was_done(room, case, act, target.ids):  # with a new date it is no mere undoing
        return decide(room, sense)
    return [room.voice.nothing("unsupported", 0.9, "undo")]


def _was_done(room: Room, case: Case, act: Act, ids: tuple[str, ...]) -> bool:
    """Whether the deed that the act undoes is what was asked for last, or else what was last said to be done."""
    entity = room.scene.things.get(ids[0]) if len(ids) == 1 else None
    if entity is None or not room.scene.things.among(act.among)(entity.id):
        return False
    pack, then = room.grammar.pack, _as_before(room, act, entity)
    for role in _ROLES:
        for sense, _ in earlier_senses(room.grammar, then, case, 1, role):
            deed = pack.acts[sense.reading.act]
            if deed.tool is not None and (role == "user" or not deed.past):  # "I've added the milk" is no milk bought
                inverse = pack.tools[deed.tool].inverse or {}
                undone = (inverse.get("tool"), inverse.get("set"))
                return undone == (act.tool, act.set) and sense.reading.about == ids
    return False


def _as_before(room: Room, act: Act, entity: Entity) -> Room:
    """The room with the one thing as it was before the deed: what is done cannot be completed."""
    values = {field: value for field in entity for name, value in act.set.items() if name.endswith(field)}
    grammar = room.grammar
    things = EntityIndex([Entity({**entity, **values})], grammar.pack.entities, grammar.stems, grammar.little)
    return room._replace(scene=room.scene._replace(things=things))
