"""The MCP server of the devices, driven by the SDK's own client in both eras: in memory, over stdio and over HTTP."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult
from prometheus_client.parser import text_string_to_metric_families
from waiting import until

from sayso.devices.definitions import tools
from sayso.devices.server import make_server
from sayso.devices.service import TOOLS
from sayso.identity.development import issue
from sayso.serving.arguments import KEY_IN_META

pytestmark = pytest.mark.anyio

SAYSO = Path(sys.executable).with_name("sayso")
NEW, OLD = "2026-07-28", "legacy"
WAYS = [("memory", NEW), ("memory", OLD), ("stdio", NEW), ("http", NEW), ("http", OLD), ("sessions", OLD)]
ASKABLE = [way for way in WAYS if way != ("http", OLD)]
TOOL_SCHEMAS = {tool.name: tool.output_schema for tool in tools()}
NO = ElicitResult(action="decline")
UNTICKED = ElicitResult(action="accept", content={"confirm": False})
YES = ElicitResult(action="accept", content={"confirm": True})


@pytest.fixture(scope="module")
def serving():
    """Starts `sayso mcp devices --transport http`; the port, once it is ready."""
    started = {}

    def start(environment, *options):
        if options not in started:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            command = [SAYSO, "mcp", "devices", "--transport", "http", "--port", str(port), *options]
            process = subprocess.Popen(command, env=environment)
            started[options] = (process, port)
            for _ in range(300):
                assert process.poll() is None, "the server ended"
                try:
                    if httpx2.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                        break
                except httpx2.TransportError:
                    pass
                time.sleep(0.1)
        return started[options][1]

    yield start
    for process, _ in started.values():
        process.terminate()
    for process, _ in started.values():
        process.wait(20)


@pytest.fixture
def connect(devices, settings, environment, serving, who):
    """A client that reaches the server in one of the ways, acting for `who`, with answers to what it is asked."""

    @asynccontextmanager
    async def connected(way, answer=None):
        transport, mode = way
        asked = []

        async def reply(_context, params):
            asked.append(params.message)
            return answer

        options = {"mode": mode, "elicitation_callback": reply if answer else None}
        async with target(transport) as server, Client(server, **options) as client:
            client.asked = asked
            yield client

    @asynccontextmanager
    async def target(transport):
        if transport == "memory":
            yield make_server(devices, lambda: who, version="0")
        elif transport == "stdio":
            yield StdioServerParameters(
                command=str(SAYSO), args=["mcp", "devices"], env=environment | {"SAYSO_STDIO_USER": who.id}
            )
        else:
            port = serving(environment, *(["--sessions"] if transport == "sessions" else []))
            headers = {"Authorization": f"Bearer {issue(settings, who.id)}"}
            async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
                yield streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)

    return connected


async def call(client, tool, /, key=None, **arguments):
    result = await client.call_tool(tool, arguments, meta={KEY_IN_META: key} if key else None)
    assert json.loads(result.content[0].text) == result.structured_content
    assert result.is_error == (result.structured_content["status"] == "error")
    jsonschema.validate(result.structured_content, TOOL_SCHEMAS[tool])
    return result.structured_content


@pytest.mark.parametrize("way", WAYS, ids="-".join)
async def test_every_tool_works_in_every_way(connect, running, devices, who, way):
    bodies = await running(who, 4, service=devices)
    async with connect(way, YES) as client:

        async def heard():
            read = await call(client, "metrics_read", device_name="frigo cucina", metrics=["temperature"])
            return read if read["metrics"][0]["value"] is not None else None

        read = await until(heard)
        assert (read["status"], read["name"], read["metrics"][0]["unit"]) == ("success", "Frigo cucina", "°C")
        listed = await call(client, "list_machines", search="forno")
        assert [machine["id"] for machine in listed["machines"]] == ["oven-cucina"]
        done = await call(client, "machine_command_execute", device_name="lampada", command="accendi", key="a")
        assert (done["status"], done["machine_command_id"], done["outcome"]) == ("success", "turn_on", "done")
        assert bodies["lamp-cucina"].simulated.inside.on is True
        again = await call(client, "machine_command_execute", device_name="lampada", command="accendi", key="a")
        assert again["order_id"] == done["order_id"]
        detail = await call(client, "device_firmware_detail", device_id="fridge-cucina")
        assert (detail["connected"], detail["serial"]) == (True, "SIM-FRIDGE-CUCINA")
        reset = await call(
            client, "machine_command_execute", device_id="fridge-cucina", machine_command_id="factory_reset"
        )
        if way in ASKABLE:
            assert (reset["status"], len(client.asked)) == ("success", 1)
            assert "Frigo cucina" in client.asked[0]
        else:
            assert (reset["status"], client.asked) == ("needs_confirmation", [])
            assert not bodies["fridge-cucina"]._known


@pytest.mark.parametrize("way", [("memory", NEW), ("memory", OLD)], ids="-".join)
@pytest.mark.parametrize("answer", [NO, UNTICKED], ids=["decline", "unticked"])
async def test_anything_but_a_yes_sends_nothing(connect, running, devices, who, way, answer):
    bodies = await running(who, 1, service=devices)
    async with connect(way, answer) as client:
        kept = await call(client, "machine_command_execute", device_id="fridge-cucina", command="factory_reset")
        assert (kept["status"], kept["reason"]) == ("error", "declined")
    assert not bodies["fridge-cucina"]._known


async def test_a_yes_that_is_sent_twice_or_forged_sends_one_order(connect, running, devices, who):
    bodies = await running(who, 1, service=devices)
    given = {"device_id": "fridge-cucina", "machine_command_id": "factory_reset"}
    async with connect(("memory", NEW), YES) as client:
        asked = await client.session.call_tool("machine_command_execute", given, allow_input_required=True)
        state = asked.request_state

        async def answer(state, **changed):
            return await client.session.call_tool(
                "machine_command_execute",
                given | changed,
                input_responses={"confirm": YES},
                request_state=state,
                allow_input_required=True,
            )

        first = (await answer(state)).structured_content
        second = (await answer(state)).structured_content
        assert (first["status"], second["order_id"]) == ("success", first["order_id"])
        with pytest.raises(MCPError, match="requestState"):
            await answer(state[:-6] + "AAAAAA")
        with pytest.raises(MCPError, match="requestState"):
            await answer(state, device_id="oven-cucina")
        for forged in ({"confirm": True}, {"user_id": "bob"}):
            refused = await call(client, "machine_command_execute", **given, **forged)
            assert (refused["status"], refused["reason"]) == ("error", "invalid")
    assert len(bodies["fridge-cucina"]._known) == 1


async def test_the_tools_are_those_of_the_specification(connect):
    async with connect(("memory", NEW)) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(listed) == list(TOOLS) == [
        "machine_command_execute", "metrics_read", "device_firmware_detail", "list_machines",
    ]  # fmt: skip
    assert [tool.annotations.read_only_hint for tool in listed.values()] == [False, True, True, True]
    takes = {name: set(tool.input_schema["properties"]) for name, tool in listed.items()}
    assert takes["machine_command_execute"] == {
        "device_id", "machine_command_id", "device_name", "command", "value",
    }  # fmt: skip
    assert takes["metrics_read"] == {"device_id", "device_name", "metrics"}
    assert takes["list_machines"] == {"search"}


async def test_figures_of_the_server_are_for_this_machine_and_name_nobody(connect, serving, environment, who):
    async with connect(("http", NEW)) as client:
        await client.call_tool("list_machines", {})
    address = f"http://127.0.0.1:{serving(environment)}"
    async with httpx2.AsyncClient(timeout=60, base_url=address) as stranger:
        assert (await stranger.post("/mcp", json={})).status_code == 401
        shown = await stranger.get("/metrics")
        forwarded = await stranger.get("/metrics", headers={"X-Forwarded-For": "10.1.2.3"})
    figures = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(shown.text)
        for sample in family.samples
    }
    assert shown.headers["content-type"].startswith("text/plain")
    assert figures["sayso_turn_seconds_count", "call"] >= 1
    assert figures["sayso_http_requests_total", "/mcp", "401", "POST"] == 1
    assert figures["sayso_database_connections_busy",] == figures["sayso_turns_in_flight",] == 0
    assert who.id not in shown.text
    assert forwarded.status_code == 404
