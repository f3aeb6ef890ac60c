"""Relays a running call to a server of the older protocol, which may ask the user something meanwhile.

The server's question does not name its call: with one running call this is clear, with several the question is
declined. A call that already waits for an answer asks nothing else. A client with the current protocol gets the
question as the result, and the call is parked until the client sends the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import uuid4

import mcp_types as types

from sayso.confirmation import PATIENCE
from sayso.gateway.upstream.server import Watch

Result = types.CallToolResult | types.InputRequiredResult


class Asked(NamedTuple):
    """A server's question, and the future for its answer."""

    params: types.ElicitRequestParams
    answer: asyncio.Future[types.ElicitResult]

    def give(self, answer: types.ElicitResult) -> None:
        """Delivers the answer, unless nobody waits for it any more."""
        if not self.answer.done():
            self.answer.set_result(answer)


class Underway:
    """A call that runs upstream."""

    def __init__(self, calling: Callable[[Watch], Coroutine[Any, Any, Result]]) -> None:
        self.asks: asyncio.Queue[Asked] = asyncio.Queue()
        self.is_waiting = False  # for an answer
        self._deadline: tuple[asyncio.Timeout, float] | None = None
        self._task = asyncio.create_task(calling(self._watch))

    def on_end(self, do: Callable[[], None]) -> None:
        """Registers a function to call when it ends, whether anybody still waits for it or not."""

        def ended(task: asyncio.Task[Result]) -> None:
            do()
            if not task.cancelled():
                task.exception()  # there may be nobody left who reads it

        self._task.add_done_callback(ended)

    def wait(self, *, long: bool) -> None:
        """Extends the deadline while the user thinks, and sets it again after the answer."""
        self.is_waiting = long
        if self._deadline is not None:
            deadline, patience = self._deadline
            with suppress(RuntimeError):  # it has already ended
                deadline.reschedule(asyncio.get_running_loop().time() + patience + (PATIENCE if long else 0))

    def _watch(self, deadline: asyncio.Timeout, patience: float) -> None:
        self._deadline = (deadline, patience)

    async def next(self) -> Result | Asked:
        """The first event: the call's end, or a question."""
        asking = asyncio.create_task(self.asks.get())
        try:
            done, _ = await asyncio.wait({self._task, asking}, return_when=asyncio.FIRST_COMPLETED)
            return await self._task if self._task in done else asking.result()
        except asyncio.CancelledError:
            self._task.cancel()
            raise
        finally:
            asking.cancel()


class Desk:
    """The running calls of one connection, and those of them that wait for an answer."""

    def __init__(self) -> None:
        self._running: list[Underway] = []
        self._parked: dict[str, tuple[Underway, Asked]] = {}

    def begin(self, calling: Callable[[Watch], Coroutine[Any, Any, Result]]) -> Underway:
        """Starts a call."""
        underway = Underway(calling)
        self._running.append(underway)
        underway.on_end(lambda: self._running.remove(underway))
        return underway

    async def elicit(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        """The connection calls this when its server asks something."""
        del context  # it does not say which call the question belongs to
        may_ask = [each for each in self._running if not each.is_waiting]
        if len(may_ask) != 1:
            return types.ElicitResult(action="cancel")
        underway = may_ask[0]
        asked = Asked(params, asyncio.get_running_loop().create_future())
        underway.wait(long=True)
        underway.asks.put_nowait(asked)
        try:
            return await asyncio.wait_for(asked.answer, PATIENCE)
        except TimeoutError:
            return types.ElicitResult(action="cancel")
        finally:
            underway.wait(long=False)

    def park(self, underway: Underway, asked: Asked) -> str:
        """Keeps the call until the answer comes. Returns the name under which to resume it."""
        name = str(uuid4())
        self._parked[name] = (underway, asked)
        asyncio.get_running_loop().call_later(PATIENCE, self._parked.pop, name, None)
        return name

    def resume(self, name: str, answer: types.ElicitResult) -> Underway | None:
        """The parked call, resumed with the answer; `None` if it no longer waits."""
        underway, asked = self._parked.pop(name, (None, None))
        if underway is None or asked is None or asked.answer.done():
            return None
        asked.give(answer)
        return underway
