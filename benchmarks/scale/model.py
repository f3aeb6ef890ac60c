"""The model of what more people need: measured figures in, a table out. Nothing in its output was measured.

It multiplies: how many turns people take, times what a turn costs the processors and the disks, divided by what a
machine has. What is assumed is named in `Assumed`, with its date; who assumes otherwise changes it there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

PEOPLE = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
MONTH = 30.4  # days
GIGABYTE = 1e9


@dataclass(frozen=True)
class Measured:
    """What measure.py found: for one turn, milliseconds of processors and bytes; for one person, bytes."""

    server_ms: float
    database_ms: float
    nginx_ms: float
    bouncer_ms: float
    load_ms: float
    stored_bytes: float
    wal_bytes: float
    http_bytes: float
    person_bytes: float
    prompt_characters: float
    reply_characters: float

    @property
    def front_ms(self) -> float:
        """What replicas, with the proxies beside them, spend on a turn."""
        return self.server_ms + self.nginx_ms + self.bouncer_ms


@dataclass(frozen=True)
class Assumed:
    """What was not measured. Prices are round figures for machines rented by the month, in US dollars."""

    dated: str = "2026-11"
    active: float = 0.2  # share of all people who speak on a day
    turns_a_day: float = 10  # of each who speaks
    peak: float = 4  # times the mean, in the busiest seconds
    busy: float = 0.6  # how much of a processor is used at the peak
    replica_cores: int = 4
    shard_cores: int = 16
    shard_gigabytes: float = 4_000
    copies: int = 2  # of what is stored, the first included; a standby costs what its primary does
    core_month: float = 25.0  # a core with its memory
    gigabyte_month: float = 0.12  # on a solid disk
    gigabyte_out: float = 0.09  # sent to people
    kept_months: int = 12  # of turns and trail, before they are moved away
    letters_a_token: float = 4.0
    requests_a_turn: float = 2.0  # to a model: the call, and the words once it has run
    tokens_cheap: tuple[float, float] = (0.10, 0.40)  # dollars for a million in, and out
    tokens_dear: tuple[float, float] = (3.00, 15.00)
    reminders_a_day: float = 5  # of each person
    together: float = 0.02  # share of a day's reminders that ring in the busiest minute: nine o'clock of a large zone


@dataclass(frozen=True)
class Need:
    """What so many people need."""

    people: int
    peak_turns: float  # a second
    replicas: int
    shards: int
    shards_by: str
    terabytes: float  # in one copy, once a year's turns are kept
    dollars_month: float
    dollars_million: float  # for a million turns


def turns_a_month(people: int, given: Assumed) -> float:
    return people * given.active * given.turns_a_day * MONTH


def need(people: int, measured: Measured, given: Assumed) -> Need:
    """Replicas, shards, storage and what they cost."""
    monthly = turns_a_month(people, given)
    peak = monthly / MONTH / 86_400 * given.peak
    replicas = max(2, math.ceil(peak * measured.front_ms / 1000 / given.busy / given.replica_cores))
    stored = people * measured.person_bytes + monthly * given.kept_months * measured.stored_bytes
    by_processor = math.ceil(peak * measured.database_ms / 1000 / given.busy / given.shard_cores)
    by_disk = math.ceil(stored / GIGABYTE / given.shard_gigabytes)
    shards = max(1, by_processor, by_disk)
    # a shard need be no larger than its people ask for
    database_cores = max(2 * shards, math.ceil(peak * measured.database_ms / 1000 / given.busy))
    dollars = given.core_month * (replicas * given.replica_cores + given.copies * database_cores)
    dollars += given.gigabyte_month * given.copies * stored / GIGABYTE
    dollars += given.gigabyte_out * monthly * measured.http_bytes / GIGABYTE
    return Need(
        people=people,
        peak_turns=peak,
        replicas=replicas,
        shards=shards,
        shards_by="one is enough" if shards == 1 else "storage" if by_disk >= by_processor else "processors",
        terabytes=stored / 1e12,
        dollars_month=dollars,
        dollars_million=dollars / monthly * 1e6,
    )


@dataclass(frozen=True)
class RingingNeed:
    """What the reminders of so many people need, beside the turns."""

    people: int
    mean: float  # reminders a second
    peak: float  # in the busiest minute
    replicas: int
    database_cores: int


def ringing_need(people: int, server_ms: float, database_ms: float, given: Assumed) -> RingingNeed:
    """Replicas and cores of databases that ring the busiest minute within that minute."""
    daily = people * given.reminders_a_day
    peak = daily * given.together / 60
    return RingingNeed(
        people=people,
        mean=daily / 86_400,
        peak=peak,
        replicas=math.ceil(peak * server_ms / 1000 / given.busy / given.replica_cores),
        database_cores=math.ceil(peak * database_ms / 1000 / given.busy),
    )


def tokens(measured: Measured, given: Assumed) -> tuple[float, float]:
    """Tokens that a turn would send to a model and get back, were every turn sent to one."""
    sent = measured.prompt_characters / given.letters_a_token * given.requests_a_turn
    return sent, measured.reply_characters / given.letters_a_token * given.requests_a_turn


def model_dollars(measured: Measured, given: Assumed) -> tuple[float, float]:
    """What a million turns would cost in tokens, at the cheap and at the dear end."""
    sent, got = tokens(measured, given)
    cheap, dear = given.tokens_cheap, given.tokens_dear
    return sent * cheap[0] + got * cheap[1], sent * dear[0] + got * dear[1]


def carries(measured: Measured, *, workers: int, cores: int) -> float:
    """Turns a second that workers carry on one machine which they share with all else: a worker has at most one core,
    and all that a turn needs, the sender's part included, has the cores of the machine."""
    whole = measured.front_ms + measured.database_ms + measured.load_ms
    return min(workers * 1000 / measured.server_ms, cores * 1000 / whole)


def measured_from(results: dict[str, Any]) -> Measured:
    """The inputs, from benchmarks/results/scale.json: a turn over two replicas, with PgBouncer where there was one."""
    points = [point for point in results["cost"]["points"] if point["size"]["replicas"] == 2]
    point = next((one for one in points if one["size"]["mode"] == "PgBouncer, prepared"), points[0])
    known = {field.name: point[field.name] for field in fields(Measured) if field.name in point}
    return Measured(
        **{"bouncer_ms": 0.0} | known,
        stored_bytes=results.get("long", results["cost"])["stored_bytes"],
        person_bytes=results["people"]["person_bytes"],
        prompt_characters=results["prompt"]["sent"],
        reply_characters=results["prompt"]["got"],
    )
