"""A server behind the gateway: connected on first use, reconnected after a loss.

A server that fails, hangs or sends invalid answers raises `Unreachable` within the deadline, and the next call tries
again. Calls come from any task.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import httpx2
import mcp_types as types
from mcp.client.session import ClientSession, ElicitationFnT
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED
from pydantic import ValidationError

from sayso.gateway.config import Upstream
from sayso.gateway.seals.instructions import INSTRUCTIONS, as_definition
from sayso.gateway.seals.pins import Definition
from sayso.gateway.upstream.line import Auth, Line

R = TypeVar("R")
Watch = Callable[[asyncio.Timeout, float], None]

_log = logging.getLogger(__name__)


class Unreachable(Exception):
    """The server did not answer correctly; the text may be shown."""


def no_answer(server: str, seconds: float) -> str:
    return f"{server} did not answer within {seconds:g} seconds"


class Connection:
    """The connection to one server, for one user: one line at a time."""

    def __init__(
        self,
        name: str,
        server: Upstream,
        headers: dict[str, str],
        elicit: ElicitationFnT,
        on_change: Callable[[], None] = lambda: None,
        auth: Auth = lambda: None,
    ) -> None:
        self.name, self._patience = name, server.sayso.deadline
        self._new_line: Callable[[], Line] = partial(Line, name, server, headers, elicit, on_change, auth)
        self._line: Line | None = None
        self._last: Line | None = None  # the line of the last request
        self._closing: set[asyncio.Task[None]] = set()

    async def ask(self, what: Callable[[ClientSession], Awaitable[R]], watch: Watch | None = None) -> R:
        """The server's answer. Raises Unreachable if no answer comes, and MCPError if the answer is an error.

        `watch` receives the deadline, to extend it while the user thinks.
        """
        try:
            return await self._ask(what, watch)
        except _Forgotten:
            return await self._ask(what, watch)
        except (Unreachable, MCPError) as problem:
            if self._last is None or not self._last.is_unauthorized:
                raise
            self._drop(self._last)
            raise Unreachable(f"{self.name} requires you to sign in: sayso gateway login {self.name}") from problem

    async def _ask(self, what: Callable[[ClientSession], Awaitable[R]], watch: Watch | None) -> R:
        line, began = self._usable(), time.monotonic()
        self._last = line
        try:
            async with asyncio.timeout(self._patience) as deadline:
                if watch is not None:
                    watch(deadline, self._patience)
                client = await line.client()
                return await what(client.session)
        except TimeoutError as problem:
            if not (line.is_open and line.was_heard_since(began)):  # otherwise only this call takes so long
                self._drop(line)
            raise Unreachable(no_answer(self.name, self._patience)) from problem
        except MCPError as problem:
            if line.is_forgotten:
                self._drop(line)
                raise _Forgotten(f"{self.name} has restarted") from problem
            if _is_lost(problem, line):
                self._drop(line)
                raise Unreachable(f"{self.name} went away") from problem
            raise
        except (ValidationError, RuntimeError, ValueError, TypeError) as problem:
            _log.warning("%s: %s: %s", self.name, type(problem).__name__, problem)
            raise Unreachable(f"{self.name} gave an answer that makes no sense") from problem
        except (OSError, httpx2.HTTPError, EOFError, ExceptionGroup) as problem:
            self._drop(line)
            _log.warning("%s: %s: %s", self.name, type(problem).__name__, problem)
            raise Unreachable(f"{self.name} cannot be reached") from problem

    @property
    def version(self) -> str | None:
        """The server's protocol version, while there is a line to it."""
        return self._line.version if self._line is not None else None

    async def close(self) -> None:
        """Drop the connection; the next caller connects again."""
        if self._line is not None:
            self._drop(self._line)
        if self._closing:
            await asyncio.wait(self._closing)

    def _usable(self) -> Line:
        if self._line is not None and not self._line.is_usable:
            self._drop(self._line)
        if self._line is None:
            self._line = self._new_line()
        return self._line

    def _drop(self, line: Line) -> None:
        """Closes the line after the caller got the error, because ending a process that hangs takes seconds."""
        if self._line is line:
            self._line = None
            closing = asyncio.create_task(line.close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)


class _Forgotten(Unreachable):
    """The session had ended before the call arrived: the call did not run, and may be repeated."""


def _is_lost(problem: MCPError, line: Line) -> bool:
    """Whether the line broke. Older servers use the same code for their own errors, so the text counts, too."""
    ours = problem.error.message.startswith(("Connection closed", "SSE stream"))
    return problem.error.code == CONNECTION_CLOSED and (ours or not line.is_usable)


def definition(tool: types.Tool) -> Definition:
    """Everything that a server says about a tool."""
    return tool.model_dump(mode="json", by_alias=True, exclude_none=True)


async def list_all(on: ClientSession) -> list[types.Tool]:
    """All tools that a server lists, page by page."""
    tools: list[types.Tool] = []
    cursor = None
    while True:
        page = await on.list_tools(params=types.PaginatedRequestParams(cursor=cursor) if cursor else None)
        tools += [tool for tool in page.tools if tool.name != INSTRUCTIONS]
        cursor = page.next_cursor
        if not cursor or len(tools) > 10_000:
            return tools


async def list_told(on: ClientSession) -> tuple[list[types.Tool], str | None]:
    """All tools, and the server's instructions."""
    return await list_all(on), on.instructions


async def list_definitions(connection: Connection) -> list[Definition]:
    """Everything that a server says about its tools, and its instructions."""
    tools, text = await connection.ask(list_told)
    return [*(definition(tool) for tool in tools), *as_definition(text)]


async def decline(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
    """Declines every question, for connections without a user who can answer."""
    del context, params
    return types.ElicitResult(action="cancel")
