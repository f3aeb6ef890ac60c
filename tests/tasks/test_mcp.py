"""The MCP server, driven by the SDK's own client in both eras of the protocol: in memory, over stdio and over HTTP."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote
from uuid import UUID

import httpx2
import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, ResourceTemplateReference

from sayso.identity.development import issue
from sayso.serving.arguments import KEY_IN_META
from sayso.tasks.server import make_server
from sayso.tasks.service import TOOLS

pytestmark = pytest.mark.anyio

SAYSO = Path(sys.executable).with_name("sayso")
NEW, OLD = "2026-07-28", "legacy"
WAYS = [
    ("memory", NEW), ("memory", OLD), ("stdio", NEW), ("stdio", OLD),
    ("http", NEW), ("http", OLD), ("sessions", NEW), ("sessions", OLD),
]  # fmt: skip
FEW = [("memory", NEW), ("memory", OLD), ("http", NEW), ("sessions", OLD)]
ASKABLE = [way for way in WAYS if way != ("http", OLD)]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def serving():
    """Starts `sayso mcp tasks --transport http`; the port, once it is ready."""
    started = {}

    def start(environment, *options):
        if options not in started:
            port = free_port()
            command = [SAYSO, "mcp", "tasks", "--transport", "http", "--port", str(port), *options]
            process = subprocess.Popen(command, env=environment)
            wait_until_ready(port, process)
            started[options] = (process, port)
        return started[options][1]

    yield start
    for process, _ in started.values():
        process.terminate()
    for process, _ in started.values():
        process.wait(20)


def wait_until_ready(port, process):
    for _ in range(300):
        assert process.poll() is None, "the server ended"
        try:
            if httpx2.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError("the server does not answer")


@pytest.fixture
def connect(service, settings, environment, serving, who):
    """A client that reaches the server in one of the ways, acting for `who`, with answers to what it is asked."""

    @asynccontextmanager
    async def connected(way, answer=None):
        transport, mode = way
        asked = []

        async def reply(_context, params):
            asked.append(params.message)
            return answer if isinstance(answer, ElicitResult) else answer(params)

        options = {"mode": mode, "elicitation_callback": reply if answer else None}
        async with target(transport) as server, Client(server, **options) as client:
            client.asked = asked
            yield client

    @asynccontextmanager
    async def target(transport):
        if transport == "memory":
            yield make_server(service, lambda: who, version="0")
        elif transport == "stdio":
            yield StdioServerParameters(
                command=str(SAYSO), args=["mcp", "tasks"], env=environment | {"SAYSO_STDIO_USER": who.id}
            )
        else:
            port = serving(environment, *(["--sessions"] if transport == "sessions" else []))
            headers = {"Authorization": f"Bearer {issue(settings, who.id)}"}
            async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
                yield streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)

    return connected


YES = ElicitResult(action="accept", content={"confirm": True})


async def call(client, tool, /, key=None, **arguments):
    result = await client.call_tool(tool, arguments, meta={KEY_IN_META: key} if key else None)
    assert json.loads(result.content[0].text) == result.structured_content
    assert result.is_error == (result.structured_content["status"] == "error")
    return result.structured_content


async def left(client):
    return [task["title"] for task in (await call(client, "list_tasks"))["tasks"]]


@pytest.mark.parametrize("way", WAYS, ids="-".join)
async def test_every_tool_works_in_every_way(connect, way, who):
    async with connect(way, YES) as client:
        added = await call(client, "add_task", title="  Buy milk ", due="2030-03-12T17:00", priority="high")
        assert (added["status"], added["title"]) == ("success", "Buy milk")
        listed = await call(client, "list_tasks", filter="pending", search="MILK")
        assert [task["id"] for task in listed["tasks"]] == [added["task_id"]]
        assert (await call(client, "complete_task", task_identifier="buy milk"))["task"]["completed"] is True
        changed = await call(
            client, "update_task", task_identifier=added["task_id"], new_due=None, new_status="pending"
        )
        assert (changed["task"]["status"], changed["task"]["due"]) == ("pending", None)
        assert (await call(client, "get_user_info"))["user_id"] == who.id
        gone = await call(client, "delete_task", task_identifier="milk")
        if way in ASKABLE:
            assert (gone["status"], client.asked) == ("success", ['Delete "Buy milk"?'])
            assert await left(client) == []
        else:
            assert (gone["status"], gone["title"], client.asked) == ("needs_confirmation", "Buy milk", [])
            assert await left(client) == ["Buy milk"]


@pytest.mark.parametrize("way", FEW, ids="-".join)
@pytest.mark.parametrize(
    "answer",
    [
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
        ElicitResult(action="accept", content={"confirm": False}),
        ElicitResult(action="accept", content={"confirm": "no"}),
        ElicitResult(action="accept", content={"confirm": 1}),
        ElicitResult(action="accept", content={"answer": True}),
        ElicitResult(action="accept", content={}),
        ElicitResult(action="accept"),
    ],
    ids=["decline", "cancel", "unticked", "text", "number", "another box", "no box", "no form"],
)
async def test_anything_but_a_yes_deletes_nothing(connect, way, answer):
    async with connect(way, answer) as client:
        await call(client, "add_task", title="Buy milk")
        kept = await call(client, "delete_task", task_identifier="buy milk")
        assert (kept["status"], kept["reason"]) == ("error", "declined")
        assert await left(client) == ["Buy milk"]


@pytest.mark.parametrize("way", WAYS, ids="-".join)
async def test_a_client_that_cannot_ask_is_told_so_and_nothing_is_deleted(connect, way):
    async with connect(way) as client:
        await call(client, "add_task", title="Buy milk")
        kept = await call(client, "delete_task", task_identifier="buy milk")
        assert (kept["status"], kept["reason"]) == ("needs_confirmation", "needs_confirmation")
        assert await left(client) == ["Buy milk"]


@pytest.mark.parametrize("way", [way for way in WAYS if way[1] == NEW], ids="-".join)
async def test_a_yes_that_is_sent_twice_deletes_once(connect, way, service, who):
    async with connect(way, YES) as client:
        added = await call(client, "add_task", title="Buy milk")
        first, state = await ask(client)
        gone = await answer(client, state)
        assert gone.structured_content["status"] == "success"
        await service.restore(who, UUID(added["task_id"]))
        replayed = await answer(client, state)
        assert replayed.structured_content == gone.structured_content
        assert await left(client) == ["Buy milk"]
        assert first.result_type == "input_required"


@pytest.mark.parametrize("way", [way for way in WAYS if way[1] == NEW], ids="-".join)
async def test_a_forged_yes_is_refused(connect, way, other):
    async with connect(way, YES) as client:
        await call(client, "add_task", title="Buy milk")
        await call(client, "add_task", title="Buy bread")
        _, state = await ask(client)
        for forged in (state[:-6] + "AAAAAA", "v1.AAAA", json.dumps({"id": "x"}), state.upper()):
            with pytest.raises(MCPError, match="requestState"):
                await answer(client, forged)
        with pytest.raises(MCPError, match="requestState"):  # the yes was to another task
            await answer(client, state, task_identifier="buy bread")
        asked = await client.session.call_tool(
            "delete_task", {"task_identifier": "buy milk"}, input_responses={"confirm": YES}, allow_input_required=True
        )
        assert asked.result_type == "input_required"  # an answer to no question is no answer
        for forged in ({"confirm": True}, {"confirmed": "yes"}, {"user_id": other.id}):
            refused = await call(client, "delete_task", task_identifier="buy milk", **forged)
            assert (refused["status"], refused["reason"]) == ("error", "invalid")
        assert await left(client) == ["Buy milk", "Buy bread"]


async def test_a_yes_of_one_person_is_none_of_another(serving, environment, settings, who, other):
    port = serving(environment)

    @asynccontextmanager
    async def as_user(person):
        async with httpx2.AsyncClient(
            timeout=60, headers={"Authorization": f"Bearer {issue(settings, person.id)}"}
        ) as http:
            transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)

            async def yes(_context, _params):
                return YES

            async with Client(transport, mode=NEW, elicitation_callback=yes) as client:
                yield client

    async with as_user(who) as mine, as_user(other) as theirs:
        await call(mine, "add_task", title="Buy milk")
        await call(theirs, "add_task", title="Buy milk")
        _, state = await ask(mine)
        with pytest.raises(MCPError, match="requestState"):
            await answer(theirs, state)
        assert await left(theirs) == ["Buy milk"]


async def ask(client):
    question = await client.session.call_tool("delete_task", {"task_identifier": "buy milk"}, allow_input_required=True)
    return question, question.request_state


async def answer(client, state, task_identifier="buy milk"):
    return await client.session.call_tool(
        "delete_task",
        {"task_identifier": task_identifier},
        input_responses={"confirm": YES},
        request_state=state,
        allow_input_required=True,
    )


@pytest.mark.parametrize("way", FEW, ids="-".join)
async def test_a_key_in_meta_makes_a_call_happen_once(connect, way):
    async with connect(way, YES) as client:
        first = await call(client, "add_task", key="k1", title="Buy milk")
        assert await call(client, "add_task", key="k1", title="Buy milk") == first
        refused = await call(client, "add_task", key="k1", title="Buy bread")
        assert (refused["status"], refused["reason"]) == ("error", "key_reused")
        assert await left(client) == ["Buy milk"]
        assert (await call(client, "add_task", key="k" * 201, title="Buy bread"))["reason"] == "invalid"
        if way in ASKABLE:
            gone = await call(client, "delete_task", key="k2", task_identifier="buy milk")
            assert await call(client, "delete_task", key="k2", task_identifier="buy milk") == gone
            assert len(client.asked) == 1


@pytest.mark.parametrize("way", FEW, ids="-".join)
async def test_a_task_that_changes_while_the_person_thinks_is_asked_about_again(connect, way):
    async with connect(way, YES) as client:
        added = await call(client, "add_task", title="Buy milk")

    async def reply(_context, params):
        if len(asked) == 0:
            async with connect(("memory", NEW)) as second:
                await call(second, "update_task", task_identifier=added["task_id"], new_title="Buy a cow")
        asked.append(params.message)
        return YES

    asked = []
    async with connect(way, YES) as client:
        client.session._elicitation_callback = reply
        gone = await call(client, "delete_task", task_identifier=added["task_id"])
        assert gone["status"] == "success"
        assert asked == ['Delete "Buy milk"?', 'It has changed in the meantime. Delete "Buy a cow" (–)?']
        assert await left(client) == []


@pytest.mark.parametrize("way", FEW, ids="-".join)
async def test_the_tools_are_the_specified_ones(connect, way):
    async with connect(way) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    hints = {
        name: (tool.annotations.read_only_hint, tool.annotations.destructive_hint, tool.annotations.idempotent_hint)
        for name, tool in tools.items()
    }
    assert hints == {
        "add_task": (False, False, False),
        "list_tasks": (True, False, True),
        "complete_task": (False, False, True),
        "delete_task": (False, True, False),
        "update_task": (False, False, True),
        "get_user_info": (True, False, True),
    }
    parameters = {
        name: (set(tool.input_schema["properties"]), tool.input_schema["required"]) for name, tool in tools.items()
    }
    assert parameters == {
        "add_task": ({"title", "description", "priority", "due", "repeat", "list", "remind"}, ["title"]),
        "list_tasks": ({"filter", "priority", "due", "list", "search", "limit", "offset"}, []),
        "complete_task": ({"task_identifier"}, ["task_identifier"]),
        "delete_task": ({"task_identifier"}, ["task_identifier"]),
        "update_task": (
            {
                "task_identifier",
                "new_title",
                "new_description",
                "new_priority",
                "new_due",
                "new_repeat",
                "new_list",
                "new_remind",
                "new_status",
            },
            ["task_identifier"],
        ),
        "get_user_info": (set(), []),
    }
    for tool in tools.values():
        for schema in (tool.input_schema, tool.output_schema):
            assert schema["type"] == "object"
            jsonschema.Draft202012Validator.check_schema(schema)
        assert all(each.get("description") for each in tool.input_schema["properties"].values())


async def test_results_keep_the_published_schemas(connect):
    async with connect(("memory", NEW), YES) as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        for name, arguments in (
            ("add_task", {"title": "Buy milk"}),
            ("add_task", {"title": "Buy bread", "due": "2026-03-12"}),
            ("add_task", {"title": ""}),
            ("add_task", {"title": "Water the plants", "repeat": "FREQ=DAILY", "list": "Home", "remind": "PT10M"}),
            ("complete_task", {"task_identifier": "plants"}),
            ("update_task", {"task_identifier": "plants", "new_repeat": None, "new_list": None, "new_remind": None}),
            ("list_tasks", {}),
            ("list_tasks", {"list": "home"}),
            ("list_tasks", {"due": "soon"}),
            ("complete_task", {"task_identifier": "buy"}),
            ("complete_task", {"task_identifier": "xyz"}),
            ("update_task", {"task_identifier": "milk", "new_priority": "high"}),
            ("delete_task", {"task_identifier": "milk"}),
            ("get_user_info", {}),
        ):
            jsonschema.validate(await call(client, name, **arguments), schemas[name])


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("add_task", {}, "title"),
        ("add_task", {"title": "   "}, "must not be empty"),
        ("add_task", {"title": "a" * 201}, "at most 200 characters"),
        ("add_task", {"title": "Buy milk", "description": "a" * 1001}, "1000"),
        ("add_task", {"title": "Buy milk", "priority": "urgent"}, "priority"),
        ("add_task", {"title": "Buy milk", "due": "tomorrow"}, "YYYY-MM-DD"),
        ("add_task", {"title": "Buy milk", "repeat": "every day"}, "RFC 5545"),
        ("add_task", {"title": "Buy milk", "list": " "}, "must not be empty"),
        ("add_task", {"title": "Buy milk", "list": "a" * 61}, "60 characters"),
        ("add_task", {"title": "Buy milk", "remind": "P1M"}, "ISO 8601"),
        ("add_task", {"title": "Buy milk", "user_id": "eve"}, "user_id"),
        ("add_task", {"title": 7}, "title"),
        ("add_task", {"title": "a\x00b"}, "cannot be stored"),
        ("list_tasks", {"limit": 0}, "limit"),
        ("list_tasks", {"limit": 101}, "limit"),
        ("list_tasks", {"offset": -1}, "offset"),
        ("list_tasks", {"filter": "mine"}, "filter"),
        ("update_task", {"task_identifier": "x"}, "at least one"),
        ("complete_task", {"task_identifier": ""}, "task_identifier"),
        ("get_user_info", {"user_id": "eve"}, "user_id"),
    ],
)
async def test_arguments_that_cannot_be_used_are_refused_with_the_reason(connect, tool, arguments, message):
    async with connect(("memory", NEW)) as client:
        refused = await call(client, tool, **arguments)
        assert (refused["status"], refused["reason"]) == ("error", "invalid")
        assert message in refused["error_message"]
        assert await left(client) == []


async def test_a_tool_that_is_none_is_an_error_of_the_protocol(connect):
    async with connect(("memory", NEW)) as client:
        with pytest.raises(MCPError, match="Unknown tool: drop_table"):
            await client.call_tool("drop_table", {})


@pytest.mark.parametrize("way", FEW, ids="-".join)
async def test_titles_are_completed_and_tasks_are_resources(connect, way):
    async with connect(way) as client:
        await call(client, "add_task", title="Buy milk / oat", due="2020-01-01")
        await call(client, "add_task", title="Call Bob")
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert uris == ["tasks://pending", "tasks://today", "tasks://overdue"]
        (template,) = (await client.list_resource_templates()).resource_templates
        reference = ResourceTemplateReference(uri=template.uri_template)
        typed = await client.complete(reference, {"name": "title", "value": "oa"})
        assert typed.completion.values == ["Buy milk / oat"]
        everything = await client.complete(reference, {"name": "title", "value": ""})
        assert everything.completion.values == ["Buy milk / oat", "Call Bob"]
        (overdue,) = (await client.read_resource("tasks://overdue")).contents
        assert [task["title"] for task in json.loads(overdue.text)["tasks"]] == ["Buy milk / oat"]
        (one,) = (await client.read_resource(f"tasks://task/{quote('buy milk / oat', safe='')}")).contents
        assert json.loads(one.text)["title"] == "Buy milk / oat"
        unreadable = await client.complete(reference, {"name": "title", "value": "\x00"})
        assert unreadable.completion.values == []
        for missing in ("tasks://task/nothing", "tasks://task/", "tasks://else"):
            with pytest.raises(MCPError):
                await client.read_resource(missing)


async def test_what_cannot_be_seen_in_a_title_is_spelled_out_in_the_question(connect):
    async with connect(("memory", NEW), YES) as client:
        added = await call(client, "add_task", title="Pay\u202e bill\u200b", due="2026-03-12")
        await call(client, "delete_task", task_identifier=added["task_id"])
        assert client.asked == ['Delete "Pay<U+202E> bill<U+200B>" (due 2026-03-12)?']


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer x"}, {"Authorization": "Basic eDp5"}])
async def test_without_a_token_nothing_is_served(serving, environment, header):
    port = serving(environment)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    async with httpx2.AsyncClient(timeout=60) as http:
        refused = await http.post(f"http://127.0.0.1:{port}/mcp", json=body, headers=header)
        assert refused.status_code == 401
        assert "resource_metadata" in refused.headers["www-authenticate"]
        described = await http.get(f"http://127.0.0.1:{port}/.well-known/oauth-protected-resource/mcp")
        assert described.json()["resource"].endswith("/mcp")


async def test_a_request_under_another_host_name_is_refused(serving, environment, settings, who):
    port = serving(environment)
    headers = {"Authorization": f"Bearer {issue(settings, who.id)}", "Host": "evil.example"}
    async with httpx2.AsyncClient(timeout=60) as http:
        refused = await http.post(f"http://127.0.0.1:{port}/mcp", json={}, headers=headers)
    assert refused.status_code in (400, 403, 421)


def test_every_tool_of_the_pack_is_served(root):
    text = (root / "src/sayso/packs/tasks/pack.yaml").read_text("utf-8")
    assert all(f"\n  {name}:\n" in text for name in TOOLS)
