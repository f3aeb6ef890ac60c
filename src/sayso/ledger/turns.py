"""Turns: each message starts one turn and gets one answer, however often it is sent.

A turn without a model is one transaction. A turn that waits for a model is stored as thinking, with the decisions made
without the model. The process that holds its fence finishes it, or, after the lease expires, any process that takes it
over.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec

from sayso.assistant.values import Asked, Back, Deed, Outcome, Reply, State
from sayso.case import Preference, Turn
from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.decision import Answer
from sayso.ledger import backs, cards
from sayso.ledger.chain import Event, Head, entries, first_hash
from sayso.ledger.errors import LedgerError, MessageReused, NoConversation, TurnInProgress
from sayso.ledger.trail import append, as_rows
from sayso.ledger.values import Begun, Taken

TURNS = 10  # of history, each a message and an answer
_SQL = Path(__file__).parent / "sql"
_JSON = msgspec.json.Encoder(order="deterministic")

Query = tuple[bytes, dict[str, Any]]


def open_conversation(on: Transaction, user_id: str, now: datetime) -> UUID:
    """A new conversation."""
    conversation = uuid4()
    begin = first_hash(user_id)
    on.later(statement(_SQL, "conversation_open"), user_id=user_id, id=conversation, hash=begin, now=now)
    return conversation


async def begin(
    on: Transaction, user_id: str, conversation: UUID, client_message_id: str, message: str, more: Query, now: datetime
) -> tuple[Begun | Reply | LedgerError, list[Any]]:
    """Start a turn. Returns the turn, the earlier answer to this message, or the error; and the rows of one more query,
    from the same round trip."""
    place = {"user_id": user_id, "conversation": conversation}
    heads, ((exists, same, *kept),), rows = await on.several(
        (statement(_SQL, "turn_lock"), {"user_id": user_id}),
        (statement(_SQL, "state_load"), {**place, "client_message_id": client_message_id, "turns": TURNS}),
        more,
    )
    last = _turns(kept[0])
    if not heads or not exists:
        return NoConversation("there is no such conversation"), rows
    if same is not None:
        if same["message"] != message:
            return MessageReused("this client_message_id was used before, for another message"), rows
        if same["state"] == "done":
            return msgspec.json.decode(same["answer"], type=Reply), rows
    if last and last[0].lease_until:
        return TurnInProgress(last[0].number, (last[0].lease_until - now).total_seconds()), rows
    head, number = Head(heads[0][0], bytes(heads[0][1])), last[0].number + 1 if last else 1
    begun = Begun(conversation, number, uuid4(), client_message_id, message, head, _state(last, *kept[1:]))
    return begun, rows


def keep(on: Transaction, user_id: str, begun: Begun, outcome: Outcome, now: datetime, definition: bytes) -> Reply:
    """Store the whole outcome of the turn in the transaction of its calls."""
    return _store(on, "turn_keep", user_id, begun, outcome, now, definition)


def think(on: Transaction, user_id: str, begun: Begun, plan: Answer, now: datetime, lease_until: datetime) -> None:
    """Store that the turn waits for a model, with the plan that was made without the model."""
    added = list(entries(begun.head, now, begun.conversation, [Event("message", {"content": begun.message})], _JSON))
    append(on, user_id, added)
    on.later(
        statement(_SQL, "turn_think"),
        **_place(user_id, begun),
        id=begun.id,
        client_message_id=begun.client_message_id,
        message=begun.message,
        lease_until=lease_until,
        plan=_JSON.encode(plan).decode(),
        trail_number=added[-1].number,
        now=now,
    )


async def take(
    on: Transaction, user_id: str, conversation: UUID, number: int, *, fence: int, now: datetime, lease_until: datetime
) -> Taken | None:
    """Take over the turn if it still waits for its answer and this process may finish it. Locks the end of the
    trail."""
    place = {"user_id": user_id, "conversation": conversation}
    held, turns, ((_exists, _same, *kept),) = await on.several(
        (statement(_SQL, "turn_lock"), {"user_id": user_id}),
        (
            statement(_SQL, "turn_take"),
            {**place, "number": number, "fence": fence, "now": now, "lease_until": lease_until},
        ),
        (statement(_SQL, "state_load"), {**place, "client_message_id": "", "turns": TURNS}),
    )
    if not turns:
        return None
    identifier, held_by, client_message_id, message, plan, _lang = turns[0]
    head = Head(held[0][0], bytes(held[0][1]))
    state = _state(_turns(kept[0]), *kept[1:])
    begun = Begun(conversation, number, identifier, client_message_id, message, head, state)
    return Taken(begun, plan.encode(), held_by)


def replace_plan(on: Transaction, user_id: str, begun: Begun, plan: Answer) -> None:
    """Replace the plan of a turn before it runs. The process that finishes the turn executes the new plan."""
    on.later(statement(_SQL, "turn_plan"), **_place(user_id, begun), plan=_JSON.encode(plan).decode())


def finish(on: Transaction, user_id: str, begun: Begun, outcome: Outcome, now: datetime, definition: bytes) -> Reply:
    """The same as `keep` for a turn that was thinking."""
    return _store(on, "turn_finish", user_id, begun, outcome, now, definition)


async def read_reply(on: Transaction, user_id: str, conversation: UUID, number: int) -> Reply:
    """The answer of a turn that is done."""
    row = await on.row(statement(_SQL, "turn_answer"), user_id=user_id, conversation=conversation, number=number)
    if row is None or row[0] is None:
        raise NoConversation("there is no such turn")
    return msgspec.json.decode(row[0], type=Reply)


async def is_thinking(on: Transaction, user_id: str, conversation: UUID, number: int) -> bool:
    """Whether a turn still waits for its answer."""
    row = await on.row(statement(_SQL, "turn_answer"), user_id=user_id, conversation=conversation, number=number)
    return row is not None and row[0] is None


def _store(
    on: Transaction, how: str, user_id: str, begun: Begun, outcome: Outcome, now: datetime, definition: bytes
) -> Reply:
    added = list(entries(begun.head, now, begun.conversation, _events(begun, outcome, how), _JSON))
    called = [each.number for each in added if each.kind == "call"]
    reply = backs.reply_of(begun.id, outcome, backs.undos_of(outcome, called))
    values: dict[str, Any] = {
        "lang": outcome.lang,
        "reply": outcome.reply,
        "shown": list(outcome.shown),
        "asked": _JSON.encode(outcome.asked).decode(),
        "answer": _JSON.encode(reply).decode(),
        "trail_number": added[-1].number,
    }
    if how == "turn_keep":  # one statement for all of it
        backs.forget(on, user_id, outcome)
        values |= {"id": begun.id, "client_message_id": begun.client_message_id, "message": begun.message, "now": now}
        values |= {"entries": as_rows(added), "hash": added[-1].hash, "backs": backs.as_rows(outcome, called)}
    else:
        append(on, user_id, added)
        backs.keep(on, user_id, outcome, now, called)
    on.later(statement(_SQL, how), **_place(user_id, begun), **values)
    _learn(on, user_id, outcome, now)
    cards.keep(on, user_id, begun.conversation, begun.number, outcome, now, definition)
    return reply


def _learn(on: Transaction, user_id: str, outcome: Outcome, now: datetime) -> None:
    """Store the user's choice among several candidates as a preference."""
    if outcome.learnt is not None:
        said, chose = outcome.learnt.said[:500], outcome.learnt.chose
        on.later(statement(_SQL, "preference_learn"), user_id=user_id, now=now, said=said, chose=chose)


