"""Stores undo steps, each under the trail number of its call."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from uuid import UUID

import msgspec

from sayso.assistant.questions import shown_cards
from sayso.assistant.values import Back, Outcome, Reply
from sayso.assistant.ways_back import places_of
from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.ledger.chain import Event

_SQL = Path(__file__).parent / "sql"
_JSON = msgspec.json.Encoder(order="deterministic")
_NUMBERS = "numbers"

Undos = Sequence[str | None]  # for each call, the number of its undo step, if it has one


def keep(on: Transaction, user_id: str, outcome: Outcome, now: datetime, called: Sequence[int]) -> Undos:
    """Delete the undo step that was used, and store those of the new calls. `called` holds their trail numbers."""
    forget(on, user_id, outcome)
    if any(back is not None for back in outcome.backs):
        on.later(statement(_SQL, "back_add"), user_id=user_id, backs=as_rows(outcome, called), now=now)
    return undos_of(outcome, called)


def forget(on: Transaction, user_id: str, outcome: Outcome) -> None:
    """Delete the undo step that was used, if any."""
    if outcome.taken_back is not None:
        on.later(statement(_SQL, "back_drop"), user_id=user_id, number=int(outcome.taken_back))


def as_rows(outcome: Outcome, called: Sequence[int]) -> str:
    """The undo steps as one JSON text, the form that the SQL statements take."""
    rows = []
    for number, back in zip(called, outcome.backs, strict=True):
        if back is not None:
            numbers = [called[at] for at in places_of(back)]
            text = _JSON.encode(back | {_NUMBERS: numbers} if numbers else back).decode()
            rows.append({"number": number, "back": text})
    return _JSON.encode(rows).decode()


def undos_of(outcome: Outcome, called: Sequence[int]) -> Undos:
    """For each call, the number of its undo step, if it has one."""
    pairs = zip(called, outcome.backs, strict=True)
    undos = [None if back is None else str(number) for number, back in pairs]
    for number, back in zip(called, outcome.backs, strict=True):
        for at in places_of(back) if back is not None else ():
            undos[at] = str(number)  # one undo step reverts all calls that one yes confirmed
    return undos


def groups_of(outcome: Outcome) -> Sequence[str | None]:
    """For each call, the group that it ran in, if any."""
    return outcome.groups or [None] * len(outcome.deeds)


def undone(outcome: Outcome, last: Back | None) -> list[Event]:
    """The trail event of an undo: it names the entry that was reverted, or all entries of its group."""
    if outcome.taken_back is None:
        return []
    numbers = last.back.get(_NUMBERS) if last is not None else None
    return [Event("undo", {"number": int(outcome.taken_back)} | ({_NUMBERS: numbers} if numbers else {}))]


def reply_of(turn: UUID, outcome: Outcome, undos: Undos) -> Reply:
    """The answer that is sent to the client."""
    cards = shown_cards(outcome.asked)
    pairs = zip(outcome.deeds, undos, strict=True)
    return Reply(
        turn_id=str(turn),
        decisions=outcome.decisions,
        results=tuple(msgspec.structs.replace(deed, undo=undo) for deed, undo in pairs),
        reply=outcome.reply,
        confirmation=cards[-1] if cards else None,
        confirmations=cards,
        settled=outcome.cards,
        next=outcome.next,
        undo=next((undo for undo in reversed(undos) if undo), None),
        by_model=outcome.by_model,
    )
