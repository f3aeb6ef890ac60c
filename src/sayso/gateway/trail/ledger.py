"""Stores a gateway's trail and used answers in the ledger, for any number of gateways.

The trail is the one that the other services write: one chain a user, among the user's own rows. A connection that is
lost leaves open whether a commit came through; what was written names itself, so that it can be looked for.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TypeVar
from uuid import UUID

import psycopg

from sayso.database.pool import Database, Transaction, Unavailable
from sayso.database.queries import statement
from sayso.errors import NotReady
from sayso.gateway.questions.once import is_id
from sayso.ledger import trail
from sayso.ledger.chain import Entry, Event
from sayso.serving.once import claim_confirmation, keep_outcome

_SQL = Path(__file__).parent / "sql"
_TRIES = 3  # the pool may hold connections that a restart of the database has ended
_AT_ONCE = 1.0  # seconds; what fails later than that was waited for, and once is enough

T = TypeVar("T")


class LedgerTrail:
    """A trail in the database; several gateways may add to it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, user: str, events: Sequence[Event], *, wait: bool = True) -> None:  # noqa: ARG002  commits wait
        """Add entries to the user's chain. Raises NotReady if it is not known whether they were written."""
        added: list[Entry] = []

        async def write(on: Transaction) -> None:
            nonlocal added
            if not added or not await trail.has(on, user, added[-1]):
                added = await trail.add(on, user, datetime.now(UTC), events)

        await with_retries(self._database, user, write)

    async def entries(self, user: str, after: int) -> list[Entry]:
        """The next entries of the user's chain after a number."""

        async def read(on: Transaction) -> list[Entry]:
            return await trail.read(on, user, after, trail.PAGE)

        return await with_retries(self._database, user, read)


class LedgerUsed:
    """What was used, in the table of the confirmations that were consumed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, identifier: str, user: str = "") -> bool:
        """Claim an answer; False if it was claimed before."""
        if not is_id(identifier):
            return False
        ours = secrets.token_bytes(16)  # identifies our own claim after a lost connection

        async def claim(on: Transaction) -> bool:
            used = await claim_confirmation(on, user, UUID(identifier), ours)
            if used is not None:
                return used.same
            keep_outcome(on, user, UUID(identifier), True)
            on.later(statement(_SQL, "used_tidy"), user_id=user)
            return True

        return await with_retries(self._database, user, claim)


async def with_retries(database: Database, user: str, work: Callable[[Transaction], Awaitable[T]]) -> T:
    """Run `work` in a transaction of the user, and retry on a new connection if one is lost."""
    began = monotonic()
    for left in reversed(range(_TRIES)):
        try:
            async with database.transaction(user) as on:
                done = await work(on)
        except Unavailable:
            if not left or monotonic() - began > _AT_ONCE:
                raise
        except psycopg.Error as problem:  # read only, no such table, no right to it
            raise NotReady(str(problem)) from problem
        else:
            return done
    raise AssertionError("the last try returns or raises")
