"""Offers what the person may want next. An offer never runs by itself.

After "how warm is the cold room?" its "Set temperature" may be next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from sayso.decision import Call, Decision, FollowUp
from sayso.engine.decide.decide import Room
from sayso.engine.grammar.pack import Following

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
    slots = room.grammar.pack.slots
    params = room.grammar.pack.tools[rule.tool].params
    key = next((key for key, one in params.items() if one.slot and slots[one.slot].of == rule.part), None)
    things = room.scene.inventory.stock.things(rule.part, ()) if room.scene.inventory is not None else ()
    parts = (part for thing in things if thing.id == target for part in thing.parts if part.valued)
    for part in parts if key is not None else ():
        shown = label.format(label=name, part=part.label)
        yield FollowUp(label=shown, tool=rule.tool, arguments={**arguments, str(key): part.id})
