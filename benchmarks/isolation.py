"""Does the database refuse another user's rows when the application forgets to ask for its own?

    make isolation

200 users; every table, verb and tool is tried by one user on another's rows, with the application's own filters taken
out of its SQL. Not one row may be seen or touched. Then each policy is weakened in turn (dropped, opened, row security
switched off), and the same probes must notice every time.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import psycopg

from sayso.database import pool, queries
from sayso.database.check import TABLES
from sayso.identity.principal import Principal
from sayso.tasks import once, operations, person, resolve, search
from sayso.tasks.service import Question, TaskService
from sayso.tasks.values import AddTask, CompleteTask, DeleteTask, ListTasks, UpdateTask
from services import Progress, new_database

BECOME = "SELECT set_config('role', 'sayso_app', true), set_config('app.user_id', %s, true)"
OWN_FILTER = re.compile(rb"user_id = %\(user_id\)s")
WEAKENINGS = {
    "policy dropped": "DROP POLICY {0}_of_the_user ON sayso.{0}",
    "policy opened": "CREATE POLICY everybody ON sayso.{0} USING (true) WITH CHECK (true)",
    "row security off": "ALTER TABLE sayso.{0} DISABLE ROW LEVEL SECURITY",
}
MENDINGS = {
    "policy dropped": "CREATE POLICY {0}_of_the_user ON sayso.{0} "
    "USING (user_id = nullif(current_setting('app.user_id', true), '')) "
    "WITH CHECK (user_id = nullif(current_setting('app.user_id', true), ''))",
    "policy opened": "DROP POLICY everybody ON sayso.{0}",
    "row security off": "ALTER TABLE sayso.{0} ENABLE ROW LEVEL SECURITY",
}
# one row of another user, by its key alone
ONE = {
    "users": "user_id = %(user)s",
    "tasks": "id = %(task)s",
    "words": "task_id = %(task)s",
    "answers": "key = %(key)s",
    "confirmations": "id = %(confirmation)s",
}
TOUCH = {
    "users": "name = name",
    "tasks": "title = title",
    "words": "word = word",
    "answers": "answer = answer",
    "confirmations": "answer = answer",
}
INSERT = {
    "users": "INSERT INTO sayso.users (user_id, zone, language) VALUES (%(user)s || '+', 'UTC', 'en')",
    "tasks": "INSERT INTO sayso.tasks (user_id, title, title_key) VALUES (%(user)s, 'x', 'x')",
    "words": "INSERT INTO sayso.words (user_id, word, task_id) VALUES (%(user)s, 'x', gen_random_uuid())",
    "answers": "INSERT INTO sayso.answers (user_id, key, body) VALUES (%(user)s, 'x', 'x')",
    "confirmations": "INSERT INTO sayso.confirmations (user_id, id, digest) VALUES (%(user)s, gen_random_uuid(), 'x')",
}


class Someone(dict[str, object]):
    """A user, with the keys of one row in every table."""


class Probes:
    """Counts what was tried, and what should not have come of it."""

    def __init__(self, total: int) -> None:
        self.tried: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._progress = Progress("probes", total)

    def tell(self, kind: str, *, well: bool, count: int = 1) -> None:
        self.tried[kind] += count
        self._progress.step(count)
        if not well:
            self.wrong.append(kind)


async def populate(url: str, numbers: range) -> list[Someone]:
    """Users with rows in every table, made by the service itself."""
    people = []
    async with pool.Database(url) as database:
        service = TaskService(database)
        for number in numbers:
            who = Principal(id=f"user {number:04}", name=f"name {number}")
            secret = f"secret of {number:04}"
            added = await service.call(who, "add_task", AddTask(title=secret), key=f"key {number:04}")
            await service.call(who, "add_task", AddTask(title=f"other {secret}", description=secret))
            given = DeleteTask(task_identifier=f"other {secret}")
            question = await service.ask_delete(who, given)
            if not isinstance(question, Question):
                raise SystemExit("the tasks to probe could not be made")
            await service.answer_delete(who, given, question, yes=False)
            ids = {"task": UUID(getattr(added, "task_id", "")), "confirmation": question.id}
            people.append(Someone(user=who.id, key=f"key {number:04}", secret=secret, **ids))
    return people


def by_key(url: str, people: list[Someone], probes: Probes, verbs: dict[str, str]) -> None:
    """Every user tries every other user's rows, by key, in every table, with every verb; their own must be there."""
    with psycopg.connect(url) as connection:
        for one in people:
            with connection.transaction(force_rollback=True), connection.pipeline():
                connection.execute(BECOME, (one["user"],))
                tries = [
                    (verb, table, other is one, _execute(connection, template, table, other))
                    for other in people
                    for table in TABLES
                    for verb, template in verbs.items()
                    if other is not one or verb == "select"
                ]
                for verb, table, own, cursor in tries:
                    seen = cursor.fetchone() is not None
                    probes.tell(f"{verb} {table} by key" + (", one's own" if own else ""), well=seen == own)


