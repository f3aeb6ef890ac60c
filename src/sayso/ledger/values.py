"""What the ledger gives back."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from sayso.assistant.values import Asked, Reply, State
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


class Held(NamedTuple):
    """The end of a trail that is ours for now, and what can be taken back."""

    head: Head
    state: State


class StoredTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn as it was answered."""

    number: int
    message: str
    reply: Reply
    at: datetime


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
