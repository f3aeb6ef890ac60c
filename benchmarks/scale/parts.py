"""What measure.py measures over HTTP: the cost of a turn, and how it grows with people, tasks and turns.

The places that are compared are all up at the same time, and a round goes through them in random order: whatever else
the machine does falls on all alike.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.scale.fill import fill
from benchmarks.scale.load import Crowd, People, Place, Seen
from benchmarks.scale.stack import (
    Bouncer,
    Cluster,
    Counts,
    Nginx,
    Replica,
    bouncer_prepares,
    bouncer_version,
    counts,
    processor,
)
from sayso.database.migrate import migrate

MODES = {"direct": None, "PgBouncer, prepared": True, "PgBouncer, not prepared": False}
LAYOUTS = ((1, 1), (2, 1), (2, 2), (2, 4))  # replicas, and workers of each
PEOPLE = (1_000, 10_000, 100_000, 1_000_000)
LISTS = {10: 100, 100: 100, 1_000: 50, 10_000: 10, 100_000: 4}  # tasks of a list: how many people have such a one
TALKS = {10: 600, 100: 300, 1_000: 60, 10_000: 12}  # turns of a conversation: how many people have such a one
USUAL_TASKS = 10
SEATS, FEW_SEATS = 8, 2  # for the rate; for how long one turn takes

Point = dict[str, Any]


class Measured(NamedTuple):
    """Where somebody speaks, whose processors and which database count for it."""

    size: Any
    place: Place
    url: str  # straight to the database
    servers: tuple[int, ...]
    nginx: int | None = None
    bouncer: Bouncer | None = None


class Sum:
    """What all rounds at one place came to."""

    def __init__(self) -> None:
        self.seen, self.rates = Seen(), list[float]()
        self.used: dict[str, float] = {}
        self.counted = Counts(0, 0, 0, 0, 0)
        self.wire = 0

    def point(self, size: Any) -> Point:
        turns = max(1, self.seen.turns)
        return {
            "size": size,
            "turns": self.seen.turns,
            "errors": len(self.seen.errors),
            "rate": round(median(self.rates), 1),
            "p50": round(self.seen.percentile(50), 2),
            "p95": round(self.seen.percentile(95), 2),
            **{f"{name}_ms": round(spent * 1000 / turns, 3) for name, spent in self.used.items()},
            "statements": round(self.counted.statements / turns, 2),
            "rows": round(self.counted.rows / turns, 2),
            "blocks": round(self.counted.blocks / turns, 1),
            "wal_bytes": round(self.counted.wal / turns),
            "http_bytes": round((self.seen.sent + self.seen.received) / turns),
            "wire_bytes": round(self.wire / turns),
        }


def measure(cluster: Cluster, crowd: Crowd, places: Sequence[Measured], rounds: int, seconds: float) -> list[Point]:
    """Every place in every round, after one that does not count."""
    sums = [Sum() for _ in places]
    for number in range(rounds + 1):
        for at in random.sample(range(len(places)), len(places)):
            if number:
                spell(cluster, crowd, places[at], sums[at], seconds)
            else:
                crowd.ask(places[at].place, min(seconds, 2.0))
        if number:
            say(f"  round {number} of {rounds}: " + ", ".join(f"{one.rates[-1]:.0f}" for one in sums) + " a second")
    for one in sums:
        for error in one.seen.errors[:3]:
            say(f"  error: {error}")
    return [one.point(place.size) for place, one in zip(places, sums, strict=True)]


def spell(cluster: Cluster, crowd: Crowd, at: Measured, into: Sum, seconds: float) -> None:
    """Speak for a while, and count what it cost."""
    pids: dict[str, tuple[int, ...]] = {"server": at.servers, "database": (cluster.pid,), "load": (crowd.pid or 0,)}
    pids |= {"nginx": (at.nginx,)} if at.nginx else {}
    pids |= {"bouncer": (at.bouncer.process.pid,)} if at.bouncer else {}
    before, spent = counts(at.url), {name: processor(*each) for name, each in pids.items()}
    wire = _bytes(at.bouncer)
    seen = crowd.ask(at.place, seconds)
    for name, each in pids.items():
        into.used[name] = into.used.get(name, 0.0) + processor(*each) - spent[name]
    into.wire += _bytes(at.bouncer) - wire
    into.counted = Counts(*map(sum, zip(into.counted, counts(at.url).since(before), strict=True)))
    into.rates.append(seen.rate)
    into.seen.add(seen)


def _bytes(bouncer: Bouncer | None) -> int:
    told = bouncer.told() if bouncer else {}
    return sum(count for name, count in told.items() if name.startswith("bytes_"))


def against_first(points: list[Point]) -> list[Point]:
    """Each point with how many times that of the smallest it is."""
    names = ("p50", "p95", "server_ms", "database_ms", "rows", "blocks")
    first = points[0]
    return [
        point | {"times": {name: round(point[name] / first[name], 2) for name in names if first.get(name)}}
        for point in points
    ]


def ready(cluster: Cluster, database: str, groups: Iterable[tuple[People, int, int]], *, fresh: bool = False) -> str:
    """A database with these people, filled where it is not there yet; with how many tasks and turns each has."""
    if fresh:
        cluster.drop(database)
    url = cluster.url(database)
    if cluster.make(database):
        migrate(url)
        groups = list(groups)
        for people, tasks, turns in groups:
            took = fill(url, people.prefix, people.count, tasks, turns=turns, fresh=len(groups) == 1)
            say(f"  filled {people.count:,} people with {tasks:,} tasks each in {took:.0f} s")
    return url


def cost(cluster: Cluster, folder: Path, *, rounds: int, seconds: float, quick: bool) -> dict[str, Any]:
    """A turn behind nginx, with and without PgBouncer, at several numbers of replicas and workers."""
    people = People("user ", PEOPLE[0])
    url = ready(cluster, f"users_{PEOPLE[0]}", [(people, USUAL_TASKS, 0)])
    modes = {name: prepare for name, prepare in MODES.items() if prepare is None or bouncer_version()}
    if not bouncer_prepares():
        modes.pop("PgBouncer, prepared", None)
    layouts = LAYOUTS[:2] if quick else LAYOUTS
    with ExitStack() as stack:
        places = []
        started = {}
        for mode, prepare in modes.items():
            bouncer = None
            if prepare is not None:
                bouncer = Bouncer(folder / f"bouncer_{len(started)}", cluster.port)
                stack.callback(bouncer.stop)
            through = cluster.url(f"users_{PEOPLE[0]}", bouncer.port if bouncer else None)
            for count, workers in layouts:
                replicas = [Replica(through, workers=workers, prepare=prepare is not False) for _ in range(count)]
                for replica in replicas:
                    stack.callback(replica.stop)
                started[mode, count, workers] = (replicas, bouncer)
        for number, ((mode, count, workers), (replicas, bouncer)) in enumerate(started.items()):
            for replica in replicas:
                replica.wait()
            nginx = Nginx.before(folder / f"nginx_{number}", [replica.port for replica in replicas])
            stack.callback(nginx.stop)
            servers = tuple(replica.process.pid for replica in replicas)
            size = {"mode": mode, "replicas": count, "workers": workers}
            place = Place(nginx.port, people)
            places.append(Measured(size, place, url, servers, nginx.process.pid, bouncer))
        crowd = Crowd(SEATS)
        stack.callback(crowd.stop)
        before = counts(url)
        points = measure(cluster, crowd, places, rounds, seconds)
        grown = counts(url).since(before)
    turns = sum(point["turns"] for point in points)
    return {"points": points, "stored_bytes": round(grown.size / turns), "turns": turns}


def growth(
    cluster: Cluster, groups: Sequence[tuple[Any, str, People]], *, rounds: int, seconds: float
) -> dict[str, Any]:
    """The same turns at several sizes: (size, database, people) each, the smallest first."""
    with ExitStack() as stack:
        replicas: dict[str, Replica] = {}
        for _, database, _ in groups:
            if database not in replicas:
                replicas[database] = Replica(cluster.url(database))
                stack.callback(replicas[database].stop)
        for replica in replicas.values():
            replica.wait()
        crowd = Crowd(FEW_SEATS)
        stack.callback(crowd.stop)
        places = [
            Measured(size, Place(replicas[each].port, people), cluster.url(each), (replicas[each].process.pid,))
            for size, each, people in groups
        ]
        points = measure(cluster, crowd, places, rounds, seconds)
    return {"points": against_first(points), "turns": sum(point["turns"] for point in points)}


def by_people(cluster: Cluster, *, most: int, rounds: int, seconds: float) -> dict[str, Any]:
    groups = []
    for count in (each for each in PEOPLE if each <= most):
        people = People("user ", count)
        ready(cluster, f"users_{count}", [(people, USUAL_TASKS, 0)])
        groups.append((count, f"users_{count}", people))
    size = counts(cluster.url(groups[-1][1])).size
    found = growth(cluster, groups, rounds=rounds, seconds=seconds)
    return found | {"person_bytes": round(size / groups[-1][0]), "tasks_each": USUAL_TASKS}


def by_tasks(cluster: Cluster, *, most: int, rounds: int, seconds: float) -> dict[str, Any]:
    lists = {size: People(f"list{size} ", count) for size, count in LISTS.items()}
    ready(cluster, "lists", [(people, size, 0) for size, people in lists.items()])
    groups = [(size, "lists", people) for size, people in lists.items() if size <= most]
    return growth(cluster, groups, rounds=rounds, seconds=seconds)


def by_turns(cluster: Cluster, *, most: int, rounds: int, seconds: float) -> dict[str, Any]:
    talks = {size: People(f"talk{size} ", count, talking=True) for size, count in TALKS.items() if size <= most}
    ready(cluster, "talks", [(people, USUAL_TASKS, size) for size, people in talks.items()], fresh=True)
    groups = [(size, "talks", people) for size, people in talks.items()]
    return growth(cluster, groups, rounds=rounds, seconds=seconds)


def endurance(cluster: Cluster, folder: Path, *, turns: int) -> dict[str, Any]:
    """So many turns over two replicas behind nginx and PgBouncer; every one must be answered as meant."""
    people = People("user ", PEOPLE[0])
    url = ready(cluster, f"users_{PEOPLE[0]}", [(people, USUAL_TASKS, 0)])
    with ExitStack() as stack:
        bouncer = Bouncer(folder / "bouncer", cluster.port) if bouncer_version() else None
        if bouncer:
            stack.callback(bouncer.stop)
        through = cluster.url(f"users_{PEOPLE[0]}", bouncer.port if bouncer else None)
        prepare = bouncer is None or bouncer_prepares()
        replicas = [Replica(through, prepare=prepare) for _ in range(2)]
        for replica in replicas:
            stack.callback(replica.stop)
        for replica in replicas:
            replica.wait()
        nginx = Nginx.before(folder / "nginx", [replica.port for replica in replicas])
        stack.callback(nginx.stop)
        crowd = Crowd(SEATS)
        stack.callback(crowd.stop)
        servers = tuple(replica.process.pid for replica in replicas)
        at = Measured(2, Place(nginx.port, people), url, servers, nginx.process.pid, bouncer)
        total, p95, before = Sum(), list[float](), counts(url)
        while total.seen.turns < turns:
            done = total.seen.turns
            spell(cluster, crowd, at, total, 20)
            took = sorted(total.seen.took[done:])
            p95.append(round(took[int(len(took) * 0.95)] * 1000, 1))
            errors, rate = len(total.seen.errors), total.rates[-1]
            say(f"  {total.seen.turns:,} of {turns:,} turns, {errors} errors, {rate:.0f} a second")
            for error in total.seen.errors[:3]:
                say(f"    {error}")
        grown = counts(url).since(before)
    return total.point(2) | {"p95_over_time": p95, "stored_bytes": round(grown.size / total.seen.turns)}


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
