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
from typing import Any, NamedTuple

import psycopg
from psycopg import generators
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult
from psycopg.rows import TupleRow

_PATIENCE = 5.0  # seconds for a statement to be called off
_PARAMETER = re.compile(rb"%\((\w+)\)s")


class _Numbered(NamedTuple):
    """A statement with numbered parameters, their names in that order, and a name for itself."""

    name: bytes
    text: bytes
    names: tuple[str, ...]
    formats: tuple[PyFormat, ...]


class Sent(NamedTuple):
    """A statement to be sent; without a name it is not prepared, and its values stand in its text."""

    name: bytes | None
    text: bytes
    values: Sequence[Any] | None = None


@cache
def _numbered(query: bytes) -> _Numbered:
    names = tuple(dict.fromkeys(name.decode() for name in _PARAMETER.findall(query)))
    text = _PARAMETER.sub(lambda found: b"$%d" % (names.index(found[1].decode()) + 1), query)
    name = f"sayso_{sha256(query).hexdigest()[:16]}".encode()
    return _Numbered(name, text, names, (PyFormat.TEXT,) * len(names))


class Line(psycopg.AsyncConnection[TupleRow]):
    """A connection that knows what is prepared on it, and how values are written and read."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
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

    async def exchange(self, statements: Sequence[Sent]) -> list[PGresult]:
        """The result of each statement; where one fails, its error, once the line is free again."""
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
        results = await self._results()
        line.exit_pipeline_mode()
        for result in results:
            if result.status == ExecStatus.FATAL_ERROR:
                raise psycopg.errors.error_from_result(result)
        self._ours.update(fresh)
        if not fresh:
            return results
        return _without_preparing(statements, fresh, results)

    async def _results(self) -> list[PGresult]:
        """Send what waits, and take what comes until the line is in step again."""
        line = self.pgconn
        if line.flush():  # more than the socket takes at once
            await self.wait(generators.send(line))
        results: list[PGresult] = []
        ended = False
        try:
            while True:
                while line.is_busy():
                    await _readable(line.socket)
                    line.consume_input()
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
            await self.cancel_safe(timeout=_PATIENCE)  # what nobody waits for shall not go on
            raise

    async def give_up(self) -> None:
        """Undo what is under way, and close the connection."""
        with suppress(psycopg.Error):  # a connection that is lost has nothing to undo
            await self.rollback()
        await self.close()

    def read(self, result: PGresult) -> list[TupleRow]:
        """All rows of a result."""
        self._values.set_pgresult(result)
        return self._values.load_rows(0, result.ntuples, tuple)


async def _readable(socket: int) -> None:
    """Wait until something comes."""
    loop = asyncio.get_running_loop()
    came = loop.create_future()
    loop.add_reader(socket, _set, came)
    try:
        await came
    finally:
        loop.remove_reader(socket)


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
