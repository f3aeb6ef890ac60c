"""A disk that is full: nothing that changes anything runs unrecorded, and the trail stays whole."""

from __future__ import annotations

import json
import resource
import signal

import pytest
from behind import Serving
from mcp import Client
from mcp.server import Server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

from sayso.gateway.proxy import make_server
from sayso.gateway.serve import open_gateway
from sayso.gateway.trail.record import FileTrail
from sayso.ledger.chain import Event

WRITES = ToolAnnotations(destructive_hint=False)

pytestmark = pytest.mark.anyio


@pytest.fixture
def full_beyond():
    """Lets no file of this process grow beyond a size, as a full disk would; lifted at the end."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("room", [0, 100])
async def test_half_an_entry_is_none(tmp_path, full_beyond, room):
    file = tmp_path / "trail.jsonl"
    trail = FileTrail(file)
    await trail.add("ada", [Event("call", {"text": "kept"})])
    size = file.stat().st_size
    full_beyond(size + room)
    with pytest.raises(OSError, match=r"too large|No space"):
        await trail.add("ada", [Event("call", {"text": "lost" * 100})])
    full_beyond(resource.RLIM_INFINITY)
    assert file.stat().st_size == size
    await trail.add("ada", [Event("call", {"text": "kept, too"})])
    verified = trail.verify()
    assert (verified.intact, verified.entries) == (True, 2)
    trail.close()


async def test_a_write_that_cannot_be_recorded_does_not_run(tmp_path, full_beyond):
    ran = []

    async def list_tools(_ctx, _params):
        return ListToolsResult(tools=[Tool(name="add_note", input_schema={"type": "object"}, annotations=WRITES)])

    async def call_tool(_ctx, params):
        ran.append(params.name)
        return CallToolResult(content=[TextContent(text="done")])

    notes = Server("notes", on_list_tools=list_tools, on_call_tool=call_tool)
    with Serving(notes.streamable_http_app(stateless_http=True, json_response=True)) as behind:
        config = tmp_path / "sayso.json"
        config.write_text(json.dumps({"mcpServers": {"notes": {"url": behind.url, "sayso": {"trusted": True}}}}))
        async with open_gateway(config, lambda: "ada") as gateway, Client(make_server(gateway, version="1")) as client:
            await client.list_tools()
            words = {"sayso/words": "add a note"}
            assert not (await client.call_tool("add_note", {}, meta=words)).is_error
            full_beyond((tmp_path / "sayso.sayso" / "trail.jsonl").stat().st_size)
            refused = await client.call_tool("add_note", {}, meta=words)
            full_beyond(resource.RLIM_INFINITY)
            assert refused.structured_content["status"] == "unrecorded"
            assert ran == ["add_note"]
            assert not (await client.call_tool("add_note", {}, meta=words)).is_error
            assert ran == ["add_note"] * 2