def _events(begun: Begun, outcome: Outcome, how: str) -> list[Event]:
    """The trail events of a turn, in the order in which they happened."""
    return [
        *([Event("message", {"content": begun.message})] if how == "turn_keep" else []),
        *(Event("decision", decision) for decision in outcome.decisions),
        *(Event("card", {"id": card, "state": state}) for card, state in outcome.cards.items()),
        *(_called(deed, group) for deed, group in zip(outcome.deeds, backs.groups_of(outcome), strict=True)),
        *backs.undone(outcome, begun.state.last),
        *(Event("question", {"card": each.card, "versions": each.versions}) for each in outcome.asked if each.card),
        Event("reply", {"text": outcome.reply} | ({"by_model": True} if outcome.by_model else {})),
    ]


def _called(deed: Deed, group: str | None) -> Event:
    """A call that ran. One yes confirmed all calls of a turn with the same group, and one undo reverts them."""
    return Event("call", deed if group is None else msgspec.to_builtins(deed) | {"group": group})


class _Row(msgspec.Struct, frozen=True):
    """A stored turn. A turn that is thinking has a lease and no answer yet."""

    number: int
    message: str
    lease_until: datetime | None
    lang: str | None
    reply: str | None
    shown: tuple[str, ...] | None
    asked: str | None


class _Way(msgspec.Struct, frozen=True):
    """A stored undo step."""

    number: int
    back: str


_TURNS = msgspec.json.Decoder(tuple[_Row, ...])
_PREFERENCES = msgspec.json.Decoder(tuple[Preference, ...])
_WAY = msgspec.json.Decoder(_Way)


def _turns(text: str | None) -> tuple[_Row, ...]:
    return _TURNS.decode(text) if text else ()


def _state(turns: Sequence[_Row], preferences: str | None, way: str | None) -> State:
    done = [turn for turn in turns if turn.lease_until is None]
    history: list[Turn] = []
    for turn in reversed(done):
        history.append(Turn(role="user", content=turn.message))
        history.append(Turn(role="assistant", content=turn.reply or "", shown=turn.shown or ()))
    back = _WAY.decode(way) if way else None
    return State(
        history=tuple(history),
        asked=msgspec.json.decode(done[0].asked or "[]", type=tuple[Asked, ...]) if done else (),
        preferences=_PREFERENCES.decode(preferences) if preferences else (),
        last=Back(id=str(back.number), back=msgspec.json.decode(back.back)) if back else None,
        lang=done[0].lang if done else None,
    )


def _place(user_id: str, begun: Begun) -> dict[str, Any]:
    return {"user_id": user_id, "conversation": begun.conversation, "number": begun.number}
