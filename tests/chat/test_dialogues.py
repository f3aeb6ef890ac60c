"""Whole conversations over HTTP, from the first word to the list as it is afterwards (dialogues/*.yaml)."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple
from uuid import uuid4

import httpx2
import msgspec
import pytest
import uvicorn
from psycopg.conninfo import make_conninfo

from clock import Clock
from dialogue import calls, contents, decisions, load, options, whole
from sayso.chat.app import make_app
from sayso.chat.turns.model import ModelTier
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Database
from sayso.identity.development import issue
from sayso.identity.principal import Principal
from sayso.settings import Settings
from sayso.tasks import operations
from sayso.tasks.service import TOOLS
from sayso.tasks.values import AddTask, CompleteTask, ListTasks

pytestmark = pytest.mark.anyio

KEY = "0123456789abcdef0123456789abcdef"
DIALOGUES = load()
MISSES = {name: [pytest.mark.xfail(reason=each.misses)] for name, each in DIALOGUES.items() if each.misses}


class Scripted:
    """A stand-in for a model: makes the calls that the turn gives it, and says what it is told to."""

    def __init__(self):
        self.turn = None

    async def answer(self, *, judge, **_):
        for call in self.turn.proposes:
            ((tool, arguments),) = call.items()
            if (await judge(tool, arguments)).stop:
                return ""
        return self.turn.tells


class OverHttp:
    """A conversation over HTTP."""

    def __init__(self, client):
        self._client = client

    async def open(self):
        return (await self._post("/v1/conversations"))["id"]

    async def says(self, conversation, message):
        body = {"client_message_id": uuid4().hex, "content": message}
        return await self._post(f"/v1/conversations/{conversation}/messages", body)

    async def answers(self, card, answer):
        return await self._post(f"/v1/confirmations/{card['id']}", {"answer": answer, "digest": card["digest"]})

    async def _post(self, address, body=None):
        answer = await self._client.post(address, json=body)
        assert answer.is_success, answer.text
        return answer.json()


@asynccontextmanager
async def serving(service, settings):
    """The address of a server for this service, on loopback."""

    @asynccontextmanager
    async def opened(_metrics):
        yield service

    app = make_app(opened, settings, tools=TOOLS)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
        running = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:  # noqa: ASYNC110  it tells in no other way
            await asyncio.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        await running


@pytest.fixture(scope="session")
def url(url):
    """The database, without waiting for the disk: there are many turns, and none is to outlive a crash."""
    return make_conninfo(url, options="-c synchronous_commit=off")


class Served(NamedTuple):
    """A chat service, and a server for it."""

    service: ChatService
    address: str
    settings: Settings

    @asynccontextmanager
    async def talk(self, who):
        headers = {"Authorization": f"Bearer {issue(self.settings, who.id, zone=who.zone)}"}
        async with httpx2.AsyncClient(timeout=60, base_url=self.address, headers=headers) as client:
            yield OverHttp(client)


@pytest.fixture(scope="module")
def clock():
    return Clock()


@pytest.fixture(scope="module")
def model():
    return Scripted()


@pytest.fixture(scope="module")
async def served(url, assistant, clock, model, anyio_backend):  # noqa: ARG001  one event loop for both
    """The services for all dialogues: without a model, and with one. Every dialogue brings its own user."""
    settings = Settings(env="development", database_url=url, state_keys=(KEY,))
    tier = ModelTier(model, [], deadline=5, claims=lambda *_: True)
    async with Database(url, connections=4) as database, AsyncExitStack() as stack:
        found = []
        for more in ({}, {"model": tier}):
            service = ChatService(database, assistant, clock=clock, **more)
            found.append(Served(service, await stack.enter_async_context(serving(service, settings)), settings))
        yield found


async def listed(service, who):
    return msgspec.to_builtins((await service.tasks(who, ListTasks(limit=100))).tasks)


async def prepare(service, who, tasks, clock):
    """Put tasks on the list, one after the other."""
    for each in map(whole, tasks):
        status = each.pop("status")
        clock.pass_by(seconds=1)
        async with service.acting(who) as (on, person):
            made = await operations.add(on, person, AddTask(**each))
            if status == "completed":
                await operations.complete(on, person, CompleteTask(task_identifier=made.task_id))


@pytest.mark.parametrize("name", [pytest.param(name, marks=MISSES.get(name, []), id=name) for name in DIALOGUES])
async def test_what_is_said_comes_to_what_it_should(served, model, clock, name):
    dialogue, ada = DIALOGUES[name], f"Ada {uuid4()}"
    who = Principal(id=ada, name=ada, zone="Europe/Rome")
    service = served[any(turn.proposes for turn in dialogue.turns)]
    clock.now = Clock().now
    await prepare(service.service, who, dialogue.tasks, clock)
    async with service.talk(who) as talk:
        here, elsewhere = await talk.open(), await talk.open()
        card = None
        for number, turn in enumerate(dialogue.turns, 1):
            before, model.turn = await listed(service.service, who), turn
            clock.pass_by(seconds=1)
            if turn.answers:
                reply = await talk.answers(card, turn.answers)
            else:
                reply = await talk.says(elsewhere if turn.elsewhere else here, turn.says)
            card = reply["confirmation"]
            after = await listed(service.service, who)
            check(turn, f"turn {number}: {turn.says or turn.answers}", before, reply, after)


def check(turn, where, before, reply, after):
    """All that a turn came to is what it should."""
    names = {task["id"]: task["title"] for task in [*after, *before]}
    assert calls(reply, names) == turn.calls, where
    assert (reply["confirmation"] or {}).get("card") == turn.card, where
    expected = contents(before) if turn.left is None else contents([whole(each) for each in turn.left])
    assert contents(after) == expected, where
    if turn.decides is not None:
        assert decisions(reply) == turn.decides, where
    if turn.options is not None:
        assert options(reply) == turn.options, where
    if isinstance(turn.reply, str):
        assert reply["reply"] == turn.reply, where
    for part in turn.reply if isinstance(turn.reply, list) else []:
        assert part in reply["reply"], where
    assert reply["reply"], where
