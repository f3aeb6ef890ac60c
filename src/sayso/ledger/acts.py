"""Records a user's actions outside a conversation, such as a click on the list or an undo. They write the same trail
entries and undo steps as a turn does."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from sayso.assistant.values import Back, Outcome, Reply, State
from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.ledger import backs
from sayso.ledger.chain import Event, Head, entries, first_hash
from sayso.ledger.trail import append
from sayso.ledger.values import Held

_SQL = Path(__file__).parent / "sql"
_JSON = msgspec.json.Encoder(order="deterministic")


async def hold(on: Transaction, user_id: str, undo: int | None = None) -> Held:
    """Lock the end of the trail. Returns it with the undo step of the last call, or with the one numbered `undo`."""
    on.later(statement(_SQL, "trail_open"), user_id=user_id, hash=first_hash(user_id))
    named = (statement(_SQL, "back_find"), {"user_id": user_id, "number": undo})
    last = (statement(_SQL, "back_last"), {"user_id": user_id})
    heads, found = await on.several(
        (statement(_SQL, "trail_lock"), {"user_id": user_id}), last if undo is None else named
    )
    back = Back(id=str(found[0][0]), back=msgspec.json.decode(found[0][1])) if found else None
    return Held(Head(heads[0][0], bytes(heads[0][1])), State(last=back))


def keep(
    on: Transaction, user_id: str, held: Held, clicked: dict[str, Any], turn: UUID, outcome: Outcome, now: datetime
) -> Reply:
    """Store the outcome of a click in the transaction of its call."""
    events = [
        Event("click", clicked),
        *(Event("call", deed) for deed in outcome.deeds),
        *backs.undone(outcome, held.state.last),
        Event("reply", {"text": outcome.reply}),
    ]
    added = list(entries(held.head, now, None, events, _JSON))
    append(on, user_id, added)
    undos = backs.keep(on, user_id, outcome, now, [each.number for each in added if each.kind == "call"])
    return backs.reply_of(turn, outcome, undos)
