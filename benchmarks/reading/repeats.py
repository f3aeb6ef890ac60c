"""Tasks that repeat: is the next date always the one that the rule gives, and does undo restore the date and status?

    python -m benchmarks repeats

Random rules (BYDAY with and without numbers, BYMONTHDAY, UNTIL as a day, a time and in UTC, COUNT) are added and
completed at random moments, early, late and while the clock changes, in eight time zones. The next date is compared
with two lists, both computed from the first date of the series, while the service starts from each date that it
reaches: the list of dateutil, and that of a walk over the calendar (repeats_rules.py), which does not use dateutil.
Each completion is taken back once, and must leave the task as it was. The long form does that 10,000 times in memory,
and 300 times on PostgreSQL, through the clicks and the undo of the chat service.

"Still to come" is meant by the wall clock, as the user reads it. Where moments in UTC would give another date, the case
is counted, and it must lie within hours of a change of the clock.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any, Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from dateutil.rrule import rrulestr

from benchmarks.harness.services import Progress, assistant, new_database
from benchmarks.reading.repeats_rules import ZONES, Rule, changes_of, draw, walk
from sayso.chat.turns.clicks import Click
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Database
from sayso.identity.principal import Principal
from sayso.tasks import operations
from sayso.tasks.store.memory import MemoryTasks
from sayso.tasks.timing import occurrences
from sayso.tasks.timing.repeat import read_repeat

MOST_COMPLETIONS = 8
MOST_TOLD = 10
NEAR_A_CHANGE = timedelta(hours=4)
Task = dict[str, Any]
Counts = Counter[str]


class Wrong(Exception):
    """A date, a status or a history that is not what it should be."""


class Store(Protocol):
    """What keeps the tasks."""

    async def add(self, due: str, repeat: str) -> Task: ...

    async def complete(self, task: Task) -> Task: ...

    async def undo(self) -> None: ...

    async def read(self, task: Task) -> Task: ...

    async def history(self, task: Task) -> list[str | None]:
        """The dates that were completed, the latest first."""
        ...


class InMemory:
    """The store of `sayso chat`."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._hands = MemoryTasks(clock)
        self._back: dict[str, Any] = {}

    async def add(self, due: str, repeat: str) -> Task:
        return _task(await self._hands.call("add_task", {"title": "a task", "due": due, "repeat": repeat}, {}))

    async def complete(self, task: Task) -> Task:
        arguments = {"task_identifier": task["id"]}
        done = await self._hands.call("complete_task", arguments, {task["id"]: task["version"]})
        self._back = done.back or {}
        return _task(done)

    async def undo(self) -> None:
        await self._hands.put_back(self._back)

    async def read(self, task: Task) -> Task:
        found = await self._hands.call("list_tasks", {}, {})
        return next(each for each in found.result["tasks"] if each["id"] == task["id"])

    async def history(self, task: Task) -> list[str | None]:
        return [each.due for each in self._hands.history(task["id"])]


class Stored:
    """The chat service over PostgreSQL: what is pressed on the page, and its undo."""

    def __init__(self, service: ChatService, who: Principal) -> None:
        self._service, self._who = service, who

    async def add(self, due: str, repeat: str) -> Task:
        click = Click(tool="add_task", arguments={"title": "a task", "due": due, "repeat": repeat})
        return self._pressed(await self._service.clicks.press(self._who, click))

    async def complete(self, task: Task) -> Task:
        click = Click(tool="complete_task", task=UUID(task["id"]), version=task["version"])
        return self._pressed(await self._service.clicks.press(self._who, click))

    async def undo(self) -> None:
        await self._service.undo(self._who)

    async def read(self, task: Task) -> Task:
        async with self._service.acting(self._who) as (on, person):
            found = await operations.find(on, person, task["id"])
        return dict(msgspec.to_builtins(found)["task"])

    async def history(self, task: Task) -> list[str | None]:
        async with self._service.acting(self._who) as (on, person):
            return [each.due for each in await occurrences.read(on, person.id, UUID(task["id"]))]

    def _pressed(self, reply: Any) -> Task:
        return dict(reply.results[0].result["task"])


def _task(done: Any) -> Task:
    return dict(done.result["task"])


