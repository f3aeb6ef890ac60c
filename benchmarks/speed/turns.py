"""How many turns a second, against a bare endpoint that runs a fixed list of statements?

    python -m benchmarks turns

A turn is a message over HTTP: decided, done, stored with its trail, answered. The bare endpoint is uvicorn and psycopg,
and runs the statements of FLOOR (turns_server.py) in one transaction, one after the other. The list never changes, so
the ratio shows what became of the turn: a turn that needs fewer statements is measured against the same floor. One
worker each, eight at a time from another process; both take turns in one run, and the ratio is the median of the pairs.
With --page FILE the figures, and where the time of a turn goes, are written as a page.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, NamedTuple
from uuid import uuid4

import psycopg
from psycopg.pq.abc import PGresult

from benchmarks.harness.services import environment_for, free_port, new_database, settings_for, wait_until_ready
from benchmarks.speed.turns_load import MESSAGES, PEOPLE, SEATS, Load, name_of
from benchmarks.speed.turns_server import FLOOR, SCHEMA
from sayso.assistant.converse import Assistant
from sayso.chat.turns.service import ChatService
from sayso.database import pool
from sayso.database.pool import Database, Transaction
from sayso.decider import Decider
from sayso.identity.development import issue
from sayso.identity.principal import Principal
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.tasks import operations
from sayso.tasks.values import AddTask

TASKS = 20  # on each list
LEAST = 0.7
TITLES = ("call", "write to", "visit", "thank", "invite"), ("the bank", "Anna", "the notary", "the neighbours")
MEANINGS = {
    "decide": "the engine",
    "database": "psycopg and the pool",
    "HTTP": "uvicorn, FastAPI, log, metrics",
    "keep": "encoding the turn, its trail, cards and undo",
    "carry out and answer": "the tools, and the text of the answer",
    "serve": "the turn itself",
    "identity": "verifying the token",
    "the rest": "everything else",
}
BEGIN, END = "<!-- profile: written by python -m benchmarks turns-page -->\n", "<!-- end of the profile -->\n"
PAGE = """Measured on {day}: one worker, {seats} users at a time, each with {tasks} tasks, on {cores} cores with a load
average of {load} before the run. The ratio of the rates is {ratio}, the median of {rounds} pairs from {low} to {high};
the goal is {least}.

The bare endpoint is uvicorn and psycopg, without users, decisions and policies. It runs the {floor} statements that
a turn had before migration 0011 (`FLOOR` in `benchmarks/speed/turns_server.py`); a turn has {statements} now.

|of a turn|per second|time|server's processor|database's processor|
|---|---|---|---|---|
{rates}

The server's processor time, by {samples} samples:

