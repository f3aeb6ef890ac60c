"""Deadlines for a connection: to open it, to run a statement, and to detect a server that silently disappeared.

A server that fails over may leave connections on which nothing ever arrives. TCP keepalives find most of them. A proxy
in between can keep such a connection alive, so a caller that waits for an answer needs its own deadline as well.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow

CONNECT = 3  # seconds to open a connection
LISTEN = 5.0  # seconds to listen before a check that the server still answers
ANSWER = 5.0  # seconds for an answer on a `DeadlineConnection`
_TCP = {
    "connect_timeout": CONNECT,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 5_000,  # milliseconds that sent data may stay unacknowledged
}
T = TypeVar("T")


def network_parameters(url: str) -> dict[str, int]:
    """Connection parameters that detect a dead network. Parameters in the URL take precedence."""
    named = conninfo_to_dict(url)
    return {name: value for name, value in _TCP.items() if name not in named}


def statement_limits(seconds: float) -> str:
    """Server options that cancel a statement after this time, and a wait for a lock after at most 10 seconds."""
    statement, lock = round(seconds * 1000), round(min(seconds, 10) * 1000)
    return f"-c statement_timeout={statement} -c lock_timeout={lock} -c idle_in_transaction_session_timeout=30s"


class DeadlineConnection(psycopg.AsyncConnection[TupleRow]):
    """A connection for a library that sets no deadlines: each wait for an answer ends after ANSWER seconds."""

    async def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:  # noqa: ASYNC109
        try:
            return await super().wait(gen, interval, ANSWER if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:  # the answer is still missing
                self.pgconn.finish()
            raise

    def notifies(
        self, *, timeout: float | None = None, stop_after: int | None = None
    ) -> AsyncGenerator[psycopg.Notify]:
        """Listen for LISTEN seconds by default, so that the listener can then check that the server still answers."""
        return super().notifies(timeout=LISTEN if timeout is None else timeout, stop_after=stop_after)
