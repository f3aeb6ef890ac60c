"""Clients that begin to send and do not go on: they are given a time, and they keep nobody else out."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager

import httpx2
import pytest
import uvicorn

from sayso.chat.app import make_app
from sayso.chat.turns.service import ChatService
from sayso.database.pool import database_from
from sayso.serving import connection
from sayso.serving.connection import Bounded
from sayso.tasks.service import TOOLS

pytestmark = pytest.mark.anyio

MOST = 60  # connections of the server in these tests
HALF_HEAD = b"GET /v1/tasks HTTP/1.1\r\nHost: x\r\nX-Slow: "
HALF_BODY = b"POST /v1/conversations HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"


@pytest.fixture
def listening(settings, assistant):
    """The app behind a real socket."""

    @asynccontextmanager
    async def opened():
        @asynccontextmanager
        async def open_service(metrics):
            async with database_from(settings, settings.database_url, metrics) as database:
                yield ChatService(database, assistant)

        app = make_app(open_service, settings, tools=TOOLS)
        config = uvicorn.Config(
            app, port=0, http=Bounded, lifespan="on", log_config=None, access_log=False, limit_concurrency=MOST
        )
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110  it tells nobody
            await asyncio.sleep(0.01)
        yield server.servers[0].sockets[0].getsockname()[1]
        server.should_exit = True
        await running

    return opened


async def begin(port, sent):
    """A connection on which this was sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    await writer.drain()
    return reader, writer


async def closed_after(reader):
    """What came until the server closed the connection, and after how many seconds."""
    started = time.monotonic()
    async with asyncio.timeout(10):
        said = await reader.read()
    return said, time.monotonic() - started


async def test_half_sent_heads_keep_nobody_out(listening, monkeypatch, sign_in):
    monkeypatch.setattr(connection, "MOST_STRANGERS", MOST // 2)
    headers = {"Authorization": f"Bearer {sign_in()}"}
    async with listening() as port, httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=10) as client:
        assert (await client.get("/v1/tasks", headers=headers)).status_code == 200
        opened = [await begin(port, HALF_HEAD) for _ in range(2 * MOST)]
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=10) as newcomer:
            answers = [await newcomer.get(path, headers=headers) for path in ("/healthz", "/readyz", "/v1/tasks")]
        assert [each.status_code for each in answers] == [200] * 3
        assert (await client.get("/v1/tasks", headers=headers)).status_code == 200  # it proved itself, and stayed
        for _, writer in opened:
            writer.close()


async def test_probes_are_answered_however_many_connections_there_are(listening):
    async with listening() as port:
        opened = [await begin(port, HALF_HEAD) for _ in range(MOST + 5)]
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=10) as client:
            paths = ("/v1/session", "/healthz", "/readyz")
            assert [(await client.get(path)).status_code for path in paths] == [503, 200, 200]
        for _, writer in opened:
            writer.close()


@pytest.mark.parametrize("sent", [b"", b"GET", HALF_HEAD])
async def test_a_head_has_a_deadline(listening, monkeypatch, sent):
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.3)
    async with listening() as port:
        reader, writer = await begin(port, sent)
        said, seconds = await closed_after(reader)
        writer.close()
    assert said.startswith(b"HTTP/1.1 408 ")
    assert 0.2 < seconds < 3


async def test_a_head_that_drips_has_no_more_time(listening, monkeypatch):
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.5)
    async with listening() as port:
        reader, writer = await begin(port, HALF_HEAD)
        closed = asyncio.create_task(closed_after(reader))
        while not closed.done():
            writer.write(b"x")
            await asyncio.wait({closed}, timeout=0.1)
        said, _ = await closed
        writer.close()
    assert said.startswith(b"HTTP/1.1 408 ")


async def test_a_body_has_a_deadline(listening, monkeypatch, sign_in):
    monkeypatch.setattr(connection, "BODY_SECONDS", 0.3)
    head = HALF_BODY + f"Content-Type: application/json\r\nAuthorization: Bearer {sign_in()}\r\n\r\n".encode()
    async with listening() as port:
        conversations = head.replace(b"/v1/conversations", b"/v1/tasks")
        reader, writer = await begin(port, conversations + b'{"title"')
        said, seconds = await closed_after(reader)
        writer.close()
    assert said.startswith(b"HTTP/1.1 408 ")
    assert seconds < 3