|part|share|contains|
|---|---|---|
{shares}
"""


class Heard(Transaction):
    """A transaction that tells what it sends."""

    sent: ClassVar[list[str]] = []

    async def _send(self) -> list[PGresult]:
        self.sent += [each.text.decode() for each in self._waiting]
        return await super()._send()


def without_ends(statements: list[str]) -> list[str]:
    """These statements, without those that begin and end a transaction."""
    texts = [re.sub(r"--.*", "", each).strip() for each in statements]
    return [text for text in texts if text.upper() not in ("BEGIN", "COMMIT")]


async def prepare(url: str) -> list[int]:
    """Fill the lists, and hear how many statements the database is sent for each message of a round."""
    assistant = Assistant(Decider.installed(), load_answers(pack_folder("tasks")))
    titles = [f"{verb} {whom}" for verb in TITLES[0] for whom in TITLES[1]][:TASKS]
    async with Database(url, prepare=False) as database:
        service = ChatService(database, assistant)
        for name in [name_of(seat, person) for seat in range(SEATS) for person in range(PEOPLE)]:
            async with service.acting(Principal(id=name, name=name)) as (on, person):
                for title in titles:
                    await operations.add(on, person, AddTask(title=title))
        who = Principal(id=name_of(0, 0), name=name_of(0, 0))
        conversation, heard = await service.open(who), []
        for message in MESSAGES * 2:  # by then a conversation rests on as many turns as it ever will
            await service.message(who, conversation, uuid4().hex, message)
        pool.Transaction = Heard  # type: ignore[misc]
        for message in MESSAGES:
            Heard.sent.clear()
            await service.message(who, conversation, uuid4().hex, message)
            heard.append(len(without_ends(Heard.sent)))
        pool.Transaction = Transaction  # type: ignore[misc]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(SCHEMA)
        names = [[name_of(seat, person)] for seat in range(SEATS) for person in range(PEOPLE)]
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO bare.people (user_id) VALUES (%s)", names)
            things = [(name, title, title * 10) for (name,) in names for title in titles]
            cursor.executemany("INSERT INTO bare.things (user_id, title, body) VALUES (%s, %s, %s)", things)
    return heard


class Spell(NamedTuple):
    """A while of speaking: turns a second, seconds that a turn takes, and of the processor, for server and database."""

    rate: float
    took: float
    used: float
    database: float

    def __str__(self) -> str:
        used = f"{self.used * 1000:4.2f} + {self.database * 1000:4.2f}"
        return f"{self.rate:5.0f} a second ({self.took * 1000:5.1f} ms, of the processor {used})"


def _used(*processes: int) -> dict[int, float]:
    """Seconds of the processor that each of these processes has used; one that has ended is left out."""
    found = {}
    for process in processes:
        with suppress(FileNotFoundError, ProcessLookupError):  # the second: it ends between opening and reading
            found[process] = int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9
    return found


def _since(before: dict[int, float]) -> float:
    """Seconds of the processor that these processes have used since; those that have ended meanwhile do not count."""
    return sum(used - before[process] for process, used in _used(*before).items())


def _backends(url: str) -> list[int]:
    """The processes of the database that serve this one; none where they run elsewhere."""
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        return [process for (process,) in found]


class Servers:
    """Both servers, and who speaks to them."""

    def __init__(self, url: str, samples: Path | None = None) -> None:
        self._url = url
        settings, ours, bare = settings_for(url), free_port(), free_port()
        environment = environment_for(url, SAYSO_RATE_LIMIT="1000000000/minute")
        if samples:
            environment["SAMPLES"] = str(samples)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        commands: list[list[str]] = [["ours", str(ours)], ["bare", str(bare), url]]
        self.processes = [
            subprocess.Popen(
                [sys.executable, "-m", "benchmarks.speed.turns_server", *command], env=environment, **quiet
            )
            for command in commands
        ]
        for port, process in zip((ours, bare), self.processes, strict=True):
            wait_until_ready(port, process)
        tokens = [[issue(settings, name_of(seat, each)) for each in range(PEOPLE)] for seat in range(SEATS)]
        self.load = Load(ours, bare, tokens)
        self.load.start()
        self.load.told.recv()

    def ask(self, which: str, seconds: float) -> Spell:
        """Let all speak to one of them for a while."""
        process = self.processes[("ours", "bare").index(which)]
        server, database = _used(process.pid), _used(*_backends(self._url))
        rate, took, count = self.load.ask(which, seconds)
        return Spell(rate, took, _since(server) / count, _since(database) / count)

    def stop(self) -> None:
        self.load.told.send(None)
        self.load.join(10)
        for process in self.processes:
            process.send_signal(signal.SIGINT)
            process.wait(40)


def measure(url: str, rounds: int, seconds: float) -> list[tuple[Spell, Spell]]:
    servers = Servers(url)
    for which in ("ours", "bare"):
        servers.ask(which, 2)
    pairs = []
    for _ in range(rounds):
        order = random.sample(["ours", "bare"], 2)
        found = {which: servers.ask(which, seconds) for which in order}
        ours, bare = found["ours"], found["bare"]
        pairs.append((ours, bare))
        print(f"  turns {ours}, bare {bare}: {ours.rate / bare.rate:.2f}", flush=True)
    servers.stop()
    return pairs


def profile(url: str, seconds: float) -> dict[str, dict[str, int]]:
    """Where the processor's time of the server goes, while all speak."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "samples.json"
        servers = Servers(url, file)
        servers.ask("ours", 3)
        servers.processes[0].send_signal(signal.SIGUSR1)
        servers.ask("ours", seconds)
        servers.stop()
        found: dict[str, dict[str, int]] = json.loads(file.read_text())
    return found


