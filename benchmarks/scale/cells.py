"""Users move between two cells while they talk: is anything lost, or done twice?

    python -m benchmarks cells                    three minutes
    python -m benchmarks cells --minutes 0.5

Two PostgreSQL clusters with a replica each, and nginx with deploy/nginx/cells.conf in front. People talk and click as
in soak.py. `sayso db move` moves them from one cell to the other; every third move is killed on the way and
run again. Afterwards every user must live in one cell, have nothing in the other, and have what they asked for;
every trail must verify.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles

import psycopg

from benchmarks import ROOT
from benchmarks.harness.services import environment_for, free_port
from benchmarks.scale.soak import PEOPLE, Soak, broken_trails
from benchmarks.scale.stack import Cluster, Nginx, Replica, end_tidily
from sayso.database.migrate import migrate

CELLS = ("a", "b")
PORTS = {"8000": "nginx", "8001": "a", "8002": "b"}  # in that configuration


def as_deployed(ports: dict[str, int]) -> str:
    """The configuration in deploy/nginx, on ports that are free."""
    shown = (ROOT / "deploy" / "nginx" / "cells.conf").read_text(encoding="utf-8")
    return re.sub(r"127\.0\.0\.1:(\d+)", lambda found: f"127.0.0.1:{ports[PORTS[found[1]]]}", shown)


class Moves:
    """Moves one user after the other, and kills every third move on its way."""

    def __init__(self, urls: dict[str, str], names: list[str], seed: int) -> None:
        self._urls, self._names, self._random = urls, names, random.Random(seed)
        self._lives = dict.fromkeys(names, "a")
        self.done: Counter[str] = Counter()
        self.took: list[float] = []

    async def go(self, until: float) -> None:
        while time.monotonic() < until - 5:
            await asyncio.to_thread(self._move, self._random.choice(self._names))

    def _move(self, name: str) -> None:
        here = self._lives[name]
        there = CELLS[here == "a"]
        kill = sum(self.done.values()) % 3 == 2
        began = time.monotonic()
        process = self._begin(name, here, there)
        if kill:
            try:
                process.wait(self._random.uniform(0.3, 1.2))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                self.done["killed"] += 1
                began = time.monotonic()
                process = self._begin(name, here, there)
        _, said = process.communicate(timeout=60)
        if process.returncode:
            self.done["refused"] += 1
            if "under way" not in said.decode():
                raise SystemExit(said.decode())
            return
        self.took.append(time.monotonic() - began)
        self.done["moved"] += 1
        self._lives[name] = there

    def _begin(self, name: str, here: str, there: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-m",
            "sayso.cli",
            "db",
            "move",
            name,
            "--to",
            there,
            "--database",
            self._urls[there],
        ]
        return subprocess.Popen(
            command, env=environment_for(self._urls[here]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def wrong(self, soak: Soak) -> list[str]:
        """What is not as it was asked for, where the user lives; and what is left where they do not live."""
        problems = list(soak.faults)
        with psycopg.connect(self._urls["a"]) as a, psycopg.connect(self._urls["b"]) as b:
            connections = {"a": a, "b": b}
            for speaker in soak.speakers:
                here = self._lives[speaker.name]
                other = connections[CELLS[here == "a"]]
                problems += speaker.wrong(connections[here])
                problems += [f"{speaker.name}: {left} in the other cell" for left in _left(other, speaker.name)]
        for cell, url in self._urls.items():
            names = [name for name, lives in self._lives.items() if lives == cell]
            problems += asyncio.run(broken_trails(url, names))
        return problems


def _left(on: psycopg.Connection, name: str) -> list[str]:
    """The tables with rows of a user who does not live here, without the row that says where they live."""
    tables = on.execute(
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'sayso' AND column_name = 'user_id'"
    ).fetchall()
    counted = "SELECT count(*) FROM sayso.{} WHERE user_id = %s"
    counts = {table: on.execute(counted.format(table), (name,)).fetchone() for (table,) in tables}  # type: ignore[arg-type]
    return [f"{count[0]} {table}" for table, count in counts.items() if count and count[0] and table != "users"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--rate", type=float, default=40, help="requests a second, at most")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    end_tidily()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sayso-cells-")))
        folder.chmod(0o755)
        urls: dict[str, str] = {}
        for cell in CELLS:
            cluster = Cluster(folder / cell, buffers="128MB")
            stack.callback(cluster.stop)
            cluster.make("sayso")
            urls[cell] = cluster.url("sayso")
            migrate(urls[cell])
        with psycopg.connect(urls["b"], autocommit=True) as connection:
            connection.execute("ALTER DATABASE sayso SET sayso.home = 'a'")
        replicas = {cell: Replica(url) for cell, url in urls.items()}
        for replica in replicas.values():
            stack.callback(replica.stop)
        for replica in replicas.values():
            replica.wait()
        ports = {cell: replica.port for cell, replica in replicas.items()} | {"nginx": free_port()}
        nginx = Nginx(folder / "nginx", ports["nginx"], as_deployed(ports))
        stack.callback(nginx.stop)
        soak = Soak(urls["a"], f"http://127.0.0.1:{nginx.port}", given.rate, given.minutes * 60)
        moves = Moves(urls, [speaker.name for speaker in soak.speakers], given.seed)
        asyncio.run(soak.go(moves))
        wrong = moves.wrong(soak)
    cuts = quantiles(soak.took, n=20)
    print(f"{len(soak.took):,} requests of {PEOPLE} users, {soak.retries} sent again; p95 {cuts[18] * 1000:.0f} ms")
    print(f"{moves.done['moved']} moves, {moves.done['killed']} killed and run again, {moves.done['refused']} refused;")
    print(f"a move took {median(moves.took):.1f} s as a command, half of them less")
    print(f"lost, doubled or wrong: {len(wrong)}", *wrong[:20], sep="\n  ")
    return 1 if wrong or not moves.done["moved"] else 0


if __name__ == "__main__":
    sys.exit(main())