class Series:
    """The dates of a rule from the first one on, by dateutil and by the walk, which must agree."""

    def __init__(self, rule: Rule, start: datetime) -> None:
        self._rule, self._start = rule, start
        self._dateutil: Iterator[datetime] = iter(rrulestr(rule.for_dateutil, dtstart=start))
        self._walk = walk(rule, start)
        self._dates: list[datetime] = []
        self._over = False

    def first(self, wanted: Callable[[datetime], bool]) -> datetime | None:
        """The first date that is wanted; None where the series ends before it."""
        at = 0
        while at < len(self._dates) or self._more():
            if wanted(self._dates[at]):
                return self._dates[at]
            at += 1
        return None

    def _more(self) -> bool:
        if self._over:
            return False
        theirs, ours = next(self._dateutil, None), next(self._walk, None)
        if theirs != ours:
            raise Wrong(f"{self._rule} from {self._start}: dateutil gives {theirs}, the walk {ours}")
        self._over = ours is None
        if ours is not None:
            self._dates.append(ours)
        return not self._over


class Game:
    """One random rule, added and completed until its series ends or often enough."""

    def __init__(self, chance: random.Random, clock: list[datetime], zone: ZoneInfo) -> None:
        self._chance, self._clock, self._zone = chance, clock, zone
        self.counted: Counts = Counter()

    async def play(self, store: Store) -> None:
        rule, due = self._begin()
        self._clock[0] = datetime.combine(due.date(), time(8), self._zone)
        start, timed = due, due.time() != time.min
        task = await store.add(_written(due, timed=timed), rule.given)
        _same((task["due"], task["repeat"]), (_written(due, timed=timed), str(rule)), rule, "added")
        series, done = Series(rule, start), 0
        while task["status"] == "pending" and done < MOST_COMPLETIONS:
            now = self._at_some_moment(datetime.fromisoformat(task["due"]))
            expected = self._expected(series, datetime.fromisoformat(task["due"]), now, timed=timed)
            where = (rule, f"from {start}, due {task['due']}, completed at {now} in {self._zone}")
            task = await self._complete(store, task, expected and _written(expected, timed=timed), where)
            done += 1
        self.counted["completions"] += done

    def _begin(self) -> tuple[Rule, datetime]:
        """A rule and its first due date, often a few days before the clock changes. Some dates were moved by hand."""
        chance, changes = self._chance, changes_of(self._zone)
        day = date(2026, 1, 1) + timedelta(days=chance.randrange(365))
        if changes and chance.random() < 0.8:
            day = chance.choice(changes).astimezone(self._zone).date() - timedelta(days=chance.randint(0, 9))
        rule = draw(chance, day, self._zone)
        minutes = chance.choice((0, 0, 9 * 60, 30, 90, 150, 23 * 60 + 59, chance.randint(1, 24 * 60 - 1)))
        start = datetime.combine(day, time.min) + timedelta(minutes=minutes)
        named = rule.days or rule.month_days
        if named and chance.random() < 0.15:
            self.counted["moved by hand"] += 1
            return replace(rule, count=None), start
        forever = replace(rule, until=None, until_in_utc=None, count=None)
        first = next(walk(forever, start), None)
        if first is None:
            return Rule(freq="DAILY"), start
        if rule.until and (chance.random() < 0.8 or _end(rule.until) < first):
            rule = replace(rule, until=self._about_a_date(rule.until, forever, first), until_in_utc=None)
        self._check_first(rule, day)
        return rule, first

    def _about_a_date(self, until: date, forever: Rule, first: datetime) -> date:
        """An end of the series on one of its first dates, or at its very minute, or the minutes beside that."""
        place = self._chance.randint(1, 6)
        found = next(islice(walk(forever, first), place, None), first)
        if not isinstance(until, datetime):
            return found.date()
        return max(first, found + timedelta(minutes=self._chance.randint(-1, 1)))

    def _check_first(self, rule: Rule, day: date) -> None:
        """The first date of a rule, counted from a day on, as the engine needs it for "every monday"."""
        wanted = next(walk(rule, datetime.combine(day, time.min)), None)
        found = read_repeat(rule.given, self._zone)
        first = found.first(day) if found else None
        _same(first and first.day, wanted and wanted.date(), rule, f"first from {day}")

    def _at_some_moment(self, due: datetime) -> datetime:
        """Move the clock: about the due date, long after it, or to within hours of the next change of the clock."""
        moment = due.replace(tzinfo=self._zone).astimezone(UTC) + timedelta(minutes=self._chance.randint(-3_000, 3_000))
        kind = self._chance.random()
        if kind < 0.01:
            moment += timedelta(days=self._chance.randint(2_000, 10_000))
        elif kind < 0.1:
            moment += timedelta(days=self._chance.randint(30, 700))
        elif kind < 0.35:
            ahead = [each for each in changes_of(self._zone) if each > moment]
            moment = ahead[0] + timedelta(minutes=self._chance.randint(-150, 150)) if ahead else moment
        self._clock[0] = moment.astimezone(self._zone)
        return self._clock[0]

    def _expected(self, series: Series, due: datetime, now: datetime, *, timed: bool) -> datetime | None:
        """The first date of the series after the due date that is still to come."""
        wall = now.replace(tzinfo=None)
        if not timed:
            return series.first(lambda moment: moment > due and moment.date() >= wall.date())
        found = series.first(lambda moment: moment > due and moment > wall)
        in_utc = now.astimezone(UTC)
        by_moments = series.first(lambda moment: moment > due and moment.replace(tzinfo=self._zone) > in_utc)
        if found != by_moments:
            if not any(abs(change - in_utc) < NEAR_A_CHANGE for change in changes_of(self._zone)):
                raise Wrong(f"{due}, {now}: by the wall clock {found}, by moments {by_moments}")
            self.counted["by the wall clock only"] += 1
        return found

    async def _complete(self, store: Store, task: Task, expected: str | None, where: tuple[Rule, str]) -> Task:
        """Complete a date, take that back, and complete it again."""
        before = await store.history(task)
        wanted = ("completed", task["due"]) if expected is None else ("pending", expected)
        history = before if expected is None else [task["due"], *before]
        done = await store.complete(task)
        _same((done["status"], done["due"]), wanted, *where)
        _same(await store.history(task), history, *where)
        await store.undo()
        back = await store.read(task)
        _same(back | {"version": 0}, task | {"version": 0}, *where)
        _same(await store.history(task), before, *where)
        done = await store.complete(back)
        _same((done["status"], done["due"]), wanted, *where)
        self._count(task["due"], expected)
        return done

    def _count(self, due: str, expected: str | None) -> None:
        """Which changes of the clock lie between two dates."""
        if expected is None:
            self.counted["ends"] += 1
            return
        first, last = (datetime.fromisoformat(each).replace(tzinfo=self._zone) for each in (due, expected))
        for change in changes_of(self._zone):
            if first < change <= last:
                later = change.astimezone(self._zone).utcoffset() or timedelta()
                before = (change - timedelta(hours=1)).astimezone(self._zone).utcoffset() or timedelta()
                self.counted["spring" if later > before else "autumn"] += 1


