"""Killed in mid-turn: is a turn that was answered ever lost, or one that is sent again done twice?

    python -m benchmarks chat-crash

A scripted run of 1,000 turns over two replicas: tasks are added, completed, deleted with a yes, and brought back; every
sixth turn waits for a model (a script that takes its time). Each message is sent until it is answered, now to this
replica and now to that one, while replicas are killed with -9: at every named point of a turn, and at 200 random
moments. Some turns that wait for a model are never asked about again: a job must finish them. Afterwards every message
has one turn, every call was made once, no turn is stuck, and every trail verifies.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import psycopg

from benchmarks.crash.chat_server import POINTS
from benchmarks.crash.tasks import Server, with_kills
from benchmarks.harness.services import Progress, new_database, settings_for
from sayso.database.pool import Database
from sayso.identity.development import issue
from sayso.ledger.trail import verify

SENDERS = 4
LONGEST = 30.0  # seconds until a message must be answered, kills and all
SCRIPT = (
    'add a task: "water plant {number}"',
    'mark "water plant {number}" as done',
    "the neighbours keep bees on their roof",
    'delete "water plant {number}"',
    "yes",
    "undo",
)
CALLS = ("add_task", "complete_task", "delete_task")


class Run:
    """Senders, each a user in one conversation, who go through the script with one plant after the other."""

    def __init__(self, url: str, ports: list[int], turns: int, seed: int, *, abandon: bool) -> None:
        self._url, self._ports, self._seed, self._abandon = url, ports, seed, abandon
        self.rounds = max(1, turns // len(SCRIPT) // SENDERS)
        self.calls = self.rounds * len(SCRIPT) * SENDERS
        self._progress = Progress("turns", self.calls)
        self.answered, self.retries, self.slowest, self.abandoned = 0, 0, 0.0, 0
        self._chance = random.Random(seed)

    def user(self, sender: int) -> str:
        return f"crash {self._seed} {sender}"

    async def go(self) -> None:
        await asyncio.gather(*(self._sender(sender) for sender in range(SENDERS)))

    async def _sender(self, sender: int) -> None:
        token = issue(settings_for(self._url), self.user(sender))
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(timeout=10, headers=headers) as http:
            opened = await self._until_answered(http, "/v1/conversations", None)
            path = f"/v1/conversations/{opened['id']}/messages"
            for number in range(self.rounds):
                for step, words in enumerate(SCRIPT):
                    body = {"client_message_id": f"{number} {step}", "content": words.format(number=number)}
                    began = time.monotonic()
                    if step == 2 and self._abandon and self._chance.random() < 0.2:
                        await self._abandoned(http, path, body)
                    else:
                        await self._until_answered(http, path, body)
                    self.slowest = max(self.slowest, time.monotonic() - began)
                    self.answered += 1
                    self._progress.step()

    async def _until_answered(self, http: httpx2.AsyncClient, path: str, body: Any) -> dict[str, Any]:
        while True:
            port = self._chance.choice(self._ports)
            try:
                answer = await http.post(f"http://127.0.0.1:{port}{path}", json=body)
                if answer.is_success:
                    return dict(answer.json())
                if answer.status_code not in (409, 503):
                    raise SystemExit(f"{answer.status_code}: {answer.text}")
            except httpx2.HTTPError:
                pass
            self.retries += 1
            await asyncio.sleep(0.05)

    async def _abandoned(self, http: httpx2.AsyncClient, path: str, body: Any) -> None:
        """Sent once, and whatever comes of it the next message goes out: it must wait until the turn is finished."""
        self.abandoned += 1
        with suppress(httpx2.HTTPError):
            await http.post(f"http://127.0.0.1:{self._chance.choice(self._ports)}{path}", json=body, timeout=0.1)

    def wrong(self) -> list[str]:
        """What is not as it should be."""
        problems = []
        with psycopg.connect(self._url) as connection:
            for sender in range(SENDERS):
                problems += self._wrong_of(connection, self.user(sender))
        return problems

    def _wrong_of(self, connection: psycopg.Connection, user: str) -> list[str]:
        def rows(query: str) -> list[Any]:
            return connection.execute(query, (user,)).fetchall()

        problems = [f"{user}: {count} turns are stuck" for (count,) in rows(_STUCK) if count]
        tasks = Counter(rows("SELECT title, status, deleted_at IS NULL FROM sayso.tasks WHERE user_id = %s"))
        wanted = Counter((f"water plant {number}", "completed", True) for number in range(self.rounds))
        problems += [f"{user}: {task} {tasks[task]} times" for task in tasks | wanted if tasks[task] != wanted[task]]
        done = Counter()
        for kind, body in rows("SELECT kind, body FROM sayso.trail WHERE user_id = %s AND kind IN ('call', 'undo')"):
            done[json.loads(body)["tool"] if kind == "call" else kind] += 1
        wanted_calls = dict.fromkeys((*CALLS, "undo"), self.rounds)
        problems += [] if done == wanted_calls else [f"{user}: {dict(done)}, where {wanted_calls} was asked for"]
        problem = asyncio.run(verified(self._url, user))
        return problems + ([] if problem is None else [f"{user}: {problem}"])


_STUCK = "SELECT count(*) FROM sayso.turns WHERE user_id = %s AND state <> 'done'"


async def verified(url: str, user: str) -> str | None:
    async with Database(url, connections=1) as database, database.transaction(user) as on:
        return (await verify(on, user)).problem


class Replica(Server):
    """One of the chat service's processes."""

    program = "benchmarks.crash.chat_server"


def kill_at_points(url: str, replicas: list[Replica], each: int) -> list[str]:
    """A replica dies at every named point, several times."""
    problems = []
    for number, point in enumerate(POINTS):
        run = Run(url, [replica.port for replica in replicas], 48, 1000 + number, abandon=False)

        kills = asyncio.run(with_kills(run, each, partial(replicas[0].die_at, point), number))
        replicas[0].arm.unlink(missing_ok=True)
        wrong = told(f"at {point}", run, kills)
        problems += wrong + ([] if kills else [f"it never died at {point}"])
    return problems


def kill_at_random(url: str, replicas: list[Replica], turns: int, kills: int) -> list[str]:
    run = Run(url, [replica.port for replica in replicas], turns, 1, abandon=True)
    chance = random.Random(2)
    done = asyncio.run(with_kills(run, kills, lambda: chance.choice(replicas).kill(), 1))
    return told("at random", run, done)


def told(what: str, run: Run, kills: int) -> list[str]:
    wrong = run.wrong()
    if run.slowest > LONGEST:
        wrong.append(f"a turn took {run.slowest:.0f} s")
    print(
        f"{what}: {kills} kills in {run.calls:,} turns, {run.abandoned} of them abandoned: "
        f"{len(wrong)} lost, doubled or stuck; {run.retries:,} retries, "
        f"the slowest turn {run.slowest:.1f} s {wrong[:3] or ''}"
    )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=200, help="at random moments")
    parser.add_argument("--at-point", type=int, default=3, help="kills at each named point")
    options = parser.parse_args()
    problems = []
    with new_database() as url, tempfile.TemporaryDirectory() as folder:
        arm = Path(folder) / "arm"
        replicas = [Replica(url, arm=arm, SAYSO_RATE_LIMIT="1000000/minute") for _ in range(2)]
        try:
            problems += kill_at_points(url, replicas, options.at_point) if options.at_point else []
            problems += kill_at_random(url, replicas, options.turns, options.kills) if options.kills else []
        finally:
            for replica in replicas:
                replica.stop()
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
