"""The connection for users' transactions. It sends several statements in one round trip and reads their results in
order (libpq's pipeline mode).

Values are sent as parameters, and each statement is prepared the first time that a connection runs it. If prepared
statements are off, or the plan depends on the values, the values are quoted into the text instead.
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
_ROLLBACK = 1.0  # seconds for a rollback, before the connection is closed
_OPEN = (TransactionStatus.INTRANS, TransactionStatus.INERROR)
_PARAMETER = re.compile(rb"%\((\w+)\)s")


class _Numbered(NamedTuple):
    """A statement with numbered parameters, the names of these in order, and the statement's own name."""

    name: bytes
    text: bytes
    names: tuple[str, ...]
    formats: tuple[PyFormat, ...]


class Sent(NamedTuple):
    """A statement to send. Without a name, it is not prepared, and its values are in its text."""

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
    """A connection that tracks its prepared statements, and converts values."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.opened = monotonic()
        self.failure: Literal["silent", "lost"] | None = None  # why it cannot be used any more
        self._wait: asyncio.Timeout | None = None  # for the answer that is awaited now
        self._ours: set[bytes] = set()
        self._values = Transformer(self)
        self._quoting = psycopg.AsyncClientCursor(self)

    def written(self, query: bytes, values: dict[str, Any], *, prepared: bool = True) -> Sent:
        """A statement with its converted values, ready to be sent."""
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
        """Send the statements and return the result of each. Raises the error of a failed statement after all results
        are read, and Silent if no answer arrives in time. If a server became a standby and rejects writes, the
        connection counts as lost."""
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
        """Flush the output, and read results up to the synchronisation point."""
        line = self.pgconn
        results: list[PGresult] = []
        ended = False
        try:
            while line.flush():  # more data than fits into the socket buffer
                await self._more(until, sending=True)
            while True:
                while line.is_busy():
                    await self._more(until)
                result = line.get_result()
                if result is None:  # the end of one statement's results
                    if ended:
                        raise psycopg.OperationalError("the connection is lost")
                    ended = True
                    continue
                ended = False
                if result.status == ExecStatus.PIPELINE_SYNC:
                    return results
                results.append(result)
        except asyncio.CancelledError:
            with suppress(psycopg.Error):  # cancel a statement that nobody waits for
                await self.cancel_safe(timeout=_CANCEL)
            raise

    async def _more(self, until: float, *, sending: bool = False) -> None:
        """Wait until the socket is readable, or writable with `sending`. Raises Silent after the deadline."""
        line = self.pgconn
        try:
            async with asyncio.timeout_at(until) as self._wait:
                await _ready(line.socket, sending=sending)
        except TimeoutError:
            line.consume_input()  # the event loop may have been late, and the answer may have arrived
            if sending or line.is_busy():
                self.failure = "silent"
                raise Silent("the database does not answer") from None
        finally:
            self._wait = None
        line.consume_input()

    async def give_up(self) -> None:
        """Roll back the open transaction, and close the connection. A lost connection is only closed."""
        if self.failure is None and self.pgconn.transaction_status in _OPEN:
            with suppress(psycopg.Error):
                await self.exchange([Sent(None, b"ROLLBACK")], _ROLLBACK)
        await self.close()

    def read(self, result: PGresult) -> list[TupleRow]:
        """All rows of a result."""
        self._values.set_pgresult(result)
        return self._values.load_rows(0, result.ntuples, tuple)


async def _ready(socket: int, *, sending: bool) -> None:
    """Wait until the socket is readable, or writable with `sending`."""
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
    """The results without those of the prepare messages."""
    kept, seen, place = [], set[bytes](), 0
    for each in statements:
        if (name := each.name) is not None and name in fresh and name not in seen:
            seen.add(name)
            place += 1
        kept.append(results[place])
        place += 1
    return kept
