"""Streams a turn: its start at once, then its result, with keep-alive comments in between.

A turn that has started runs to its end, even if the client disconnects. The client gets the answer if it sends the
message again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import structlog
from fastapi.sse import KEEPALIVE_COMMENT

from sayso.assistant.values import Reply
from sayso.chat.guards.problems import problem_of
from sayso.chat.turns import events

SIGN_OF_LIFE = 15.0

_log = structlog.stdlib.get_logger("sayso.chat")


class Turns:
    """The running turns of a process that are streamed."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Reply]] = set()

    async def stream(
        self, thread: str, run: str, turn: Coroutine[Any, Any, Reply], language: str | None
    ) -> AsyncIterator[bytes]:
        """The events of a turn, encoded."""
        task = asyncio.create_task(turn)
        self._running.add(task)
        task.add_done_callback(self._ended)
        yield events.encoded(events.started(thread, run))
        while not task.done():
            done, _ = await asyncio.wait({task}, timeout=SIGN_OF_LIFE)
            if not done:
                yield KEEPALIVE_COMMENT
        error = task.exception()
        if isinstance(error, Exception):
            yield events.encoded(events.of_problem(problem_of(error), language))
            return
        for event in events.of_reply(thread, run, task.result()):
            yield events.encoded(event)

    def _ended(self, task: asyncio.Task[Reply]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception) and problem_of(error).kind == "failed":
            _log.error("a turn failed", exc_info=error)

    async def finish(self) -> None:
        """Wait for the running turns."""
        await asyncio.gather(*self._running, return_exceptions=True)


def wants_events(accept: str | None) -> bool:
    """Whether an Accept header asks for events rather than JSON."""
    weights = dict(_weight(part) for part in (accept or "").lower().split(","))
    stream = weights.get("text/event-stream", 0.0)
    return stream > 0 and stream >= weights.get("application/json", 0.0)


def _weight(part: str) -> tuple[str, float]:
    kind, *parameters = (piece.strip() for piece in part.split(";"))
    given = next((text[2:] for text in parameters if text.startswith("q=")), "1")
    try:
        return kind, float(given)
    except ValueError:
        return kind, 0.0
