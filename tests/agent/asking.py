"""What puts a question to an agent: tools to show, a judge that remembers, how long it took."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

from sayso.agent.values import ToolShape, Verdict

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
    took: float


async def put(agent, judge, *, message="hello", history=(), deadline=30.0, tools=TOOLS, prompt="Be brief."):
    """What the agent answers, and how long it took."""
    began = time.monotonic()
    text = await agent.answer(
        prompt=prompt, history=history, message=message, tools=tools, judge=judge, deadline=deadline
    )
    return Answered(text, time.monotonic() - began)
