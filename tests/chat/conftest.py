"""The chat service over the tests' own database and Redis: by itself with a clock that can be set, over HTTP in this
process, and as `sayso serve`."""

from __future__ import annotations

import io
import json
import logging
import os
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest
import structlog
import uvicorn

from clock import Clock
from sayso.assistant.converse import Assistant
from sayso.chat.app import make_app
from sayso.chat.telemetry.logs import configure_logs
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Database, database_from
from sayso.decider import Decider
from sayso.identity.development import issue
from sayso.identity.principal import Principal
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.settings import Settings
from sayso.tasks.hands import UNDO_DAYS
from sayso.tasks.service import TOOLS

KEY = "0123456789abcdef0123456789abcdef"
SAYSO = Path(sys.executable).with_name("sayso")


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def assistant():
    return Assistant(Decider.installed(), load_answers(pack_folder("tasks")), undo_days=UNDO_DAYS)


@pytest.fixture
def settings(url, redis_url):
    return Settings(env="development", database_url=url, state_keys=(KEY,), redis_url=redis_url, timezone="Europe/Rome")


@pytest.fixture
def logged(monkeypatch):
    """What is logged, line by line, as `sayso serve` logs it."""
    written, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    monkeypatch.setattr("sys.stderr", written)
    uvicorn.Config("nothing:app", log_level="error")  # as a server that ran in this process before has set them up
    configure_logs()
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def sign_in(settings):
    """A token for somebody of whom nobody has heard before."""

    def signed(name="ada", **more):
        return issue(settings, f"{name}-{uuid4().hex[:12]}", **more)

    return signed


@pytest.fixture
def open_client(settings, assistant, sign_in):
    """A client of the app in this process, signed in unless told otherwise; settings and service can be changed."""

    @asynccontextmanager
    async def opened(*, token=None, service=None, spans=None, peer=("127.0.0.1", 40000), **changed):
        ours = settings.model_copy(update=changed)

        @asynccontextmanager
        async def open_service(metrics):
            async with database_from(ours, ours.database_url, metrics) as database:
                yield (service or ChatService)(database, assistant, zone=ours.timezone)

        app = make_app(open_service, ours, tools=TOOLS, spans=spans)
        token = sign_in() if token is None else token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx2.ASGITransport(app, client=peer)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url="http://sayso.test", headers=headers) as client,
        ):
            yield client

    return opened


@pytest.fixture
async def client(open_client, anyio_backend):  # noqa: ARG001  one event loop for both
    async with open_client() as opened:
        yield opened


@pytest.fixture
def environment(root, url, redis_url):
    """The variables of a process that serves this database."""
    ours = {
        "SAYSO_DATABASE_URL": url,
        "SAYSO_ENV": "development",
        "SAYSO_STATE_KEYS": KEY,
        "SAYSO_REDIS_URL": redis_url,
        "SAYSO_TIMEZONE": "Europe/Rome",
        "PYTHONPATH": str(root / "src"),
    }
    return {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")} | ours


@pytest.fixture
def serve(environment):
    """Starts `sayso serve`; its address, once it is ready, and the process."""
    started = []

    def start(*options, **more):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [SAYSO, "serve", "--port", str(port), *options]
        process = subprocess.Popen(command, env=environment | more, stderr=subprocess.PIPE, encoding="utf-8")
        started.append(process)
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            assert process.poll() is None, process.stderr.read()
            with suppress(httpx2.TransportError):
                if httpx2.get(f"{address}/readyz").status_code == 200:
                    return address, process
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    yield start
    for process in started:
        process.terminate()
        process.communicate(timeout=40)


@pytest.fixture
def who():
    """Somebody whom no other test knows."""
    return Principal(id=f"ada {uuid4()}", name="Ada", zone="Europe/Rome", language="en")


@pytest.fixture
def other():
    return Principal(id=f"bob {uuid4()}", name="Bob", zone="Europe/Rome", language="en")


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def open_chat(url, assistant, clock):
    """Opens a chat service."""

    @asynccontextmanager
    async def opened(**more):
        async with Database(url, connections=4) as database:
            yield ChatService(database, assistant, **{"clock": clock} | more)

    return opened


@pytest.fixture
async def chat(open_chat, anyio_backend):  # noqa: ARG001  one event loop for both
    async with open_chat() as service:
        yield service


class Talk:
    """A conversation, one message after the other."""

    def __init__(self, service, who, conversation):
        self._service, self._who, self.conversation = service, who, conversation
        self._number = 0
        self.last = None

    async def __call__(self, message):
        self._number += 1
        self.last = await self._service.message(self._who, self.conversation, f"m{self._number}", message)
        return self.last.reply

    async def answer(self, answer, digest=None, items=None):
        card = self.last.confirmation
        return await self._service.confirm(self._who, card.id, digest or card.digest, yes=answer == "yes", items=items)


@pytest.fixture
def talk_with():
    async def begin(service, who):
        return Talk(service, who, await service.open(who))

    return begin


@pytest.fixture
async def talk(chat, who, talk_with):
    return await talk_with(chat, who)
