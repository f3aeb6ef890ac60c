"""Ways to tamper with a trail, for somebody who may write to every table. Each says how many rows it wrote."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from sayso.database.pool import Transaction
from sayso.ledger.chain import ERASURE, Entry, body_hash, chained, first_hash

KINDS = ("message", "decision", "card", "call", "undo", "question", "reply")


class Trail(NamedTuple):
    """A trail as it was written, whose it is, and one of somebody else."""

    user: str
    entries: Sequence[Entry]
    other: str
    others: Sequence[Entry]
    rng: Random

    @property
    def one(self) -> Entry:
        """Any entry that says something."""
        return self.rng.choice([entry for entry in self.entries if entry.body is not None])

    def hash_before(self, number: int) -> bytes:
        return self.entries[number - 2].hash if number > 1 else first_hash(self.user)


Tampering = Callable[[Transaction, Trail], Awaitable[int]]


async def write(on: Transaction, statement: str, **values: Any) -> int:
    """How many rows a statement wrote."""
    return len(await on.rows(f"{statement} RETURNING 1".encode(), fresh_plan=True, **values))


async def _set(on: Transaction, trail: Trail, which: int, **values: Any) -> int:
    setting = ", ".join(f"{name} = %({name})s" for name in values)
    query = f"UPDATE trail SET {setting} WHERE user_id = %(whose)s AND number = %(which)s"
    return await write(on, query, whose=trail.user, which=which, **values)


def _edits(column: str, change: Callable[[Trail, Entry], Any]) -> Tampering:
    async def edit(on: Transaction, trail: Trail) -> int:
        entry = trail.one
        while (value := change(trail, entry)) == getattr(entry, column, None):
            pass
        return await _set(on, trail, entry.number, **{column: value})

    return edit


def _body(trail: Trail, entry: Entry) -> str:
    """Another body: that of another entry, or its own with one character changed."""
    said = entry.body or "{}"
    place = trail.rng.randrange(len(said))
    return trail.rng.choice(
        [trail.one.body or "{}", said[:place] + chr(trail.rng.randint(33, 126)) + said[place + 1 :]]
    )


def _forged(trail: Trail, number: int) -> dict[str, Any]:
    """An entry that nobody wrote, with hashes that fit the one before it."""
    template, salt = trail.one, trail.rng.randbytes(16)
    body = _body(trail, template)
    hashed = body_hash(salt, body)
    at, kind, conversation = template.at, template.kind, template.conversation_id
    whole = chained(trail.hash_before(number), number, at, kind, conversation, hashed)
    shared = {"at": at, "kind": kind, "conversation_id": conversation, "body": body, "salt": salt}
    return {**shared, "body_hash": hashed, "hash": whole}


async def _insert(on: Transaction, user: str, number: int, values: dict[str, Any]) -> int:
    columns = {"user_id": user, "number": number, **values}
    places = ", ".join(f"%({name})s" for name in columns)
    return await write(on, f"INSERT INTO trail ({', '.join(columns)}) VALUES ({places})", **columns)


async def _renumber(on: Transaction, trail: Trail, numbers: dict[int, int]) -> int:
    """Two steps, since no two entries may have one number even for a moment."""
    for old, new in numbers.items():
        await _set(on, trail, old, number=-new - 10_000_000)
    query = "UPDATE trail SET number = -number - 10000000 WHERE user_id = %(user)s AND number < -1000000"
    return await write(on, query, user=trail.user)


def splits(entry: Entry) -> Iterator[tuple[bytes, str]]:
    """Every other way to divide the same bytes between salt and body; the last leaves the body empty."""
    salt = entry.salt or b""
    whole = salt + (entry.body or "").encode()
    for place in range(len(whole) + 1):
        with suppress(UnicodeDecodeError):
            body = whole[place:].decode()
            if place != len(salt) and "\x00" not in body:  # PostgreSQL keeps no such text
                yield whole[:place], body


async def move_bytes(on: Transaction, trail: Trail) -> int:
    entry = trail.one
    salt, body = trail.rng.choice(list(splits(entry)))
    return await _set(on, trail, entry.number, salt=salt, body=body)


async def empty_body(on: Transaction, trail: Trail) -> int:
    """All of the body becomes salt."""
    entry = trail.one
    *_, (salt, body) = splits(entry)
    return await _set(on, trail, entry.number, salt=salt, body=body)


async def blank_one(on: Transaction, trail: Trail) -> int:
    return await _set(on, trail, trail.one.number, body=None, salt=None)


async def blank_several(on: Transaction, trail: Trail) -> int:
    numbers = {trail.one.number for _ in range(trail.rng.randint(2, len(trail.entries)))}
    query = "UPDATE trail SET body = NULL, salt = NULL WHERE user_id = %(user)s AND number = ANY(%(numbers)s)"
    return await write(on, query, user=trail.user, numbers=sorted(numbers))


async def blank_body(on: Transaction, trail: Trail) -> int:
    return await _set(on, trail, trail.one.number, body=None)


async def blank_receipt(on: Transaction, trail: Trail) -> int:
    receipt = trail.rng.choice([entry for entry in trail.entries if entry.kind == ERASURE])
    return await _set(on, trail, receipt.number, body=None, salt=None)


async def fill_blank(on: Transaction, trail: Trail) -> int:
    """An entry that was erased says something else."""
    entry = trail.rng.choice([entry for entry in trail.entries if entry.body is None])
    return await _set(on, trail, entry.number, body=trail.one.body, salt=trail.rng.randbytes(16))


async def rewrite_body(on: Transaction, trail: Trail) -> int:
    entry, salt = trail.one, trail.rng.randbytes(16)
    body = _body(trail, entry)
    return await _set(on, trail, entry.number, body=body, salt=salt, body_hash=body_hash(salt, body))


async def rewrite_entry(on: Transaction, trail: Trail) -> int:
    number = trail.one.number
    return await _set(on, trail, number, **_forged(trail, number))


async def delete_one(on: Transaction, trail: Trail) -> int:
    return await _delete(on, trail, [trail.one.number])


async def delete_several(on: Transaction, trail: Trail) -> int:
    count = trail.rng.randint(2, len(trail.entries))
    return await _delete(on, trail, [entry.number for entry in trail.rng.sample(trail.entries, count)])


async def delete_and_close(on: Transaction, trail: Trail) -> int:
    """One is taken out, and all after it move up."""
    number = trail.rng.randint(1, len(trail.entries) - 1)
    await _delete(on, trail, [number])
    return await _renumber(on, trail, {each: each - 1 for each in range(number + 1, len(trail.entries) + 1)})


async def _delete(on: Transaction, trail: Trail, numbers: list[int]) -> int:
    query = "DELETE FROM trail WHERE user_id = %(user)s AND number = ANY(%(numbers)s)"
    return await write(on, query, user=trail.user, numbers=numbers)


async def behead(on: Transaction, trail: Trail) -> int:
    return await _delete(on, trail, list(range(1, trail.rng.randint(1, 20) + 1)))


async def swap(on: Transaction, trail: Trail) -> int:
    one, other = (entry.number for entry in trail.rng.sample(trail.entries, 2))
    return await _renumber(on, trail, {one: other, other: one})


async def shuffle(on: Transaction, trail: Trail) -> int:
    first = trail.rng.randint(1, len(trail.entries) - 5)
    return await _renumber(on, trail, {first + place: first + (place + 1) % 5 for place in range(5)})


async def cut(on: Transaction, trail: Trail) -> int:
    query = "DELETE FROM trail WHERE user_id = %(user)s AND number > %(last)s"
    return await write(on, query, user=trail.user, last=trail.rng.randint(0, len(trail.entries) - 1))


async def cut_and_move(on: Transaction, trail: Trail) -> int:
    last = trail.rng.randint(1, len(trail.entries) - 1)
    query = "DELETE FROM trail WHERE user_id = %(user)s AND number > %(last)s"
    await write(on, query, user=trail.user, last=last)
    return await _end_at(on, trail, last, trail.entries[last - 1].hash)


async def _end_at(on: Transaction, trail: Trail, number: int, hashed: bytes) -> int:
    query = "UPDATE trails SET number = %(number)s, hash = %(hash)s WHERE user_id = %(user)s"
    return await write(on, query, user=trail.user, number=number, hash=hashed)


async def append_forged(on: Transaction, trail: Trail) -> int:
    number = len(trail.entries) + 1
    return await _insert(on, trail.user, number, _forged(trail, number))


async def insert_forged(on: Transaction, trail: Trail) -> int:
    number = trail.one.number
    await _renumber(on, trail, {each: each + 1 for each in range(number, len(trail.entries) + 1)})
    return await _insert(on, trail.user, number, _forged(trail, number))


async def insert_before_all(on: Transaction, trail: Trail) -> int:
    return await _insert(on, trail.user, -trail.rng.randint(0, 10**6), _forged(trail, 1))


async def swap_bodies(on: Transaction, trail: Trail) -> int:
    return await _swap(on, trail, "body", "salt")


async def swap_hashed_bodies(on: Transaction, trail: Trail) -> int:
    return await _swap(on, trail, "body", "salt", "body_hash")


async def _swap(on: Transaction, trail: Trail, *columns: str) -> int:
    one, other = trail.rng.sample(trail.entries, 2)
    while one.body == other.body:
        one, other = trail.rng.sample(trail.entries, 2)
    await _set(on, trail, one.number, **{name: getattr(other, name) for name in columns})
    return await _set(on, trail, other.number, **{name: getattr(one, name) for name in columns})


def _content(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__struct_fields__ if name != "number"}


async def graft_one(on: Transaction, trail: Trail) -> int:
    entry = trail.rng.choice(trail.others)
    return await _set(on, trail, min(entry.number, len(trail.entries)), **_content(entry))


async def graft_end(on: Transaction, trail: Trail) -> int:
    """From some entry on, what another user's trail says; with its end."""
    last = min(len(trail.others), len(trail.entries))
    for entry in trail.others[trail.rng.randint(max(0, last - 30), last - 1) : last]:
        await _set(on, trail, entry.number, **_content(entry))
    return await _end_at(on, trail, len(trail.entries), trail.entries[-1].hash)


