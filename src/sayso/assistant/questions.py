"""Finds the open question that a message may answer, and builds confirmation cards.

The digest of a card covers the user, the conversation, the tool, the arguments, the versions of the items that the call
changes, the text and the expiry. A yes in a message counts only for cards of the last turn. If that turn has several
cards, Sayso asks which one, unless the user says "both" or the cards are a group.

The questions of a group are sealed one by one and shown as one card, whose digest is over theirs. It can be answered
for some of its items: nothing that was not shown can be added.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import uuid4

import msgspec
from msgspec import UNSET

from sayso import confirmation
from sayso.assistant.values import Asked, Card, Item, Json, Place, Speaker
from sayso.decision import Arguments, Clarify, Confirm, Option, Pending
from sayso.engine.grammar.pack import Pack
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
    place: Place | None = None


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
    asked = Asked(decision=decision, card=bare, versions=dict(versions), said=said, place=shown.place)
    return msgspec.structs.replace(asked, card=msgspec.structs.replace(bare, digest=digest(asked, who.place)))


def digest(asked: Asked, owner: tuple[str, str]) -> str:
    """What binds a yes to what was shown."""
    card, decision = asked.card, asked.decision
    if card is None or not isinstance(decision, Confirm):
        raise TypeError("only a card is sealed")
    shown = [card.card, card.expires_at, card.record, card.undo_days]
    parts: list[object] = [owner, card.id, decision.tool, decision.arguments, asked.versions, *shown]
    if asked.place is not None or card.items:
        parts += [asked.place, None if decision.group is UNSET else decision.group, card.items]
    return confirmation.digest("card 3", parts).hex()


def shown_cards(asked: Sequence[Asked]) -> tuple[Card, ...]:
    """The cards that a person sees, in order: the questions of a group are one."""
    shown: dict[object, list[Asked]] = {}
    for number, each in enumerate(asked):
        if each.card is not None:
            shown.setdefault(number if each.place is None else _group_key(each), []).append(each)
    return tuple(shown_card(group) for group in shown.values())


def shown_card(group: Sequence[Asked]) -> Card:
    """The card for some questions that are asked as one. Where one is left, that is its own card."""
    placed = sorted(group, key=lambda each: each.place.number if each.place else 0)
    cards = [each.card for each in placed if each.card is not None]
    if len(cards) == 1:
        return cards[0]
    days = {card.undo_days for card in cards}
    return Card(
        id=cards[0].id,
        digest=confirmation.digest("group 1", [card.digest for card in cards]).hex(),
        card=next((each.place.heading for each in placed if each.place), ""),
        expires_at=min(card.expires_at for card in cards),
        undo_days=days.pop() if len(days) == 1 else None,
        items=tuple(_item(each.card, each.decision) for each in placed if each.card is not None),
    )


def _item(card: Card, decision: Pending) -> Item:
    return Item(id=card.id, card=card.card, tool=decision.tool or "", arguments=decision.arguments, record=card.record)


def is_with(one: Asked, other: Asked) -> bool:
    """Whether two questions of a turn are asked as one."""
    return one == other or (one.place is not None and other.place is not None and _group_key(one) == _group_key(other))


def _group_key(each: Asked) -> tuple[object, str]:
    group = each.decision.group if isinstance(each.decision, Confirm) else UNSET
    return group, each.place.heading if each.place else ""


class Parted(NamedTuple):
    """The questions of a card that an answer is for, and those that were taken out of it."""

    kept: tuple[Asked, ...]
    dropped: tuple[Asked, ...]


def parted(group: Sequence[Asked], items: Collection[str] | None) -> Parted | None:
    """The questions of a card by the ids that are left of it; None where one of these is not on it, or none is left."""
    ids = [each.card.id for each in group if each.card is not None]
    left = set(ids if items is None else items)
    if not left or not left.issubset(ids):
        return None
    kept = tuple(each for each in group if each.card is not None and each.card.id in left)
    return Parted(kept, tuple(each for each in group if each not in kept))


def versions_of(things: Sequence[Entity], ids: Sequence[str]) -> dict[str, int]:
    """How the things stand that are named."""
    named = frozenset(ids)
    return {thing.id: int(thing.get("version", 0)) for thing in things if thing.id in named}


def pending(asked: Sequence[Asked], which: str) -> Pending | None:
    """The question that the next message may answer: the last one, or "which one?" if several cards are open."""
    asked = [each for each in asked if not _is_told(each.decision)] or asked
    if len(asked) < 2:
        return asked[0].decision if asked else None
    cards = [each.decision for each in asked if isinstance(each.decision, Confirm)]
    if len(cards) < 2:
        return asked[-1].decision
    if len(cards) == len(asked) and is_group(cards):
        return cards[0]
    options = tuple(
        Option(label=card.question, tool=card.tool, arguments=card.arguments, confidence=card.confidence)
        for card in cards
    )
    return Clarify(tool=None, confidence=0.5, question=which, options=options, reason="ambiguous")


def is_group(cards: Sequence[Confirm]) -> bool:
    """Whether these cards are one group, which Sayso asks as one question."""
    return len({card.group for card in cards}) == 1 and cards[0].group is not UNSET


def _is_told(decision: Pending) -> bool:
    """Whether it says that something is not there rather than ask: beside a question it waits for no answer."""
    return isinstance(decision, Clarify) and decision.reason == "not_found" and not decision.options


def is_over(card: Card, now: datetime) -> bool:
    return datetime.fromisoformat(card.expires_at) <= now


PATIENCE = timedelta(seconds=confirmation.PATIENCE)
