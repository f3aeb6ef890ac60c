"""The chain: entries, each with a hash over the one before it. Where they are kept is another matter.

A chain begins with the user's id. What an entry says is hashed with a salt of its own: it can be erased, and the chain
still holds.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from struct import pack
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

_SALT = 16  # bytes


class Head(NamedTuple):
    """The end of a user's chain."""

    number: int
    hash: bytes


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened."""

    number: int
    at: datetime
    kind: str
    conversation_id: UUID | None
    body: str | None
    salt: bytes | None
    body_hash: bytes
    hash: bytes


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a chain holds: how many entries, its end, and else the first problem."""

    intact: bool
    entries: int
    head: str
    problem: str | None = None


class Event(NamedTuple):
    """What an entry is made from."""

    kind: str
    body: Any


def first_hash(user_id: str) -> bytes:
    return sha256(b"sayso trail 1\n" + user_id.encode()).digest()


def body_hash(salt: bytes, body: str) -> bytes:
    """Version 2: the lengths are hashed too, so no byte can move between salt and body."""
    said = body.encode()
    return sha256(b"sayso entry 2\n" + pack(">QQ", len(salt), len(said)) + salt + said).digest()


def body_hash_1(salt: bytes, body: str) -> bytes:
    """Version 1, of entries that were written before. It is unambiguous for one length of the salt: theirs is 16."""
    return sha256(b"sayso entry 1\n" + salt + body.encode()).digest()


def chained(before: bytes, number: int, at: datetime, kind: str, conversation: UUID | None, body: bytes) -> bytes:
    """The hash of an entry; JSON keeps its parts apart whatever they hold."""
    when = at.astimezone(UTC).isoformat(timespec="microseconds")
    parts = [number, when, kind, str(conversation or ""), body.hex()]
    return sha256(before + msgspec.json.encode(parts)).digest()


def entries(
    head: Head, at: datetime, conversation: UUID | None, events: Iterable[Event], encode: msgspec.json.Encoder
) -> Iterator[Entry]:
    """The next entries of a chain."""
    number, before = head
    for event in events:
        number += 1
        body, salt = encode.encode(event.body).decode(), secrets.token_bytes(_SALT)
        hashed = body_hash(salt, body)
        before = chained(before, number, at, event.kind, conversation, hashed)
        yield Entry(
            number=number,
            at=at,
            kind=event.kind,
            conversation_id=conversation,
            body=body,
            salt=salt,
            body_hash=hashed,
            hash=before,
        )


def wrong(entry: Entry, last: Head) -> str | None:
    """What is wrong with the entry that follows the last one, if anything."""
    if entry.number != last.number + 1:
        return f"after entry {last.number} comes entry {entry.number}"
    if entry.body is not None and not _is_hashed(entry.salt or b"", entry.body, entry.body_hash):
        return f"entry {entry.number} does not say what it said"
    if chained(last.hash, entry.number, entry.at, entry.kind, entry.conversation_id, entry.body_hash) != entry.hash:
        return f"entry {entry.number} is not the one that was written"
    return None


def _is_hashed(salt: bytes, body: str, expected: bytes) -> bool:
    return body_hash(salt, body) == expected or (len(salt) == _SALT and body_hash_1(salt, body) == expected)