async def graft_all(on: Transaction, trail: Trail) -> int:
    """All of it is another's."""
    for table in ("trail", "trails"):
        await write(on, f"DELETE FROM {table} WHERE user_id = %(user)s", user=trail.user)
        query = f"UPDATE {table} SET user_id = %(user)s WHERE user_id = %(other)s"
        count = await write(on, query, user=trail.user, other=trail.other)
    return count


async def roll_back(on: Transaction, trail: Trail) -> int:
    last = trail.rng.randint(0, len(trail.entries) - 1)
    return await _end_at(on, trail, last, trail.hash_before(last + 1))


async def end_elsewhere(on: Transaction, trail: Trail) -> int:
    number = trail.rng.choice([trail.rng.randint(0, len(trail.entries) - 1), len(trail.entries) + 1])
    return await _end_at(on, trail, number, trail.entries[-1].hash)


async def end_otherwise(on: Transaction, trail: Trail) -> int:
    return await _end_at(on, trail, len(trail.entries), sha256(trail.rng.randbytes(8)).digest())


async def drop_end(on: Transaction, trail: Trail) -> int:
    return await write(on, "DELETE FROM trails WHERE user_id = %(user)s", user=trail.user)


async def drop_all(on: Transaction, trail: Trail) -> int:
    await write(on, "DELETE FROM trail WHERE user_id = %(user)s", user=trail.user)
    return await drop_end(on, trail)


