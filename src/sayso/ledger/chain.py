"""The hash chain of a trail: each entry's hash covers the entry before it.

A chain begins with the user's id. The body of each entry is hashed with a separate salt, so a body can be erased and
the chain is still valid. An erasure adds a receipt: a later entry of the same chain that names the entries it blanked.
A blank entry that no receipt names has been tampered with.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from struct import pack
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

ERASURE = "erasure"  # the kind of a receipt
_SALT = 16  # bytes
_NAMED = 10  # the most blank entries that an error message names


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
    """The result of a check: the number of entries, how many of them were erased, the chain's end, and the first
    problem."""

    intact: bool
    entries: int
    erased: int = 0
    head: str
    problem: str | None = None


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The body of an erasure's entry: the numbers of the entries that it blanked."""

    numbers: tuple[int, ...]


class Event(NamedTuple):
    """The kind and body of a new entry."""

    kind: str
    body: Any


def first_hash(user_id: str) -> bytes:
    return sha256(b"sayso trail 1\n" + user_id.encode()).digest()


def body_hash(salt: bytes, body: str) -> bytes:
    """Version 2: the lengths are hashed too, so no byte can move between salt and body."""
    said = body.encode()
    return sha256(b"sayso entry 2\n" + pack(">QQ", len(salt), len(said)) + salt + said).digest()


def body_hash_1(salt: bytes, body: str) -> bytes:
    """Version 1, for older entries. It is unambiguous only if all salts have the same length; theirs is 16 bytes."""
    return sha256(b"sayso entry 1\n" + salt + body.encode()).digest()


def chained(before: bytes, number: int, at: datetime, kind: str, conversation: UUID | None, body: bytes) -> bytes:
    """The hash of an entry. The parts are encoded as JSON, so that no two different entries give the same text."""
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


def can_be_erased(entry: Entry) -> bool:
    """Whether the entry has a body and is not a receipt. Receipts are never erased: they prove that a blank is an
    erasure."""
    return entry.body is not None and entry.kind != ERASURE


def blank(entry: Entry) -> Entry:
    """The entry without its body and salt."""
    return msgspec.structs.replace(entry, body=None, salt=None)


class Walk:
    """Checks a chain from its beginning, and stops in front of the first invalid entry."""

    def __init__(self, user_id: str) -> None:
        self.at = Head(0, first_hash(user_id))
        self.problem: str | None = None
        self._erased = 0
        self._blank: dict[int, Head] = {}  # blank entries that no receipt names yet, each with the head before it

    def step(self, entry: Entry) -> bool:
        """Check the next entry. Returns whether it is valid."""
        self.problem = wrong(entry, self.at)
        if self.problem is not None:
            return False
        if entry.body is None:
            self._blank[entry.number] = self.at
        elif entry.kind == ERASURE:
            self._cover(entry.body)
        self.at = Head(entry.number, entry.hash)
        return True

    def _cover(self, receipt: str) -> None:
        with suppress(msgspec.MsgspecError):  # an unreadable receipt covers no entry
            for number in msgspec.json.decode(receipt, type=Receipt).numbers:
                self._erased += self._blank.pop(number, None) is not None

    def verified(self, problem: str | None = None) -> Verified:
        """The result of the check. `problem` describes an error at the end of the chain, if there is one."""
        at, problem = self.at, self.problem or problem
        if problem is None and self._blank:
            at, problem = self._blank[min(self._blank)], _not_covered(sorted(self._blank))
        return Verified(
            intact=problem is None, entries=at.number, erased=self._erased, head=at.hash.hex(), problem=problem
        )


def _not_covered(numbers: list[int]) -> str:
    named = ", ".join(map(str, numbers[:_NAMED])) + (", …" if len(numbers) > _NAMED else "")
    if len(numbers) == 1:
        return f"entry {named} is blank, and no erasure names it"
    return f"{len(numbers)} entries are blank, and no erasure names them: {named}"


def wrong(entry: Entry, last: Head) -> str | None:
    """The problem of the entry that follows `last`, or None if it is valid."""
    if entry.number != last.number + 1:
        return f"entry {entry.number} follows entry {last.number}: entries are missing or out of order"
    if not _has_original_body(entry):
        return f"the content of entry {entry.number} was changed"
    if chained(last.hash, entry.number, entry.at, entry.kind, entry.conversation_id, entry.body_hash) != entry.hash:
        return f"entry {entry.number} was changed or replaced (its hash does not match)"
    return None


def _has_original_body(entry: Entry) -> bool:
    salt, body = entry.salt, entry.body
    if salt is None or body is None:
        return salt is None and body is None
    return body_hash(salt, body) == entry.body_hash or (
        len(salt) == _SALT and body_hash_1(salt, body) == entry.body_hash
    )
