"""What a turn costs, and how that grows: with people, with the tasks and turns of one person, with tools and languages.

    python -m benchmarks scale          everything but the long part, a quarter of an hour once the databases are filled
    python -m benchmarks scale-quick    the same, smaller
    python -m benchmarks scale-long     200,000 turns over two replicas

It brings a PostgreSQL of its own (in .scale, kept: a million people with ten million tasks take a quarter of an hour
to fill, once), nginx and, where there is one, PgBouncer (the one that SAYSO_PGBOUNCER names); Redis is that of
SAYSO_TEST_REDIS. Sizes that are compared are up at the same time and take turns. Each part writes its figures to
benchmarks/results/scale.json as it ends, so that parts can be taken apart (--part), and docs/scale.md is written from
there (python -m benchmarks scale-page).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.harness.services import ROOT
from benchmarks.scale import engine as scale_engine
from benchmarks.scale import parts as scale_parts
from benchmarks.scale.stack import Cluster, bouncer_version, end_tidily

RESULTS = ROOT / "benchmarks" / "results" / "scale.json"
FOLDER = Path(os.environ.get("SAYSO_SCALE", ROOT / ".scale"))
PARTS = ("cost", "people", "tasks", "turns", "tools", "languages", "prompt")
MOST_TIMES = 1.5  # that p95 of a turn may take among a million people, or with a thousand tasks
LEAST_TIMES = 1.6  # that two replicas carry, where the cores allow
LONG = 200_000

Figures = dict[str, Any]


def machine() -> Figures:
    """Where the figures were taken."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
    version = bouncer_version()
    return {
        "processor": name,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "pgbouncer": ".".join(map(str, version)) if version else None,
    }


def measure(part: str, cluster: Cluster, folder: Path, given: argparse.Namespace) -> Figures:
    """One part."""
    quick = given.quick
    rounds, seconds = (3, 2.0) if quick else (given.rounds, given.seconds)
    size = {"rounds": rounds, "seconds": seconds}
    ways: dict[str, Callable[[], Figures]] = {
        "cost": lambda: scale_parts.cost(cluster, folder, rounds=rounds, seconds=seconds, quick=quick),
        "people": lambda: scale_parts.by_people(
            cluster, most=given.people or (100_000 if quick else 1_000_000), **size
        ),
        "tasks": lambda: scale_parts.by_tasks(cluster, most=10_000 if quick else 100_000, **size),
        "turns": lambda: scale_parts.by_turns(cluster, most=1_000 if quick else 10_000, **size),
        "tools": lambda: scale_engine.by_tools(most=500 if quick else 2_000, rounds=rounds * 40),
        "languages": lambda: scale_engine.by_languages(rounds=rounds * 40),
        "prompt": scale_engine.prompt,
        "long": lambda: scale_parts.endurance(cluster, folder, turns=given.turns),
    }
    return ways[part]()


def missed(results: dict[str, Figures]) -> list[str]:
    """What is promised and not kept; what the machine cannot show is for the model to explain."""
    wrong = []
    for name, part in results.items():
        points = part.get("points", [part] if "errors" in part else [])
        if errors := sum(point["errors"] for point in points):
            wrong.append(f"{name}: {errors} errors")
    for name, most in (("people", 1_000_000), ("tasks", 1_000)):
        wrong += [
            f"{name}: p95 at {point['size']:,} is {point['times']['p95']} times that of the smallest"
            for point in results.get(name, {}).get("points", [])
            if point["size"] <= most and point["times"]["p95"] > MOST_TIMES
        ]
    return wrong


def tell(part: str, figures: Figures) -> None:
    """A line a point."""
    for name in ("points", "words", "proposals", "gateway"):
        for point in figures.get(name, []):
            told = ", ".join(f"{key} {value}" for key, value in point.items() if key != "size")
            print(f"{part} {point['size']}: {told}")
    if part == "long":
        print(f"long: {figures}")


def keep(part: str, figures: Figures, *, quick: bool, more: bool) -> dict[str, Figures]:
    """Write a part's figures beside the others'; `more` long turns are added to those that were taken before."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    taken = {"taken": datetime.now(UTC).date().isoformat(), "quick": quick, "machine": machine()}
    if part == "long" and more and part in results:  # turns and errors of all runs, the times of the last one
        figures |= {name: figures[name] + results[part][name] for name in ("turns", "errors")}
    results[part] = taken | figures
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", action="append", choices=(*PARTS, "long"), help="this part alone; may be repeated")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4, help="at each place, in each round")
    parser.add_argument("--people", type=int, help="the most people of a database")
    parser.add_argument("--turns", type=int, default=LONG, help="of the long part")
    parser.add_argument("--more", action="store_true", help="add the turns of the long part to those of runs before")
    parser.add_argument("--quick", action="store_true", help="small sizes and short rounds")
    parser.add_argument("--drop", action="store_true", help="drop the filled databases at the end")
    parser.add_argument("--dry", action="store_true", help="keep no figures")
    given = parser.parse_args()
    end_tidily()
    taken: dict[str, Figures] = {}
    cluster = Cluster(FOLDER / "cluster")
    try:
        with tempfile.TemporaryDirectory(prefix="sayso-scale-") as folder:
            Path(folder).chmod(0o755)
            for part in given.part or PARTS:
                scale_parts.say(part)
                began = time.monotonic()
                taken[part] = measure(part, cluster, Path(folder), given)
                taken[part]["minutes"] = round((time.monotonic() - began) / 60, 1)
                tell(part, taken[part])
                if not given.dry:
                    keep(part, taken[part], quick=given.quick, more=given.more)
    except psycopg.Error as problem:
        raise SystemExit(
            f"the database of the benchmark failed: {problem}. Drop {FOLDER} and run it again."
        ) from problem
    finally:
        cluster.stop()
        if given.drop:
            shutil.rmtree(FOLDER, ignore_errors=True)
    wrong = missed(taken)
    print("\n".join(wrong) or "as promised")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
