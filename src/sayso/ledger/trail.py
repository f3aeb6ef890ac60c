"""The trail: one hash chain per user that records messages, decisions, calls and answers in order.

A chain begins with the user's id, and every entry's hash covers the hash before it. To change, drop, reorder or cut off
entries unnoticed, an attacker must rewrite the rest of the chain and its end in `trails`. An auditor can keep a copy of
that end elsewhere (`head`). The body of each entry is hashed with a separate salt, so it can be erased and the chain is
still valid (`erasure.erase_entries`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.ledger.chain import Entry, Event, Head, Verified, Walk, entries, first_hash

_SQL = Path(__file__).parent / "sql"
_JSON = msgspec.json.Encoder(order="deterministic")
PAGE = 1_000
BEFORE_ALL = -(2**63)  # below every number that an entry can have


class _End(NamedTuple):
    """Where a user's chain should end, and the last entry that a turn mentions."""

    head: Head
    told: int


def append(on: Transaction, user_id: str, added: Sequence[Entry]) -> None:
    """Add entries and move the chain's end. The transaction must hold the lock on the end's row."""
    last = added[-1]
    query, text = statement(_SQL, "trail_add"), as_rows(added)
    on.later(query, user_id=user_id, entries=text, number=last.number, hash=last.hash)


def as_rows(added: Sequence[Entry]) -> str:
    """The entries as one JSON text, the form that the SQL statements take."""
    rows = [
        {
            "number": each.number,
            "at": each.at.isoformat(),
            "kind": each.kind,
            "conversation": str(each.conversation_id) if each.conversation_id else None,
            "body": each.body,
            "salt": (each.salt or b"").hex(),
            "body_hash": each.body_hash.hex(),
            "hash": each.hash.hex(),
        }
        for each in added
    ]
    return msgspec.json.encode(rows).decode()


async def add(on: Transaction, user_id: str, now: datetime, events: Iterable[Event]) -> list[Entry]:
    """Lock the end of the chain and add entries. The lock lasts until the transaction ends, so one replica adds at a
    time."""
    added = list(entries(await _held(on, user_id), now, None, events, _JSON))
    append(on, user_id, added)
    return added


async def has(on: Transaction, user_id: str, entry: Entry) -> bool:
    """Whether this exact entry is stored. Waits for other writers first. For a caller that does not know if it
    committed."""
    await _held(on, user_id)
    found = await read(on, user_id, entry.number - 1, 1)
    return bool(found) and found[0].hash == entry.hash


async def _held(on: Transaction, user_id: str) -> Head:
    on.later(statement(_SQL, "trail_open"), user_id=user_id, hash=first_hash(user_id))
    number, hashed = (await on.rows(statement(_SQL, "trail_lock"), user_id=user_id))[0]
    return Head(number, bytes(hashed))


async def read(on: Transaction, user_id: str, after: int, limit: int) -> list[Entry]:
    """Entries after a number, in order."""
    found = await on.rows(statement(_SQL, "trail_read"), user_id=user_id, after=after, limit=limit)
    return [Entry(**dict(zip(Entry.__struct_fields__, row, strict=True))) for row in found]


async def look(
    on: Transaction, user_id: str, after: int, limit: int, *, kinds: Sequence[str] = (), newest: bool = False
) -> list[Entry]:
    """A page of entries for a search: only some kinds, or the newest first. With `newest`, the page holds the entries
    before number `after`."""
    values = {"user_id": user_id, "limit": limit, "kinds": list(kinds) or None}
    values |= {"before": after or None} if newest else {"after": after}
    query = statement(_SQL, "trail_read_newest" if newest else "trail_read_kinds")
    found = await on.rows(query, fresh_plan=True, **values)
    return [Entry(**dict(zip(Entry.__struct_fields__, row, strict=True))) for row in found]


async def verify(on: Transaction, user_id: str) -> Verified:
    """Check the whole chain, including entries that are added during the check."""
    walk = Walk(user_id)
    end = await _end(on, user_id)
    while True:
        await _go_along(on, user_id, walk)
        before, end = end, await _end(on, user_id)
        if walk.problem or before == end:
            break
    if walk.at != end.head:
        return walk.verified(f"the chain ends at entry {walk.at.number}, and should end at {end.head.number}")
    if end.told > walk.at.number:
        return walk.verified(f"a turn mentions entry {end.told}, which is not there")
    return walk.verified()


async def _end(on: Transaction, user_id: str) -> _End:
    number, hashed, told = (await on.rows(statement(_SQL, "trail_end"), user_id=user_id))[0]
    return _End(Head(0, first_hash(user_id)) if number is None else Head(number, bytes(hashed)), told)


async def _go_along(on: Transaction, user_id: str, walk: Walk) -> None:
    """Check up to the current end of the chain, or to the first invalid entry."""
    while page := await read(on, user_id, walk.at.number or BEFORE_ALL, PAGE):
        if not all(walk.step(entry) for entry in page):
            return
