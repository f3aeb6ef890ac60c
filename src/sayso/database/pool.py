"""A pool of connections, and the one way to a user's rows: a transaction that begins by becoming that user.

Nothing but prepared statements is left on a connection; with `prepare` off not even these, and it may stand behind a
pooler that hands out a connection for each transaction.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, Self
from weakref import WeakKeyDictionary

import psycopg
from psycopg import sql
from psycopg.adapt import Transformer
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from sayso.database.queries import statement
from sayso.errors import NotReady

_SQL = Path(__file__).parent / "sql"
_TIMES = "-c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=30s"
_PARAMETER = re.compile(rb"%\((\w+)\)s")

Connection = psycopg.AsyncConnection[TupleRow]


@lru_cache(maxsize=10_000)
def _become(user_id: str) -> str:
    return statement(_SQL, "become").decode() % {"user_id": sql.quote(user_id)}


@cache
def _numbered(query: bytes) -> tuple[str, str, tuple[str, ...]]:
    """A name for the statement, its text with numbered parameters, and their names in that order."""
    names = tuple(dict.fromkeys(name.decode() for name in _PARAMETER.findall(query)))
    text = _PARAMETER.sub(lambda found: b"$%d" % (names.index(found[1].decode()) + 1), query)
    return f"sayso_{sha256(query).hexdigest()[:16]}", text.decode(), names


class Transaction:
    """One user's transaction. What needs no answer waits, and goes out with what comes next: a round trip costs more
    than a statement.

    Together they are sent as text, their values quoted by the client, each statement prepared the first time that a
    connection sees it. A query that goes alone is prepared by the driver.
    """

    def __init__(self, connection: Connection, user_id: str, prepared: set[str] | None) -> None:
        self._connection = connection
        self._writer = psycopg.AsyncClientCursor(connection)
        self._quoting = Transformer(connection)
        self._waiting = ["BEGIN", _become(user_id)]
        self._prepared = prepared
        self._preparing: set[str] = set()

    def later(self, query: bytes, *, planned_anew: bool = False, **values: Any) -> None:
        """Do this before anything that comes after; its errors come then, too."""
        if self._prepared is None or planned_anew:
            self._waiting.append(self._writer.mogrify(query, values))
            return
        name, text, names = _numbered(query)
        if name not in self._prepared and name not in self._preparing:
            self._preparing.add(name)
            self._waiting.append(f"PREPARE {name} AS {text}")
        given = ", ".join(self._quoting.as_literal(values[each]).decode() for each in names)
        self._waiting.append(f"EXECUTE {name} ({given})" if names else f"EXECUTE {name}")

    async def rows(self, query: bytes, *, planned_anew: bool = False, **values: Any) -> list[TupleRow]:
        """All rows of a query; `planned_anew` where the plan depends on the values."""
        if not self._waiting:
            prepare = False if planned_anew else None
            return await (await self._connection.execute(query, values, prepare=prepare)).fetchall()
        self.later(query, planned_anew=planned_anew, **values)
        await self._send()
        while self._writer.nextset():
            pass
        return await self._writer.fetchall()

    async def several(self, *queries: tuple[bytes, dict[str, Any]]) -> list[list[TupleRow]]:
        """The rows of each of several queries, together: one round trip."""
        places = []
        for query, values in queries:
            self.later(query, **values)
            places.append(len(self._waiting) - 1)
        await self._send()
        found: list[list[TupleRow]] = []
        place = 0
        while True:
            if place in places:
                found.append(await self._writer.fetchall())
            place += 1
            if not self._writer.nextset():
                return found

    async def row(self, query: bytes, **values: Any) -> TupleRow | None:
        """The first row of a query, or None."""
        found = await self.rows(query, **values)
        return found[0] if found else None

    async def commit(self) -> None:
        """Do what waits and make it last."""
        self._waiting.append("COMMIT")
        await self._send()

    async def undo(self) -> None:
        """Undo it all. What is prepared is in doubt then, since the driver forgets its own statements with a rollback
        and ours with them: the connection is given up, and the pool makes another."""
        with suppress(psycopg.Error):  # a connection that is lost has nothing to undo
            await self._connection.rollback()
        await self._connection.close()

    async def _send(self) -> None:
        if self._waiting:
            message = ";\n".join(self._waiting)
            self._waiting.clear()
            await self._writer.execute(message.encode())
            if self._prepared is not None:
                self._prepared |= self._preparing
                self._preparing.clear()


def _limits(url: str) -> dict[str, str]:
    """A statement that nobody waits for any more ends by itself, and so does what it holds."""
    return {"options": f"{conninfo_to_dict(url).get('options') or ''} {_TIMES}".strip()}


class Database:
    """Opened once a process, shared by all its requests."""

    def __init__(self, url: str, *, connections: int = 10, prepare: bool = True, patience: float = 10) -> None:
        self._prepares = prepare
        self._answered = float("-inf")
        self._prepared: WeakKeyDictionary[Connection, set[str]] = WeakKeyDictionary()
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=connections,
            open=False,
            timeout=patience,
            reconnect_timeout=5,  # then the next call tries anew, and need not wait for a long pause to end
            kwargs={
                "prepare_threshold": 5 if prepare else None,
                "autocommit": True,
                "client_encoding": "utf8",
                **(_limits(url) if prepare else {}),  # a pooler may refuse what it does not know
            },
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
            prepared = self._prepared.setdefault(connection, set()) if self._prepares else None
            transaction = Transaction(connection, user_id, prepared)
            try:
                yield transaction
                await transaction.commit()
            except BaseException:
                await transaction.undo()
                raise

    async def of_each(self, user_ids: Sequence[str], query: bytes) -> dict[str, list[TupleRow]]:
        """The rows of a query for each of several users, who are become one after the other: each sees their own. All
        in one trip."""
        if not user_ids:
            return {}
        become = statement(_SQL, "become")
        async with self.transaction(user_ids[0]) as on:
            pairs = ((each, {"user_id": user_id}) for user_id in user_ids for each in (become, query))
            found = await on.several(*pairs)
        return dict(zip(user_ids, found[1::2], strict=True))

    async def ping(self) -> None:
        """Return if the database answers; else Unavailable."""
        if monotonic() - self._answered < 1:  # whoever asks often must not take connections from those who work
            return
        async with self._connection() as connection:
            await connection.execute("SELECT 1")
        self._answered = monotonic()

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