def _execute(connection: psycopg.Connection, template: str, table: str, other: Someone) -> psycopg.Cursor:
    query = template.format(table=f"sayso.{table}", where=ONE[table], touch=TOUCH[table])
    return connection.execute(query, other)


def by_table(url: str, people: list[Someone], probes: Probes) -> None:
    """Every user takes whole tables, makes and moves rows for another, and goes to the partitions themselves."""
    with psycopg.connect(url) as connection:
        for one, other in zip(people, [*people[1:], people[0]], strict=True):
            for table in TABLES:
                for verb, query in (
                    ("select", f"SELECT user_id FROM sayso.{table}"),
                    ("select for update", f"SELECT user_id FROM sayso.{table} FOR UPDATE"),
                    ("update", f"UPDATE sayso.{table} SET {TOUCH[table]} RETURNING user_id"),
                    ("delete", f"DELETE FROM sayso.{table} RETURNING user_id"),
                ):
                    found = _try(connection, one, query)
                    probes.tell(
                        f"{verb} all of {table}", well=bool(found) and all(row == (one["user"],) for row in found)
                    )
                    probes.tell(
                        f"{verb} all of {table} as nobody", well=_try(connection, Someone(user=""), query) == []
                    )
                for kind, query in (
                    (f"insert into {table} for another", INSERT[table]),
                    (f"move rows of {table} to another", f"UPDATE sayso.{table} SET user_id = %(user)s || ''"),
                    (f"select a partition of {table}", f"SELECT 1 FROM sayso.{table}_0"),
                    (f"truncate {table}", f"TRUNCATE sayso.{table}"),
                ):
                    probes.tell(kind, well=_try(connection, one, query, other) is None)


def _try(
    connection: psycopg.Connection, one: Someone, query: str, values: Someone | None = None
) -> list[object] | None:
    """The rows of a statement run as this user, undone; None where the database refused it."""
    with connection.transaction(force_rollback=True):
        connection.execute(BECOME, (one["user"],))
        try:
            cursor = connection.execute(query, values)
        except psycopg.errors.InsufficientPrivilege:
            return None
        return list(cursor.fetchall()) if cursor.description else []


@contextmanager
def without_filters() -> Iterator[None]:
    """The application's SQL with `user_id = …` taken out of every condition."""
    modules = (pool, once, operations, person, resolve, search)
    ours = queries.statement

    def stripped(folder: Path, name: str) -> bytes:
        return OWN_FILTER.sub(b"%(user_id)s::text IS NOT NULL", ours(folder, name))

    for module in modules:
        module.statement = stripped  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in modules:
            module.statement = ours  # type: ignore[attr-defined]


async def by_tool(url: str, people: list[Someone], probes: Probes) -> None:
    """Every user tries every tool on another's tasks, by id and by title, with the filters taken out."""
    with without_filters():
        async with pool.Database(url) as database:
            service = TaskService(database)
            for one, other in zip(people, [*people[1:], people[0]], strict=True):
                await _tools_of(service, Principal(id=str(one["user"])), one, other, probes)


