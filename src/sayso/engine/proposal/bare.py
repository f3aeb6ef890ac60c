"""Decides about a call of a tool that has no acts: by its name, its description, its schema, and what was said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sayso.decision import Decision, Option
from sayso.engine.decide.decide import Plan, Room, settle
from sayso.engine.grammar.catalogue import Catalogue
from sayso.engine.proposal.asked import Call, Level, call_of, is_related, level
from sayso.engine.proposal.requests import Clause, clauses, places_of
from sayso.engine.proposal.sanitise import Offer
from sayso.engine.proposal.support import Supported

_SURE = 0.75  # the words ask for the tool and contain the values
_UNSURE = 0.6  # the values were said, but nothing asks for the tool
_NOTHING = 0.6


def decide_bare(room: Room, offer: Offer, held: Mapping[str, Supported]) -> Decision:
    """A call that was asked for, a question for a value that is missing, or a question whether it is meant at all."""
    catalogue, vocabulary = room.grammar.catalogue, room.grammar.vocabulary
    tool = room.grammar.pack.tools[offer.tool]
    arguments = {name: one.value for name, one in held.items()}
    evidence = {name: one.evidence for name, one in held.items()}
    if catalogue is None or vocabulary is None:  # a tool of a pack that has no sentences for it
        return settle(room, Plan(offer.tool, arguments, evidence, _UNSURE, True, None))
    absent = [name for name, param in tool.params.items() if param.required and name not in offer.arguments]
    if absent:
        return room.voice.missing(offer.tool, arguments, absent, _SURE)
    call = call_of(catalogue, offer.tool, offer.arguments, reads=tool.risk == "read")
    values = places_of(room.sheet, _texts(offer.arguments))
    found = clauses(room.sheet, catalogue, vocabulary, values)
    said = any(isinstance(one.evidence.span, tuple) for one in held.values())
    how = level(catalogue, call, found, said=said) if _is_more(room, values) else "none"
    matter = _Matter(catalogue, offer, held, call, found, how, said)
    if tool.risk == "destructive" and not room.thresholds.exact:
        may = how != "denied" and _is_mentioned(room, call)  # it is confirmed anyway
    else:
        may = _may_look(matter) if tool.risk == "read" else _may_change(matter)
    if may:
        return settle(room, Plan(offer.tool, arguments, evidence, _SURE, False, None))
    if not said and how in ("none", "denied", "weak"):
        return room.voice.nothing("out_of_scope", _NOTHING)
    option = Option(label=offer.tool, tool=offer.tool, arguments=arguments, confidence=_UNSURE)
    return room.voice.unsure(option, _UNSURE)


def _is_mentioned(room: Room, call: Call) -> bool:
    """Whether a word of the tool's name, description or parameters was said."""
    return not (call.profile.told - room.grammar.little).isdisjoint(room.sheet.stems)


def _is_more(room: Room, values: frozenset[int]) -> bool:
    """Whether the message says more than a text of the call: all that was said asks for nothing."""
    words, stems = room.sheet.words, room.sheet.stems
    rest = (at for at in range(len(words)) if at not in values and words[at].kind != "mark")
    return not values or any(stems[at] not in room.grammar.little for at in rest)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


class _Matter(NamedTuple):
    """A call with all that was found out about it."""

    catalogue: Catalogue
    offer: Offer
    held: Mapping[str, Supported]
    call: Call
    found: list[Clause]
    how: Level
    said: bool


def _may_look(one: _Matter) -> bool:
    """Whether a look may run: if it has to do with the words, and is not against them."""
    if one.offer.contrary or one.how == "denied":
        return False
    picks = _picks(one.catalogue, one.offer)
    return one.said or one.how in ("plain", "strong") or is_related(one.catalogue, one.call, one.found, picks=picks)


def _may_change(one: _Matter) -> bool:
    """Whether the words ask for a change; more is needed where they cannot tell what it is done to."""
    return one.how == "strong" or (one.how == "plain" and not _has_unknown(one.catalogue, one.offer, one.held))


def _picks(catalogue: Catalogue, offer: Offer) -> bool:
    """Whether a value of the call picks out something."""
    roles = catalogue.tools[offer.tool].roles
    return any(roles.get(name, "target") in ("target", "recipient") for name in offer.arguments)


def _has_unknown(catalogue: Catalogue, offer: Offer, held: Mapping[str, Supported]) -> bool:
    """Whether a value picks out something in a way that nobody can compare with the words."""
    roles = catalogue.tools[offer.tool].roles
    free = [name for name, one in held.items() if not isinstance(one.evidence.span, tuple)]
    return any(
        roles.get(name, "target") in ("target", "recipient") and held[name].value not in (None, "") for name in free
    )
