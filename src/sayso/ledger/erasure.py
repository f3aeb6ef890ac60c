"""Erases a user: in one transaction, every row of theirs in every table, and their pending jobs. Also erases the bodies
of single trail entries, with a receipt in the same trail.

An entry in the operator's own trail records the erasure without naming the user: its mark can be computed only from the
receipt and the user's id. The list of tables comes from the database itself, so that none is forgotten. The erasure
runs as the owner of the schema, because the role of the services may not delete from a trail.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import msgspec

from sayso.database.pool import Database, Transaction
from sayso.database.queries import statement
from sayso.ledger.chain import ERASURE, Event, Receipt
from sayso.ledger.trail import PAGE, add, read

ERASURES = "sayso:erasures"  # the id of the trail that records erasures; it does not belong to a user
KIND = "erased"
_SQL = Path(__file__).parent / "sql"
_JOBS = "jobs"


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an erasure: the deleted rows by table, and the receipt, which is not stored anywhere."""

    at: datetime
    rows: dict[str, int]
    receipt: str


class _Note(msgspec.Struct, frozen=True, kw_only=True):
    """The body of an entry in the trail of erasures."""

    mark: str
    rows: int


async def kept(database: Database, user_id: str) -> dict[str, int]:
    """The number of rows that are stored for a user, by table. Tables without any are left out."""
    async with database.transaction(user_id, anywhere=True) as on:
        counts = {name: await _count(on, _counting(name), user_id) for name in await _tables(on)}
        counts[_JOBS] = await _count(on, statement(_SQL, "erase_jobs_count"), user_id)
    return {name: count for name, count in counts.items() if count}


async def erase(database: Database, user_id: str, now: datetime) -> Erased:
    """Erase everything that is stored for a user, and record the erasure."""
    if user_id == ERASURES:
        raise ValueError("the trail of erasures does not belong to a person")
    receipt = secrets.token_hex(32)
    async with database.transaction(user_id, anywhere=True) as on:
        tables = await _tables(on)
        on.later(statement(_SQL, "erase_as_owner"))
        await on.rows(statement(_SQL, "trail_lock"), user_id=user_id)  # prevents the user's turns from starting
        counts = {name: await _count(on, _erasing(name), user_id) for name in tables}
        counts[_JOBS] = await _count(on, statement(_SQL, "erase_jobs"), user_id)
        rows = {name: count for name, count in counts.items() if count}
        on.later(statement(_SQL, "erase_note_as"), user_id=ERASURES)
        await add(on, ERASURES, now, [Event(KIND, _Note(mark=_mark(receipt, user_id), rows=sum(rows.values())))])
    return Erased(at=now, rows=rows, receipt=receipt)


async def erase_entries(database: Database, user_id: str, numbers: Sequence[int], now: datetime) -> Receipt | None:
    """Blank the bodies of these trail entries, and add the receipt to the same chain, in one transaction. The receipt
    names the entries that had a body. Returns None if no entry had one."""
    async with database.transaction(user_id) as on:
        on.later(statement(_SQL, "erase_as_owner"))
        await on.rows(statement(_SQL, "trail_lock"), user_id=user_id)
        values = {"user_id": user_id, "numbers": list(numbers), "receipt": ERASURE}
        rows = await on.rows(statement(_SQL, "erase_entries"), fresh_plan=True, **values)
        if not rows:
            return None
        receipt = Receipt(numbers=tuple(sorted(number for (number,) in rows)))
        on.later(statement(_SQL, "erase_note_as"), user_id=user_id)
        await add(on, user_id, now, [Event(ERASURE, receipt)])
    return receipt


async def erased_at(database: Database, user_id: str, receipt: str) -> datetime | None:
    """When the user was erased, according to the receipt; None if the receipt matches no erasure."""
    mark, after = _mark(receipt, user_id), 0
    while True:
        async with database.transaction(ERASURES) as on:
            page = await read(on, ERASURES, after, PAGE)
        for entry in page:
            if entry.kind == KIND and entry.body and msgspec.json.decode(entry.body, type=_Note).mark == mark:
                return entry.at
        if len(page) < PAGE:
            return None
        after = page[-1].number


async def _tables(on: Transaction) -> list[str]:
    """Every table that stores rows of a user."""
    return [name for (name,) in await on.rows(statement(_SQL, "erase_tables"))]


async def _count(on: Transaction, query: bytes, user_id: str) -> int:
    ((count,),) = await on.rows(query, fresh_plan=True, user_id=user_id)
    return int(count)


def _counting(table: str) -> bytes:
    return f'SELECT count(*) FROM sayso."{table}" WHERE user_id = %(user_id)s'.encode()  # noqa: S608  names of ours


def _erasing(table: str) -> bytes:
    gone = f'DELETE FROM sayso."{table}" WHERE user_id = %(user_id)s RETURNING 1'  # noqa: S608  names of ours
    return f"WITH gone AS ({gone}) SELECT count(*) FROM gone".encode()  # noqa: S608


def _mark(receipt: str, user_id: str) -> str:
    """The receipt is as long as the hash, so that nobody can find the user by trying ids without it."""
    return sha256(f"sayso erasure 1\n{receipt}\n{user_id}".encode()).hexdigest()
