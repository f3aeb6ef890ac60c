"""The trail and the used answers of a gateway in PostgreSQL: one chain a user, whichever gateways write it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from uuid import uuid4

import httpx2
import psycopg
import pytest
from behind import NEW
from fronts import ENVIRONMENT, KEY, at, connected, over_http, over_stdio, write
from mcp_types import ElicitResult

from sayso.database.migrate import migrate
from sayso.database.pool import Database, Unavailable
from sayso.errors import BadSetting, NotReady
from sayso.gateway.proxy import make_server
from sayso.gateway.serve import open_gateway
from sayso.gateway.trail.ledger import LedgerTrail, LedgerUsed
from sayso.ledger.chain import Event
from sayso.ledger.trail import read, verify
from sayso.settings import Settings

pytestmark = pytest.mark.anyio

YES = ElicitResult(action="accept", content={"answer": True})
ADD = ("add_task", {"title": "Buy bread"}, "add buy bread")


def settings(url, user=None):
    return Settings(env="production", database_url=url, state_keys=(KEY,), stdio_user=user)


@pytest.fixture
def who():
    return f"ada {uuid4()}"


@pytest.fixture
def file(tmp_path, servers):
    return write(tmp_path, one=servers["new_http"])


@asynccontextmanager
async def calling(file, url, user):
    """A client of a gateway with its trail in the ledger."""
    async with open_gateway(file, lambda: user, settings(url)) as gateway:
        server = make_server(gateway, version="0", state_keys=(KEY,))
        async with connected(server, NEW) as caller:
            caller.answer = lambda _params: YES
            yield caller


async def verified(url, user):
    async with Database(url, connections=1) as database, database.transaction(user) as on:
        return await verify(on, user)


async def entries(url, user, of=None):
    """The trail of a user as another may see it, or as they do themselves."""
    async with Database(url, connections=1) as database, database.transaction(user) as on:
        return await read(on, of or user, 0, 1000)


def sayso(file, url, *arguments, command="trail", **more):
    environment = ENVIRONMENT | {"SAYSO_DATABASE_URL": url} | more
    line = [sys.executable, "-m", "sayso.cli", command, *arguments, "--config", file]
    nothing = subprocess.DEVNULL
    return subprocess.run(line, env=environment, stdin=nothing, capture_output=True, encoding="utf-8", check=False)


async def test_what_happens_is_read_replayed_and_verified_by_the_same_commands(file, url, who):
    async with calling(file, url, who) as caller:
        assert not (await caller.call("list_tasks")).is_error
        assert not (await caller.call(*ADD)).is_error
        assert not (await caller.call("delete_task", {"task_identifier": "Buy milk"}, "delete buy milk")).is_error
    kinds = [entry.kind for entry in await entries(url, who)]
    assert kinds == [
        *("judged", "call"),
        *("things", "judged", "call"),
        *("judged", "question", "answer", "call"),
    ]
    assert not (file.parent / "gateway.sayso" / "trail.jsonl").exists()
    here = {"SAYSO_STDIO_USER": who}  # whose trail it is where nobody is named
    listed = sayso(file, url, "list", **here)
    assert "one delete_task answered: yes delete buy milk" in " ".join(listed.stdout.split())
    assert "delete_task" in sayso(file, url, "list", "--after", "7", "--limit", "1", "--user", who).stdout
    assert '"message": "add buy bread"' in sayso(file, url, "explain", "4", "--user", who).stdout
    assert sayso(file, url, "replay", **here).stdout == "3 calls are decided the same, 0 differently\n"
    assert sayso(file, url, "verify", "--user", who).stdout.startswith("intact: 9 entries")
    with psycopg.connect(url) as connection:
        connection.execute(
            "UPDATE sayso.trail SET body = replace(body, 'bread', 'bombs') WHERE user_id = %s AND number = 4", (who,)
        )
    found = sayso(file, url, "verify", **here)
    assert (found.returncode, "the content of entry 4 was changed" in found.stdout) == (1, True)


async def test_what_an_entry_says_is_erased_with_a_receipt(file, url, who):
    async with Database(url, connections=1) as database:
        await LedgerTrail(database).add(who, [Event("call", {"text": "bread"}), Event("call", {"text": "milk"})])
    assert sayso(file, url, "erase", "2", "--user", who).stdout == "erased: 2\n"
    assert sayso(file, url, "verify", "--user", who).stdout.startswith("intact: 3 entries, 1 of them erased, ")
    assert sayso(file, url, "erase", "1", "--user", "sayso:erasures").returncode == 2


async def test_nobody_sees_the_trail_of_another(file, url, who):
    async with calling(file, url, who) as caller:
        await caller.call(*ADD)
    other = f"bob {uuid4()}"
    assert await entries(url, who)
    assert await entries(url, other, of=who) == []
    assert await entries(url, other) == []


async def test_gateways_that_write_at_once_leave_one_chain(file, url, who):
    async with calling(file, url, who) as one, calling(file, url, who) as other:
        await asyncio.gather(*(each.call(*ADD) for each in (one, other) * 10))
    found = await verified(url, who)
    assert found.intact, found.problem
    kinds = [entry.kind for entry in await entries(url, who)]
    assert (kinds.count("judged"), kinds.count("call")) == (20, 20)


async def test_a_yes_counts_once_for_gateways_that_share_nothing_but_the_database(tmp_path, servers, ran, url, who):
    files = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        files.append(write(tmp_path / name, one=servers["new_http"]))
    call = ("delete_task", {"task_identifier": "Buy milk"})
    async with calling(files[0], url, who) as here, calling(files[1], url, who) as there:
        asked = await here.client.session.call_tool(*call, allow_input_required=True)
        answered = await asyncio.gather(
            *(
                each.client.session.call_tool(
                    *call, input_responses={"answer": YES}, request_state=asked.request_state, allow_input_required=True
                )
                for each in (here, there) * 4
            )
        )
    assert [name for name, _given in ran()] == ["delete_task"]
    statuses = [(each.structured_content or {}).get("status") for each in answered]
    assert statuses.count("refused") == 7


@contextmanager
def away(url):
    """The database ends every connection, and lets nobody in."""
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    with psycopg.connect(psycopg.conninfo.make_conninfo(url, dbname="postgres"), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        lose(connection, name)
        yield
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


def lose(connection, name):
    connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))


@pytest.mark.long
async def test_nothing_runs_while_the_database_is_away_and_all_works_when_it_is_back(file, make_database, ran, who):
    url = make_database()
    migrate(url)
    async with (
        over_http(file, sessions=False, settings=settings(url, who)) as address,
        httpx2.AsyncClient(timeout=60) as http,
    ):
        ready = address.replace("/mcp", "/readyz")
        async with connected(at(address), NEW) as caller:
            assert not (await caller.call(*ADD)).is_error
            assert not (await caller.call("list_tasks")).is_error
            with away(url):
                for call in (ADD, ("list_tasks",)):  # the long way, and the short one
                    refused = await caller.call(*call)
                    assert refused.structured_content["status"] == "unrecorded"
                    assert "the database does not answer" in refused.structured_content["message"]
                await asyncio.sleep(1)  # an answer of the database is believed for a second
                assert (await http.get(ready, timeout=30)).status_code == 503
            assert ran() == [("add_task", {"title": "Buy bread"})]
            assert not (await caller.call(*ADD)).is_error
            assert not (await caller.call("list_tasks")).is_error
            assert (await http.get(ready, timeout=30)).status_code == 200
    found = await verified(url, who)
    assert found.intact, found.problem


async def test_connections_that_were_lost_meanwhile_are_not_noticed(file, make_database, who):
    url = make_database()
    migrate(url)
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    async with calling(file, url, who) as caller:
        await caller.call(*ADD)
        with psycopg.connect(psycopg.conninfo.make_conninfo(url, dbname="postgres"), autocommit=True) as connection:
            lose(connection, name)
        assert not (await caller.call(*ADD)).is_error
    kinds = [entry.kind for entry in await entries(url, who)]
    assert (kinds.count("judged"), kinds.count("call")) == (2, 2)


class Losing(Database):
    """Loses sight of its first commit, which came through."""

    lost = False

    @asynccontextmanager
    async def transaction(self, user_id):
        async with super().transaction(user_id) as on:
            yield on
        if not self.lost:
            self.lost = True
            raise Unavailable("the connection is lost")


async def test_what_was_written_is_not_written_again_where_the_answer_to_a_commit_is_lost(url, who):
    async with Losing(url) as database:
        await LedgerTrail(database).add(who, [Event("call", {"number": 1}), Event("call", {"number": 2})])
    assert [json.loads(entry.body)["number"] for entry in await entries(url, who)] == [1, 2]
    assert (await verified(url, who)).intact


async def test_an_answer_stays_ours_where_the_answer_to_a_commit_is_lost(url, who):
    identifier = str(uuid4())
    async with Losing(url) as database:
        used = LedgerUsed(database)
        assert await used.claim(identifier, who)
        assert not await used.claim(identifier, who)
        assert not await used.claim("../../etc", who)


async def test_a_database_without_the_ledger_is_one_that_cannot_be_written(make_database, who):
    async with Database(make_database()) as database:
        with pytest.raises(NotReady):
            await LedgerTrail(database).add(who, [Event("call", {})])


async def test_things_that_were_not_written_are_written_with_the_next_call(file, make_database, who):
    url = make_database()
    migrate(url)
    async with calling(file, url, who) as caller:
        await caller.call("list_tasks")
        with away(url):
            assert (await caller.call(*ADD)).is_error
        assert not (await caller.call(*ADD)).is_error
    assert sayso(file, url, "replay", "--user", who).stdout == "2 calls are decided the same, 0 differently\n"


async def test_the_gateways_file_may_keep_its_trail_beside_it(file, url, who):
    told = json.loads(file.read_text()) | {"sayso": {"trail": "file"}}
    file.write_text(json.dumps(told))
    async with calling(file, url, who) as caller:
        await caller.call(*ADD)
    assert await entries(url, who) == []
    assert sayso(file, url, "verify").stdout.startswith("intact: 3 entries")


async def test_a_ledger_that_is_wanted_needs_a_database(file):
    file.write_text(json.dumps(json.loads(file.read_text()) | {"sayso": {"trail": "ledger"}}))
    with pytest.raises(BadSetting, match="SAYSO_DATABASE_URL"):
        async with open_gateway(file, lambda: "ada", Settings(env="production")):
            pass


async def test_the_gateway_that_a_client_starts_writes_for_the_user_of_this_machine(file, url, who):
    started = over_stdio(file)
    more = {"SAYSO_DATABASE_URL": url, "SAYSO_ENV": "development", "SAYSO_STDIO_USER": who}
    started.env |= more
    async with connected(started, NEW) as caller:
        assert not (await caller.call(*ADD)).is_error
    assert [entry.kind for entry in await entries(url, who)] == ["things", "judged", "call"]


async def test_a_database_that_was_never_migrated_is_told_of_at_the_start(file, make_database):
    done = sayso(file, make_database(), command="gateway", SAYSO_ENV="development")
    assert done.returncode == 2
    assert "sayso db migrate" in done.stderr
