"""Open questions: which one the next message may answer, and the cards of those that a yes would carry out.

A card is bound to what it shows, and to whom: person, conversation, tool, arguments, the versions of what is touched,
its text and its end are in its digest. A yes by word counts only for the one card of the turn before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple
from uuid import uuid4

import msgspec

from sayso.assistant.values import Asked, Card, Json, Speaker
from sayso.decision import Arguments, Clarify, Confirm, Option, Pending
from sayso.engine.pack import Pack
from sayso.record import Entity


def entity_names(pack: Pack, tool: str) -> tuple[str, ...]:
    """The parameters of a tool that name one of the person's things."""
    shape = pack.tools.get(tool)
    if shape is None:
        return ()
    return tuple(name for name, param in shape.params.items() if param.slot and pack.slots[param.slot].type == "entity")


def touched(pack: Pack, tool: str, arguments: Arguments) -> tuple[str, ...]:
    """The ids of the things that a call names."""
    named = (arguments.get(name) for name in entity_names(pack, tool))
    return tuple(value for value in named if isinstance(value, str))


class Shown(NamedTuple):
    """What a card shows beside its question, and until when."""

    until: datetime
    record: Json | None = None
    undo_days: int | None = None


def ask(decision: Confirm, versions: Mapping[str, int], shown: Shown, said: str, who: Speaker) -> Asked:
    """A question with its card."""
    bare = Card(
        id=str(uuid4()),
        digest="",
        card=decision.question,
        expires_at=shown.until.isoformat(timespec="seconds"),
        record=shown.record,
        undo_days=shown.undo_days,
    )
    card = msgspec.structs.replace(bare, digest=digest(bare, decision, versions, who.place))
    return Asked(decision=decision, card=card, versions=dict(versions), said=said)


def digest(card: Card, decision: Confirm, versions: Mapping[str, int], place: tuple[str, str]) -> str:
    """What binds a yes to what was shown: JSON keeps the parts apart whatever they hold."""
    shown = [card.card, card.expires_at, card.record, card.undo_days]
    parts = [place, card.id, decision.tool, decision.arguments, versions, *shown]
    return sha256(b"sayso card 3\n" + msgspec.json.encode(parts, order="sorted")).hexdigest()


def versions_of(things: Sequence[Entity], ids: Sequence[str]) -> dict[str, int]:
    """How the things stand that are named."""
    named = frozenset(ids)
    return {thing.id: int(thing.get("version", 0)) for thing in things if thing.id in named}


def pending(asked: Sequence[Asked], which: str) -> Pending | None:
    """The question that the next message may answer: of several the last, and of several cards which one is meant."""
    asked = [each for each in asked if not _is_told(each.decision)] or asked
    if len(asked) < 2:
        return asked[0].decision if asked else None
    cards = [each.decision for each in asked if isinstance(each.decision, Confirm)]
    if len(cards) < 2:
        return asked[-1].decision
    options = tuple(
        Option(label=card.question, tool=card.tool, arguments=card.arguments, confidence=card.confidence)
        for card in cards
    )
    return Clarify(tool=None, confidence=0.5, question=which, options=options, reason="ambiguous")


def _is_told(decision: Pending) -> bool:
    """Whether it says that something is not there rather than ask: beside a question it waits for no answer."""
    return isinstance(decision, Clarify) and decision.reason == "not_found" and not decision.options


def is_over(card: Card, now: datetime) -> bool:
    return datetime.fromisoformat(card.expires_at) <= now


PATIENCE = timedelta(minutes=10)
