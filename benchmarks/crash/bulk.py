"""Fifty tasks at once: is a bulk one transaction, one group in the trail and one undo, whatever is killed?

    python -m benchmarks bulk

Somebody with 50 completed tasks says "clear all completed" and "yes", then "undo"; somebody with 50 tasks for today
says "push everything from today to tomorrow" and "yes", then "undo". The rows that a turn wrote, of tasks, turn, cards,
trail and ways back, must all carry the id of the same transaction; the 50 calls must stand together in the trail as one
group; there must be one way back, and one undo must leave every task as it was.

Then the service is killed with -9 during the yes and during the undo: 20 times each at random moments of the turn, and
after the first, some and the last of the 50 calls. After each kill, before anything is sent again, the database must
have all of the turn or nothing of it. Then the message is sent again until it is answered, and was done once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx2
import psycopg

from benchmarks.crash.chat import Replica, verified
from benchmarks.harness.services import Progress, assistant, new_database, settings_for
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Database
from sayso.identity.development import issue
from sayso.identity.principal import Principal
from sayso.tasks import operations
from sayso.tasks.values import AddTask, CompleteTask

SIZE = 50  # as many as one question may be about
WRITTEN = {  # what a turn writes, each row with the transaction that wrote it
    "turns": "SELECT xmin::text FROM sayso.turns WHERE user_id = %(user)s AND client_message_id = %(message)s",
    "trail": "SELECT xmin::text FROM sayso.trail WHERE user_id = %(user)s AND number > %(since)s",
    "tasks": "SELECT xmin::text FROM sayso.tasks WHERE user_id = %(user)s",
    "ways back": "SELECT xmin::text FROM sayso.backs WHERE user_id = %(user)s AND number > %(since)s",
    "cards": "SELECT xmin::text FROM sayso.cards WHERE user_id = %(user)s",
}
TASKS = """
    SELECT id::text, title, status, due_date, due_time, deleted_at IS NULL
    FROM sayso.tasks WHERE user_id = %(user)s ORDER BY id
