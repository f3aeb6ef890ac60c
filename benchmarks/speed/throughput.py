"""How many tasks a second does the service add, against pgbench running the same statements?

    python -m benchmarks throughput

Bare service calls, without HTTP or MCP: as many processes as pgbench has threads, with as many connections together.
Both take turns in one run, and the ratio is the median of the pairs. pgbench runs the service's own SQL files.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import re
import statistics
import subprocess
import sys
import tempfile
import time

import psycopg

from benchmarks.harness.services import ROOT, new_database
from sayso.database.pool import Database
from sayso.identity.principal import Principal
from sayso.serving.serve import fastest_loop
from sayso.tasks.service import TaskService
from sayso.tasks.values import AddTask

PROCESSES = 4
CONNECTIONS = 4  # of each process
USERS = 100
LEAST = 0.6
CODE = ROOT / "src" / "sayso"
VALUES = {
    "user_id": "'user ' || :user",
    "task": """'{"id": "' || md5((:number)::text || (:salt)::text)::uuid || '", "title": "Task number ' || :number
        || '", "title_key": "task number ' || :number || '", "description": "", "description_key": "",
        "status": "pending", "priority": "medium", "due_date": null, "due_time": null,
        "created_at": "2026-11-01T10:00:00.123456Z", "words": ["task", "number", "' || :number || '"]}'""",
}


def pgbench(url: str, seconds: float) -> float:
    """Transactions a second of the statements of one call."""
    sources = ("database/sql/become.sql", "tasks/sql/task_add.sql")
    statements = [
        re.sub(r"%\((\w+)\)s", lambda name: f"({VALUES[name[1]]})", (CODE / file).read_text()) for file in sources
    ]
    random = f"\\set user random(1, {USERS})\n\\set number random(1, 1000000)\n\\set salt random(1, 1000000000000)\n"
    script = f"{random}BEGIN;\n{';'.join(statements)};\nCOMMIT;\n"
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        clients = ["-c", str(PROCESSES * CONNECTIONS), "-j", str(PROCESSES), "-T", str(round(seconds))]
        command = ["pgbench", "-n", "-M", "prepared", *clients, "-f", file.name, url]
        said = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    return float(re.search(r"tps = ([\d.]+)", said)[1])  # type: ignore[index]


class Worker(multiprocessing.Process):
    """A process that adds tasks for a while whenever it is told to, over one pool that stays open."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(daemon=True)
        self._url, self._number = url, number
        self.told, self._hear = multiprocessing.Pipe()

    def run(self) -> None:
        with asyncio.Runner(loop_factory=fastest_loop()) as runner:
            runner.run(self._work())

    async def _work(self) -> None:
        async with Database(self._url, connections=CONNECTIONS) as database:
            service = TaskService(database)
            people = [Principal(id=f"user {number}") for number in range(USERS)]
            for who in people:
                await service.call(who, "add_task", AddTask(title="first"))
            self._hear.send(0)
            while (seconds := await asyncio.to_thread(self._hear.recv)) is not None:
                until = time.monotonic() + seconds
                counts = await asyncio.gather(*(self._add(service, people, until, n) for n in range(CONNECTIONS)))
                self._hear.send(sum(counts))

    async def _add(self, service: TaskService, people: list[Principal], until: float, first: int) -> int:
        count = 0
        while time.monotonic() < until:
            who = people[(first * 13 + count) % USERS]
            await service.call(who, "add_task", AddTask(title=f"Task number {count}"))
            count += 1
        return count


def service(workers: list[Worker], seconds: float) -> float:
    """Calls a second of all the processes together."""
    for worker in workers:
        worker.told.send(seconds)
    return sum(worker.told.recv() for worker in workers) / seconds


def measure(rounds: int, seconds: float) -> list[tuple[float, float]]:
    """Calls a second of the service and of pgbench, round by round."""
    with new_database() as url:
        workers = [Worker(url, number) for number in range(PROCESSES)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.told.recv()
        pairs = []
        for number in range(rounds):
            # who goes first changes, so that what else the machine does falls on both
            halves = {}
            for name in ("pgbench", "service") if number % 2 else ("service", "pgbench"):
                _settle(url)
                halves[name] = pgbench(url, seconds) if name == "pgbench" else service(workers, seconds)
            pairs.append((halves["service"], halves["pgbench"]))
            ours, theirs = pairs[-1]
            print(f"  service {ours:7.0f} a second, pgbench {theirs:7.0f}: {ours / theirs:.2f}", flush=True)
        for worker in workers:
            worker.told.send(None)
            worker.join(10)
    return pairs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=5, help="of each half of a round")
    parser.add_argument("--least", type=float, default=LEAST, help="the smallest ratio that passes")
    options = parser.parse_args()
    pairs = measure(options.rounds, options.seconds)
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    print(f"ratio {ratio:.2f} (median of {options.rounds} pairs; at least {options.least})")
    return int(ratio < options.least)


def _settle(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")


if __name__ == "__main__":
    sys.exit(main())
