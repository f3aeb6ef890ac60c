"""A pool of connections, and the one way to a user's rows: a transaction that begins by becoming that user.

Nothing is set on the connection itself, so it may stand behind a pooler that hands out a connection a transaction.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from sayso.database.queries import statement
from sayso.errors import NotReady

_SQL = Path(__file__).parent / "sql"

Connection = psycopg.AsyncConnection[TupleRow]


@lru_cache(maxsize=10_000)
def _become(user_id: str) -> str:
    return statement(_SQL, "become").decode() % {"user_id": sql.quote(user_id)}


class Transaction:
    """One user's transaction. What needs no answer waits, and goes out with what comes next: a round trip costs more
    than a statement.

    Together they are sent as text, their values quoted by the client; a query that goes alone is prepared.
    """

    def __init__(self, connection: Connection, user_id: str) -> None:
        self._connection = connection
        self._writer = psycopg.AsyncClientCursor(connection)
        self._waiting = [_become(user_id)]

    def later(self, query: bytes, **values: Any) -> None:
        """Do this before anything that comes after; its errors come then, too."""
        self._waiting.append(self._writer.mogrify(query, values))

    async def rows(self, query: bytes, *, planned_anew: bool = False, **values: Any) -> list[TupleRow]:
        """All rows of a query; `planned_anew` where the plan depends on the values."""
        if not self._waiting:
            prepare = False if planned_anew else None
            return await (await self._connection.execute(query, values, prepare=prepare)).fetchall()
        self.later(query, **values)
        await self._send()
        while self._writer.nextset():
            pass
        return await self._writer.fetchall()

    async def row(self, query: bytes, **values: Any) -> TupleRow | None:
        """The first row of a query, or None."""
        found = await self.rows(query, **values)
        return found[0] if found else None

    async def commit(self) -> None:
        """Do what waits and make it last."""
        self._waiting.append("COMMIT")
        await self._send()

    async def _send(self) -> None:
        if self._waiting:
            message = ";\n".join(self._waiting)
            self._waiting.clear()
            await self._writer.execute(message.encode())


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
    async def transaction(self, user_id: str) -> AsyncIterator[Transaction]:
        """A transaction in which only this user's rows exist; committed at its end, undone by an exception."""
        if not user_id:
            raise ValueError("a transaction needs a user")
        async with self._connection() as connection:
            transaction = Transaction(connection, user_id)
            try:
                yield transaction
                await transaction.commit()
            except BaseException:
                with suppress(psycopg.Error):  # a connection that is lost has nothing to undo
                    await connection.rollback()
                raise

    async def ping(self) -> None:
        """Return if the database answers; else Unavailable."""
        async with self._connection() as connection:
            await connection.execute("SELECT 1")

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        try:
            connection = await self._pool.getconn()
            try:
                yield connection
            finally:
                await self._pool.putconn(connection)
        except (PoolTimeout, psycopg.OperationalError, psycopg.InterfaceError) as problem:
            raise Unavailable(str(problem)) from problem


class Unavailable(NotReady):
    """The database did not answer; nobody knows whether a commit under way came through."""
