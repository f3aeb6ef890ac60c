"""People who use the services, so that there is something to back up, to migrate and to erase."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import cache
from uuid import UUID, uuid4

import psycopg

from sayso.assistant.converse import Assistant
from sayso.chat.turns.clicks import Click
from sayso.chat.turns.jobs import Jobs
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Database
from sayso.decider import Decider
from sayso.devices.inventory import registry
from sayso.devices.simulate.fleet import make_fleet
from sayso.identity.principal import Principal
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.tasks.hands import UNDO_DAYS


@cache
def assistant():
    return Assistant(Decider.installed(), load_answers(pack_folder("tasks")), undo_days=UNDO_DAYS)


def person(name):
    return Principal(id=f"{name} {uuid4()}", name=name.title(), email=f"{name}@example.org", zone="Europe/Rome")


async def live(url, who, secret):
    """Talk, click, own machines, wait for a model: until every table has something of them. Their conversation."""
    async with Database(url, connections=2) as database:
        chat = ChatService(database, assistant())
        conversation = await chat.open(who)
        for number, said in enumerate(
            (f'add a task "ring {secret}"', 'add a task "buy milk"', "mark buy milk as done", f"delete ring {secret}")
        ):
            await chat.message(who, conversation, f"m{number}", said)
        plants = Click(tool="add_task", arguments={"title": f"water {secret}", "repeat": "FREQ=DAILY", "list": secret})
        added = await chat.clicks.press(who, plants)
        task = UUID(added.results[0].result["task_id"])
        await chat.clicks.press(who, Click(tool="complete_task", task=task))  # it is due again tomorrow
        async with database.transaction(who.id) as on:
            registry.save(on, who.id, [each.machine for each in make_fleet(2)])
            moment = datetime.now(UTC) - timedelta(minutes=1)
            (machine, *_rest) = await registry.names(on, who.id)
            registry.note_readings(on, who.id, [registry.Reading(machine.id, "temperature", moment, 4.5)])
    await _job(url, who, conversation)
    _by_hand(url, who, secret)
    return conversation


async def _job(url, who, conversation):
    jobs = Jobs(url)
    async with jobs._app.open_async():
        await jobs.recover(who.id, conversation, 1, datetime.now(UTC) + timedelta(days=1))


def _by_hand(url, who, secret):
    """What takes a model, a client or a machine to come about."""
    with psycopg.connect(url) as on:
        on.execute("SET search_path = sayso")
        values = {"user": who.id, "id": uuid4(), "text": secret, "json": json.dumps({"said": secret})}
        order = "user_id, id, body, machine_id, command_id, answer, created_at, expires_at"
        for statement in (
            "INSERT INTO answers (user_id, key, body, answer) VALUES (%(user)s, 'k', '', %(text)s)",
            "INSERT INTO confirmations (user_id, id, digest, answer) VALUES (%(user)s, %(id)s, '', %(json)s)",
            "INSERT INTO preferences (user_id, chose, said, used_at) VALUES (%(user)s, %(text)s, %(text)s, now())",
            "INSERT INTO reminder_settings (user_id) VALUES (%(user)s)",
            (
                "INSERT INTO reminders (user_id, id, task_id, remind_at, rang_at) "
                "VALUES (%(user)s, %(id)s, %(id)s, now(), now())"
            ),
            (
                "INSERT INTO channels (user_id, id, kind, label, sealed, mark, created_at) "
                "VALUES (%(user)s, %(id)s, 'address', %(text)s, '', '', now())"
            ),
            (
                "INSERT INTO deliveries (user_id, id, task_id, remind_at, channel_id, created_at) "
                "VALUES (%(user)s, %(id)s, %(id)s, now(), %(id)s, now())"
            ),
            "INSERT INTO grants (user_id, id, sealed) VALUES (%(user)s, 'g', '')",
            f"INSERT INTO orders ({order}) VALUES (%(user)s, %(id)s, '', 'm', 'c', %(text)s, now(), now())",  # noqa: S608
        ):
            on.execute(statement, values)


def tables(url):
    """Every table of ours, jobs included, as information_schema has them."""
    with psycopg.connect(url) as on:
        query = (
            "SELECT table_schema, table_name FROM information_schema.tables "
            "WHERE table_schema IN ('sayso', 'sayso_jobs') AND table_type = 'BASE TABLE'"
        )
        return [f'{schema}."{name}"' for schema, name in on.execute(query)]


def rows_of(url, text):
    """Every row in which this text stands, in any column, by table."""
    with psycopg.connect(url) as on:
        found = {}
        for table in tables(url):
            query = f"SELECT row::text FROM {table} AS row WHERE row::text LIKE %s"  # noqa: S608  names of ours
            found[table] = sorted(row for (row,) in on.execute(query, (f"%{text}%",)))
        return found


def holding(url, text):
    """The tables with a row in which this text stands."""
    return [table for table, rows in rows_of(url, text).items() if rows]
