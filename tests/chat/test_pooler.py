"""Turns through a real PgBouncer that hands out a connection for each transaction."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from benchmarks.scale import stack
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Database
from sayso.identity.principal import Principal

pytestmark = pytest.mark.anyio
WORDS = ("add a task to buy milk", "make it high priority", "delete it", "yes", "undo", "show my tasks")


@pytest.fixture
def bouncer(url, tmp_path_factory):
    """PgBouncer with two connections to the tests' database; left out where there is none."""
    if stack.bouncer_version() is None:
        pytest.skip("no pgbouncer: apt install pgbouncer, or name one in SAYSO_PGBOUNCER")
    folder = tmp_path_factory.mktemp("bouncer")
    for each in (folder, *folder.parents[:3]):
        each.chmod(0o755)
    started = stack.Bouncer(folder, int(conninfo_to_dict(url).get("port") or 5432), pool=2)
    yield make_conninfo(url, host="127.0.0.1", port=started.port), stack.bouncer_prepares()
    started.stop()


@pytest.mark.parametrize("prepare", [False, True])
async def test_turns_of_many_people_at_once_share_two_connections(bouncer, assistant, prepare):
    url, knows_prepared = bouncer
    if prepare and not knows_prepared:
        pytest.skip("this pgbouncer knows no prepared statements; 1.21 does")
    async with Database(url, prepare=prepare) as database:
        service = ChatService(database, assistant)

        async def talk():
            who = Principal(id=f"pooled {uuid4()}")
            conversation = await service.open(who)
            replies = [await service.message(who, conversation, words, words) for words in WORDS]
            return [task["title"] for task in replies[-1].results[0].result["tasks"]], await service.verify(who)

        came = await asyncio.gather(*(talk() for _ in range(8)))
    assert [titles for titles, _ in came] == [["buy milk"]] * 8
    assert all(verified.intact for _, verified in came)
