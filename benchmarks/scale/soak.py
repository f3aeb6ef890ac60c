"""Half an hour of mixed traffic while replicas and PgBouncer are restarted: is anything lost, or done twice?

    python -m benchmarks soak             30 minutes
    python -m benchmarks soak-short       a minute

Three replicas behind nginx, on PgBouncer in transaction mode, on a PostgreSQL of its own. People, half of them Italian,
add tasks, list and complete them, delete with a card and its yes, take back, and click on the list, each at a steady
pace, so that all together stay under the rate. Whatever is not answered is sent again under the same key. Every while,
a replica is told to stop or killed, or PgBouncer is, and started again; the third replica lives on, and its memory is
looked at. Afterwards every list, every call in the trail and every turn must be what was asked for, and every trail
must verify.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

import httpx2
import psycopg

from benchmarks.harness.services import Progress, settings_for
from benchmarks.scale.stack import (
    Bouncer,
    Cluster,
    Nginx,
    Replica,
    bouncer_prepares,
    bouncer_version,
    end_tidily,
    resident,
)
from sayso.database.migrate import migrate
from sayso.database.pool import Database
from sayso.identity.development import issue
from sayso.ledger.trail import verify

PEOPLE = 24
LONGEST = 60.0  # seconds until something must be answered, restarts and all
MOST_GROWTH = 1.10
WARM_UP = 0.2  # of the time, before memory counts
AGAIN = {502, 503, 504}  # what a client that keeps its key sends again
WORDS = {
    "en": {
        "add": 'add a task: "water plant {number}"',
        "list": "show my tasks",
        "done": 'mark "water plant {number}" as done',
        "delete": 'delete "water plant {number}"',
        "undo": "undo",
    },
    "it": {
        "add": 'aggiungi un\'attività: "water plant {number}"',
        "list": "mostra le mie attività",
        "done": 'segna "water plant {number}" come completata',
        "delete": 'elimina "water plant {number}"',
        "undo": "annulla",
    },
}


class Step(NamedTuple):
    """A request, and under which key it may be sent again."""

    method: str
    path: str
    body: Any
    key: str


class Speaker:
    """One person, who goes through a round with one plant after the other."""

    def __init__(self, soak: Soak, number: int) -> None:
        self._soak, self.name = soak, f"soak {number:02}"
        self._lang = "it" if number % 2 else "en"
        self.rounds, self.messages, self.cards = 0, 0, 0
        token = issue(settings_for(soak.url), self.name)
        headers = {"Authorization": f"Bearer {token}", "Accept-Language": self._lang}
        self._http = httpx2.AsyncClient(base_url=soak.address, headers=headers, timeout=20)
        self._talk = ""

    async def go(self, until: float) -> None:
        """Whole rounds until it is time."""
        await asyncio.sleep(random.random() / self._soak.pace)
        while time.monotonic() < until:
            if self.rounds % 20 == 0:  # a new conversation now and then
                self._talk = (await self._send(Step("POST", "/v1/conversations", None, "")))["id"]
            await self._round(self.rounds)
            self.rounds += 1
        await self._http.aclose()

    async def _round(self, number: int) -> None:
        words = {name: text.format(number=number) for name, text in WORDS[self._lang].items()}
        await self._say(f"{number} add", words["add"])
        pressed = await self._press("POST", "/v1/tasks", {"title": f"paper {number}"}, f"{number} paper")
        paper = f"/v1/tasks/{pressed['results'][0]['result']['task']['id']}"
        await self._say(f"{number} list", words["list"])
        await self._press("POST", f"{paper}/complete", None, f"{number} complete")
        await self._say(f"{number} done", words["done"])
        card = (await self._say(f"{number} delete", words["delete"]))["confirmation"]
        if card is None:
            self._soak.faults.append(f"{self.name}: no card in round {number}")
            return
        answer = {"answer": "yes", "digest": card["digest"]}
        await self._send(Step("POST", f"/v1/confirmations/{card['id']}", answer, ""))
        self.cards += 1
        if number % 2 == 0:
            if number % 4:
                await self._say(f"{number} undo", words["undo"])
            else:
                await self._press("POST", "/v1/undo", None, f"{number} undo")
        await self._press("DELETE", paper, None, f"{number} drop")

    async def _say(self, key: str, words: str) -> dict[str, Any]:
        self.messages += 1
        body = {"client_message_id": key, "content": words}
        return await self._send(Step("POST", f"/v1/conversations/{self._talk}/messages", body, ""))

    async def _press(self, method: str, path: str, body: Any, key: str) -> dict[str, Any]:
        return await self._send(Step(method, path, body, key))

    async def _send(self, step: Step) -> dict[str, Any]:
        """Until it is answered."""
        await self._soak.wait()
        began, headers = time.monotonic(), {"Idempotency-Key": step.key.replace(" ", "-")} if step.key else {}
        while True:
            try:
                answer = await self._http.request(step.method, step.path, json=step.body, headers=headers)
                if answer.is_success:
                    break
                if answer.status_code not in AGAIN and "turn_in_progress" not in answer.text:
                    self._soak.faults.append(f"{self.name}: {step} gave {answer.status_code} {answer.text[:300]}")
                    raise SystemExit(self._soak.faults[-1])
            except httpx2.HTTPError:
                pass
            self._soak.retries += 1
            await asyncio.sleep(0.1)
        took = time.monotonic() - began
        self._soak.took.append(took)
        self._soak.progress.step()
        return dict(answer.json())

    def wrong(self, connection: psycopg.Connection) -> list[str]:
        """What is not as it was asked for."""

        def rows(query: str) -> list[Any]:
            return connection.execute(query, (self.name,)).fetchall()

        tasks = Counter(rows("SELECT title, status, deleted_at IS NULL FROM sayso.tasks WHERE user_id = %s"))
        wanted = Counter((f"water plant {number}", "completed", number % 2 == 0) for number in range(self.rounds))
        wanted += Counter((f"paper {number}", "completed", False) for number in range(self.rounds))
        problems = [f"{task} {tasks[task]} times" for task in tasks | wanted if tasks[task] != wanted[task]]
        done: Counter[str] = Counter()
        for kind, body in rows("SELECT kind, body FROM sayso.trail WHERE user_id = %s AND kind IN ('call', 'undo')"):
            done[json.loads(body)["tool"] if kind == "call" else kind] += 1
        calls = {"add_task": 2, "complete_task": 2, "delete_task": 2, "list_tasks": 1}
        asked = {name: times * self.rounds for name, times in calls.items()} | {"undo": (self.rounds + 1) // 2}
        problems += [] if dict(done) == asked else [f"{dict(done)}, where {asked} was asked for"]
        ((turns, unfinished),) = rows(_TURNS)
        if (turns, unfinished) != (self.messages + self.cards, 0):
            problems.append(f"{turns} turns, {unfinished} unfinished, where {self.messages + self.cards} were taken")
        return [f"{self.name}: {problem}" for problem in problems]


_TURNS = "SELECT count(*), count(*) FILTER (WHERE state <> 'done') FROM sayso.turns WHERE user_id = %s"


class Soak:
    """The traffic, and what is seen of it."""

    def __init__(self, url: str, address: str, rate: float, seconds: float) -> None:
        self.url, self.address, self.pace = url, address, rate / PEOPLE
        self._every, self._next = 1 / rate, 0.0
        self.faults, self.took, self.retries = list[str](), list[float](), 0
        self.seconds = seconds
        self.progress = Progress("requests", int(rate * seconds))
        self.speakers = [Speaker(self, number) for number in range(PEOPLE)]

    async def wait(self) -> None:
        """One after the other, however many want to: no more than the rate."""
        now = asyncio.get_running_loop().time()
        self._next = max(now, self._next + self._every)
        await asyncio.sleep(self._next - now)

    async def go(self, restarts: Restarts) -> None:
        until = time.monotonic() + self.seconds
        chaos = asyncio.create_task(restarts.go(until))
        await asyncio.gather(*(speaker.go(until) for speaker in self.speakers))
        await chaos

    def wrong(self) -> list[str]:
        with psycopg.connect(self.url) as connection:
            problems = [one for speaker in self.speakers for one in speaker.wrong(connection)]
        broken = asyncio.run(broken_trails(self.url, [speaker.name for speaker in self.speakers]))
        return [*self.faults, *problems, *broken]


async def broken_trails(url: str, names: list[str]) -> list[str]:
    """Whose trail does not verify."""
    found = []
    async with Database(url, connections=1) as database:
        for name in names:
            async with database.transaction(name) as on:
                verified = await verify(on, name)
            if not verified.intact:
                found.append(f"{name}: {verified.problem}")
    return found


class Restarts:
    """Stops or kills two of the replicas, and PgBouncer, in turns; looks at the memory of the third."""

    def __init__(self, replicas: list[Replica], bouncer: Bouncer | None, every: float) -> None:
        self._replicas, self._bouncer, self._every = replicas, bouncer, every
        self.done: Counter[str] = Counter()
        self.memory: list[tuple[float, int]] = []

    async def go(self, until: float) -> None:
        looking = asyncio.create_task(self._look())
        number = 0
        while until - time.monotonic() > self._every + 15:  # nothing is restarted at the very end
            await asyncio.sleep(self._every)
            await asyncio.to_thread(self._restart, number)
            number += 1
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        looking.cancel()

    async def _look(self) -> None:
        began = time.monotonic()
        while True:
            self.memory.append((time.monotonic() - began, resident(self._replicas[-1].process.pid)))
            await asyncio.sleep(1)

    def _restart(self, number: int) -> None:
        what, how = number % 3, (signal.SIGTERM, signal.SIGKILL)[number // 3 % 2]
        if what < 2:
            self._replicas[what].end(how)
            self._replicas[what].begin()
            self._replicas[what].wait()
        elif self._bouncer is not None:
            self._bouncer.end(how)
            self._bouncer.start()
        self.done[f"{'replica' if what < 2 else 'PgBouncer'} {how.name}"] += 1

    def growth(self) -> float:
        """The memory of the replica that lived on: the last tenth of the time, against that after the warm-up."""
        seconds = self.memory[-1][0]
        warm = [held for at, held in self.memory if WARM_UP * seconds <= at <= (WARM_UP + 0.1) * seconds]
        last = [held for at, held in self.memory if at >= 0.9 * seconds]
        return (sum(last) / len(last)) / (sum(warm) / len(warm))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=50, help="requests a second, at most")
    parser.add_argument("--every", type=float, default=30, help="seconds between two restarts")
    parser.add_argument("--keep", type=Path, help="write the figures to this file")
    given = parser.parse_args()
    end_tidily()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sayso-soak-")))
        folder.chmod(0o755)
        cluster = Cluster(folder / "cluster", buffers="256MB")
        stack.callback(cluster.stop)
        cluster.make("soak")
        url = cluster.url("soak")
        migrate(url)
        bouncer = Bouncer(folder / "bouncer", cluster.port) if bouncer_version() else None
        if bouncer:
            stack.callback(bouncer.stop)
        through = cluster.url("soak", bouncer.port if bouncer else None)
        prepare = bouncer is None or bouncer_prepares()
        replicas = [Replica(through, prepare=prepare) for _ in range(3)]
        for replica in replicas:
            stack.callback(lambda replica=replica: replica.end(signal.SIGTERM))
        for replica in replicas:
            replica.wait()
        nginx = Nginx.before(folder / "nginx", [replica.port for replica in replicas])
        stack.callback(nginx.stop)
        soak = Soak(url, f"http://127.0.0.1:{nginx.port}", given.rate, given.minutes * 60)
        restarts = Restarts(replicas, bouncer, given.every)
        asyncio.run(soak.go(restarts))
        wrong = soak.wrong()
    return report(soak, restarts, wrong, given)


def report(soak: Soak, restarts: Restarts, wrong: list[str], given: argparse.Namespace) -> int:
    growth, short = restarts.growth(), given.minutes < 5  # a process is still warming up then
    if max(soak.took) > LONGEST:
        wrong.append(f"an answer took {max(soak.took):.0f} s")
    if growth > MOST_GROWTH and not short:
        wrong.append(f"memory grew by {growth - 1:.0%}")
    figures = {
        "minutes": given.minutes,
        "pgbouncer": ".".join(map(str, bouncer_version() or ())) or None,
        "requests": len(soak.took),
        "rate": round(len(soak.took) / soak.seconds, 1),
        "restarts": dict(restarts.done),
        "retries": soak.retries,
        "p50": round(quantiles(soak.took, n=100)[49] * 1000, 1),
        "p95": round(quantiles(soak.took, n=100)[94] * 1000, 1),
        "slowest_s": round(max(soak.took), 1),
        "memory_mb": [round(restarts.memory[0][1] / 1024), round(restarts.memory[-1][1] / 1024)],
        "memory_growth": round(growth, 3),
        "wrong": len(wrong),
    }
    print(json.dumps(figures))
    print("\n".join(wrong[:20]) or "nothing lost, nothing done twice, every trail verifies")
    if given.keep:
        given.keep.parent.mkdir(exist_ok=True)
        given.keep.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
