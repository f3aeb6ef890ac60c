"""Finds clauses that repeat another one, or take part of it back."""

from __future__ import annotations

from sayso.decision import Call, Clarify, Confirm, Decision, Nothing
from sayso.engine.clauses.detect import Sense
from sayso.engine.decide.decide import Room
from sayso.engine.slots.extract import Reading


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
    return bare and any(room.sheet.has(at, "it") for at in places)


def says_why(room: Room, before: list[Decision], prior: Sense | None, sense: Sense) -> bool:
    """ "reopen the glue, it has run out": what is told of a thing right after something was asked for it says why."""
    acts, target = room.grammar.pack.acts, sense.reading.target
    if not before or prior is None or target is None or not isinstance(before[-1], (Call, Confirm)):
        return False
    told = acts[sense.reading.act].inferred and not acts[prior.reading.act].inferred
    unnamed = target.pronoun or target.span is None
    return told and unnamed and bool(target.ids) and set(target.ids) <= _about(before[-1])


def spared(before: list[Decision], reading: Reading) -> list[Decision] | None:
    """ "move the rent to Friday and the gym to Monday… no, leave the gym": what is left, where something was asked for
    the thing that is to be left alone."""
    target = reading.target
    ids = {*target.ids, *target.options} if target is not None else set()
    kept = [one for one in before if not (isinstance(one, (Call, Confirm)) and ids & _about(one))]
    return kept if len(kept) < len(before) else None


def _about(decision: Call | Confirm) -> set[str]:
    return {one.entity for one in decision.evidence.values() if isinstance(one.entity, str)}
