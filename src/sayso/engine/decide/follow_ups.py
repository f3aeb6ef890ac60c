"""Offers what the person may want next. An offer never runs by itself.

After "how warm is the cold room?" its "Set temperature" may be next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from sayso.decision import Call, Decision, FollowUp
from sayso.engine.decide.decide import Room
from sayso.engine.grammar.pack import Following
from sayso.engine.linking.inventory import Part

_MOST = 3


def follow_ups(room: Room, decisions: Sequence[Decision]) -> tuple[FollowUp, ...]:
    """What the pack says may follow the last of the decisions, where that is a call."""
    last = decisions[-1] if decisions else None
    if not isinstance(last, Call):
        return ()
    offers = (one for rule in room.grammar.pack.tools[last.tool].next for one in _offers(room, last, rule))
    return tuple(islice(offers, _MOST))


def _offers(room: Room, call: Call, rule: Following) -> Iterator[FollowUp]:
    label = room.grammar.book.say.next.get(f"{call.tool}.{rule.tool}")
    kept = {name: call.arguments[name] for name in rule.keep if name in call.arguments}
    if label is None or len(kept) < len(rule.keep):
        return
    arguments = {**kept, **rule.set}
    target = next((value for value in kept.values() if isinstance(value, str)), "")
    name = room.voice.label(target)
    if not rule.part:
        yield FollowUp(label=label.format(label=name), tool=rule.tool, arguments=arguments)
        return
    key = _part_param(room, rule)
    for part in _valued_parts(room, rule.part, target) if key is not None else ():
        shown = label.format(label=name, part=part.label)
        yield FollowUp(label=shown, tool=rule.tool, arguments={**arguments, str(key): part.id})


def _part_param(room: Room, rule: Following) -> str | None:
    """The parameter of the tool that takes such a part."""
    slots, params = room.grammar.pack.slots, room.grammar.pack.tools[rule.tool].params
    return next((key for key, one in params.items() if one.slot and slots[one.slot].of == rule.part), None)


def _valued_parts(room: Room, kind: str, target: str) -> Iterator[Part]:
    """The parts of a thing that take a value."""
    things = room.scene.inventory.stock.things(kind, ()) if room.scene.inventory is not None else ()
    return (part for thing in things if thing.id == target for part in thing.parts if part.valued)
