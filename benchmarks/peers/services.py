"""The services against their bare engines: tasks against pgbench, turns against a bare endpoint, a start against typer.

What they do in a while is counted, so that more is better; both halves of a round take turns.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from pathlib import Path

from benchmarks.harness.figures import Part, Row, Target, ratio_of, short
from benchmarks.harness.race import ratio, rows
from benchmarks.harness.services import new_database
from benchmarks.speed import cold_start, throughput, turns

TASKS = """`add_task` as a bare service call, without HTTP or MCP, from as many processes as pgbench has threads, over
as many connections; pgbench runs the service's own SQL files."""
TURNS = """A message over HTTP, decided, run and committed, against a
[bare endpoint](scale.md#where-the-time-of-a-turn-goes). One worker each, eight people at a time."""
START = """`sayso decide` from nothing against a typer command that prints its argument, both from the wheel and its
locked dependencies in a separate environment."""


def tasks(rounds: int, seconds: float) -> Part:
    """Tasks added, against pgbench."""
    pairs = throughput.measure(rounds, seconds)
    return _rates(
        "tasks",
        "The task service",
        TASKS,
        ("add_task", "pgbench, the same statements"),
        pairs,
        Target(
            what="tasks added per second ÷ pgbench's transactions",
            value=ratio_of([ours / bare for ours, bare in pairs]),
            limit=throughput.LEAST,
            better="more",
            reason="pgbench is a program in C that does nothing between two statements. The service checks every "
            "value, makes the words that are searched by, and reads what the database answers, in Python.",
        ),
    )


def full_turns(rounds: int, seconds: float) -> Part:
    """Turns over HTTP, against a bare endpoint."""
    with new_database() as url:
        asyncio.run(turns.prepare(url))
        pairs = turns.measure(url, rounds, seconds)
    rates = [(ours.rate, bare.rate) for ours, bare in pairs]
    return _rates(
        "turns",
        "A full turn",
        TURNS,
        ("turns", "bare endpoint"),
        rates,
        Target(
            what="turns per second ÷ a bare endpoint's",
            value=ratio_of([ours / bare for ours, bare in rates]),
            limit=turns.LEAST,
            better="more",
            reason="What limits it: [the profile](scale.md#where-the-time-of-a-turn-goes).",
        ),
    )


def _rates(
    name: str, title: str, method: str, names: tuple[str, str], pairs: list[tuple[float, float]], target: Target
) -> Part:
    table = [
        Row(
            name=who,
            value=short(statistics.median(pair[place] for pair in pairs)),
            ratio=ratio_of([pair[place] / pair[1] for pair in pairs]),
        )
        for place, who in enumerate(names)
    ]
    return Part(
        name=name,
        title=title,
        method=method,
        against=names[1],
        unit="a second",
        rounds=len(pairs),
        rows=table,
        targets=[target],
    )


def start(rounds: int) -> Part:
    """The command from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        found = cold_start.measure(cold_start.prepare(Path(folder)), rounds)
    return Part(
        name="start",
        title="Starting",
        method=START,
        against=cold_start.BARE,
        unit="ms",
        rounds=rounds,
        rows=rows(found, cold_start.BARE, {}, per=1000),
        targets=[
            Target(
                what="`sayso decide` from nothing ÷ a bare typer command",
                value=ratio(found[cold_start.OURS], found[cold_start.BARE]),
                limit=cold_start.LIMIT,
                stretch=2.4,
            )
        ],
    )