def _conversation(trail: Trail, _entry: Entry) -> UUID | None:
    return trail.rng.choice(
        [*{entry.conversation_id for entry in trail.entries}, trail.others[0].conversation_id, None]
    )


TAMPERINGS: dict[str, Tampering] = {
    "edit number": _edits("number", lambda trail, _entry: len(trail.entries) + trail.rng.randint(1, 99)),
    "edit at": _edits("at", lambda trail, entry: entry.at + timedelta(microseconds=trail.rng.choice([1, -(10**9)]))),
    "edit kind": _edits("kind", lambda trail, _entry: trail.rng.choice(KINDS)),
    "edit conversation_id": _edits("conversation_id", _conversation),
    "edit body": _edits("body", _body),
    "edit salt": _edits("salt", lambda trail, _entry: trail.rng.choice([None, trail.rng.randbytes(16)])),
    "edit body_hash": _edits("body_hash", lambda trail, _entry: trail.rng.randbytes(32)),
    "edit hash": _edits("hash", lambda trail, _entry: trail.rng.choice([trail.one.hash, trail.rng.randbytes(32)])),
    "move bytes between salt and body": move_bytes,
    "move the whole body to the salt": empty_body,
    "blank one": blank_one,
    "blank several": blank_several,
    "blank a body and keep its salt": blank_body,
    "blank the receipt of an erasure": blank_receipt,
    "fill what was erased": fill_blank,
    "rewrite a body with its hash": rewrite_body,
    "rewrite an entry with its hashes": rewrite_entry,
    "delete one": delete_one,
    "delete several": delete_several,
    "delete one and close the gap": delete_and_close,
    "delete the first": behead,
    "swap two": swap,
    "shuffle five": shuffle,
    "cut off the end": cut,
    "cut off the end and move trails along": cut_and_move,
    "forge one at the end": append_forged,
    "forge one within": insert_forged,
    "forge one before all": insert_before_all,
    "swap two bodies": swap_bodies,
    "swap two bodies with their hashes": swap_hashed_bodies,
    "graft another's entry": graft_one,
    "graft another's end": graft_end,
    "graft another's trail": graft_all,
    "roll trails back": roll_back,
    "another number in trails": end_elsewhere,
    "another hash in trails": end_otherwise,
    "drop trails": drop_end,
    "drop the trail and trails": drop_all,
}
