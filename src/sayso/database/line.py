"""A connection as one user's transactions use it: several statements go out together and their results come back in
order, in one round trip (libpq's pipeline mode).

The values travel beside a statement, not within it, and a statement is prepared the first time that a connection sees
it. Where nothing may be left on a connection, or the plan depends on the values, they are quoted into the text.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from time import monotonic
from typing import Any, Literal, NamedTuple

import psycopg
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult
from psycopg.rows import TupleRow

_CANCEL = 1.0  # seconds to cancel a statement
_ROLLBACK = 1.0  # seconds to undo a transaction, before the connection is closed
_OPEN = (TransactionStatus.INTRANS, TransactionStatus.INERROR)
_PARAMETER = re.compile(rb"%\((\w+)\)s")


class _Numbered(NamedTuple):
    """A statement with numbered parameters, their names in that order, and a name for itself."""

    name: bytes
    text: bytes
    names: tuple[str, ...]
    formats: tuple[PyFormat, ...]


class Sent(NamedTuple):
    """A statement to be sent; without a name it is not prepared, and its values are in its text."""

    name: bytes | None
    text: bytes
    values: Sequence[Any] | None = None


@cache
def _numbered(query: bytes) -> _Numbered:
    names = tuple(dict.fromkeys(name.decode() for name in _PARAMETER.findall(query)))
    text = _PARAMETER.sub(lambda found: b"$%d" % (names.index(found[1].decode()) + 1), query)
    name = f"sayso_{sha256(query).hexdigest()[:16]}".encode()
    return _Numbered(name, text, names, (PyFormat.TEXT,) * len(names))


class Silent(psycopg.OperationalError):
    """The database sent no answer before the deadline. The connection cannot be used any more."""


class Line(psycopg.AsyncConnection[TupleRow]):
    """A connection that knows what is prepared on it, and how values are written and read."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.opened = monotonic()
        self.failure: Literal["silent", "lost"] | None = None  # why it cannot be used any more
        self._wait: asyncio.Timeout | None = None  # for the answer that is awaited now
        self._ours: set[bytes] = set()
        self._values = Transformer(self)
        self._quoting = psycopg.AsyncClientCursor(self)

    def written(self, query: bytes, values: dict[str, Any], *, prepared: bool = True) -> Sent:
        """A statement and its values as they will be sent."""
        if not prepared:
            return Sent(None, self._quoting.mogrify(query, values).encode())
        name, text, names, formats = _numbered(query)
        if not names:
            return Sent(name, text)
        return Sent(name, text, self._values.dump_sequence([values[each] for each in names], formats))

    def hurry(self, seconds: float) -> None:
        """Shorten the wait for the answer that is awaited now."""
        if self._wait is not None and not self._wait.expired():
            at = asyncio.get_running_loop().time() + seconds
            self._wait.reschedule(min(at, self._wait.when() or at))

    async def exchange(self, statements: Sequence[Sent], seconds: float) -> list[PGresult]:
        """The result of each statement; where one fails, its error, once the line is free again. Silent where no answer
        arrives in this time. A server that became a standby takes no writes: the connection leads to the wrong one."""
        try:
            return await self._exchange(statements, asyncio.get_running_loop().time() + seconds)
        except psycopg.errors.ReadOnlySqlTransaction:
            self.failure = "lost"
            raise
        except psycopg.OperationalError:
            if self.pgconn.status == ConnStatus.BAD and self.failure is None:
                self.failure = "lost"
            raise

    async def _exchange(self, statements: Sequence[Sent], until: float) -> list[PGresult]:
        line = self.pgconn
        line.enter_pipeline_mode()
        fresh: list[bytes] = []
        for name, text, values in statements:
            if name is None:
                line.send_query_params(text, None)
                continue
            if name not in self._ours and name not in fresh:
                line.send_prepare(name, text)
                fresh.append(name)
            line.send_query_prepared(name, values)
        line.pipeline_sync()
        results = await self._results(until)
        line.exit_pipeline_mode()
        for result in results:
            if result.status == ExecStatus.FATAL_ERROR:
                raise psycopg.errors.error_from_result(result)
        self._ours.update(fresh)
        if not fresh:
            return results
        return _without_preparing(statements, fresh, results)

    async def _results(self, until: float) -> list[PGresult]:
        """Send what waits, and take what comes until the line is in step again."""
        line = self.pgconn
        results: list[PGresult] = []
        ended = False
        try:
            while line.flush():  # more than the socket takes at once
                await self._more(until, sending=True)
            while True:
                while line.is_busy():
                    await self._more(until)
                result = line.get_result()
                if result is None:  # the end of what one statement gave
                    if ended:
                        raise psycopg.OperationalError("the connection is lost")
                    ended = True
                    continue
                ended = False
                if result.status == ExecStatus.PIPELINE_SYNC:
                    return results
                results.append(result)
        except asyncio.CancelledError:
            with suppress(psycopg.Error):  # a statement that nobody waits for must not go on
                await self.cancel_safe(timeout=_CANCEL)
            raise

    async def _more(self, until: float, *, sending: bool = False) -> None:
        """Wait until the socket has something to read, or can take more; Silent once the deadline is over."""
        line = self.pgconn
        try:
            async with asyncio.timeout_at(until) as self._wait:
                await _ready(line.socket, sending=sending)
        except TimeoutError:
            line.consume_input()  # the loop may have been late, and the answer be there
            if sending or line.is_busy():
                self.failure = "silent"
                raise Silent("the database does not answer") from None
        finally:
            self._wait = None
        line.consume_input()

    async def give_up(self) -> None:
        """Undo what is under way, and close the connection. One that is lost has nothing to undo."""
        if self.failure is None and self.pgconn.transaction_status in _OPEN:
            with suppress(psycopg.Error):
                await self.exchange([Sent(None, b"ROLLBACK")], _ROLLBACK)
        await self.close()

    def read(self, result: PGresult) -> list[TupleRow]:
        """All rows of a result."""
        self._values.set_pgresult(result)
        return self._values.load_rows(0, result.ntuples, tuple)


async def _ready(socket: int, *, sending: bool) -> None:
    """Wait until something comes, or can be sent."""
    loop = asyncio.get_running_loop()
    came = loop.create_future()
    loop.add_reader(socket, _set, came)
    if sending:
        loop.add_writer(socket, _set, came)
    try:
        await came
    finally:
        loop.remove_reader(socket)
        if sending:
            loop.remove_writer(socket)


def _set(came: asyncio.Future[None]) -> None:
    if not came.done():
        came.set_result(None)


def _without_preparing(
    statements: Sequence[Sent], fresh: Sequence[bytes], results: Sequence[PGresult]
) -> list[PGresult]:
    """The results of the statements themselves."""
    kept, seen, place = [], set[bytes](), 0
    for each in statements:
        if (name := each.name) is not None and name in fresh and name not in seen:
            seen.add(name)
            place += 1
        kept.append(results[place])
        place += 1
    return kept
