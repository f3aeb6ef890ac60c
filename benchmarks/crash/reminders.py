"""Reminders over two replicas that are killed: is one lost, or written twice, and how late do they come?

    python -m benchmarks reminders

Many people have a task each, which rings within the next minute at a web hook of this script. Two processes ring them.
`--kills` kills them with -9 and starts them again meanwhile; `--restarts` crashes and restarts a PostgreSQL of this
script's own. Afterwards every reminder has arrived and has one delivery. A replica that dies between sending and
recording sends again under the same id, and the person is shown one id once.

Then what a claim costs while a million reminders wait, against a thousand: the best of shuffled runs of each.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

import msgspec
import psycopg

from benchmarks import ROOT
from benchmarks.crash.tasks import own_cluster
from benchmarks.harness.services import environment_for, new_database, settings_for
from benchmarks.scale.stack import processor
from sayso.chat.turns.reminders import address_seal

SQL = ROOT / "src" / "sayso" / "reminders" / "sql"
RESULT = ROOT / "benchmarks" / "results" / "reminders.json"
LEASE = 10
PATIENCE = 60.0  # seconds after the last one is due
LARGEST_RATIO = 1.2
BATCH = 50


class Hook:
    """A web hook that keeps when each message came."""

    def __init__(self) -> None:
        self.came: list[tuple[str, float]] = []
        came = self.came

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = msgspec.json.decode(self.rfile.read(int(self.headers["Content-Length"])))
                came.append((body["title"], time.time()))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def replica(url: str) -> subprocess.Popen[str]:
    environment = environment_for(url, SAYSO_REMINDER_NETWORKS="127.0.0.0/8", SAYSO_REMINDER_LEASE=str(LEASE))
    command = [sys.executable, "-m", "benchmarks.crash.reminders_replica"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8")


def populate(url: str, people: int, within: int, port: int, chance: random.Random) -> dict[str, float]:
    """People with a channel and a task each; when each task rings, by its title."""
    seal, moments = address_seal(settings_for(url)), {}
    first = datetime.now(UTC) + timedelta(seconds=2 + people / 100)
    with psycopg.connect(url, autocommit=True) as on:
        for number in range(people):
            who, at = f"person {number}", first + timedelta(seconds=chance.random() * within)
            due = (at + timedelta(minutes=3)).replace(second=0, microsecond=0)
            before = int((due - at).total_seconds())
            target, title = f"json://127.0.0.1:{port}/{number}", f"task {number}"
            with on.transaction():
                on.execute("SELECT set_config('role', 'sayso_app', true), set_config('app.user_id', %s, true)", (who,))
                on.execute("INSERT INTO sayso.users (user_id, zone, language) VALUES (%s, 'UTC', 'en')", (who,))
                on.execute(
                    "INSERT INTO sayso.channels (user_id, id, kind, label, sealed, mark, created_at) "
                    "VALUES (%s, %s, 'address', 'hook', %s, %s, now())",
                    (who, uuid4(), seal.close(who, target), seal.mark(who, target)),
                )
                on.execute(
                    "INSERT INTO sayso.tasks (user_id, title, title_key, due_date, due_time, remind) "
                    "VALUES (%s, %s, %s, %s, %s, %s)",
                    (who, title, title, due.date(), due.time(), f"PT{before}S"),
                )
            moments[title] = due.timestamp() - before
    return moments


@contextmanager
def database(restarts: int) -> Iterator[tuple[str, Callable[[], None]]]:
    """A new database, and a function that crashes and restarts its server: one of our own if it is to be restarted."""
    if not restarts:
        with new_database() as url:
            yield url, lambda: None
        return
    with own_cluster() as (server, crash), new_database(server) as url:
        yield url, crash


def deliver(people: int, within: int, kills: int, restarts: int, seed: int, keep: Path | None) -> bool:
    """Whether all came, and none was written twice."""
    chance, hook, killed, cost = random.Random(seed), Hook(), 0, None
    with database(restarts) as (url, crash):
        replicas = [replica(url) for _ in range(2)]
        try:
            for each in replicas:
                each.stdout.readline()
            moments = populate(url, people, within, hook.port, chance)
            used_before = processor(*(each.pid for each in replicas))
            begins, ends = min(moments.values()), max(moments.values())
            at = sorted(begins + chance.random() * within for _ in range(kills))
            crashes = sorted(begins + chance.random() * within for _ in range(restarts))
            while time.time() < ends + PATIENCE and len({title for title, _ in hook.came}) < people:
                if at and time.time() >= at[0]:
                    at.pop(0)
                    place = killed % 2
                    replicas[place].kill()
                    replicas[place].wait()
                    replicas[place] = replica(url)
                    killed += 1
                if crashes and time.time() >= crashes[0]:
                    crashes.pop(0)
                    crash()
                time.sleep(0.05)
            time.sleep(LEASE / 2)
            if not (kills or restarts):
                used = processor(*(each.pid for each in replicas)) - used_before
                cost = _cost(url, used, people)
        finally:
            for each in replicas:
                each.kill()
                each.wait()
        with psycopg.connect(url) as on:
            rows = on.execute("SELECT count(*), count(DISTINCT task_id) FROM sayso.reminders").fetchone()
            deliveries = on.execute("SELECT count(*), count(DISTINCT task_id) FROM sayso.deliveries").fetchone()
    hook.close()
    arrived = Counter(title for title, _ in hook.came)
    lost, again = people - len(arrived), sum(count - 1 for count in arrived.values())
    doubled = (rows[0] - rows[1]) + (deliveries[0] - deliveries[1])
    late = sorted(when - moments[title] for title, when in dict(reversed(hook.came)).items())
    early = sum(each < -0.01 for each in late)
    p50, p95, p99 = (late[int((len(late) - 1) * part)] if late else 0 for part in (0.5, 0.95, 0.99))
    print(
        f"{people:,} reminders within {within} s over 2 replicas, {killed} kills, {restarts} restarts of the database: "
        f"{len(arrived):,} arrived, "
        f"{lost} lost, {early} early, {doubled} written twice, {again} sent again under the same id; "
        f"late by {p50:.2f} s (p50), {p95:.2f} s (p95), {p99:.2f} s (p99)"
    )
    if cost:
        print(
            f"a reminder took {cost['server_ms']} ms of the replicas' processor time, and {cost['database_ms']} ms of "
            "the database's"
        )
        taken = {"taken": f"{datetime.now(UTC):%Y-%m-%d}", "reminders": people, "within_s": within}
        late_by = {"p50_s": round(p50, 2), "p95_s": round(p95, 2), "p99_s": round(p99, 2)}
        if keep:
            keep.write_text(json.dumps(taken | cost | late_by, indent=1) + "\n", encoding="utf-8")
    return not (lost or early or doubled) and again <= (killed + 2 * restarts) * BATCH


def _cost(url: str, used: float, people: int) -> dict[str, float]:
    """What a reminder costs the processors, after the replicas used so many seconds for all."""
    with psycopg.connect(url) as on:
        mine = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        database = [pid for (pid,) in on.execute(mine)]
    ours, theirs = used * 1000 / people, processor(*database) * 1000 / people
    return {"server_ms": round(ours, 2), "database_ms": round(theirs, 2)}


def claim_cost(large: int, runs: int, seed: int) -> bool:
    """Whether a claim among very many costs about as much as one among a thousand."""
    chance, times = random.Random(seed), dict[int, list[float]]()
    claim = (SQL / "claim.sql").read_text()
    with new_database(durable=False) as small_url, new_database(durable=False) as large_url:
        urls = {1_000: small_url, large: large_url}
        for count, url in urls.items():
            with psycopg.connect(url, autocommit=True) as on:
                on.execute(
                    "INSERT INTO sayso_jobs.reminders_due SELECT 'person ' || n, gen_random_uuid(), "
                    "now() + (n - %s) * interval '1 minute', now() + (n - %s) * interval '1 minute' "
                    "FROM generate_series(1, %s) AS n",  # the first ones are due
                    (BATCH, BATCH, count),
                )
                on.execute("VACUUM ANALYZE sayso_jobs.reminders_due")
        order = [count for count in urls for _ in range(runs)]
        chance.shuffle(order)
        connections = {count: psycopg.connect(url) for count, url in urls.items()}
        for count in order:
            times.setdefault(count, []).append(_claim(connections[count], claim))
        for each in connections.values():
            each.close()
    small, big = (min(times[count]) for count in urls)
    ratio = big / small
    print(
        f"a claim of {BATCH} among {large:,} reminders: {big:.2f} ms, among 1,000: {small:.2f} ms, the best of {runs} "
        f"shuffled runs; ratio {ratio:.2f}, at most {LARGEST_RATIO}"
    )
    return ratio <= LARGEST_RATIO


def _claim(on: psycopg.Connection, claim: str) -> float:
    """The milliseconds that the database takes for a claim of a whole batch; undone afterwards."""
    now = datetime.now(UTC)
    given = {"now": now, "until": now + timedelta(seconds=30), "limit": BATCH}
    ((plan,),) = on.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {claim}", given).fetchall()
    on.rollback()
    if plan[0]["Plan"]["Actual Rows"] != BATCH:
        raise SystemExit(f"{plan[0]['Plan']['Actual Rows']} claimed")
    return float(plan[0]["Planning Time"] + plan[0]["Execution Time"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--within", type=int, default=60, help="seconds")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--restarts", type=int, default=0, help="crashes and restarts of the database")
    parser.add_argument(
        "--waiting", type=int, default=1_000_000, help="reminders for the cost of a claim; 0: not measured"
    )
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep what a reminder costs, for docs/scale.md")
    options = parser.parse_args()
    keep = RESULT if options.keep else None
    came = deliver(options.people, options.within, options.kills, options.restarts, options.seed, keep)
    cheap = options.waiting == 0 or claim_cost(options.waiting, options.runs, options.seed)
    return int(not (came and cheap))


if __name__ == "__main__":
    sys.exit(main())
