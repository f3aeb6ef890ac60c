"""The values that the ledger returns."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from sayso.assistant.values import Asked, Card, Reply, State
from sayso.decision import Clarify
from sayso.ledger.chain import Head


class Begun(NamedTuple):
    """A turn that was started: its position in the conversation, and the conversation's state."""

    conversation: UUID
    number: int
    id: UUID
    client_message_id: str
    message: str
    head: Head
    state: State


class Taken(NamedTuple):
    """A turn that waited for a model, and that this process now finishes."""

    begun: Begun
    plan: bytes
    fence: int


class Held(NamedTuple):
    """The locked end of a trail, and the state with the undo step, if there is one."""

    head: Head
    state: State


class StoredTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn as it was answered."""

    number: int
    client_message_id: str
    message: str
    reply: Reply
    at: datetime


class Thinking(msgspec.Struct, frozen=True, kw_only=True):
    """A message that still waits for its answer. The client gets the answer if it sends the message again with the same
    id."""

    client_message_id: str
    message: str
    at: datetime


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The last turns of a conversation, with its open cards, its open question, and the message without an answer, if
    any."""

    turns: list[StoredTurn]
    cards: list[Card]
    question: Clarify | None
    thinking: Thinking | None


class Spoken(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation: when it began, when it was last used, and the user's last message in it."""

    id: UUID
    created_at: datetime
    at: datetime
    words: str | None


class StoredCard(NamedTuple):
    """A card as it was shown."""

    conversation: UUID
    turn: int
    tool: str
    definition: bytes
    asked: Asked
    digest: str
    state: str
    expires_at: datetime
    lang: str
