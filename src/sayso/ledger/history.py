"""Reads a user's conversations, and the current state of one of them with everything that a page needs to show it
again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from sayso.assistant.questions import shown_cards
from sayso.assistant.values import Asked, Card, Deed, Reply
from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.decision import Clarify
from sayso.ledger.errors import NoConversation
from sayso.ledger.values import History, Spoken, StoredTurn, Thinking

_SQL = Path(__file__).parent / "sql"


async def conversations(on: Transaction, user_id: str, limit: int) -> list[Spoken]:
    """The last conversations, the most recently used first."""
    rows = await on.rows(statement(_SQL, "conversations_read"), user_id=user_id, limit=limit)
    return [Spoken(id=each, created_at=created_at, at=at, words=words) for each, created_at, at, words in rows]


async def read(on: Transaction, user_id: str, conversation: UUID, limit: int, now: datetime) -> History:
    """The last turns of a conversation, oldest first, and its open cards and questions; or NoConversation."""
    place = {"user_id": user_id, "conversation": conversation}
    rows, open_cards = await on.several(
        (statement(_SQL, "turns_read"), {**place, "limit": limit}),
        (statement(_SQL, "cards_open"), {**place, "now": now}),
    )
    if not rows:
        raise NoConversation("there is no such conversation")
    rows = [row for row in reversed(rows) if row[0] is not None]
    done = [_turn(*row[:5]) for row in rows if row[3] is not None]
    last = rows[-1] if rows else None
    return History(
        turns=await _with_ways_back(on, user_id, done),
        cards=_cards(open_cards),
        question=_question(last[5]) if last else None,
        thinking=Thinking(client_message_id=last[1], message=last[2], at=last[4]) if last and last[3] is None else None,
    )


def _turn(number: int, client_message_id: str, message: str, answer: str, at: datetime) -> StoredTurn:
    reply = msgspec.json.decode(answer, type=Reply)
    return StoredTurn(number=number, client_message_id=client_message_id, message=message, reply=reply, at=at)


def _cards(rows: Sequence[Any]) -> list[Card]:
    """The cards as they are shown: the questions of one turn that form a group are one card."""
    turns: dict[int, list[Asked]] = {}
    for turn, asked in rows:
        turns.setdefault(turn, []).append(msgspec.json.decode(asked, type=Asked))
    return [card for asked in turns.values() for card in shown_cards(asked)]


def _question(asked: str | None) -> Clarify | None:
    """The question that the last turn left open, unless it belongs to a card."""
    open_questions = msgspec.json.decode(asked or "[]", type=tuple[Asked, ...])
    decisions = [each.decision for each in open_questions]
    return next((each for each in reversed(decisions) if isinstance(each, Clarify)), None)


async def _with_ways_back(on: Transaction, user_id: str, turns: list[StoredTurn]) -> list[StoredTurn]:
    """The turns as they were answered, without the undo steps that no longer exist."""
    numbers = [int(undo) for undo in _undos(turns)]
    rows: list[Any] = []
    if numbers:
        rows = await on.rows(statement(_SQL, "backs_left"), user_id=user_id, numbers=numbers)
    left = {str(number) for (number,) in rows}
    return [msgspec.structs.replace(turn, reply=_offering(turn.reply, left)) for turn in turns]


def _undos(turns: list[StoredTurn]) -> Iterator[str]:
    return (deed.undo for turn in turns for deed in turn.reply.results if deed.undo)


def _offering(reply: Reply, left: set[str]) -> Reply:
    results = tuple(_deed(deed, left) for deed in reply.results)
    undo = next((deed.undo for deed in reversed(results) if deed.undo), None)
    return msgspec.structs.replace(reply, results=results, undo=undo)


def _deed(deed: Deed, left: set[str]) -> Deed:
    return deed if deed.undo is None or deed.undo in left else msgspec.structs.replace(deed, undo=None)
