"""Contenders against each other: every job of every one, shuffled, round after round.

What computes is timed by the processor: a long job is interrupted by what else the machine does where a short one is
not, so that by the clock a busy machine would favour whoever is faster. What waits for another process is timed by the
clock.
"""

from __future__ import annotations

import gc
import random
import resource
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from benchmarks.harness.figures import Ratio, Row, ratio_of, short

Job = Callable[[], Any]
Clock = Callable[[], int]
_OWN: Mapping[str, Clock] = {}


class Timed(NamedTuple):
    """The times of one contender in nanoseconds, round by round, and what its jobs came to."""

    rounds: list[list[int]]
    said: list[Any]

    def at(self, share: float) -> float:
        """In microseconds."""
        each = sorted(each for one in self.rounds for each in one)
        return each[min(int(share * len(each)), len(each) - 1)] / 1000


def by_children() -> int:
    """Nanoseconds of the processor that the processes took that were started from here, and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round((used.ru_utime + used.ru_stime) * 1e9)


def race(jobs: dict[str, list[Job]], rounds: int, clocks: Mapping[str, Clock] = _OWN) -> dict[str, Timed]:
    """Time them all, by this process's time of the processor unless one has a clock of its own.

    Before anything counts, each job is done once, and what it comes to is kept.
    """
    dice = random.Random(7)
    found = {name: Timed([], [job() for job in each]) for name, each in jobs.items()}
    line = [(name, job, clocks.get(name, time.process_time_ns)) for name, each in jobs.items() for job in each]
    gc.collect()
    for _ in range(rounds):
        dice.shuffle(line)
        taken: dict[str, list[int]] = {name: [] for name in jobs}
        for name, job, clock in line:
            started = clock()
            job()
            taken[name].append(clock() - started)
        for name, times in taken.items():
            found[name].rounds.append(times)
    return found


async def race_over(calls: dict[str, Callable[[], Awaitable[Any]]], rounds: int, each: int) -> dict[str, Timed]:
    """The same for calls that wait for another process: so many of each contender in a round."""
    dice = random.Random(7)
    found: dict[str, Timed] = {name: Timed([], []) for name in calls}
    line = [name for name in calls for _ in range(each)]
    for number in range(rounds + 2):  # two rounds to warm up
        dice.shuffle(line)
        taken: dict[str, list[int]] = {name: [] for name in calls}
        for name in line:
            started = time.perf_counter_ns()
            await calls[name]()
            taken[name].append(time.perf_counter_ns() - started)
        if number >= 2:
            for name, times in taken.items():
                found[name].rounds.append(times)
    return found


def ratio(one: Timed, other: Timed) -> Ratio:
    """The rounds' ratios of medians."""
    pairs = zip(one.rounds, other.rounds, strict=True)
    return ratio_of([statistics.median(a) / statistics.median(b) for a, b in pairs])


def rows(
    found: dict[str, Timed], against: str, quality: dict[str, dict[str, str]], size: int | None = None, per: int = 1
) -> list[Row]:
    """The contenders as rows of a part; `per` is how many microseconds its unit has."""
    return [
        Row(
            name=name,
            value=short(timed.at(0.5) / per),
            p99=short(timed.at(0.99) / per),
            ratio=ratio(timed, found[against]),
            size=size,
            quality=quality.get(name, {}),
        )
        for name, timed in found.items()
    ]
