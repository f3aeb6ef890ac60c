"""Stores confirmation cards as they were shown. A yes counts once, for exactly that card."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from sayso.assistant.questions import digest, is_with
from sayso.assistant.values import Asked, CardState, Outcome
from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.decision import Confirm
from sayso.ledger.values import Begun, StoredCard

_SQL = Path(__file__).parent / "sql"
_JSON = msgspec.json.Encoder(order="deterministic")


def keep(
    on: Transaction,
    user_id: str,
    conversation: UUID,
    turn: int,
    outcome: Outcome,
    now: datetime,
    definition: bytes,
) -> None:
    """Settle the cards that this turn answered, and add the new ones."""
    for card, state in outcome.cards.items():
        settle(on, user_id, UUID(card), state, now)
    for asked in outcome.asked:
        if asked.card is None or not isinstance(asked.decision, Confirm):
            continue
        on.later(
            statement(_SQL, "card_add"),
            user_id=user_id,
            id=UUID(asked.card.id),
            conversation=conversation,
            turn=turn,
            tool=asked.decision.tool,
            definition=definition,
            asked=_JSON.encode(asked).decode(),
            digest=asked.card.digest,
            expires_at=datetime.fromisoformat(asked.card.expires_at),
        )


def settle(on: Transaction, user_id: str, card: UUID, state: CardState, now: datetime) -> None:
    """Store the state of a card. A card that is already settled does not change."""
    on.later(statement(_SQL, "card_settle"), user_id=user_id, id=card, state=state, now=now)


async def find(on: Transaction, user_id: str, card: UUID) -> StoredCard | None:
    """The card of this id."""
    row = await on.row(statement(_SQL, "card_find"), user_id=user_id, id=card)
    return None if row is None else _stored(row)


async def find_open(on: Transaction, user_id: str, card: StoredCard, now: datetime) -> tuple[StoredCard, ...]:
    """The card, with the other cards of its group, if it can still be answered; otherwise an empty tuple."""
    if card.asked.place is None:
        return (card,) if card.state == "pending" and card.expires_at > now else ()
    query = statement(_SQL, "cards_of_turn")
    rows = await on.rows(query, user_id=user_id, conversation=card.conversation, turn=card.turn, now=now)
    found = [each for each in map(_stored, rows) if is_with(card.asked, each.asked)]
    found.sort(key=lambda each: each.asked.place.number if each.asked.place else 0)
    return tuple(found) if any(each.asked == card.asked for each in found) else ()


def _stored(row: Sequence[Any]) -> StoredCard:
    conversation, turn, tool, definition, asked, shown, state, expires_at, lang = row
    decoded = msgspec.json.decode(asked, type=Asked)
    return StoredCard(conversation, turn, tool, bytes(definition), decoded, shown, state, expires_at, lang or "")


def is_as_shown(card: StoredCard, user_id: str, shown: str, definition: bytes) -> bool:
    """Whether the digest that the user saw matches the stored card, and the tool's definition has not changed."""
    asked = card.asked
    if asked.card is None or not isinstance(asked.decision, Confirm):
        return False
    again = digest(asked, (user_id, str(card.conversation)))
    stored = (asked.decision.tool, asked.decision.question, datetime.fromisoformat(asked.card.expires_at), definition)
    same = shown == again == card.digest == asked.card.digest
    return same and stored == (card.tool, asked.card.card, card.expires_at, card.definition)


async def verify_cards(on: Transaction, user_id: str, begun: Begun, definition: bytes) -> Begun:
    """The turn with its open questions if every card is stored as it was shown; otherwise the turn without questions. A
    yes in words is checked like a click on the card."""
    for each in begun.state.asked:
        if each.card is None:
            continue
        card = await find(on, user_id, UUID(each.card.id))
        is_open = card is not None and card.state == "pending" and card.asked == each
        if card is None or not is_open or not is_as_shown(card, user_id, each.card.digest, definition):
            return begun._replace(state=msgspec.structs.replace(begun.state, asked=()))
    return begun
