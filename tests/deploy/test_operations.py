"""What an operator does with a service that is in use: back it up and restore it, migrate it, change its keys, erase a
person from it."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import time
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from uuid import uuid4

import psycopg
import pytest
import redis
from alembic import command
from living import assistant, holding, live, person, rows_of, tables
from mcp import Client
from mcp_types import ElicitResult
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool
from standing import SAYSO, plain_environment
from starlette.responses import Response

from hashed import EarlierDatabase, hash_partition
from sayso.chat.guards.limits import RateLimit
from sayso.chat.signin.session import Sessions
from sayso.chat.turns.service import ChatService
from sayso.database import check as checking
from sayso.database import migrate as migrating
from sayso.database.check import TABLES, check
from sayso.database.migrate import migrate
from sayso.database.pool import Database
from sayso.database.queries import statement
from sayso.database.version import newest
from sayso.ledger.erasure import ERASURES
from sayso.ledger.trail import verify
from sayso.settings import Settings
from sayso.tasks.server import make_server
from sayso.tasks.service import TaskService
from sayso.tasks.values import AddTask, ListTasks

pytestmark = [pytest.mark.anyio, pytest.mark.long]
YES = ElicitResult(action="accept", content={"confirm": True})


@pytest.fixture(scope="module")
def fresh(make_database):
    made = make_database()
    migrate(made)
    return made


def run(*command):
    subprocess.run(command, check=True)


def sayso(url, *words, typed=None, **more):
    return subprocess.run(
        [SAYSO, *words],
        env=plain_environment() | {"SAYSO_DATABASE_URL": url} | more,
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


async def test_a_person_is_erased_from_every_table_and_the_other_keeps_everything(fresh, redis_url, tmp_path):
    ada, bob = person("ada"), person("bob")
    await live(fresh, ada, "canary yellow")
    await live(fresh, bob, "canary blue")
    assert {table.removeprefix('sayso."').rstrip('"') for table in holding(fresh, bob.id)} >= set(TABLES)
    counter = RateLimit(Settings(env="development", redis_url=redis_url))
    await counter.hit(ada.id)
    await counter.hit(bob.id)
    await counter.close()
    before = rows_of(fresh, bob.id)

    asked = sayso(fresh, "db", "erase", ada.id, typed="no\n", SAYSO_REDIS_URL=redis_url)
    assert asked.returncode == 1
    assert "Nothing was erased." in asked.stderr
    assert holding(fresh, ada.id)

    done = sayso(fresh, "db", "erase", ada.id, typed=f"{ada.id}\n", SAYSO_REDIS_URL=redis_url)
    assert done.returncode == 0, done.stderr
    receipt = json.loads(done.stdout)
    assert set(receipt["rows"]) == {*TABLES, "jobs"}

    assert len(tables(fresh)) > len(TABLES)
    assert holding(fresh, ada.id) == []
    assert holding(fresh, "canary yellow") == []
    dump = tmp_path / "dump.sql"
    run("pg_dump", "--dbname", fresh, "--file", dump)
    text = dump.read_text("utf-8")
    assert ada.id not in text
    assert "yellow" not in text
    assert "canary blue" in text
    assert rows_of(fresh, bob.id) == before
    with redis.Redis.from_url(redis_url) as counted:
        assert len(list(counted.scan_iter(f"*{_hashed(bob.id)}*"))) == 1
        assert list(counted.scan_iter(f"*{_hashed(ada.id)}*")) == []

    proof = sayso(fresh, "db", "erased", ada.id, receipt["receipt"])
    assert proof.returncode == 0
    assert proof.stdout.startswith(f"erased on {datetime.now(UTC):%Y-%m-%d}")
    assert sayso(fresh, "db", "erased", bob.id, receipt["receipt"]).returncode == 1
    async with Database(fresh, connections=1) as database, database.transaction(ERASURES) as on:
        verified = await verify(on, ERASURES)
    assert (verified.intact, verified.entries) == (True, 1)


def _hashed(user):
    return sha256(user.encode()).hexdigest()[:32]


def test_where_the_database_is_away_it_is_said_what_to_do():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    away = sayso(f"postgresql://127.0.0.1:{port}/nobody", "db", "erase", "ada", "--yes")
    assert away.returncode != 0
    assert "Is PostgreSQL running" in away.stderr
    assert "Run it again" in away.stderr


async def test_the_role_of_the_services_may_not_erase(login_url):
    ada = person("ada")
    async with Database(login_url, connections=1) as database:
        await TaskService(database).call(ada, "add_task", AddTask(title="Buy milk"))
    refused = sayso(login_url, "db", "erase", ada.id, "--yes")
    assert refused.returncode == 2
    assert "may not erase" in refused.stderr
    assert "Traceback" not in refused.stderr


async def test_whoever_nothing_is_kept_of_is_not_erased(url):
    refused = sayso(url, "db", "erase", "nobody", "--yes")
    assert refused.returncode == 1
    assert "no data of nobody found" in refused.stderr


@pytest.mark.long
async def test_a_backup_restored_elsewhere_is_the_same_and_goes_on(fresh, make_database, tmp_path):
    ada, bob = person("ada"), person("bob")
    conversation = await live(fresh, ada, "canary yellow")
    await live(fresh, bob, "canary blue")
    backup, restored = tmp_path / "sayso.dump", make_database()
    run("pg_dump", "--format=custom", "--file", backup, "--dbname", fresh)
    run("pg_restore", "--exit-on-error", "--single-transaction", "--dbname", restored, backup)

    assert check(restored, in_production=False) == []
    assert rows_of(restored, ada.id) == rows_of(fresh, ada.id)
    async with Database(restored, connections=2) as database:
        async with database.transaction(ada.id) as on:
            verified = await verify(on, ada.id)
            seen = await on.rows(b"SELECT DISTINCT user_id FROM trail")
        assert (verified.intact, seen) == (True, [(ada.id,)])
        chat = ChatService(database, assistant())
        reply = await chat.message(ada, conversation, "after", "yes")
        assert reply.results, "the question that was open is open still"
        left = await chat.tasks(ada, ListTasks())
        assert [task.title for task in left.tasks] == ["water canary yellow", "buy milk"]
        assert [task.repeat for task in left.tasks] == ["FREQ=DAILY", None]
        assert (await chat.verify(ada)).intact


def versions():
    files = (migrating._HERE / "migrations" / "versions").glob("[0-9]*_*.py")
    return sorted(path.name.partition("_")[0] for path in files)


def migrate_to(url, version):
    """As `sayso db migrate` of the release that this version was the newest of."""
    driver = psycopg.connect(url)
    with create_engine("postgresql+psycopg://", creator=lambda: driver, poolclass=NullPool).begin() as on:
        driver.execute(statement(migrating._HERE / "sql", "roles"))
        config = migrating._config()
        config.attributes["connection"] = on
        command.upgrade(config, version)
        driver.execute("GRANT SELECT ON sayso.schema_version TO sayso_app")


class Worker:
    """Does one thing after the other, for as long as it is told to."""

    def __init__(self, work):
        self._work, self._over, self.done, self.longest = work, False, 0, 0.0

    async def __aenter__(self):
        self._working = asyncio.create_task(self._go_on())
        await self.some_more()
        return self

    async def __aexit__(self, *_):
        self._over = True
        await self._working

    async def some_more(self, count=3):
        """Wait until some more is done."""
        enough = self.done + count
        async with asyncio.timeout(60):
            while self.done < enough and not self._working.done():  # noqa: ASYNC110  what is waited for is a count
                await asyncio.sleep(0.01)

    async def _go_on(self):
        while not self._over:
            began = time.monotonic()
            await self._work(self.done)
            self.done, self.longest = self.done + 1, max(self.longest, time.monotonic() - began)


async def test_the_work_of_the_first_release_goes_on_through_every_migration(make_database):
    """What the first release wrote, in its own words: a user, and a task with its version."""
    made, ada = make_database(), person("ada")
    migrate_to(made, "0001")
    async with EarlierDatabase(made, connections=2) as database:

        async def work(number):
            async with database.transaction(ada.id) as on:
                meet = (
                    b"INSERT INTO users (user_id, zone, language) VALUES (%(user)s, 'UTC', 'en') ON CONFLICT DO NOTHING"
                )
                on.later(meet, user=ada.id)
                add = b"INSERT INTO tasks (user_id, title, title_key) VALUES (%(user)s, %(title)s, %(title)s)"
                on.later(add, user=ada.id, title=f"errand {number}")

        async with Worker(work) as worker:
            for version in versions()[1:]:
                await asyncio.to_thread(migrate_to, made, version)
                await worker.some_more()
    assert worker.longest < 10, f"somebody waited for {worker.longest:.1f} s"
    assert check(made, in_production=False) == []
    with psycopg.connect(made) as on:
        assert on.execute("SELECT count(*) FROM sayso.tasks").fetchone() == (worker.done,)


# What 0.1 did to tasks, statement by statement.
RELEASE_BEFORE = b"""
INSERT INTO tasks (
    user_id, id, title, title_key, description, description_key, priority, due_date, due_time, created_at, updated_at
) VALUES (%(user_id)s, %(id)s, %(title)s, %(title)s, '', '', 'medium', '2026-03-12', '17:00', now(), now());
INSERT INTO words (user_id, word, task_id) VALUES (%(user_id)s, 'errand', %(id)s);
SELECT id, title, description, status, priority, due_date, due_time, created_at, version FROM tasks
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL FOR UPDATE;
UPDATE tasks SET
    title = %(title)s, title_key = %(title)s, description = '', description_key = '', priority = 'high',
    due_date = NULL, due_time = NULL, status = 'pending', completed_at = NULL, updated_at = now(), version = version + 1
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL;
UPDATE tasks SET status = 'completed', completed_at = now(), updated_at = now(), version = version + 1
WHERE user_id = %(user_id)s AND id = %(id)s AND deleted_at IS NULL AND status <> 'completed'
"""


async def test_the_release_before_works_on_while_the_last_migration_runs_and_the_new_one_takes_over(make_database):
    made, ada, before = make_database(), person("ada"), "0010"
    migrate(made)
    hash_partition(made)
    async with EarlierDatabase(made, connections=2) as database:

        async def work(number):
            values = {"user_id": ada.id, "id": uuid4(), "title": f"errand {number}"}
            async with database.transaction(ada.id) as on:
                for each in RELEASE_BEFORE.split(b";"):
                    on.later(each, **values)

        async with Worker(work) as worker:
            assert await asyncio.to_thread(migrate, made) == (before, newest())
            await worker.some_more()
        chat = ChatService(database, assistant())
        conversation = await chat.open(ada)
        assert (await chat.message(ada, conversation, "m1", "reopen errand 0")).results[0].result["changed"]
        assert (await chat.message(ada, conversation, "m2", 'add a task "one more"')).results
        assert (await chat.verify(ada)).intact
        left = await chat.tasks(ada, ListTasks(filter="pending"))
        assert {task.title for task in left.tasks} == {"errand 0", "one more"}
        async with database.transaction(ada.id) as on:
            assert await on.rows(b"SELECT count(*) FROM tasks") == [(worker.done + 1,)]
    assert worker.longest < 10, f"somebody waited for {worker.longest:.1f} s"


async def test_a_migration_does_not_wait_for_ever_and_changes_nothing_then(make_database, monkeypatch):
    made = make_database()
    migrate_to(made, "0001")
    monkeypatch.setattr(migrating, "_PATIENCE", "100ms")
    with psycopg.connect(made) as busy:
        busy.execute("LOCK TABLE sayso.tasks IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(migrating.NotReady, match="Run it again"):
            await asyncio.to_thread(migrate, made)
    with psycopg.connect(made) as on:
        assert on.execute("SELECT version_num FROM sayso.schema_version").fetchone() == ("0001",)


async def test_the_release_before_starts_on_the_new_schema_and_its_migration_changes_nothing(url, monkeypatch):
    monkeypatch.setattr(checking, "newest", lambda: "0001")
    monkeypatch.setattr(migrating, "newest", lambda: "0001")
    assert check(url, in_production=False) == []
    assert migrate(url) == (newest(), newest())


OLD, NEW = "old" * 16, "new" * 16
STEPS = [(OLD,), (OLD, NEW), (NEW, OLD), (NEW,)]  # as docs/operate/run.md has them


def session(keys):
    return Sessions(Settings(env="development", state_keys=keys))


def cookie_of(keys, who):
    answer = Response()
    session(keys).begin(answer, who)
    return answer.headers["set-cookie"].partition(";")[0]


def test_nobody_is_signed_out_while_keys_are_changed():
    ada = person("ada")
    for before, after in pairwise(STEPS):  # replicas of both stand side by side
        assert session(after).find(cookie_of(before, ada)).principal == ada
        assert session(before).find(cookie_of(after, ada)).principal == ada
    kept = [session(STEPS[at]).find(cookie_of(STEPS[0], ada)).principal for at in (1, 2)]
    assert kept == [ada, ada]


def test_what_the_old_key_sealed_counts_no_more_once_it_is_gone():
    assert session(STEPS[3]).find(cookie_of(STEPS[0], person("ada"))) is None


SIDE_BY_SIDE = list(pairwise(STEPS))


@pytest.mark.parametrize(("asking", "answering"), SIDE_BY_SIDE + [(after, before) for before, after in SIDE_BY_SIDE])
async def test_a_question_that_is_open_can_be_answered_while_keys_are_changed(url, asking, answering):
    """Replicas of one step and of the next stand side by side: either may ask, and either be answered."""
    ada = person("ada")
    async with Database(url, connections=2) as database:
        service = TaskService(database)
        await service.call(ada, "add_task", AddTask(title="Buy milk"))

        async def never(_context, _params):
            raise AssertionError

        def replica(keys):
            server = make_server(service, lambda: ada, version="0", state_keys=keys)
            return Client(server, elicitation_callback=never, cache=None)

        given = {"task_identifier": "buy milk"}
        async with replica(asking) as one, replica(answering) as other:
            asked = await one.session.call_tool("delete_task", given, allow_input_required=True)
            done = await other.session.call_tool(
                "delete_task",
                given,
                input_responses={"confirm": YES},
                request_state=asked.request_state,
                allow_input_required=True,
            )
        assert done.structured_content["status"] == "success"
