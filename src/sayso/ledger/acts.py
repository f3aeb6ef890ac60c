"""What a person does outside of any conversation: a click on the list, taking something back. It leaves the same trail
as words do, and the same ways back."""

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
    """The end of the trail, held, and what can be taken back: what was done last, or the one that is named."""
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
    """What a click came to, to be committed with its deed."""
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
