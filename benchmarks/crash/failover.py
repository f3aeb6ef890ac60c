"""The primary of PostgreSQL dies while people talk: is a turn that was acknowledged lost, and how long do turns fail?

    python -m benchmarks failover                       20 failovers with synchronous replication, 20 without
    python -m benchmarks failover --failovers 4 --mode synchronous

Two processes of the chat service reach a Patroni cluster of three nodes through HAProxy. Senders add tasks all the
time, each message repeated with its id until it is acknowledged. In turn: the primary's machine loses its power
(Patroni and PostgreSQL killed with -9), PostgreSQL alone is killed, the whole primary is frozen until another one has
taken over and then goes on, an operator switches over. The next failover begins once all three nodes are in step again.

Counted are acknowledged turns that are missing afterwards, and turns or tasks that are there twice. The time is the
longest one without any acknowledgement, from the failure until the new primary has acknowledged a message. With
synchronous replication, also: both standbys are frozen, and nothing may be acknowledged until one of them is back. Then
Redis is killed under load.

Writes benchmarks/results/failover.json. Exits with 1 if a turn was doubled, or lost with synchronous replication.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import psycopg

from benchmarks.crash.chat import verified
from benchmarks.crash.cluster import Cluster, Node, missing, patroni_cluster
from benchmarks.harness.services import ROOT, environment_for, free_port, new_database, settings_for, wait_until_ready
from sayso.identity.development import issue

RESULT = ROOT / "benchmarks" / "results" / "failover.json"
SENDERS = 4
KINDS = ("power", "postgres", "frozen", "switch")
FROZEN = 15.0  # seconds without a standby: longer than any deadline of the service


class Turn(NamedTuple):
    """An acknowledged message: who said it, what about, when it was sent last and when it was acknowledged."""

    user: str
    number: int
    sent: float
    acknowledged: float
    added: bool


class Load:
    """Senders, each a user in one conversation, who add one task after the other until they are told to stop."""

    def __init__(self, url: str, ports: list[int], run: str) -> None:
        self._url, self._ports, self._run = url, ports, run
        self.turns: list[Turn] = []
        self.retries: Counter[str] = Counter()
        self._ending = False
        self.failed = 0.0  # when the last failure began
        self._chance = random.Random(run)

    def users(self) -> list[str]:
        return [f"{self._run} {sender}" for sender in range(SENDERS)]

    async def go(self) -> None:
        async with asyncio.TaskGroup() as group:
            for user in self.users():
                group.create_task(self._sender(user))

    def end(self) -> None:
        self._ending = True

    async def _sender(self, user: str) -> None:
        headers = {"Authorization": f"Bearer {issue(settings_for(self._url), user)}"}
        async with httpx2.AsyncClient(timeout=10, headers=headers) as http:
            opened, _ = await self._until_answered(http, "/v1/conversations", None)
            number = 0
            while not self._ending:
                body = {"client_message_id": str(number), "content": f'add a task: "water plant {number}"'}
                answer, sent = await self._until_answered(http, f"/v1/conversations/{opened['id']}/messages", body)
                self.turns.append(Turn(user, number, sent, time.monotonic(), added=bool(answer["results"])))
                number += 1

    async def _until_answered(self, http: httpx2.AsyncClient, path: str, body: Any) -> tuple[dict[str, Any], float]:
        while True:
            sent = time.monotonic()
            try:
                answer = await http.post(f"http://127.0.0.1:{self._chance.choice(self._ports)}{path}", json=body)
                if answer.is_success:
                    return dict(answer.json()), sent
                if answer.status_code not in (409, 503):
                    raise SystemExit(f"{answer.status_code}: {answer.text}")
                self.retries[str(answer.status_code)] += 1
            except httpx2.HTTPError as problem:
                self.retries[type(problem).__name__] += 1
            await asyncio.sleep(0.1)

    async def first_after(self, moment: float, seconds: float = 120) -> float:
        """The seconds until a message that was sent after this moment was acknowledged."""
        while time.monotonic() < moment + seconds:
            times = [turn.acknowledged - moment for turn in self.turns[-1000:] if turn.sent > moment]
            if times:
                return min(times)
            await asyncio.sleep(0.05)
        raise SystemExit(f"no turn was acknowledged for {seconds:.0f} s: {dict(self.retries)}")

    def longest_gap(self, since: float) -> float:
        """The longest time in which nothing was acknowledged."""
        times = [since, *sorted(turn.acknowledged for turn in self.turns if turn.acknowledged > since)]
        return max(after - before for before, after in pairwise(times))

    def _stored(self) -> tuple[Counter[Any], Counter[Any]]:
        """The tasks and the turns of all users, by user and title or message."""
        for _ in range(60):  # HAProxy may close a connection soon after a failover
            with suppress(psycopg.OperationalError):
                return self._read()
            time.sleep(1)
        return self._read()

    def _read(self) -> tuple[Counter[Any], Counter[Any]]:
        with psycopg.connect(self._url, connect_timeout=5) as connection:
            query = "SELECT user_id, title FROM sayso.tasks WHERE user_id = ANY(%s)"
            tasks = Counter(connection.execute(query, (self.users(),)).fetchall())
            query = "SELECT user_id, client_message_id FROM sayso.turns WHERE user_id = ANY(%s) AND state = 'done'"
            return tasks, Counter(connection.execute(query, (self.users(),)).fetchall())

    def lost(self) -> list[str]:
        """Turns that were acknowledged and are missing."""
        acknowledged = list(self.turns)
        tasks, turns = self._stored()
        found = []
        for turn in acknowledged:
            parts = {"turn": turns[turn.user, str(turn.number)]}
            if turn.added:  # among so many similar titles the service now and then asks instead
                parts["task"] = tasks[turn.user, f"water plant {turn.number}"]
            if absent := [name for name, count in parts.items() if not count]:
                when = turn.acknowledged - self.failed
                found.append(
                    f"{turn.user}: plant {turn.number}, no {' and no '.join(absent)}, acknowledged {when:+.3f} s from "
                    "the last failure"
                )
        return found

    def wrong(self) -> tuple[list[str], list[str]]:
        """Acknowledged turns that are missing, and whatever is there more than once or does not verify."""
        tasks, turns = self._stored()
        doubled = [f"{key}: {count} times" for each in (tasks, turns) for key, count in each.items() if count > 1]
        for user in self.users():
            problem = asyncio.run(verified(self._url, user))
            doubled += [] if problem is None else [f"{user}: {problem}"]
        return self.lost(), doubled


async def fail(cluster: Cluster, kind: str, load: Load) -> float:
    """One failover; the seconds until turns work again."""
    primary = cluster.primary()
    if primary is None:
        raise SystemExit("the cluster has no primary")
    began = load.failed = time.monotonic()
    if kind == "power":
        await asyncio.to_thread(primary.kill)
    elif kind == "postgres":
        primary.send(signal.SIGKILL, patroni=False)
    elif kind == "frozen":
        primary.send(signal.SIGSTOP)
    else:
        await asyncio.to_thread(cluster.switch, primary)
    await asyncio.to_thread(cluster.wait_for_another, primary, 90)
    await load.first_after(time.monotonic())
    seconds = load.longest_gap(began)
    if kind == "power":
        primary.start()
    elif kind == "frozen":
        primary.send(signal.SIGCONT)
    return seconds


async def with_failovers(
    cluster: Cluster, load: Load, failovers: int, minutes: float, kinds: Sequence[str]
) -> dict[str, list[float]]:
    """The seconds that each failover took. After so many minutes no other one begins."""
    seconds: dict[str, list[float]] = {kind: [] for kind in kinds}
    chance = random.Random(1)
    senders = asyncio.create_task(load.go())
    end, known = time.monotonic() + minutes * 60, 0
    for number in range(failovers):
        if await asyncio.to_thread(cluster.mend):
            print("  a node was copied from the primary again", flush=True)
        if time.monotonic() > end:
            break
        await load.first_after(time.monotonic())
        await asyncio.sleep(chance.uniform(0.5, 2))
        kind = kinds[number % len(kinds)]
        seconds[kind].append(await fail(cluster, kind, load))
        lost = await asyncio.to_thread(load.lost)
        print(
            f"  {number + 1}. {kind}: turns work again after {seconds[kind][-1]:.1f} s; "
            f"{len(load.turns):,} acknowledged so far, {len(lost)} of them lost",
            *(f"\n     {one}" for one in lost[known:]),
            flush=True,
        )
        known = len(lost)
    await asyncio.to_thread(cluster.mend)
    load.end()
    await senders
    return seconds


async def without_standbys(cluster: Cluster, load: Load) -> int:
    """How many turns were acknowledged while no standby could have them."""
    senders = asyncio.create_task(load.go())
    await load.first_after(time.monotonic())
    primary = cluster.primary()
    standbys: list[Node] = [node for node in cluster.nodes if node is not primary]
    for node in standbys:
        node.send(signal.SIGSTOP)
    frozen = time.monotonic()
    await asyncio.sleep(FROZEN)
    early = sum(turn.acknowledged > frozen + 1 for turn in load.turns)  # a second for what was on its way
    for node in standbys:
        node.send(signal.SIGCONT)
    again = await load.first_after(time.monotonic())
    print(f"  {FROZEN:.0f} s without a standby: {early} turns acknowledged; again {again:.1f} s after its return")
    load.end()
    await senders
    return early


async def without_redis(load: Load, redis: Redis) -> dict[str, float]:
    """Turns a second with Redis, while it is away, and after it is back."""
    senders = asyncio.create_task(load.go())
    await load.first_after(time.monotonic())
    rates = {}
    for phase, change in (("with", None), ("without", redis.kill), ("again", redis.start)):
        if change is not None:
            change()
        before = len(load.turns)
        began = time.monotonic()
        await asyncio.sleep(10)
        rates[phase] = round((len(load.turns) - before) / (time.monotonic() - began), 1)
    load.end()
    await senders
    return rates


class Redis:
    """A Redis of our own, which keeps nothing."""

    def __init__(self, folder: str) -> None:
        self.port, self._folder = free_port(), folder
        self.start()

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self._folder]
        program = shutil.which("redis-server") or "redis-server"
        self._process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(10)


@contextmanager
def service(url: str) -> Iterator[tuple[list[int], Redis]]:
    """Two processes of the chat service, and the Redis that they share."""
    with tempfile.TemporaryDirectory() as folder:
        redis = Redis(folder)
        more = {"SAYSO_REDIS_URL": f"redis://127.0.0.1:{redis.port}/0", "SAYSO_RATE_LIMIT": "1000000/minute"}
        processes: list[subprocess.Popen[bytes]] = []
        ports = [free_port(), free_port()]
        log = (Path(folder) / "log").open("wb")
        try:
            for port in ports:
                command: list[str | Path] = [sys.executable, "-m", "sayso.cli", "serve", "--port", str(port)]
                environment = environment_for(url, **more)
                processes.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))
            for port, process in zip(ports, processes, strict=True):
                wait_until_ready(port, process, seconds=300)
            yield ports, redis
        except BaseException:
            log.flush()
            faults = [line for line in (Path(folder) / "log").read_text().splitlines() if '"error"' in line]
            print("\n".join(faults[-5:]), file=sys.stderr)
            raise
        finally:
            for process in processes:
                process.terminate()
                process.wait(30)
            redis.kill()
            log.close()


def prove(mode: str, failovers: int, minutes: float, kinds: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    print(f"{mode} replication:", flush=True)
    problems: list[str] = []
    synchronous = mode == "synchronous"
    with (
        patroni_cluster(synchronous=synchronous) as cluster,
        new_database(cluster.url) as url,
        service(url) as (ports, redis),
    ):
        load = Load(url, ports, mode)
        began = time.monotonic()
        seconds = asyncio.run(with_failovers(cluster, load, failovers, minutes, kinds))
        lost, doubled = load.wrong()
        result: dict[str, Any] = {
            "failovers": sum(map(len, seconds.values())),
            "minutes": round((time.monotonic() - began) / 60, 1),
            "acknowledged": len(load.turns),
            "lost": len(lost),
            "doubled_or_wrong": len(doubled),
            "retries": dict(load.retries),
            "seconds": {kind: [round(one, 1) for one in each] for kind, each in seconds.items() if each},
        }
        problems += doubled + (lost if synchronous else [])
        if synchronous:
            alone, quiet = Load(url, ports, "alone"), Load(url, ports, "redis")
            early = asyncio.run(without_standbys(cluster, alone))
            result["acknowledged_without_a_standby"] = early
            problems += [f"{early} turns acknowledged without a standby"] if early else []
            result["turns_a_second_redis"] = asyncio.run(without_redis(quiet, redis))
            for each in (alone, quiet):
                lost, doubled = each.wrong()
                problems += lost + doubled
    times = [one for each in seconds.values() for one in each]
    print(
        f"{mode}: {result['failovers']} failovers, {result['acknowledged']:,} turns acknowledged: "
        f"{result['lost']} lost, {result['doubled_or_wrong']} doubled or wrong; "
        f"turns work again after {statistics.median(times):.1f} s "
        f"(median), {max(times):.1f} s (longest)",
        flush=True,
    )
    return result, problems


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--failovers", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=60, help="for each mode; then no other failover begins")
    parser.add_argument("--mode", choices=("synchronous", "asynchronous"), action="append", help="by default both")
    parser.add_argument("--kind", choices=KINDS, action="append", help="how the primary fails; by default all in turn")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # so that all that was started is ended
    if absent := missing():
        raise SystemExit(f"not installed: {', '.join(absent)}. Install Debian's patroni, etcd-server and haproxy.")
    results = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    problems: list[str] = []
    for mode in given.mode or ("synchronous", "asynchronous"):
        result, wrong = prove(mode, given.failovers, given.minutes, given.kind or KINDS)
        results[mode] = {"date": datetime.now(UTC).date().isoformat()} | result
        problems += wrong
        RESULT.write_text(json.dumps(results, indent=1) + "\n")
    for problem in problems[:20]:
        print(f"WRONG {problem}")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
