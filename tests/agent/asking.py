"""What puts a question to an agent: tools to show, a judge that remembers, how long it took."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

import anyio

from sayso.agent.values import ToolShape, Verdict

_TICK = 0.05
KEY = "sk-canary-5e884898da28"
TOOLS = (
    ToolShape("add_task", "Add a task", {"type": "object", "properties": {"title": {"type": "string"}}}),
    ToolShape("list_tasks", "List tasks", {"type": "object", "properties": {}}),
)


class Judge:
    """Says the same of every call, and keeps the calls."""

    def __init__(self, text="ok", *, stop_at=None, takes=0.0, fails=None):
        self.calls, self.text, self.stop_at, self.takes, self.fails = [], text, stop_at, takes, fails
        self.began, self.finished = asyncio.Event(), 0

    async def __call__(self, tool, arguments):
        self.calls.append((tool, arguments))
        self.began.set()
        await asyncio.sleep(self.takes)
        if self.fails:
            raise self.fails
        self.finished += 1
        return Verdict(self.text, stop=len(self.calls) == self.stop_at)


class Answered(NamedTuple):
    text: str | None
    took: float  # in seconds, without those in which a busy machine let this process wait


async def put(agent, judge, *, message="hello", history=(), deadline=30.0, tools=TOOLS, prompt="Be brief."):
    """What the agent answers, and how long it took."""
    waits: list[float] = []
    began = time.monotonic()
    async with anyio.create_task_group() as group:
        group.start_soon(_watch, waits)
        text = await agent.answer(
            prompt=prompt, history=history, message=message, tools=tools, judge=judge, deadline=deadline
        )
        group.cancel_scope.cancel()
    return Answered(text, time.monotonic() - began - sum(waits))


async def _watch(waits):
    """Notes how much later than asked for this task runs; what the thread computes meanwhile is no waiting."""
    while True:
        began, computed = time.monotonic(), time.thread_time()
        await anyio.sleep(_TICK)
        waits.append(max(0.0, time.monotonic() - began - _TICK - (time.thread_time() - computed)))
