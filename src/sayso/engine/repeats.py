"""Repeats: a clause that says once more what another one said, and asks for nothing of its own."""

from __future__ import annotations

from sayso.decision import Clarify, Decision, Nothing
from sayso.engine.decide import Room
from sayso.engine.detect import Sense


def only_named(prior: Sense, sense: Sense) -> bool:
    """ "ironing? never again, delete it": a name with a question mark says no more than what "it" is."""
    target, named = sense.reading.target, prior.reading
    bare = prior.mood.asks and prior.mood.name == "open" and named.match.literal <= 1 and named.deed is None
    return bare and target is not None and target.pronoun and named.about == target.ids != ()


def only_repeats(before: list[Decision], found: list[Decision], sense: Sense) -> bool:
    """ "…, so tick that off" after a question about which one: the same wish again."""
    last = before[-1] if before else None
    target = sense.reading.target
    asks = len(found) == 1 and isinstance(found[0], Clarify) and target is not None and target.pronoun
    if isinstance(last, Nothing) and last.reason == "unsupported":  # "list everyone's tasks, then delete them"
        return asks
    return asks and not isinstance(last, Nothing) and last is not None and last.tool == getattr(found[0], "tool", None)


def points_back(room: Room, before: list[Decision], found: list[Decision], sense: Sense) -> bool:
    """ "I've called the vet, note it": what was said has been acted on, and nothing else is to be written."""
    if not before or isinstance(before[-1], (Nothing, Clarify)) or len(found) != 1 or not isinstance(found[0], Clarify):
        return False
    bare = sense.reading.target is None and not sense.reading.texts and not sense.reading.chunks
    places = range(*room.clause)
    return bare and any(room.grammar.has(room.sheet, at, "it", slips=0.0) for at in places)