async def _tools_of(service: TaskService, who: Principal, one: Someone, other: Someone, probes: Probes) -> None:
    secret, task = str(other["secret"]), other["task"]
    listed = await service.call(who, "list_tasks", ListTasks(limit=100))
    titles = {each.title for each in getattr(listed, "tasks", None) or []}
    probes.tell("list_tasks", well=titles == {one["secret"], f"other {one['secret']}"})
    searched = await service.call(who, "list_tasks", ListTasks(search=secret))
    probes.tell("list_tasks, search", well=secret not in str(searched))
    # an error repeats what was said: what must not come back is the other half of what the other has
    for name, hidden in ((str(task), secret), (secret, str(task))):
        for tool, given in (
            ("complete_task", CompleteTask(task_identifier=name)),
            ("update_task", UpdateTask(task_identifier=name, new_description="seen")),
        ):
            probes.tell(tool, well=hidden not in str(await service.call(who, tool, given)))
        asked = await service.ask_delete(who, DeleteTask(task_identifier=name))
        probes.tell("delete_task, asking", well=hidden not in str(asked))
        probes.tell("resource", well=hidden not in str(await service.find(who, name)))
    forged = Question(id=uuid4(), task=UUID(str(task)), version=1, title=secret, due=None, completed=False)
    gone = await service.answer_delete(who, DeleteTask(task_identifier=str(task)), forged, yes=True)
    probes.tell("delete_task, answering", well=getattr(gone, "status", "") == "error")
    probes.tell("restore", well=(await service.restore(who, UUID(str(task)))).status == "error")
    probes.tell("completions", well=secret not in await service.titles(who, secret, 100))


def untouched(url: str, people: list[Someone], probes: Probes) -> None:
    """After all that, every row is where it was."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT user_id, count(*) FROM sayso.tasks WHERE user_id = ANY(%s) AND deleted_at IS NULL "
            "AND status = 'pending' AND description <> 'seen' GROUP BY 1",
            ([one["user"] for one in people],),
        ).fetchall()
    probes.tell("rows untouched", well=dict(rows) == {one["user"]: 2 for one in people})


VERBS = {
    "select": "SELECT 1 FROM {table} WHERE {where}",
    "update": "UPDATE {table} SET {touch} WHERE {where} RETURNING 1",
    "delete": "DELETE FROM {table} WHERE {where} RETURNING 1",
}


def suite(url: str, people: list[Someone], total: int) -> Probes:
    probes = Probes(total)
    by_key(url, people, probes, VERBS)
    by_table(url, people, probes)
    asyncio.run(by_tool(url, people, probes))
    untouched(url, people, probes)
    return probes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--least", type=int, default=200_000, help="fail if fewer probes were made")
    options = parser.parse_args()
    with new_database(durable=False) as url:
        people = asyncio.run(populate(url, range(options.users)))
        probes = suite(url, people, options.users**2 * len(TABLES) * len(VERBS) + options.users * 62 + 1)
        count = sum(probes.tried.values())
        for kind, tried in sorted(probes.tried.items()):
            print(f"  {kind:45} {tried:9,}")
        print(f"{count:,} probes of {options.users} users: {len(probes.wrong)} leaks {Counter(probes.wrong) or ''}")
        missed = weaken(url)
    print(f"{len(WEAKENINGS) * len(TABLES)} weakenings, {len(missed)} of them not noticed {missed or ''}")
    return int(bool(probes.wrong or missed) or count < options.least)


def weaken(url: str) -> list[str]:
    """Which weakenings the probes of a few new users do not notice, though they found nothing before."""
    missed = []
    first = 9000
    with psycopg.connect(url, autocommit=True) as connection:
        for name, statement in WEAKENINGS.items():
            for table in TABLES:
                people = asyncio.run(populate(url, range(first, first + 4)))
                first += 4
                before = suite(url, people, 0).wrong
                connection.execute(statement.format(table))
                noticed = _notices(url, people) and not before
                connection.execute(MENDINGS[name].format(table))
                print(f"  {name}: {table}: {'noticed' if noticed else 'NOT NOTICED'}")
                missed += [] if noticed else [f"{name}: {table}"]
    return missed


def _notices(url: str, people: list[Someone]) -> bool:
    try:
        return bool(suite(url, people, 0).wrong)
    except (psycopg.Error, AssertionError):
        return True


if __name__ == "__main__":
    sys.exit(main())
