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
    """A turn that may go on: its place, and what the conversation rests on."""

    conversation: UUID
    number: int
    id: UUID
    client_message_id: str
    message: str
    head: Head
    state: State


class Taken(NamedTuple):
    """A turn that waited for a model, and is now ours to finish."""

    begun: Begun
    plan: bytes
    fence: int


class Held(NamedTuple):
    """The end of a trail that is ours for now, and what can be taken back."""

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
    """A message that still waits for its answer; sent again under its id, it has it."""

    client_message_id: str
    message: str
    at: datetime


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The last turns of a conversation, and what is open: cards, a question, a message without its answer."""

    turns: list[StoredTurn]
    cards: list[Card]
    question: Clarify | None
    thinking: Thinking | None


class Spoken(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation: when it began, when it was last used, and the last words that the person said in it."""

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
