"""Servers that fail: the client is told so within the deadline, and the next call works once they are well again."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import asynccontextmanager

import anyio
import pytest
from behind import NEW, OLD, Behind, Serving, http_app
from fronts import HERE, at, behind_http, behind_stdio, connected, in_memory, over_http, write
from mcp.shared.exceptions import MCPError

from sayso.gateway import guarded
from sayso.gateway.config import read_config
from sayso.gateway.trail.stores import trail_of

pytestmark = [pytest.mark.anyio, pytest.mark.long]

DEADLINE = 1.0
SLACK = 3.0  # seconds, for machines that have more to do


@pytest.fixture(autouse=True)
def always_look(monkeypatch):
    """Lists are not remembered, so that every call meets the fault."""
    monkeypatch.setattr(guarded, "FRESH", 0.0)


@asynccontextmanager
async def before(folder, server, era=NEW):
    async with in_memory(write(folder, one=server)) as gateway, connected(gateway, era, mute=True) as caller:
        yield caller


async def told(caller, tool, arguments=None, within=DEADLINE + SLACK):
    """What the client is told about a call that fails, which it is in time."""
    began = time.monotonic()
    try:
        result = await caller.call(tool, arguments)
    except MCPError as problem:
        said = problem.error.message
    else:
        assert result.is_error, result
        said = result.structured_content["message"]
    assert time.monotonic() - began < within
    return said


@pytest.fixture
def fault(tmp_path):
    """Tells the faulty server what to do wrong."""
    file = tmp_path / "fault"
    file.write_text("")
    return file


@pytest.fixture
def faulty(fault):
    arguments = [str(HERE / "faulty.py"), str(fault)]
    return {"command": sys.executable, "args": arguments, "sayso": {"deadline": DEADLINE, "trusted": True}}


STDIO_FAULTS = {
    "hang": "did not answer within 1 seconds",
    "end": "went away",
    "broken": "did not answer within 1 seconds",
    "wrong": "makes no sense",
    "error": "answered with an error: out of milk",
}


@pytest.mark.parametrize("fault_name", STDIO_FAULTS)
@pytest.mark.parametrize("where", ["tools/list", "tools/call"])
async def test_a_faulty_process_is_told_of_and_works_again(tmp_path, faulty, fault, where, fault_name):
    async with before(tmp_path, faulty) as caller:
        assert not (await caller.call("show_milk")).is_error
        fault.write_text(f"{fault_name} {where}")
        said = await told(caller, "show_milk")
        assert STDIO_FAULTS[fault_name] in said
        assert "one" in said
        fault.write_text("")
        assert not (await caller.call("show_milk")).is_error


@pytest.mark.parametrize("fault_name", ["hang", "end", "broken", "wrong", "error"])
async def test_a_process_that_is_faulty_from_the_beginning_is_told_of_and_works_later(
    tmp_path, faulty, fault, fault_name
):
    fault.write_text(fault_name)
    async with before(tmp_path, faulty) as caller:
        assert "one" in await told(caller, "show_milk")
        fault.write_text("")
        assert not (await caller.call("show_milk")).is_error


@pytest.mark.parametrize("command", [["no-such-command-anywhere"], [sys.executable, "-c", "raise SystemExit(3)"]])
async def test_a_process_that_does_not_start_is_told_of(tmp_path, command):
    server = {"command": command[0], "args": command[1:], "sayso": {"deadline": DEADLINE}}
    async with before(tmp_path, server) as caller:
        assert "one cannot be reached" in await told(caller, "show_milk")
        with pytest.raises(MCPError, match="one cannot be reached"):
            await caller.client.list_tools()


@pytest.mark.parametrize("harmless", ["noise", "slow"])
async def test_noise_and_slowness_do_no_harm(tmp_path, faulty, fault, harmless):
    fault.write_text(harmless)
    async with before(tmp_path, faulty) as caller:
        assert (await caller.call("show_milk")).content[0].text == "milk"


async def test_a_process_that_died_between_two_calls_is_started_again(tmp_path, faulty, monkeypatch):
    monkeypatch.setattr(guarded, "FRESH", 60.0)
    async with before(tmp_path, faulty) as caller:
        first = (await caller.call("show_milk")).structured_content["pid"]
        os.kill(first, signal.SIGKILL)
        await anyio.sleep(0.5)
        again = await caller.call("show_milk")
        assert not again.is_error
        assert again.structured_content["pid"] != first


async def test_a_call_that_hangs_does_not_end_the_calls_beside_it(tmp_path):
    said = []
    with Serving(http_app(OLD, tmp_path / "log")) as serving:
        server = behind_http(serving.url, deadline=2.5)
        async with before(tmp_path, server) as caller, anyio.create_task_group() as group:

            async def hang():
                said.append(await told(caller, "wait", {"seconds": 30}, within=6))

            group.start_soon(hang)
            await anyio.sleep(1.2)
            beside = await caller.call("wait", {"seconds": 1.8})
            assert not beside.is_error
    assert "did not answer" in said[0]


@pytest.mark.parametrize("era", [NEW, OLD])
async def test_a_process_killed_in_the_middle_of_a_call_is_told_of_and_works_again(tmp_path, era):
    log = tmp_path / "log"
    async with before(tmp_path, behind_stdio(era, log, deadline=20), era) as caller:
        assert not (await caller.call("list_tasks")).is_error
        async with anyio.create_task_group() as group:
            group.start_soon(kill_when_waiting, log)
            assert "one went away" in await told(caller, "wait", {"seconds": 30}, within=10)
        assert not (await caller.call("list_tasks")).is_error
    file = tmp_path / "gateway.json"
    trail = [json.loads(entry.body) for entry in trail_of(read_config(file), file).read() if entry.kind == "call"]
    assert [(each["wanted"]["tool"], each["failed"]) for each in trail] == [
        ("list_tasks", False),
        ("wait", True),
        ("list_tasks", False),
    ]


async def kill_when_waiting(log):
    for _ in range(1000):
        written = [json.loads(line) for line in log.read_text().splitlines()]
        if written and written[-1][0] == "waiting":
            return os.kill(written[-1][1], signal.SIGKILL)
        await anyio.sleep(0.02)
    return None


class Faulty:
    """An app before another, which does wrong what it is told to."""

    def __init__(self, app):
        self._app, self.fault, self.where = app, "", ""

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or scope["method"] != "POST" or not self.fault:
            return await self._app(scope, receive, send)
        body = b""
        while (came := await receive()).get("more_body") or came.get("body"):
            body += came["body"]
            if not came.get("more_body"):
                break
        asked = json.loads(body)
        if self.where in ("", asked.get("method")):
            return await self._misbehave(asked, send)
        replayed = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def again():
            return next(replayed, None) or await receive()

        return await self._app(scope, again, send)

    async def _misbehave(self, asked, send):
        status, kind = 200, "application/json"
        match self.fault:
            case "hang":
                await anyio.sleep(DEADLINE * 2)
                return
            case "500":
                status, kind, body = 500, "text/plain", "oh dear"
            case "html":
                kind, body = "text/html", "<html><body>Sign in to the Wi-Fi</body></html>"
            case "broken":
                body = '{"jsonrpc": "2.0", "result": {'
            case "wrong":
                body = json.dumps({"jsonrpc": "2.0", "id": asked.get("id"), "result": {"tools": 5, "content": "milk"}})
            case "nothing":
                body = ""
        start = {"type": "http.response.start", "status": status, "headers": [(b"content-type", kind.encode())]}
        await send(start)
        await send({"type": "http.response.body", "body": body.encode()})


@pytest.mark.parametrize("fault_name", ["hang", "500", "html", "broken", "wrong", "nothing"])
@pytest.mark.parametrize("where", ["", "tools/list", "tools/call"], ids=["all", "list", "call"])
@pytest.mark.parametrize("era", [NEW, OLD])
async def test_a_faulty_service_is_told_of_and_works_again(tmp_path, era, where, fault_name):
    app = Faulty(http_app(era, tmp_path / "log"))
    with Serving(app) as serving:
        async with before(tmp_path, behind_http(serving.url, deadline=DEADLINE)) as caller:
            if where:
                assert not (await caller.call("list_tasks")).is_error
            app.fault, app.where = fault_name, where
            assert "one" in await told(caller, "list_tasks")
            app.fault = ""
            assert not (await caller.call("list_tasks")).is_error


@pytest.mark.parametrize("era", [NEW, OLD])
async def test_a_service_that_was_restarted_is_found_again(tmp_path, era, monkeypatch):
    monkeypatch.setattr(guarded, "FRESH", 60.0)
    with Serving(http_app(era, tmp_path / "log")) as first:
        url, port = first.url, first.port
        stack = before(tmp_path, behind_http(url, deadline=DEADLINE))
        caller = await stack.__aenter__()
        assert not (await caller.call("list_tasks")).is_error
    try:
        assert "one" in await told(caller, "list_tasks")
        with Serving(http_app(era, tmp_path / "log"), port):
            assert not (await caller.call("list_tasks")).is_error
        with Serving(http_app(era, tmp_path / "log"), port):  # sessions of the one before are over
            assert not (await caller.call("list_tasks")).is_error
    finally:
        await stack.__aexit__(None, None, None)


async def test_a_server_that_cannot_be_reached_leaves_the_others_as_they_are(tmp_path, faulty):
    gone = {"url": "http://127.0.0.1:9/mcp", "sayso": {"deadline": DEADLINE}}
    file = write(tmp_path, well=faulty, gone=gone)
    async with in_memory(file) as gateway, connected(gateway, NEW, mute=True) as caller:
        assert [tool.name for tool in (await caller.client.list_tools()).tools] == ["well__show_milk"]
        assert not (await caller.call("well__show_milk")).is_error
        assert "gone cannot be reached" in await told(caller, "gone__anything")


@pytest.mark.parametrize("fault_name", ["hang", "500", "html", "broken", "wrong", "nothing"])
async def test_the_short_way_is_as_well_when_the_service_is_not(tmp_path, fault_name, monkeypatch):
    monkeypatch.setattr(guarded, "FRESH", 60.0)
    app = Faulty(http_app(NEW, tmp_path / "log"))
    with Serving(app) as serving:
        file = write(tmp_path, one=behind_http(serving.url, deadline=DEADLINE))
        async with over_http(file, sessions=False) as url, connected(at(url), NEW, mute=True) as caller:
            assert not (await caller.call("list_tasks")).is_error
            app.fault, app.where = fault_name, "tools/call"
            assert "one" in await told(caller, "list_tasks")
            app.fault = ""
            assert not (await caller.call("list_tasks")).is_error


async def test_a_server_that_answers_with_events_is_called_once_for_each_call(tmp_path, monkeypatch):
    monkeypatch.setattr(guarded, "FRESH", 60.0)
    log = tmp_path / "log"
    with Serving(Behind(NEW, log).server().streamable_http_app(stateless_http=True, json_response=False)) as serving:
        file = write(tmp_path, one=behind_http(serving.url))
        async with over_http(file, sessions=False) as url, connected(at(url), NEW, mute=True) as caller:
            for _ in range(4):
                assert not (await caller.call("list_tasks")).is_error
    assert len(log.read_text().splitlines()) <= 5  # the first of the short way tells that it is none
