"""A connection pool, and the only access to a user's rows: a transaction that first sets its user.

A transaction leaves only prepared statements on a connection. With `prepare` off it leaves nothing, so the pool also
works behind a pooler in transaction mode.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Literal, Protocol, Self, TypeAlias

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import ReadOnlySqlTransaction
from psycopg.pq.abc import PGresult
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from sayso.database.deadlines import network_parameters, statement_limits
from sayso.database.line import Line, Sent
from sayso.database.queries import statement
from sayso.errors import NotReady
from sayso.settings import Settings

_SQL = Path(__file__).parent / "sql"
_BECOME = statement(_SQL, "become")
_BECOME_HERE = statement(_SQL, "become_here")
_LIVES_ELSEWHERE = "SY001"  # the error code of the function `here`
_PING_CONNECTION, _PING_ANSWER = 0.75, 1.0  # seconds of a ping
_MARGIN = 1.0  # seconds beyond the server's own limit, so that a live server answers first
_HURRY = 1.0  # seconds left for answers on connections that are as old as a dead one

Failure: TypeAlias = Literal["no_connection", "silent", "lost", "turn"]


class Observer(Protocol):
    """Is notified of the pool's usage and failures."""

    def database_usage(self, busy: int, waiting: int) -> None: ...

    def database_failure(self, kind: Failure) -> None: ...


class Transaction:
    """One user's transaction. Statements without a result are queued and sent with the next query, to save round
    trips."""

    def __init__(self, line: Line, user_id: str, *, prepares: bool, deadline: float, anywhere: bool) -> None:
        self._line, self._prepares, self._deadline = line, prepares, deadline
        self._waiting: list[Sent] = []
        self.later(b"BEGIN")
        self.later(_BECOME if anywhere else _BECOME_HERE, user_id=user_id)

    def later(self, query: bytes, *, fresh_plan: bool = False, **values: Any) -> None:
        """Queue a statement. It runs before the next query, which also raises its errors."""
        self._waiting.append(self._line.written(query, values, prepared=self._prepares and not fresh_plan))

    async def rows(self, query: bytes, *, fresh_plan: bool = False, **values: Any) -> list[TupleRow]:
        """All rows of a query. Set `fresh_plan` if the plan depends on the values."""
        self.later(query, fresh_plan=fresh_plan, **values)
        return self._line.read((await self._send())[-1])

    async def several(self, *queries: tuple[bytes, dict[str, Any]]) -> list[list[TupleRow]]:
        """The rows of each of several queries, in one round trip."""
        for query, values in queries:
            self.later(query, **values)
        return [self._line.read(result) for result in (await self._send())[-len(queries) :]]

    async def row(self, query: bytes, **values: Any) -> TupleRow | None:
        """The first row of a query, or None."""
        found = await self.rows(query, **values)
        return found[0] if found else None

    async def commit(self) -> None:
        """Run the queued statements and commit."""
        self.later(b"COMMIT")
        await self._send()

    async def undo(self) -> None:
        """Roll back and close the connection, because its prepared statements are no longer known. The pool opens
        another."""
        await self._line.give_up()

    async def _send(self) -> list[PGresult]:
        statements, self._waiting = self._waiting, []
        return await self._line.exchange(statements, self._deadline)


def _limits(url: str, seconds: float) -> dict[str, str]:
    """Server options that end abandoned statements and release their locks."""
    return {"options": f"{conninfo_to_dict(url).get('options') or ''} {statement_limits(seconds)}".strip()}


