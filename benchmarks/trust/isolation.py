"""Does the database refuse another user's rows when the application forgets to ask for its own?

    python -m benchmarks isolation

200 users; every table, verb, tool and call of the chat service is tried by one user on another's rows, with the
application's own filters taken out of its SQL. Not one row may be seen or touched. Then each policy is weakened in turn
(dropped, opened, row security switched off), and the same statements must notice every time.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from datetime import UTC, datetime, time
from pathlib import Path
from uuid import UUID, uuid4

import psycopg

from benchmarks.harness.services import assistant, new_database
from benchmarks.trust.isolation_calls import CALLS, Noticed, Probes, Someone, by_call
from benchmarks.trust.isolation_rows import INSERT, KEPT, MENDINGS, NEVER, ONE, TOUCH, WEAKENINGS
from sayso.chat.turns.service import ChatService
from sayso.database import pool
from sayso.database.check import TABLES
from sayso.database.queries import statement
from sayso.devices.inventory import orders, registry
from sayso.devices.inventory.machine import Command, Machine, Metric
from sayso.gateway import grants
from sayso.identity.principal import Principal
from sayso.reminders import store
from sayso.reminders.values import Settings
from sayso.serving.person import People
from sayso.tasks.service import Question, TaskService
from sayso.tasks.values import AddTask, CompleteTask, DeleteTask

REMINDERS = Path(store.__file__).parent / "sql"
GRANTS = Path(grants.__file__).parent / "sql"
BECOME = "SELECT set_config('role', 'sayso_app', true), set_config('app.user_id', %s, true)"
VERBS = {
    "select": "SELECT 1 FROM {table} WHERE {where}",
    "update": "UPDATE {table} SET {touch} WHERE {where} RETURNING 1",
    "delete": "DELETE FROM {table} WHERE {where} RETURNING 1",
}
ALLOWED = [(verb, table) for table in TABLES for verb in VERBS if verb not in NEVER.get(table, ())]


async def populate(url: str, numbers: range) -> list[Someone]:
    """Users with rows in every table, made by the services themselves."""
    async with pool.Database(url) as database:
        service, chat = TaskService(database), ChatService(database, assistant())
        people = []
        for number in numbers:
            who = Principal(id=f"user {number:04}", name=f"name {number}")
            one = await _with_tasks(service, who, f"{number:04}")
            one |= await _with_turns(chat, who, one["secret"])
            one |= await _with_reminders(database, who, one["task"])
            one |= await _with_grant(database, who, f"{number:04}")
            people.append(Someone(one | await _with_machines(database, who, f"{number:04}")))
        return people


async def _with_tasks(service: TaskService, who: Principal, number: str) -> Someone:
    secret = f"secret of {number}"
    given = AddTask(title=secret, repeat="FREQ=DAILY", list=f"list of {number}", remind="PT10M")
    added = await service.call(who, "add_task", given, key=f"key {number}")
    await service.call(who, "complete_task", CompleteTask(task_identifier=secret))  # and is due again tomorrow
    await service.call(who, "add_task", AddTask(title=f"other {secret}", description=secret))
    unwanted = DeleteTask(task_identifier=f"other {secret}")
    question = await service.ask_delete(who, unwanted)
    if not isinstance(question, Question):
        raise SystemExit("the tasks to probe could not be made")
    await service.answer_delete(who, unwanted, question, yes=False)
    ids = {"task": UUID(getattr(added, "task_id", "")), "confirmation": question.id, "chose": str(question.task)}
    return Someone(user=who.id, key=f"key {number}", secret=secret, list=f"list of {number}", **ids)


async def _with_turns(chat: ChatService, who: Principal, secret: str) -> Someone:
    """A conversation with a choice among several, something to take back, and an open card."""
    conversation = await chat.open(who)
    said = ("change the priority of secret to high", "the second one", f"delete {secret}")
    for content in said:
        reply = await chat.message(who, conversation, f"{who.id} says {content}", content)
    entries = await chat.trail(who, 0, 100)
    if reply.confirmation is None:
        raise SystemExit("the cards to probe could not be made")
    return Someone(
        conversation=conversation,
        message=said[0],
        message_id=f"{who.id} says {said[0]}",
        turns=len(said),
        card=UUID(reply.confirmation.id),
        digest=reply.confirmation.digest,
        entries=len(entries),
        head=entries[-1].hash,
    )


async def _with_reminders(database: pool.Database, who: Principal, task: UUID) -> Someone:
    """Hours, a channel, a reminder that rang, and its delivery."""
    key = {"user_id": who.id, "task_id": task, "remind_at": datetime.now(UTC), "now": datetime.now(UTC)}
    async with database.transaction(who.id) as on:
        store.write_settings(on, who.id, Settings(morning=time(8)))
        person = await People("UTC").meet(on, who, key["now"])
        channel = await store.add_channel(on, person, "address", "phone", "sealed", who.id.encode())
        on.later(statement(REMINDERS, "reminder_add"), id=uuid4(), late=None, **key)
        on.later(statement(REMINDERS, "deliveries_add"), **key)
    return Someone(channel=channel)


async def _with_grant(database: pool.Database, who: Principal, number: str) -> Someone:
    """A grant of the gateway."""
    async with database.transaction(who.id) as on:
        on.later(statement(GRANTS, "grant_keep"), user_id=who.id, id=f"grant {number}", until=None, sealed=b"x")
    return Someone(grant=f"grant {number}")


async def _with_machines(database: pool.Database, who: Principal, number: str) -> Someone:
    """A machine with a command, a metric, a reading and an order that it was given."""
    machine = Machine(
        id=f"machine-{number}",
        name=f"machine {number}",
        commands=(Command(id="on", name=f"on {number}"),),
        metrics=(Metric(name="temperature"),),
    )
    now = datetime.now(UTC)
    order = orders.OrderRow(uuid4(), b"x", machine.id, "on", None, "sent", None, now, now, None)
    async with database.transaction(who.id) as on:
        registry.save(on, who.id, [machine])
        registry.note_readings(on, who.id, [registry.Reading(machine.id, "temperature", now, 4)])
        await orders.write(on, who.id, order, f"order {number}")
        await orders.settle(on, who.id, order.id, "done", None, now)
    return Someone(machine=machine.id, machine_name=machine.name, order=order.id, order_key=f"order {number}")


def by_key(url: str, people: list[Someone], probes: Probes) -> None:
    """Every user tries every other user's rows, by key, in every table, with every verb; their own must be there."""
    with psycopg.connect(url) as connection:
        for one in people:
            with connection.transaction(force_rollback=True), connection.pipeline():
                connection.execute(BECOME, (one["user"],))
                tries = [
                    (verb, table, other is one, _execute(connection, VERBS[verb], table, other))
                    for other in people
                    for verb, table in ALLOWED
                    if other is not one or verb == "select"
                ]
                for verb, table, own, cursor in tries:
                    seen = cursor.fetchone() is not None
                    probes.tell(f"{verb} {table} by key" + (", one's own" if own else ""), well=seen == own)