"""
TRAIL = "SELECT number, kind, body FROM sayso.trail WHERE user_id = %(user)s AND number > %(since)s ORDER BY number"


@dataclass(frozen=True, kw_only=True)
class Bulk:
    """Something to be done with every task: what is said, the tool that is called, and whether a task had it done."""

    says: str
    tool: str
    completed: bool
    is_done: Callable[[tuple[Any, ...], str], bool]


BULKS = (
    Bulk(says="clear all completed", tool="delete_task", completed=True, is_done=lambda task, _today: not task[5]),
    Bulk(
        says="push everything from today to tomorrow",
        tool="update_task",
        completed=False,
        is_done=lambda task, today: str(task[3]) > today,
    ),
)


class Wrong(Exception):
    """Something that is not as it should be."""


class Person:
    """Somebody with 50 tasks, in one conversation."""

    def __init__(self, url: str, server: Replica, name: str, bulk: Bulk) -> None:
        self._url, self._server, self.name, self.bulk = url, server, name, bulk
        headers = {"Authorization": f"Bearer {issue(settings_for(url), name, zone='UTC')}"}
        self._http = httpx2.AsyncClient(timeout=20, headers=headers, base_url=f"http://127.0.0.1:{server.port}")
        self.today = datetime.now(UTC).date().isoformat()
        self.retries = 0

    async def prepare(self) -> None:
        """Make the tasks, and say what is to be done with them."""
        async with Database(self._url, connections=1) as database:
            service = ChatService(database, assistant())
            async with service.acting(Principal(id=self.name, zone="UTC")) as (on, person):
                for number in range(SIZE):
                    due = None if self.bulk.completed else self.today
                    made = await operations.add(on, person, AddTask(title=f"task {number}", due=due))
                    if self.bulk.completed:
                        await operations.complete(on, person, CompleteTask(task_identifier=made.task_id or ""))
        self._path = f"/v1/conversations/{(await self._post('/v1/conversations', None))['id']}/messages"
        asked = await self.say("ask", self.bulk.says)
        groups = {each.get("group") for each in asked["decisions"]}
        if [each["kind"] for each in asked["decisions"]] != ["confirm"] * SIZE or len(groups) != 1:
            raise Wrong(f"{self.bulk.says}: {Counter(each['kind'] for each in asked['decisions'])} in groups {groups}")
        self.before = self.tasks()
        self.since = self.end()

    async def say(self, name: str, words: str) -> dict[str, Any]:
        """Send a message until it is answered."""
        return await self._post(self._path, {"client_message_id": name, "content": words})

    async def once(self, name: str, words: str) -> None:
        """Send a message, and do not wait for the answer if the service dies."""
        with suppress(httpx2.HTTPError):
            await self._http.post(self._path, json={"client_message_id": name, "content": words})

    async def _post(self, path: str, body: Any) -> dict[str, Any]:
        while True:
            try:
                answer = await self._http.post(path, json=body)
                if answer.is_success:
                    return dict(answer.json())
                if answer.status_code not in (409, 503):
                    raise Wrong(f"{path}: {answer.status_code}: {answer.text}")
            except httpx2.HTTPError:
                pass
            self.retries += 1
            await asyncio.sleep(0.05)

    def rows(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self._url) as connection:
            return connection.execute(query, {"user": self.name, **values}).fetchall()

    def tasks(self) -> list[tuple[Any, ...]]:
        return self.rows(TASKS)

    def end(self) -> int:
        """The number of the last entry of the trail."""
        return int(self.rows("SELECT max(number) FROM sayso.trail WHERE user_id = %(user)s")[0][0])

    def done(self) -> int:
        """With how many tasks it is done."""
        return sum(self.bulk.is_done(task, self.today) for task in self.tasks())

    def whole(self, message: str) -> dict[str, int]:
        """All that a turn may have written: how many of each, where it is there."""
        entries = self.rows(TRAIL, since=self.since)
        return {
            "tasks": self.done(),
            "turns": len(self.rows(WRITTEN["turns"], message=message)),
            "calls": sum(kind == "call" for _, kind, _ in entries),
            "undos": sum(kind == "undo" for _, kind, _ in entries),
            "ways back": len(self._groups()),
        }

    def _groups(self) -> list[Any]:
        return [
            back for (back,) in self.rows("SELECT back FROM sayso.backs WHERE user_id = %(user)s") if "group" in back
        ]

    async def close(self) -> None:
        await self._http.aclose()

    def check_transaction(self, message: str, *, of: tuple[str, ...]) -> None:
        """Every row that the turn wrote was written by one transaction."""
        found = {name: self.rows(WRITTEN[name], message=message, since=self.since) for name in of}
        transactions = {row for rows in found.values() for row in rows}
        if len(transactions) != 1:
            raise Wrong(
                f"{message}: {len(transactions)} transactions: { ({name: len(set(found[name])) for name in of}) }"
            )

    def check_done(self) -> None:
        """The yes did all of it once, and stands in the trail as one group."""
        entries = self.rows(TRAIL, since=self.since)
        calls = [(number, json.loads(body)) for number, kind, body in entries if kind == "call"]
        numbers = [number for number, _ in calls]
        _same(self.done(), SIZE, "tasks that it was done with")
        _same([body["tool"] for _, body in calls], [self.bulk.tool] * SIZE, "calls")
        _same(numbers, list(range(numbers[0], numbers[0] + SIZE)), "numbers of the calls")
        _same(len({body.get("group") for _, body in calls} - {None}), 1, "groups of the calls")
        kinds = Counter(kind for _, kind, _ in entries)
        _same((kinds["message"], kinds["reply"]), (1, 1), "messages and replies")
        _same([json.loads(back)["numbers"] for back in self._groups()], [numbers], "ways back")

    def check_undone(self) -> None:
        """One undo took all of it back."""
        entries = self.rows(TRAIL, since=self.since)
        calls = [number for number, kind, _ in entries if kind == "call"]
        undos = [json.loads(body) for _, kind, body in entries if kind == "undo"]
        _same([undo.get("numbers") for undo in undos], [calls], "what the undo names")
        _same(self.tasks(), self.before, "tasks after the undo")
        _same(len(self._groups()), 0, "ways back that are left")

    async def check_trail(self) -> None:
        _same(await verified(self._url, self.name), None, "the trail")


def _same(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise Wrong(f"{what}: {str(found)[:300]}, where {str(wanted)[:300]} is right")


async def whole(url: str, server: Replica) -> tuple[float, float]:
    """Both bulks from beginning to end, with nothing killed; how long the yes and the undo took at most."""
    longest = [0.0, 0.0]
    for bulk in BULKS:
        person = Person(url, server, f"whole {bulk.tool}", bulk)
        await person.prepare()
        for at, (name, words) in enumerate((("yes", "yes"), ("undo", "undo"))):
            began = time.monotonic()
            await person.say(name, words)
            longest[at] = max(longest[at], time.monotonic() - began)
            if name == "yes":
                person.check_transaction("yes", of=("turns", "trail", "tasks", "ways back", "cards"))
                person.check_done()
                yes_at, person.since = person.since, person.end()
        person.check_transaction("undo", of=("turns", "trail", "tasks"))
        person.since = yes_at
        person.check_undone()
        await person.check_trail()
        await person.close()
        print(f"{bulk.says}: {SIZE} calls, 1 transaction, 1 group, 1 way back; 1 undo restored all {SIZE}")
    return longest[0], longest[1]


@dataclass(frozen=True)
class Kill:
    """When the service dies: so long after the message was sent, or after so many of the calls."""

    during: str  # "yes" or "undo"
    after: float | None = None
    calls: int | None = None


async def killed(url: str, server: Replica, number: int, kill: Kill) -> str:
    """One kill; whether the turn had happened by then: "all" or "nothing"."""
    person = Person(url, server, f"killed {number}", BULKS[number % len(BULKS)])
    try:
        await person.prepare()
        if kill.during == "undo":
            await person.say("yes", "yes")
        before = person.whole(kill.during)
        await asyncio.gather(person.once(kill.during, kill.during), asyncio.to_thread(_strike, server, kill))
        left = await _settled(person, kill.during)
        wanted = _after(kill.during, before)
        if left not in (before, wanted):
            raise Wrong(f"half of it: {left}, where {before} or {wanted} is right")
        await person.say(kill.during, kill.during)
        _same(person.whole(kill.during), wanted, "what there is once it was answered")
        if kill.during == "yes":
            person.check_done()
        else:
            person.check_undone()
        await person.check_trail()
        return "all" if left == wanted else "nothing"
    finally:
        server.arm.unlink(missing_ok=True)
        await person.close()


def _strike(server: Replica, kill: Kill) -> None:
    if kill.after is not None:
        time.sleep(kill.after)
        server.kill()
    else:
        server.die_at(f"done {kill.calls}" if kill.calls else "done")


async def _settled(person: Person, message: str) -> dict[str, int]:
    """What is there once PostgreSQL has noticed that nobody is at the other end."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
    deadline = time.monotonic() + 10
    while person.rows(query) != [(0,)] and time.monotonic() < deadline:  # noqa: ASYNC110  another process ends it
        await asyncio.sleep(0.02)
    return person.whole(message)