def _end(until: date) -> datetime:
    return until if isinstance(until, datetime) else datetime.combine(until, time.max)


def _written(moment: datetime, *, timed: bool) -> str:
    return moment.isoformat(timespec="minutes") if timed else moment.date().isoformat()


def _same(found: object, wanted: object, rule: Rule, where: str) -> None:
    if found != wanted:
        raise Wrong(f"{rule} {where}: {found}, where {wanted} is right")


async def play(games: int, seed: int, clock: list[datetime], store: Callable[[int, str], Store]) -> tuple[Counts, int]:
    """So many games, each in the next time zone; what was counted, and how many went wrong."""
    counted: Counts = Counter()
    wrong, progress = 0, Progress("rules", games)
    for number in range(games):
        zone = ZONES[number % len(ZONES)]
        game = Game(random.Random(f"{seed} {number}"), clock, ZoneInfo(zone))
        try:
            await game.play(store(number, zone))
        except Wrong as problem:
            wrong += 1
            if wrong <= MOST_TOLD:
                print(f"  {problem}")
        counted += game.counted
        progress.step()
    return counted, wrong


async def in_memory(games: int, seed: int) -> int:
    clock = [datetime.now(UTC)]
    return told("in memory", games, *await play(games, seed, clock, lambda *_: InMemory(lambda: clock[0])))


async def on_postgresql(games: int, seed: int) -> int:
    clock = [datetime.now(UTC)]
    with new_database(durable=False) as url:
        async with Database(url, connections=2) as database:
            service = ChatService(database, assistant(), clock=lambda: clock[0])

            def store(number: int, zone: str) -> Store:
                return Stored(service, Principal(id=f"repeats {number}", zone=zone))

            return told("on PostgreSQL", games, *await play(games, seed, clock, store))


def told(where: str, games: int, counted: Counts, wrong: int) -> int:
    print(
        f"{where}: {games:,} rules, {counted['completions']:,} completions, each taken back once, "
        f"in {len(ZONES)} zones: {wrong} wrong; "
        f"{counted['spring']:,} across a change in spring, {counted['autumn']:,} in autumn, "
        f"{counted['ends']:,} series ended, {counted['moved by hand']:,} dates moved by hand, "
        f"{counted['by the wall clock only']:,} decided by the wall clock at a change"
    )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", type=int, default=10_000, help="in memory")
    parser.add_argument("--stored", type=int, default=300, help="on PostgreSQL")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = asyncio.run(in_memory(options.rules, options.seed))
    wrong += asyncio.run(on_postgresql(options.stored, options.seed)) if options.stored else 0
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
