"""The trail: what was said, decided, done and answered, in order, in one hash chain per user.

A chain begins with the user's id; every entry's hash goes over the hash before it. To change, drop, reorder or cut off
entries without being found, one would have to write the rest of the chain again, and its end in `trails`, which an
auditor can keep elsewhere (`head`). What an entry says is hashed with a salt of its own: it can be erased, and the
chain still holds (`erasure.erase_entries`).
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
BEFORE_ALL = -(2**63)  # whatever number an entry may be given, it comes after


class _End(NamedTuple):
    """Where a user's chain should end, and the last entry that a turn mentions."""

    head: Head
    told: int


def append(on: Transaction, user_id: str, added: Sequence[Entry]) -> None:
    """Add entries and move the chain's end, with the transaction that holds its row."""
    last = added[-1]
    query, text = statement(_SQL, "trail_add"), as_rows(added)
    on.later(query, user_id=user_id, entries=text, number=last.number, hash=last.hash)


def as_rows(added: Sequence[Entry]) -> str:
    """Entries as the statements take them: one JSON text."""
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
    """Add entries whose end nobody holds yet: it is held until the transaction is over, by one replica at a time."""
    added = list(entries(await _held(on, user_id), now, None, events, _JSON))
    append(on, user_id, added)
    return added


async def has(on: Transaction, user_id: str, entry: Entry) -> bool:
    """Whether this very entry is there, once nobody else writes: for a caller that does not know if it committed."""
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
    """A page for somebody who looks for something: entries of some kinds alone, or from the newest on backwards, where
    `after` is the number that they come before."""
    values = {"user_id": user_id, "limit": limit, "kinds": list(kinds) or None}
    values |= {"before": after or None} if newest else {"after": after}
    query = statement(_SQL, "trail_read_newest" if newest else "trail_read_kinds")
    found = await on.rows(query, fresh_plan=True, **values)
    return [Entry(**dict(zip(Entry.__struct_fields__, row, strict=True))) for row in found]


async def verify(on: Transaction, user_id: str) -> Verified:
    """Go along the whole chain, and on for as long as entries are added meanwhile."""
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
    """To where the chain ends now, or to the first entry that is wrong."""
    while page := await read(on, user_id, walk.at.number or BEFORE_ALL, PAGE):
        if not all(walk.step(entry) for entry in page):
            return