class Database:
    """Opened once per process, and shared by all its requests. Every wait has a deadline in seconds: `patience` for a
    connection, `deadline` for an answer, `turn` for a whole transaction.

    If one connection is dead, all connections of its age are replaced, because a failover breaks all of them.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int = 10,
        prepare: bool = True,
        patience: float = 10,
        deadline: float = 30,
        turn: float | None = None,
        observer: Observer | None = None,
    ) -> None:
        self._prepares, self._deadline, self._turn, self._observer = prepare, deadline + _MARGIN, turn, observer
        self._busy: set[Line] = set()
        self._waiting = 0
        self._replaced = float("-inf")  # when all connections were replaced
        self._ping: asyncio.Task[bool] | None = None
        self._pinged = float("-inf")
        self._pool: AsyncConnectionPool[Line] = AsyncConnectionPool(
            url,
            connection_class=Line,
            min_size=1,
            max_size=connections,
            open=False,
            timeout=patience,
            reconnect_timeout=5,  # after that the next call reconnects, without a long pause
            kwargs={
                "prepare_threshold": None,  # this module prepares statements itself
                "autocommit": True,
                "client_encoding": "utf8",
                **network_parameters(url),
                **(_limits(url, deadline) if prepare else {}),  # a pooler may reject unknown options
            },
        )

    async def __aenter__(self) -> Self:
        await self._pool.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._ping is not None:
            await self._ping
        await self._pool.close()

    @asynccontextmanager
    async def transaction(self, user_id: str, *, anywhere: bool = False) -> AsyncIterator[Transaction]:
        """A transaction in which only this user's rows exist; committed at its end, rolled back by an exception.
        Raises Elsewhere if the user is in another cell, unless `anywhere`."""
        if not user_id:
            raise ValueError("a transaction needs a user")
        try:
            async with asyncio.timeout(self._turn) as turn, self._connection() as connection:
                transaction = Transaction(
                    connection, user_id, prepares=self._prepares, deadline=self._deadline, anywhere=anywhere
                )
                try:
                    yield transaction
                    await transaction.commit()
                except BaseException:
                    await transaction.undo()
                    raise
        except TimeoutError:
            if not turn.expired():
                raise
            self._failed("turn")
            raise Unavailable("the transaction took too long") from None

    async def of_each(self, user_ids: Sequence[str], query: bytes) -> dict[str, list[TupleRow]]:
        """Run a query as each of several users, in one round trip. Each result has only that user's rows. A user in
        another cell has none."""
        if not user_ids:
            return {}
        async with self.transaction(user_ids[0], anywhere=True) as on:
            pairs = ((each, {"user_id": user_id}) for user_id in user_ids for each in (_BECOME, query))
            found = await on.several(*pairs)
        return dict(zip(user_ids, found[1::2], strict=True))

    async def ping(self) -> None:
        """Raise Unavailable, within two seconds, if the database does not answer. All callers share one result for a
        second, so that pings do not take connections from requests."""
        if self._ping is None or (self._ping.done() and monotonic() - self._pinged > 1):
            self._ping = asyncio.create_task(self._answers())
        if not await asyncio.shield(self._ping):
            raise Unavailable("the database does not answer")

    async def _answers(self) -> bool:
        try:
            async with self._connection(_PING_CONNECTION) as connection:
                await connection.exchange([Sent(None, b"SELECT 1")], _PING_ANSWER)
        except Unavailable:
            return False
        finally:
            self._pinged = monotonic()
        return True

    @asynccontextmanager
    async def _connection(self, patience: float | None = None) -> AsyncIterator[Line]:
        try:
            connection = await self._taken(patience)
            try:
                yield connection
            finally:
                await self._give_back(connection)
        except PoolTimeout as problem:
            self._failed("no_connection")
            raise Unavailable(str(problem)) from problem
        except (psycopg.OperationalError, psycopg.InterfaceError, ReadOnlySqlTransaction) as problem:
            raise Unavailable(str(problem)) from problem
        except psycopg.DatabaseError as problem:
            if problem.sqlstate != _LIVES_ELSEWHERE:
                raise
            raise Elsewhere(problem.diag.message_detail or "") from problem

    async def _taken(self, patience: float | None) -> Line:
        self._count(waiting=1)
        try:
            connection = await self._pool.getconn(patience)
        finally:
            self._count(waiting=-1)
        self._busy.add(connection)
        self._count()
        return connection

    async def _give_back(self, connection: Line) -> None:
        self._busy.discard(connection)
        self._count()
        if connection.failure is not None:
            self._failed(connection.failure)
            await self._replace(connection)
        await self._pool.putconn(connection)

    async def _replace(self, dead: Line) -> None:
        """Replace all connections that are as old as a dead one, and stop waiting for answers on them."""
        if dead.opened <= self._replaced:
            return
        self._replaced = monotonic()
        for line in self._busy:
            line.hurry(_HURRY)
        await self._pool.drain()

    def _count(self, waiting: int = 0) -> None:
        self._waiting += waiting
        if self._observer is not None:
            self._observer.database_usage(len(self._busy), self._waiting)

    def _failed(self, kind: Failure) -> None:
        if self._observer is not None:
            self._observer.database_failure(kind)


def database_from(settings: Settings, url: str, observer: Observer | None = None) -> Database:
    """The database of a service, with the deadlines in the settings."""
    return Database(
        url,
        connections=settings.database_pool,
        prepare=settings.database_prepare,
        patience=settings.database_deadline,
        deadline=settings.database_deadline,
        turn=settings.turn_deadline,
        observer=observer,
    )


class Unavailable(NotReady):
    """The database did not answer. It is not known whether a running commit succeeded."""


class Elsewhere(Unavailable):
    """The user is in another cell. Without a name, the user's rows are being copied to this one."""

    def __init__(self, cell: str) -> None:
        self.cell = cell
        super().__init__(f"this user lives in the cell {cell}" if cell else "this user is being moved")
