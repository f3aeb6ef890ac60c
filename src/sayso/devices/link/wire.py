"""The messages between us and a machine that uses our topic layout, as JSON:

    …/set       {"id": "9f…", "command": "set_temperature", "value": 4, "expires_at": "2026-03-10T09:00:10+00:00"}
    …/answer/L  {"id": "9f…", "status": "done", "changed": true, "state": {"target": 4}}
    …/online    {"online": true, "firmware": "2.1"}, or the words online and offline
    …/metrics   {"at": "2026-03-10T09:00:05+00:00", "values": {"temperature": 4.2, "door": false}}
    …/state     the same, retained

A machine runs an order once: for an id that it knows, it only sends the answer again. It does not run an expired order,
and answers `expired`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeVar
from uuid import UUID

import msgspec

LARGEST = 64_000  # bytes of a message; larger ones are rejected
_ONLINE = {b"online": True, b"true": True, b"1": True, b"offline": False, b"false": False, b"0": False, b"": False}

M = TypeVar("M", bound=msgspec.Struct)
Scalar = bool | int | float | str | None


class Order(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command to a machine, which runs it once."""

    id: UUID
    command: str
    expires_at: datetime
    value: float | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The machine's answer to an order."""

    id: UUID
    status: Literal["done", "refused", "failed", "expired"]
    reason: str | None = None
    changed: bool | None = None
    state: dict[str, Scalar] | None = None


class Online(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether a machine is connected."""

    online: bool
    firmware: str | None = None


class Values(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Measured values, and when they were measured."""

    values: dict[str, Scalar]
    at: datetime | None = None


class Garbled(Exception):
    """A message cannot be read."""


def order(payload: bytes) -> Order:
    return _read(payload, Order)


def answer(payload: bytes) -> Answer:
    return _read(payload, Answer)


def values(payload: bytes) -> Values:
    return _read(payload, Values)


def online(payload: bytes) -> Online:
    plain = _ONLINE.get(payload.strip().lower())
    return _read(payload, Online) if plain is None else Online(online=plain)


def written(message: msgspec.Struct) -> bytes:
    return msgspec.json.encode(message)


def _read(payload: bytes, shape: type[M]) -> M:
    if len(payload) > LARGEST or b"\\u0000" in payload:  # PostgreSQL cannot store a NUL
        raise Garbled
    try:
        found = msgspec.json.decode(payload, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Garbled(str(problem)) from problem
    for moment in ("at", "expires_at"):
        at = getattr(found, moment, None)
        if at is not None and at.tzinfo is None:
            raise Garbled("a moment without its zone")
    return found
