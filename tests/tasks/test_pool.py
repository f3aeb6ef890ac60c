"""Transactions: one user's rows, all or nothing, and a connection that stays usable after an error."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import psycopg
import pytest

from sayso.database.pool import Database
from sayso.serving.person import Person
from sayso.tasks import operations
from sayso.tasks.service import TaskService
from sayso.tasks.values import AddTask, CompleteTask, ListTasks

pytestmark = pytest.mark.anyio
PERSON = {"name": None, "email": None, "zone": ZoneInfo("UTC"), "language": "en", "now": datetime.now(UTC)}


async def test_a_transaction_needs_a_user(url):
    async with Database(url) as database:
        with pytest.raises(ValueError, match="a user"):
            async with database.transaction(""):
                pass


@pytest.mark.parametrize(
    "name",
    [
        "x', true); SELECT set_config('role', 'postgres', true) --",
        "x\\', true); SELECT set_config('role', 'postgres', true) --",
        "x\\\\'' E'\\' $1 %s %(user_id)s %% ; ä 🎂",
        "x\n-- \r\t'",
    ],
)
async def test_a_user_s_name_cannot_be_more_than_a_name(url, name):
    async with Database(url) as database, database.transaction(name) as on:
        found = await on.row(b"SELECT current_setting('app.user_id'), current_user")
    assert found == (name, "sayso_app")


async def test_nothing_of_one_transaction_is_left_for_the_next(url):
    async with Database(url, connections=1) as database:
        async with database.transaction("ada") as on:
            await on.row(b"SELECT 1")
        async with database._pool.connection() as connection:
            left = await (
                await connection.execute("SELECT current_setting('app.user_id', true), current_user")
            ).fetchone()
    assert left[0] in (None, "")
    assert left[1] != "sayso_app"


async def test_an_exception_undoes_what_was_done(url, who):
    async with Database(url) as database:
        service = TaskService(database)
        await service.call(who, "add_task", AddTask(title="Buy milk"))

        async def fail():
            async with database.transaction(who.id) as on:
                assert len(await on.rows(b"DELETE FROM tasks RETURNING id")) == 1
                raise RuntimeError

        with pytest.raises(RuntimeError):
            await fail()
        assert (await service.call(who, "list_tasks", ListTasks())).count == 1


async def test_an_error_while_a_statement_is_prepared_spoils_nothing(url):
    query = b"SELECT 1 / %(by)s::integer"
    async with Database(url, connections=1) as database:
        with pytest.raises(psycopg.errors.DivisionByZero):
            async with database.transaction("ada") as on:
                on.later(query, by=0)
        for _ in range(3):
            async with database.transaction("ada") as on:
                assert await on.row(query, by=1) == (1,)


@pytest.mark.parametrize("prepare", [True, False])
async def test_calls_work_with_and_without_prepared_statements(url, who, prepare):
    async with Database(url, prepare=prepare, connections=1) as database:
        service = TaskService(database)
        for number in range(8):
            added = await service.call(
                who, "add_task", AddTask(title=f"Pay 100% of bill {number}"), key=f"key {number}"
            )
            assert added.status == "success"
        listed = await service.call(who, "list_tasks", ListTasks(search="100% bill"))
    assert listed.count == 8


async def test_a_connection_on_which_a_call_failed_serves_the_next(url, who):
    async with Database(url, connections=1) as database:
        service = TaskService(database)
        await service.call(who, "add_task", AddTask(title="Buy milk"))
        for _ in range(12):  # until the driver itself prepares what it sees often
            await service.call(who, "complete_task", CompleteTask(task_identifier="Buy milk"))
            await service.call(who, "list_tasks", ListTasks())

        async def fail():
            async with database.transaction(who.id) as on:
                await on.row(b"SELECT 1")
                raise RuntimeError

        with pytest.raises(RuntimeError):
            await fail()
        for _ in range(3):
            assert (await service.call(who, "list_tasks", ListTasks())).status == "success"
            await service.call(who, "complete_task", CompleteTask(task_identifier="Buy milk"))


@pytest.mark.parametrize("more", ["", " options='-c work_mem=5MB'"])
async def test_a_statement_that_nobody_waits_for_ends_by_itself(url, more):
    async with Database(url + more, connections=1) as database, database.transaction("ada") as on:
        names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "work_mem")
        shown = [(await on.row(b"SELECT current_setting(%(name)s)", name=name))[0] for name in names]
    assert shown == ["30s", "10s", "30s", "5MB" if more else "4MB"]


async def test_a_statement_that_is_given_up_leaves_nothing_behind(url):
    async with Database(url, connections=1) as database:

        async def wait_long():
            async with database.transaction("ada") as on:
                await on.row(b"SELECT pg_sleep(20)")

        waiting = asyncio.create_task(wait_long())
        await asyncio.sleep(0.3)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        async with database.transaction("ada") as on:
            running = b"SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND state = 'active'"
            assert await on.row(running + b" AND pid <> pg_backend_pid() AND datname = current_database()") == (0,)


async def test_of_statements_that_go_together_none_counts_when_one_fails(url, who):
    async with Database(url, connections=1) as database:
        service = TaskService(database)

        async def fail():
            async with database.transaction(who.id) as on:
                await operations.add(on, Person(id=who.id, **PERSON), AddTask(title="Buy milk"))
                on.later(b"SELECT 1 / %(by)s::integer", by=0)
                await on.rows(b"SELECT 1")

        with pytest.raises(psycopg.errors.DivisionByZero):
            await fail()
        assert (await service.call(who, "list_tasks", ListTasks())).count == 0
