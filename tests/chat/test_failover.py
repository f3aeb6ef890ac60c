"""A database that fails over without a word: connections stay open and nothing arrives on them any more."""

from __future__ import annotations

import asyncio
import time
from uuid import uuid4

import httpx2
import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from sayso.chat.turns.jobs import Jobs
from sayso.database.pool import Database, Unavailable
from sayso.identity.principal import Principal
from sayso.tasks.serve import http_app, service_of
from sayso.tasks.values import ListTasks
from tcp_proxy import Proxy

pytestmark = pytest.mark.anyio
HEALED = 10  # seconds from the failover until turns succeed again


@pytest.fixture
def proxy(url):
    named = conninfo_to_dict(url)
    made = Proxy(named["host"], int(named.get("port") or 5432))
    yield made
    made.close()


@pytest.fixture
def far_url(url, proxy):
    """The tests' database behind the proxy."""
    return make_conninfo(url, host="127.0.0.1", port=proxy.port)


async def figures(client):
    families = text_string_to_metric_families((await client.get("/metrics")).text)
    return {sample.name: sample.value for family in families for sample in family.samples}


async def status_of(client, path):
    """What a probe is answered with, and after how many seconds."""
    started = time.monotonic()
    status = (await client.get(path)).status_code
    return status, time.monotonic() - started


async def seconds_until(answers):
    """How long it takes until something is answered with 200."""
    started = time.monotonic()
    async with asyncio.timeout(2 * HEALED):
        while (await answers()).status_code != 200:  # noqa: ASYNC110  there is nothing to wait for but an answer
            await asyncio.sleep(0.1)
    return time.monotonic() - started


@pytest.fixture
def say():
    """Says something in a conversation of its own."""

    async def opened(client):
        conversation = (await client.post("/v1/conversations")).json()["id"]

        async def said():
            body = {"client_message_id": str(uuid4()), "content": "show my tasks"}
            return await client.post(f"/v1/conversations/{conversation}/messages", json=body)

        return said

    return opened


async def test_the_chat_service_goes_back_to_work(open_client, proxy, far_url, say):
    async with open_client(database_url=far_url) as client:
        said = await say(client)
        assert (await said()).status_code == 200
        proxy.swallow()
        assert await seconds_until(said) < HEALED
        shown = await figures(client)
        assert (shown["sayso_turns_in_flight"], shown["sayso_database_connections_busy"]) == (0, 0)
        assert shown["sayso_database_failures_total"] == 1


async def test_probes_and_turns_end_while_no_connection_works(open_client, proxy, far_url, say):
    async with open_client(database_url=far_url, database_deadline=1.5, turn_deadline=4) as client:
        said = await say(client)
        proxy.swallows_new = True
        proxy.swallow()
        turn = asyncio.create_task(said())
        await asyncio.sleep(0.1)
        shown = await figures(client)
        assert (shown["sayso_turns_in_flight"], shown["sayso_database_connections_busy"]) == (1, 1)
        started = time.monotonic()
        probes = await asyncio.gather(*(client.get("/readyz") for _ in range(10)), client.get("/healthz"))
        assert time.monotonic() - started < 2
        assert [each.status_code for each in probes] == [503] * 10 + [200]
        assert (await turn).status_code == 503
        proxy.swallows_new = False
        assert await seconds_until(said) < HEALED


async def test_the_task_server_goes_back_to_work(settings, proxy, far_url):
    async with service_of(settings, far_url) as service:
        transport = httpx2.ASGITransport(http_app(service, settings, host="127.0.0.1", port=8080))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
            await service.call(Principal(id="ada"), "list_tasks", ListTasks())
            proxy.swallow()
            status, seconds = await status_of(client, "/readyz")
            assert (status, seconds < 2) == (503, True)
            assert await seconds_until(lambda: client.get("/readyz")) < HEALED
            assert (await service.call(Principal(id="ada"), "list_tasks", ListTasks())).status == "success"


async def test_one_dead_connection_gives_away_the_others(proxy, far_url):
    async with Database(far_url, connections=4, deadline=1) as database:

        async def work(seconds=0.0):
            async with database.transaction("ada") as on:
                await on.row(b"SELECT pg_sleep(%(seconds)s)", seconds=seconds)

        await asyncio.gather(*(work(0.2) for _ in range(4)))
        proxy.swallow()
        with pytest.raises(Unavailable, match="does not answer"):
            await work()
        started = time.monotonic()
        await asyncio.gather(*(work() for _ in range(8)))
        assert time.monotonic() - started < 1


async def test_a_server_that_became_a_standby_is_left(open_client, url):
    """A proxy may lead to a server that was the primary a moment ago: it can be read, but takes no writes."""

    async def become(change):
        options = "-c default_transaction_read_only=off"
        async with await psycopg.AsyncConnection.connect(url, autocommit=True, options=options) as connection:
            await connection.execute(f"ALTER DATABASE {name} {change}")
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
                (name,),
            )

    name = conninfo_to_dict(url)["dbname"]
    async with open_client(database_url=url) as client:
        conversation = (await client.post("/v1/conversations")).json()["id"]

        async def said():
            body = {"client_message_id": str(uuid4()), "content": "add call mum"}
            return await client.post(f"/v1/conversations/{conversation}/messages", json=body)

        assert (await said()).status_code == 200
        try:
            await become("SET default_transaction_read_only = on")
            assert [(await said()).status_code for _ in range(4)] == [503] * 4
        finally:
            await become("RESET default_transaction_read_only")
        assert await seconds_until(said) < HEALED
        assert [(await said()).status_code for _ in range(12)] == [200] * 12  # no connection of before is left


async def test_a_transaction_has_a_deadline_of_its_own(url):
    async with Database(url, turn=0.3) as database:

        async def linger():
            async with database.transaction("ada") as on:
                await on.row(b"SELECT 1")
                await asyncio.sleep(5)

        with pytest.raises(Unavailable, match="too long"):
            await linger()
        async with database.transaction("ada") as on:
            assert await on.row(b"SELECT 1") == (1,)


async def test_jobs_do_not_wait_for_ever(proxy, far_url, monkeypatch):
    monkeypatch.setattr("sayso.database.deadlines.ANSWER", 0.5)
    jobs = Jobs(far_url)
    async with jobs._app.open_async():
        await jobs._app.check_connection_async()
        proxy.swallow()
        started = time.monotonic()
        assert await jobs._app.check_connection_async()
        assert time.monotonic() - started < 4


async def test_connections_watch_the_network(url):
    async with Database(url) as database, database._connection() as connection:
        used = {each.keyword: each.val for each in connection.pgconn.info}
    shown = {name: used[name] for name in (b"connect_timeout", b"keepalives_idle", b"tcp_user_timeout")}
    assert shown == {b"connect_timeout": b"3", b"keepalives_idle": b"5", b"tcp_user_timeout": b"5000"}
