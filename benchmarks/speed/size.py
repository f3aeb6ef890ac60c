"""Does a call take longer because others have many tasks, or because oneself has?

    python -m benchmarks size

Two databases: one user with 50 tasks; and 1,000,000 tasks of 10,000 users, one of whom has 100,000. The same calls for
an ordinary user, in turns: p50 at most 1.3 times as long in the large one. For the user with 100,000 a search takes at
most 50 ms. With --plans FILE the plan of each query, in the large one, is written as a page.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg

from benchmarks.harness.services import ROOT, Progress, new_database
from sayso.database.pool import Database
from sayso.identity.principal import Principal
from sayso.tasks.service import TaskService
from sayso.tasks.values import AddTask, CompleteTask, ListTasks

MOST = 1.3
MOST_MILLISECONDS = 50.0
ORDINARY, BIG = "user 7", "user 0"
VERBS = ("Buy", "Call", "Write", "Read", "Fix", "Plan", "Clean", "Send", "Check", "Book")
NOUNS = ("milk", "the bank", "report", "letter", "invoice", "garden", "kitchen", "tickets", "car", "dentist", "printer")

FILL = """
WITH made AS (
INSERT INTO sayso.tasks (user_id, title, title_key, description, description_key, due_date, status, completed_at)
SELECT
    user_id, title, lower(title), description, lower(description),
    CASE WHEN mod(number, 3) = 0 THEN current_date + mod(number, 60) END,
    CASE WHEN mod(number, 4) = 0 THEN 'completed' ELSE 'pending' END,
    CASE WHEN mod(number, 4) = 0 THEN now() END
FROM (
    SELECT
        %(user)s || CASE WHEN %(users)s > 1 THEN mod(number, %(users)s)::text ELSE '' END AS user_id,
        number,
        (%(verbs)s::text[])[1 + mod(number, 10)] || ' ' || (%(nouns)s::text[])[1 + mod(number / 7, 11)] || ' ' || number
            AS title,
        CASE WHEN mod(number, 10) = 0 THEN 'Details of what is meant, number ' || number ELSE '' END AS description
    FROM generate_series(%(first)s::integer, %(last)s::integer) AS number
) AS numbered
RETURNING user_id, id, title_key, description_key
)
INSERT INTO sayso.words (user_id, word, task_id)
SELECT DISTINCT user_id, unnest(string_to_array(trim(title_key || ' ' || replace(description_key, ',', '')), ' ')), id
FROM made
"""
WORDS = {"verbs": list(VERBS), "nouns": list(NOUNS)}


def fill(url: str, *, tasks: int, users: int, big: int) -> None:
    """Tasks of many users in turn, and of one who has many."""
    progress = Progress("tasks", tasks)
    with psycopg.connect(url, autocommit=True) as connection:
        for user, of, count in ((BIG, 1, big), ("user ", users, tasks - big)):
            for first in range(1, count + 1, 50_000):
                last = min(first + 49_999, count)
                connection.execute(FILL, WORDS | {"user": user, "users": of, "first": first, "last": last})
                progress.step(last - first + 1)
        connection.execute("VACUUM ANALYZE sayso.tasks, sayso.words")


async def measure(service: TaskService, who: Principal, times: dict[str, list[float]], titles: list[str]) -> None:
    """One call of each kind, timed."""

    async def timed(name: str, tool: str, given: Any) -> Any:
        start = time.perf_counter()
        result = await service.call(who, tool, given)
        times[name].append((time.perf_counter() - start) * 1000)
        if result.status != "success":
            raise SystemExit(f"{name}: {result}")
        return result

    title = random.choice(titles)
    await timed("add", "add_task", AddTask(title=f"New thing {uuid4().hex[:8]}"))
    await timed("list", "list_tasks", ListTasks(filter="pending"))
    await timed("complete by title", "complete_task", CompleteTask(task_identifier=title.upper()))
    await timed("search", "list_tasks", ListTasks(search=title.rsplit(" ", 1)[1]))
    await service.reopen(who, title)


async def compare(small: str, large: str, rounds: int) -> dict[str, tuple[float, float]]:
    """The medians of each kind of call, in the small database and in the large one."""
    who = Principal(id=ORDINARY)
    found: dict[str, dict[str, list[float]]] = {url: defaultdict(list) for url in (small, large)}
    progress = Progress("rounds", rounds)
    async with Database(small) as one, Database(large) as other:
        services = {small: TaskService(one), large: TaskService(other)}
        titles = {url: await pending(services[url], who) for url in services}
        for _ in range(20):  # plans are made, and pages read, before anything counts
            for url, service in services.items():
                await measure(service, who, defaultdict(list), titles[url])
        for number in range(rounds):
            for url in (small, large) if number % 2 else (large, small):
                await measure(services[url], who, found[url], titles[url])
            progress.step()
    return {name: tuple(statistics.median(found[url][name]) for url in (small, large)) for name in found[small]}  # type: ignore[misc]


async def pending(service: TaskService, who: Principal) -> list[str]:
    listed = await service.call(who, "list_tasks", ListTasks(filter="pending", limit=30))
    return [task.title for task in getattr(listed, "tasks", None) or []]


async def search_of_many(url: str, big: int, rounds: int) -> list[float]:
    """Milliseconds of searches by the user with many tasks: rare words, frequent words, words that are nowhere."""
    times = []
    async with Database(url) as database:
        service = TaskService(database)
        who = Principal(id=BIG)
        for number in range(rounds + 5):
            words = (str(random.randint(1, big)), "dentist", "call the bank", "details meant", "letter 9999")[
                number % 5
            ]
            start = time.perf_counter()
            found = await service.call(who, "list_tasks", ListTasks(search=words))
            if number >= 5:
                times.append((time.perf_counter() - start) * 1000)
            if found.status != "success":
                raise SystemExit(f"search: {found}")
    return times


def plans(url: str) -> str:
    """The plan of every query of tasks, as the application's role gets it, for the page of the documentation."""
    now = datetime.now(UTC)
    columns = (
        "status",
        "priority",
        "last",
        "overdue_at",
        "due_date",
        "due_time",
        "repeat",
        "list",
        "list_key",
        "remind",
    )
    values: dict[str, Any] = dict.fromkeys(columns)
    values |= {"user_id": ORDINARY, "limit": 51, "offset": 0, "patterns": ["% dentist%"], "pattern": "% den%"}
    values |= {"key": "call the bank", "reach": 1000, "ids": [UUID(int=1)], "titles_only": False, "words": ["dentist"]}
    values |= {"id": UUID(int=1), "now": now, "created_at": now, "version": 1, "title": "x", "title_key": "x"}
    values |= {"description": "", "description_key": "", "beyond": "dentist~"}
    values |= {"task": "{}"}
    parts = []
    with psycopg.connect(url) as connection:
        for file in sorted((ROOT / "src/sayso/tasks/sql").glob("[tw]*_*.sql")):
            text = file.read_text()
            given = values | {"first": "dentist" if "word >=" in text else None}
            given |= (
                {"status": "completed", "priority": "low"}
                if "LIKE" not in text and "%(first)s::date" not in text
                else {}
            )
            connection.execute(
                "SELECT set_config('role', 'sayso_app', true), set_config('search_path', 'sayso, public', true), "
                "set_config('app.user_id', %s, true)",
                (ORDINARY,),
            )
            explained = psycopg.ClientCursor(connection).execute(f"EXPLAIN (COSTS OFF) {text}", given)
            lines = "\n".join(line for (line,) in explained.fetchall())
            parts.append(f"## {file.stem}\n\n```\n{lines}\n```\n")
            connection.rollback()
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=1_000_000)
    parser.add_argument("--users", type=int, default=10_000)
    parser.add_argument("--big", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--most", type=float, default=MOST, help="the largest ratio that passes")
    parser.add_argument("--plans", type=Path, help="write the plans to this page")
    options = parser.parse_args()
    with new_database(durable=False) as small, new_database(durable=False) as large:
        with psycopg.connect(small, autocommit=True) as connection:
            connection.execute(FILL, WORDS | {"user": ORDINARY, "users": 1, "first": 1, "last": 50})
            connection.execute("VACUUM ANALYZE sayso.tasks, sayso.words")
        fill(large, tasks=options.tasks, users=options.users, big=options.big)
        medians = asyncio.run(compare(small, large, options.rounds))
        many = asyncio.run(search_of_many(large, options.big, max(25, options.rounds // 3)))
        if options.plans:
            options.plans.write_text(f"{PAGE}\n{plans(large)}", encoding="utf-8")
    wrong = 0
    print(f"p50 of {options.rounds} calls each, for a user with {(options.tasks - options.big) // options.users} tasks")
    for name, (few, lots) in medians.items():
        wrong += lots / few > options.most
        print(f"  {name:18} {few:6.2f} ms alone, {lots:6.2f} ms among {options.tasks:,}: {lots / few:.2f} times")
    median, slow = statistics.median(many), sorted(many)[int(len(many) * 0.95)]
    wrong += median > MOST_MILLISECONDS
    print(f"  search of {options.big:,} tasks: p50 {median:.1f} ms, p95 {slow:.1f} ms")
    print(f"at most {options.most} times, and {MOST_MILLISECONDS:.0f} ms (p50): {wrong} missed")
    return int(wrong > 0)


PAGE = """# The plans of the queries

What PostgreSQL does for each statement in `src/sayso/tasks/sql`, among 1,000,000 tasks of 10,000 users, for a user with
90 of them. Written by `python -m benchmarks size-plans`. Every plan begins at an index whose first column is the
user; the one-time filter is the policy.
"""


if __name__ == "__main__":
    sys.exit(main())