def _after(message: str, before: dict[str, int]) -> dict[str, int]:
    if message == "yes":
        return {"tasks": SIZE, "turns": 1, "calls": SIZE, "undos": 0, "ways back": 1}
    return before | {"tasks": 0, "turns": 1, "undos": 1, "ways back": 0}


def kills(each: int, seed: int, yes: float, undo: float) -> Iterator[Kill]:
    """Random moments up to a bit more than the turn takes, and moments between two of its calls."""
    chance = random.Random(seed)
    for during, lasts in (("yes", yes), ("undo", undo)):
        for _ in range(each):
            yield Kill(during, after=chance.uniform(0, 1.1 * lasts))
    for calls in sorted({0, SIZE - 1, *(chance.randrange(SIZE) for _ in range(each // 4))}) if each else ():
        yield Kill("yes", calls=calls)


async def prove(url: str, server: Replica, each: int, seed: int) -> int:
    try:
        yes, undo = await whole(url, server)
    except Wrong as problem:
        print(f"  {problem}")
        return 1
    planned = list(kills(each, seed, yes, undo))
    came: Counter[str] = Counter()
    progress = Progress("kills", len(planned))
    for number, kill in enumerate(planned):
        try:
            came[await killed(url, server, number, kill)] += 1
        except Wrong as problem:
            came["wrong"] += 1
            print(f"  {kill}: {problem}")
        progress.step()
    between = sum(kill.calls is not None for kill in planned)
    print(
        f"{len(planned)} kills, {each} at random moments of the yes (up to {yes * 1000:.0f} ms), {each} of the undo "
        f"(up to {undo * 1000:.0f} ms), {between} between two calls: {came['all']} left all of it, "
        f"{came['nothing']} nothing, {came['wrong']} anything else; each was done once when the message was sent again"
    )
    return came["wrong"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20, help="at random moments, of the yes and of the undo each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with new_database() as url:
        server = Replica(url, SAYSO_RATE_LIMIT="1000000/minute")
        try:
            return int(bool(asyncio.run(prove(url, server, options.kills, options.seed))))
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