def _execute(connection: psycopg.Connection, template: str, table: str, other: Someone) -> psycopg.Cursor:
    query = template.format(table=f"sayso.{table}", where=ONE[table], touch=TOUCH[table])
    return connection.execute(query, other)


def by_table(url: str, people: list[Someone], probes: Probes) -> None:
    """Every user takes whole tables, and makes and moves rows for another."""
    with psycopg.connect(url) as connection:
        for one, other in zip(people, [*people[1:], people[0]], strict=True):
            for table in TABLES:
                for verb, query in (
                    ("select", f"SELECT user_id FROM sayso.{table}"),
                    ("select for update", f"SELECT user_id FROM sayso.{table} FOR UPDATE"),
                    ("update", f"UPDATE sayso.{table} SET {TOUCH[table]} RETURNING user_id"),
                    ("delete", f"DELETE FROM sayso.{table} RETURNING user_id"),
                ):
                    found, by_nobody = _try(connection, one, query), _try(connection, Someone(user=""), query)
                    refused = verb.split()[-1] in NEVER.get(table, ())
                    own = bool(found) and all(row == (one["user"],) for row in found or [])
                    probes.tell(f"{verb} all of {table}", well=found is None if refused else own)
                    probes.tell(f"{verb} all of {table} as nobody", well=by_nobody == (None if refused else []))
                for kind, query in (
                    (f"insert into {table} for another", INSERT[table]),
                    (f"move rows of {table} to another", f"UPDATE sayso.{table} SET user_id = %(user)s || ''"),
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


def untouched(url: str, people: list[Someone], before: list[object], probes: Probes) -> None:
    """After all that, every row is where it was, and says what it said."""
    users = [one["user"] for one in people]
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT user_id, count(*) FROM sayso.tasks WHERE user_id = ANY(%s) AND deleted_at IS NULL "
            "AND status = 'pending' AND description <> 'seen' GROUP BY 1",
            (users,),
        ).fetchall()
    probes.tell("tasks untouched", well=dict(rows) == dict.fromkeys(users, 2))
    probes.tell("conversations untouched", well=content(url, people) == before)