class Figures(NamedTuple):
    """What was measured."""

    statements: list[int]  # of the turns
    load: float  # of the machine, before
    pairs: list[tuple[Spell, Spell]]
    places: dict[str, int]
    lines: dict[str, int]

    @property
    def ratios(self) -> list[float]:
        return [ours.rate / bare.rate for ours, bare in self.pairs]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)


def _span(counts: list[int]) -> str:
    return " to ".join(str(each) for each in sorted({min(counts), max(counts)}))


def _each(counts: list[int]) -> str:
    return ", ".join(str(each) for each in counts)


def page(figures: Figures, least: float) -> str:
    """The figures as a section of a page."""
    total = sum(figures.places.values())
    shares = "\n".join(
        f"|{place}|{count / total:.0%}|{MEANINGS[place]}|"
        for place, count in sorted(figures.places.items(), key=lambda each: -each[1])
    )
    rates = [[statistics.median(one) for one in zip(*side, strict=True)] for side in zip(*figures.pairs, strict=True)]
    rows = [
        f"|{name}|{rate:.0f}|{took * 1000:.0f} ms|{used * 1000:.2f} ms|{stored * 1000:.2f} ms|"
        for name, (rate, took, used, stored) in zip(("turns", "bare endpoint"), rates, strict=True)
    ]
    return PAGE.format(
        day=datetime.now(UTC).date(),
        cores=os.cpu_count(),
        load=f"{figures.load:.1f}",
        floor=_span([len(each) for each in FLOOR]),
        statements=_span(figures.statements),
        shares=shares,
        rates="\n".join(rows),
        ratio=f"{figures.ratio:.2f}",
        low=f"{min(figures.ratios):.2f}",
        high=f"{max(figures.ratios):.2f}",
        least=least,
        rounds=len(figures.pairs),
        seats=SEATS,
        tasks=TASKS,
        samples=f"{total:,}",
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=2, help="of each half of a round")
    parser.add_argument("--least", type=float, default=LEAST, help="the smallest ratio that passes")
    parser.add_argument("--page", type=Path, help="write the figures, and where the time goes, into this page")
    options = parser.parse_args()
    with new_database() as url:
        load = os.getloadavg()[0]
        statements = asyncio.run(prepare(url))
        print(f"statements of the turns: {_each(statements)}; of the floor: {_each([len(one) for one in FLOOR])}")
        print(f"load average before: {load:.2f}, on {os.cpu_count()} cores")
        samples = profile(url, 20) if options.page else {"places": {}, "lines": {}}
        figures = Figures(statements, load, measure(url, options.rounds, options.seconds), **samples)
    if options.page:
        before, _, rest = options.page.read_text(encoding="utf-8").partition(BEGIN)
        text = f"{before}{BEGIN}\n{page(figures, options.least)}\n{END}{rest.partition(END)[2]}"
        options.page.write_text(text, encoding="utf-8")
        for line, count in list(figures.lines.items())[:25]:
            print(f"  {count / sum(figures.places.values()):5.1%}  {line}")
    print(f"ratio {figures.ratio:.2f} (median of {len(figures.pairs)} pairs; at least {options.least})")
    return int(figures.ratio < options.least)


if __name__ == "__main__":
    sys.exit(main())
