"""Reminders, channels and settings as frozen values."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec

from sayso.reminders.clock import MORNING

Kind = Literal["push", "address"]
Outcome = Literal["sent", "failed", "gone", "refused"]


class Reminder(msgspec.Struct, frozen=True, kw_only=True):
    """A reminder that rang, or one that will ring. The id of the latter is that of its task, and its `rang_at` is
    null."""

    id: str
    task_id: str
    title: str
    due: str
    remind_at: datetime
    rang_at: datetime | None
    late_by_minutes: int | None


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """When a user is reminded, in their time zone."""

    morning: time = MORNING
    quiet_from: time | None = None
    quiet_to: time | None = None


class Channel(NamedTuple):
    """A way to reach a user, without its secret."""

    id: UUID
    kind: Kind
    label: str


class Ring(msgspec.Struct, frozen=True, kw_only=True):
    """The message that is sent over a channel. `id` is the reminder's, so that a client which gets it twice shows it
    once."""

    id: str
    task_id: str
    title: str
    body: str
    due: str
    language: str


class Config(msgspec.Struct, frozen=True):
    """The configuration that the sending process reads first."""

    networks: tuple[str, ...] = ()
    push_key: str | None = None
    push_contact: str | None = None


class Job(msgspec.Struct, frozen=True):
    """A message to send, or an address to check if there is no title."""

    id: int
    kind: Kind
    target: Any
    title: str = ""
    body: str = ""
    payload: str = ""
    topic: str = ""


class Sent(msgspec.Struct, frozen=True):
    """The result of a job. `detail` contains no part of the address."""

    id: int
    outcome: Outcome
    detail: str = ""
