"""Killed in mid-call: is an acknowledged call ever lost, or a retried one done twice?

    python -m benchmarks crash

A run of 1,000 keyed calls from four senders, each retried with its key until it is answered, while the server is killed
with -9: at every named point of a call, and at 200 random moments. Then the same while the database is killed 20 times,
postmaster and all, in a cluster of the proof's own. Afterwards every call must have had its effect exactly once, as its
answer says.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import pwd
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import httpx2
import psycopg

from benchmarks.crash.tasks_server import POINTS
from benchmarks.harness.services import (
    Progress,
    Sender,
    environment_for,
    free_port,
    new_database,
    settings_for,
    wait_until_ready,
)
from sayso.identity.development import issue

SENDERS = 4
LONGEST = 30.0  # seconds until a call must be answered, kills and all


class Run:
    """Calls that must each happen once, sent until they are answered."""

    def __init__(self, url: str, port: int, calls: int, seed: int) -> None:
        self._port, self.calls = port, calls
        self._token = issue(settings_for(url), f"crash {seed}")
        self._user, self._url = f"crash {seed}", url
        self._progress = Progress("calls", calls)
        self.answers: dict[int, dict[str, Any]] = {}
        self.retries = 0
        self.slowest = 0.0

    async def go(self) -> None:
        self.start = asyncio.get_running_loop().time()
        numbers = iter(range(self.calls))
        await asyncio.gather(*(self._sender(numbers) for _ in range(SENDERS)))

    async def _sender(self, numbers: Iterator[int]) -> None:
        async with httpx2.AsyncClient(timeout=20) as http:
            sender = Sender(http, self._port, self._token)
            for number in numbers:
                began = time.monotonic()
                self.answers[number] = await self._until_answered(sender, number)
                self.slowest = max(self.slowest, time.monotonic() - began)
                self._progress.step()

    async def _until_answered(self, sender: Sender, number: int) -> dict[str, Any]:
        while True:
            try:
                answer = await sender.call("add_task", {"title": f"call {number}"}, key=f"key {number}")
                if answer.get("reason") != "unavailable":
                    return answer
            except (httpx2.HTTPError, KeyError):
                pass
            self.retries += 1
            await asyncio.sleep(0.02)

    @property
    def answered(self) -> int:
        return len(self.answers)

    def wrong(self) -> list[str]:
        """Calls that were lost or doubled, or whose answer is not what happened."""
        with psycopg.connect(self._url) as connection:
            rows = connection.execute(
                "SELECT title, array_agg(id::text) FROM sayso.tasks WHERE user_id = %s GROUP BY 1", (self._user,)
            ).fetchall()
        effects = dict(rows)
        problems = []
        for number in range(self.calls):
            ids = effects.pop(f"call {number}", [])
            if len(ids) != 1:
                problems.append(f"call {number}: {'lost' if not ids else f'done {len(ids)} times'}")
            elif self.answers[number].get("task_id") != ids[0]:
                problems.append(f"call {number}: answered {self.answers[number]}")
        return problems + [f"{title}: nobody asked for it" for title in effects]


class Server:
    """The server that can be killed."""

    program = "benchmarks.crash.tasks_server"

    def __init__(self, url: str, arm: Path | None = None, **more: str) -> None:
        self.port = free_port()
        self._killed = 0
        self._folder = tempfile.TemporaryDirectory()
        self._pid, self.arm = Path(self._folder.name) / "pid", arm or Path(self._folder.name) / "arm"
        command = [sys.executable, "-m", self.program, str(self.port), self._pid]
        environment = environment_for(url, CRASH_ARM=str(self.arm), **more)
        self._process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        wait_until_ready(self.port, self._process)

    def kill(self) -> None:
        """Kill it once it is another than was killed last."""
        while (pid := int(self._pid.read_text() or self._killed)) == self._killed:  # empty while it is being written
            time.sleep(0.002)
        self._killed = pid
        os.kill(pid, signal.SIGKILL)

    def die_at(self, point: str) -> None:
        """Have it die when it comes there next; ProcessLookupError where it does not."""
        self.arm.write_text(point)
        deadline = time.monotonic() + 10
        while self.arm.exists():
            if time.monotonic() > deadline:
                raise ProcessLookupError(point)
            time.sleep(0.005)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)
        self._folder.cleanup()


class Going(Protocol):
    """Calls that are being made, and how many of them are answered."""

    calls: int

    @property
    def answered(self) -> int: ...

    async def go(self) -> None: ...


async def with_kills(run: Going, kills: int, kill: Callable[[], Any], seed: int, latest: float = 0.8) -> int:
    """The run, with kills spread over it at random moments up to the latest; how many there were."""
    chance = random.Random(seed)
    moments = sorted(chance.uniform(0, latest) for _ in range(kills))
    task = asyncio.create_task(run.go())
    done = 0
    for moment in moments:
        while run.answered < moment * run.calls and not task.done():  # noqa: ASYNC110  a moment is no event
            await asyncio.sleep(0.002)
        if task.done():
            break
        await asyncio.sleep(chance.uniform(0, 0.03))
        try:
            await asyncio.to_thread(kill)
            done += 1
        except ProcessLookupError:
            pass
    await task
    return done


def kill_at_points(url: str, each: int) -> list[str]:
    """The server dies at every named point, several times."""
    server = Server(url)
    problems = []
    try:
        for number, point in enumerate(POINTS):
            run = Run(url, server.port, 30 + each * 30, 1000 + number)

            kills = asyncio.run(with_kills(run, each, partial(server.die_at, point), number, latest=0.3))
            server.arm.unlink(missing_ok=True)
            wrong = run.wrong()
            problems += wrong + ([] if kills else [f"it never died at {point}"])
            print(f"  at {point:10} {kills} kills in {run.calls} calls, {run.retries} retries: {len(wrong)} wrong")
    finally:
        server.stop()
    return problems


def kill_at_random(url: str, calls: int, kills: int) -> list[str]:
    server = Server(url)
    try:
        run = Run(url, server.port, calls, 1)
        done = asyncio.run(with_kills(run, kills, server.kill, 1))
    finally:
        server.stop()
    return _told("server", run, calls, done)


def kill_database(calls: int, kills: int) -> list[str]:
    with own_cluster() as (url, crash), new_database(url) as database:
        server = Server(database)
        try:
            run = Run(database, server.port, calls, 2)
            done = asyncio.run(with_kills(run, kills, crash, 2))
        finally:
            server.stop()
        return _told("database", run, calls, done)


def _told(what: str, run: Run, calls: int, kills: int) -> list[str]:
    wrong = run.wrong()
    if run.slowest > LONGEST:
        wrong.append(f"a call took {run.slowest:.0f} s")
    print(
        f"{what} killed {kills} times in {calls:,} calls: {len(wrong)} lost, doubled or wrong; "
        f"{run.retries:,} retries, the slowest call {run.slowest:.1f} s {wrong[:3] or ''}"
    )
    return wrong


@contextmanager
def own_cluster() -> Iterator[tuple[str, Callable[[], None]]]:
    """A PostgreSQL cluster of our own, and what crashes and restarts it."""
    tools = Path(max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name)))
    folder = Path(tempfile.mkdtemp(prefix="sayso-cluster-"))
    port = free_port()
    if os.geteuid() == 0:  # initdb refuses root
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
        as_postgres = ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
    else:
        as_postgres = []
    data = folder / "data"
    control = [*as_postgres, tools / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-s"]
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='{folder}'"

    def start() -> None:
        for _ in range(50):  # what was killed may hold its memory for a moment yet
            if (
                subprocess.run(
                    [*control, "-o", options, "-t", "60", "start"], check=False, capture_output=True
                ).returncode
                == 0
            ):
                return
            time.sleep(0.1)
        raise SystemExit((folder / "log").read_text())

    def crash() -> None:
        postmaster = int((data / "postmaster.pid").read_text().splitlines()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for pid in (postmaster, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        start()

    subprocess.run(
        [*as_postgres, tools / "initdb", "-D", data, "-U", "postgres", "-A", "trust"], check=True, capture_output=True
    )
    try:
        start()
        yield f"postgresql://postgres@127.0.0.1:{port}/postgres", crash
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False)
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=200, help="of the server, at random moments")
    parser.add_argument("--at-point", type=int, default=5, help="kills at each named point")
    parser.add_argument("--database-kills", type=int, default=20)
    options = parser.parse_args()
    problems = []
    with new_database() as url:
        problems += kill_at_points(url, options.at_point) if options.at_point else []
        problems += kill_at_random(url, options.calls, options.kills) if options.kills else []
    if options.database_kills:
        problems += kill_database(options.calls, options.database_kills)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
