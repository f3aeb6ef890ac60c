"""The gateway before the real task server, which asks before it deletes, in both eras on either side."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from uuid import uuid4

import httpx2
import pytest
from behind import NEW, OLD
from fronts import ENVIRONMENT, connected, in_memory, write
from mcp_types import ElicitResult

from sayso.identity.development import issue
from sayso.settings import Settings

pytestmark = [pytest.mark.anyio, pytest.mark.long]

COMMAND = [sys.executable, "-m", "sayso.cli", "mcp", "tasks"]
KEY = ENVIRONMENT["SAYSO_STATE_KEYS"]


@pytest.fixture(scope="module")
def environment(url):
    return ENVIRONMENT | {"SAYSO_DATABASE_URL": url, "SAYSO_ENV": "development"}


@contextmanager
def serving(environment, port):
    """`sayso mcp tasks` over HTTP, once it is ready."""
    process = subprocess.Popen([*COMMAND, "--transport", "http", "--port", str(port)], env=environment)
    try:
        for _ in range(600):
            assert process.poll() is None, "the server ended"
            try:
                if httpx2.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                    break
            except httpx2.TransportError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def over_http(environment):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with serving(environment, port) as url:
        yield url


def server(way, environment, request):
    """The task server as the gateway's file names it, for somebody with no tasks yet."""
    who = f"user-{uuid4().hex[:12]}"
    if way == "stdio":
        return {"command": COMMAND[0], "args": COMMAND[1:], "env": environment | {"SAYSO_STDIO_USER": who}}
    token = issue(Settings(env="development", state_keys=(KEY,)), who)
    return {"url": request.getfixturevalue("over_http"), "headers": {"Authorization": f"Bearer {token}"}}


def agree(params):
    """Yes to the gateway, and yes to the server."""
    (field,) = params.requested_schema["properties"]
    return ElicitResult(action="accept", content={field: True})


async def titles(caller):
    return [task["title"] for task in (await caller.call("list_tasks")).structured_content["tasks"]]


@pytest.mark.parametrize("way", ["stdio", "http"])
@pytest.mark.parametrize("era", [NEW, OLD])
async def test_tasks_are_added_chosen_and_deleted_through_the_gateway(tmp_path, environment, request, way, era):
    told = server(way, environment, request) | {"sayso": {"pack": "tasks"}}
    async with in_memory(write(tmp_path, tasks=told)) as gateway, connected(gateway, era) as caller:
        for title in ("Call mom", "Call the bank", "Buy milk"):
            added = await caller.call("add_task", {"title": title}, f"add {title}, high priority")
            assert added.structured_content["task"]["priority"] == "high"
        assert caller.asked == []

        caller.answer = lambda _params: ElicitResult(action="accept", content={"answer": "Call the bank"})
        done = await caller.call("complete_task", {"task_identifier": "call"}, "complete the call")
        assert done.structured_content["task"]["title"] == "Call the bank"

        caller.asked.clear()
        caller.answer = agree
        gone = await caller.call("delete_task", {"task_identifier": "Buy milk"}, "delete buy milk")
        assert gone.structured_content["status"] == "success"
        asked = [params.message.partition("\n")[0] for params in caller.asked]
        assert asked == ['Delete "Buy milk"?', 'tasks asks: Delete "Buy milk"?']  # the gateway, then the server
        assert await titles(caller) == ["Call mom", "Call the bank"]

        caller.answer = lambda _params: ElicitResult(action="decline")
        kept = await caller.call("delete_task", {"task_identifier": "Call mom"}, "delete call mom")
        assert kept.structured_content["status"] == "declined"
        assert await titles(caller) == ["Call mom", "Call the bank"]


async def test_the_person_is_asked_once_where_the_operator_leaves_it_to_the_server(tmp_path, environment, request):
    told = server("http", environment, request) | {
        "sayso": {"pack": "tasks", "tools": {"delete_task": {"risk": "write"}}}
    }
    async with in_memory(write(tmp_path, tasks=told)) as gateway, connected(gateway, NEW) as caller:
        await caller.call("add_task", {"title": "Buy milk"}, "add buy milk")
        caller.answer = agree
        gone = await caller.call("delete_task", {"task_identifier": "Buy milk"}, "delete buy milk")
        assert gone.structured_content["status"] == "success"
        assert len(caller.asked) == 1
