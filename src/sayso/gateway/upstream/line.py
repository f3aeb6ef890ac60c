"""A line to a server: a connection, held open by its own task, because the task that opened it must close it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Any, Self

import httpx2
from mcp import Client
from mcp.client.session import ElicitationFnT, IncomingMessage
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ToolListChangedNotification

from sayso.gateway.config import Upstream

Streams = tuple[Any, Any]
Auth = Callable[[], httpx2.Auth | None]  # signs the requests of a new line

_SESSION = "mcp-session-id"
_CLOSING = 10.0  # seconds; a process that does not end within them is killed

_log = logging.getLogger(__name__)


class Line:
    """One connection, open or being opened. After a loss, another line replaces it."""

    def __init__(
        self,
        name: str,
        server: Upstream,
        headers: dict[str, str],
        elicit: ElicitationFnT,
        on_change: Callable[[], None],
        auth: Auth,
    ) -> None:
        self._name, self._server, self._headers, self._on_change = name, server, headers, on_change
        self._auth, self.is_unauthorized = auth, False  # the last answer was that we have to sign in
        self.has_ended = False  # the server closed the stream
        self.is_forgotten = False  # the server no longer knows our session, so it did nothing that we sent
        self._heard = float("-inf")
        self._done = asyncio.Event()
        self._opened: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep(elicit))

    @property
    def is_usable(self) -> bool:
        return not (self.has_ended or self.is_forgotten or self._done.is_set() or self._keeper.done())

    @property
    def version(self) -> str | None:
        """The server's protocol version, once it is known."""
        return self._opened.result().protocol_version if self.is_open else None

    @property
    def is_open(self) -> bool:
        return self._opened.done() and self.is_usable

    def was_heard_since(self, moment: float) -> bool:
        """Whether the server sent anything since then, by the monotonic clock."""
        return self._heard >= moment

    async def client(self) -> Client:
        """The client, once it is connected. Raises OSError if the connection fails."""
        return await asyncio.shield(self._opened)

    async def close(self) -> None:
        self._done.set()
        if not self._opened.done():
            self._keeper.cancel()
        await asyncio.wait({self._keeper}, timeout=_CLOSING)

    async def _keep(self, elicit: ElicitationFnT) -> None:
        """Opens the connection, and holds it open until it is no longer needed."""
        problem: BaseException | None = None
        try:
            async with Client(self._transport(), elicitation_callback=elicit, message_handler=self._notice) as client:
                self._opened.set_result(client)
                await self._done.wait()
        except Exception as raised:  # noqa: BLE001  the waiting task must get any exception
            problem = raised
            _log.info("%s: the connection ended: %s: %s", self._name, type(raised).__name__, raised)
        finally:
            if not self._opened.done():
                self._opened.set_exception(OSError(str(_innermost(problem) or "given up")))
                self._opened.exception()  # there may be no task left that reads it

    async def _notice(self, message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            self._on_change()

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Streams]:
        """The transport, with a listener on incoming messages."""
        async with self._streams() as (incoming, outgoing):
            yield _Ear(incoming, self), outgoing

    def _streams(self) -> AbstractAsyncContextManager[Streams]:
        server = self._server
        if server.url is not None:
            return self._http(server.url)
        parameters = StdioServerParameters(
            command=server.command or "", args=list(server.args), env=dict(server.env) or None, cwd=server.cwd
        )
        return stdio_client(parameters)

    @asynccontextmanager
    async def _http(self, url: str) -> AsyncIterator[Streams]:
        patience = httpx2.Timeout(self._server.sayso.deadline, read=None)
        hooks: dict[str, list[Callable[..., Any]]] = {"response": [self._look]}
        async with (
            httpx2.AsyncClient(headers=self._headers, timeout=patience, event_hooks=hooks, auth=self._auth()) as http,
            streamable_http_client(url, http_client=http) as streams,
        ):
            yield streams

    async def _look(self, response: httpx2.Response) -> None:
        if str(response.request.url) == self._server.url:
            self.is_unauthorized = response.status_code == httpx2.codes.UNAUTHORIZED
        if response.status_code == httpx2.codes.NOT_FOUND and _SESSION in response.request.headers:
            self.is_forgotten = True

    def hear(self) -> None:
        self._heard = time.monotonic()


def _innermost(problem: BaseException | None) -> BaseException | None:
    """The actual exception, without the groups that tasks wrap it in."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem


class _Ear:
    """A stream that reports incoming messages and its end to the line."""

    def __init__(self, stream: Any, line: Line) -> None:
        self._stream, self._line = stream, line

    @property
    def last_context(self) -> Any:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Any:
        return await self.__anext__()

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> _Ear:
        return self

    async def __anext__(self) -> Any:
        try:
            came = await self._stream.__anext__()
        except BaseException:
            self._line.has_ended = True
            raise
        if not isinstance(came, Exception):  # noise, not a message
            self._line.hear()
        return came

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        closed: bool | None = await self._stream.__aexit__(kind, problem, trace)
        return closed
