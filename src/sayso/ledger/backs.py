"""Ways back: what was done can be taken back, under the number of its call in the trail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from uuid import UUID

import msgspec

from sayso.assistant.values import Outcome, Reply
from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.ledger.chain import Event

_SQL = Path(__file__).parent / "sql"
_JSON = msgspec.json.Encoder(order="deterministic")

Undos = Sequence[str | None]  # for each deed, what it can be taken back by


def keep(on: Transaction, user_id: str, outcome: Outcome, now: datetime, called: Sequence[int]) -> Undos:
    """Forget what was taken back, and remember how the deeds can be; `called` are their numbers in the trail."""
    if outcome.taken_back is not None:
        on.later(statement(_SQL, "back_drop"), user_id=user_id, number=int(outcome.taken_back))
    undos: list[str | None] = []
    for number, back in zip(called, outcome.backs, strict=True):
        if back is not None:
            text = _JSON.encode(back).decode()
            on.later(statement(_SQL, "back_add"), user_id=user_id, number=number, back=text, now=now)
        undos.append(None if back is None else str(number))
    return undos


def undone(number: str) -> Event:
    return Event("undo", {"number": int(number)})


def reply_of(turn: UUID, outcome: Outcome, undos: Undos) -> Reply:
    """The answer as it goes out."""
    carded = [each.card for each in outcome.asked if each.card]
    pairs = zip(outcome.deeds, undos, strict=True)
    return Reply(
        turn_id=str(turn),
        decisions=outcome.decisions,
        results=tuple(msgspec.structs.replace(deed, undo=undo) for deed, undo in pairs),
        reply=outcome.reply,
        confirmation=carded[-1] if carded else None,
        next=outcome.next,
        undo=next((undo for undo in reversed(undos) if undo), None),
        by_model=outcome.by_model,
    )
