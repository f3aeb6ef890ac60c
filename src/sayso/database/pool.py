"""A pool of connections, and the one way to a user's rows: a transaction that begins by becoming that user.

Nothing is set on the connection itself, so it may stand behind a pooler that hands out a connection a transaction.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import psycopg
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from sayso.database.queries import statement
from sayso.errors import NotReady

_SQL = Path(__file__).parent / "sql"

Connection = psycopg.AsyncConnection[TupleRow]


class Database:
    """Opened once a process, shared by all its requests."""

    def __init__(self, url: str, *, connections: int = 10, prepare: bool = True, patience: float = 10) -> None:
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=connections,
            open=False,
            timeout=patience,
            kwargs={"prepare_threshold": 5 if prepare else None, "autocommit": True},
        )

    async def __aenter__(self) -> Self:
        await self._pool.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._pool.close()

    @asynccontextmanager
    async def transaction(self, user_id: str) -> AsyncIterator[Connection]:
        """A transaction in which only this user's rows exist; committed at its end, undone by an exception."""
        if not user_id:
            raise ValueError("a transaction needs a user")
        async with self._connection() as connection, connection.transaction():
            await connection.execute(statement(_SQL, "become"), {"user_id": user_id})
            yield connection

    async def ping(self) -> None:
        """Return if the database answers; else Unavailable."""
        async with self._connection() as connection:
            await connection.execute("SELECT 1")

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        try:
            async with self._pool.connection() as connection:
                yield connection
        except (PoolTimeout, psycopg.OperationalError, psycopg.InterfaceError) as problem:
            raise Unavailable(str(problem)) from problem


class Unavailable(NotReady):
    """The database did not answer; nobody knows whether a commit under way came through."""


async def rows(connection: Connection, query: bytes, **values: Any) -> list[TupleRow]:
    """All rows of a query."""
    return await (await connection.execute(query, values)).fetchall()


async def row(connection: Connection, query: bytes, **values: Any) -> TupleRow | None:
    """The first row of a query, or None."""
    return await (await connection.execute(query, values)).fetchone()
