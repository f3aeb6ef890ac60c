"""The chat service as a process that can be killed often, as tasks_server.py is: forked again when it dies.

    python -m benchmarks.crash.chat_server PORT PID_FILE

Its model is a script that thinks for a moment and then says something; the points are put around the service's own
functions here.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn

from benchmarks.crash.tasks_server import after, die_at, fork_again
from sayso.assistant.converse import Assistant
from sayso.chat.app import make_app
from sayso.chat.turns.jobs import Jobs
from sayso.chat.turns.model import ModelTier
from sayso.chat.turns.service import ChatService
from sayso.database import pool
from sayso.decider import Decider
from sayso.ledger import turns
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.settings import read_settings
from sayso.tasks.hands import TaskHands
from sayso.tasks.service import TOOLS

POINTS = ("connected", "opened", "decided", "done", "kept", "committed", "thinking", "thought", "taken", "finished")
THINKS = 0.2  # seconds


class ScriptedModel:
    """A stand-in for a language model: takes its time, and talks."""

    async def answer(self, **_given: Any) -> str:
        die_at("thinking")
        await asyncio.sleep(THINKS)
        die_at("thought")
        return "That is good to know."


def place_points() -> None:
    """Between any two steps of a turn."""
    transaction = pool.Database.transaction

    @asynccontextmanager
    async def watched(self: pool.Database, user_id: str) -> Any:
        async with transaction(self, user_id) as on:
            die_at("connected")
            yield on
        die_at("committed")

    pool.Database.transaction = watched  # type: ignore[method-assign]
    turns.begin, turns.take = after("opened", turns.begin), after("taken", turns.take)
    turns.keep, turns.finish = then("kept", turns.keep), then("finished", turns.finish)
    Decider.decide = then("decided", Decider.decide)  # type: ignore[method-assign]
    TaskHands.call = after("done", TaskHands.call)  # type: ignore[method-assign]


def then(point: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(*given: Any, **more: Any) -> Any:
        result = function(*given, **more)
        die_at(point)
        return result

    return wrapped


def main() -> None:
    port, pid_file = int(sys.argv[1]), Path(sys.argv[2])
    settings = read_settings()
    url = settings.database_url or ""
    assistant = Assistant(Decider.installed(), load_answers(pack_folder("tasks")))
    assistant.decider.warm()
    place_points()

    @asynccontextmanager
    async def opened(_metrics: Any) -> AsyncIterator[ChatService]:
        jobs = Jobs(url)
        tier = ModelTier(ScriptedModel(), [], deadline=3, claims=lambda *_: True)
        async with pool.Database(url) as database:
            service = ChatService(database, assistant, model=tier, later=jobs)
            async with jobs.working(service):
                yield service

    def serve() -> None:
        app = make_app(opened, settings, tools=TOOLS)
        uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")

    fork_again(pid_file, serve)


if __name__ == "__main__":
    main()