def content(url: str, people: list[Someone]) -> list[object]:
    """What stands in the tables to which the probes add nothing, as hashes."""
    with psycopg.connect(url) as connection:
        return [
            connection.execute(
                f"SELECT count(*), md5(string_agg(row::text, '' ORDER BY row::text)) "
                f"FROM sayso.{table} AS row WHERE user_id = ANY(%s)",
                ([one["user"] for one in people],),
            ).fetchone()
            for table in KEPT
        ]


def suite(url: str, people: list[Someone]) -> Probes:
    count, tables = len(people), len(TABLES)
    probes = Probes(count * ((count - 1) * len(ALLOWED) + tables + tables * 11 + CALLS) + 2)
    before = content(url, people)
    by_key(url, people, probes)
    by_table(url, people, probes)
    asyncio.run(by_call(url, people, probes))
    untouched(url, people, before, probes)
    return probes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--least", type=int, default=1_000_000, help="fail if fewer probes were made")
    options = parser.parse_args()
    with new_database(durable=False) as url:
        people = asyncio.run(populate(url, range(options.users)))
        probes = suite(url, people)
        count = sum(probes.tried.values())
        for kind, tried in sorted(probes.tried.items()):
            print(f"  {kind:50} {tried:9,}")
        print(f"{count:,} probes of {options.users} users: {len(probes.wrong)} leaks {Counter(probes.wrong) or ''}")
        missed = weaken(url)
    print(f"{len(WEAKENINGS) * len(TABLES)} weakenings, {len(missed)} of them not noticed {missed or ''}")
    return int(bool(probes.wrong or missed) or count < options.least)


def weaken(url: str) -> list[str]:
    """Which weakenings the statements of two users do not notice; once all is mended, nothing must be noticed."""
    missed = []
    people = asyncio.run(populate(url, range(9000, 9002)))
    with psycopg.connect(url, autocommit=True) as connection:
        for name, statement in WEAKENINGS.items():
            for table in TABLES:
                connection.execute(statement.format(table))
                noticed = _notices(url, people)
                connection.execute(MENDINGS[name].format(table))
                print(f"  {name}: {table}: {'noticed' if noticed else 'NOT NOTICED'}")
                missed += [] if noticed else [f"{name}: {table}"]
    return missed + [f"{kind}, though all is mended" for kind in suite(url, people).wrong]


def _notices(url: str, people: list[Someone]) -> bool:
    """Whether a statement comes to what it should not; all of them are undone, so the next weakening finds the same."""
    probes = Probes(until_noticed=True)
    try:
        by_key(url, people, probes)
        by_table(url, people, probes)
    except (Noticed, psycopg.Error):
        return True
    return False


if __name__ == "__main__":
    sys.exit(main())
