"""A pool of connections, and the one way to a user's rows: a transaction that begins by becoming that user.

Nothing but prepared statements is left on a connection; with `prepare` off not even these, and it may stand behind a
pooler that hands out a connection for each transaction.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Self

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq.abc import PGresult
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from sayso.database.line import Line, Sent
from sayso.database.queries import statement
from sayso.errors import NotReady

_SQL = Path(__file__).parent / "sql"
_TIMES = "-c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=30s"
_BECOME = statement(_SQL, "become")


class Transaction:
    """One user's transaction. What needs no answer waits, and goes out with what comes next: a round trip costs more
    than a statement."""

    def __init__(self, line: Line, user_id: str, *, prepares: bool) -> None:
        self._line, self._prepares = line, prepares
        self._waiting: list[Sent] = []
        self.later(b"BEGIN")
        self.later(_BECOME, user_id=user_id)

    def later(self, query: bytes, *, planned_anew: bool = False, **values: Any) -> None:
        """Do this before anything that comes after; its errors come then, too."""
        self._waiting.append(self._line.written(query, values, prepared=self._prepares and not planned_anew))

    async def rows(self, query: bytes, *, planned_anew: bool = False, **values: Any) -> list[TupleRow]:
        """All rows of a query; `planned_anew` where the plan depends on the values."""
        self.later(query, planned_anew=planned_anew, **values)
        return self._line.read((await self._send())[-1])

    async def several(self, *queries: tuple[bytes, dict[str, Any]]) -> list[list[TupleRow]]:
        """The rows of each of several queries, together: one round trip."""
        for query, values in queries:
            self.later(query, **values)
        return [self._line.read(result) for result in (await self._send())[-len(queries) :]]

    async def row(self, query: bytes, **values: Any) -> TupleRow | None:
        """The first row of a query, or None."""
        found = await self.rows(query, **values)
        return found[0] if found else None

    async def commit(self) -> None:
        """Do what waits and make it last."""
        self.later(b"COMMIT")
        await self._send()

    async def undo(self) -> None:
        """Undo it all. What is prepared is in doubt then: the connection is given up, and the pool makes another."""
        await self._line.give_up()

    async def _send(self) -> list[PGresult]:
        statements, self._waiting = self._waiting, []
        return await self._line.exchange(statements)


def _limits(url: str) -> dict[str, str]:
    """A statement that nobody waits for any more ends by itself, and so does what it holds."""
    return {"options": f"{conninfo_to_dict(url).get('options') or ''} {_TIMES}".strip()}


class Database:
    """Opened once a process, shared by all its requests."""

    def __init__(self, url: str, *, connections: int = 10, prepare: bool = True, patience: float = 10) -> None:
        self._prepares = prepare
        self._answered = float("-inf")
        self._pool: AsyncConnectionPool[Line] = AsyncConnectionPool(
            url,
            connection_class=Line,
            min_size=1,
            max_size=connections,
            open=False,
            timeout=patience,
            reconnect_timeout=5,  # then the next call tries anew, and need not wait for a long pause to end
            kwargs={
                "prepare_threshold": None,  # what is prepared is ours
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
            transaction = Transaction(connection, user_id, prepares=self._prepares)
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
        async with self.transaction(user_ids[0]) as on:
            pairs = ((each, {"user_id": user_id}) for user_id in user_ids for each in (_BECOME, query))
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
    async def _connection(self) -> AsyncIterator[Line]:
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
