"""The short way of a call over HTTP: what is out of the ordinary is answered as on the long way."""

from __future__ import annotations

import json

import httpx2
import pytest
from behind import NEW
from fronts import at, connected, over_http, write

pytestmark = pytest.mark.anyio

META = {"io.modelcontextprotocol/protocolVersion": NEW}
DEEP = 100_000


def call(**params):
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).encode()


MALFORMED = {
    "no JSON": b"{",
    "not UTF-8": b'{"params": "\xff"}',
    "too deep": b"[" * DEEP + b"]" * DEEP,
    "a list": b"[]",
    "a text": b'"tools/call"',
    "null": b"null",
    "no params": b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}',
    "params are a list": b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": ["name", "_meta"]}',
    "no name": call(_meta=META, arguments={}),
    "the name is a number": call(name=5, _meta=META, arguments={}),
    "the name is a list": call(name=["list_tasks"], _meta=META, arguments={}),
    "the meta is a list": call(name="list_tasks", _meta=["x"], arguments={}),
    "the meta is null": call(name="list_tasks", _meta=None, arguments={}),
    "the arguments are a list": call(name="list_tasks", _meta=META, arguments=["x"]),
    "the arguments are a text": call(name="list_tasks", _meta=META, arguments="x"),
    "another method": call(name="list_tasks", _meta=META).replace(b"tools/call", b"tools/list"),
}


@pytest.fixture(scope="module")
async def gateway(tmp_path_factory, servers, anyio_backend):  # noqa: ARG001  so that it may await
    """A gateway that knows its tools, so that a read takes the short way."""
    file = write(tmp_path_factory.mktemp("short"), one=servers["new_http"])
    async with over_http(file, sessions=False) as url:
        async with connected(at(url), NEW) as caller:
            assert not (await caller.call("list_tasks")).is_error
        yield url


async def sent(url, body):
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": NEW,
        "mcp-method": "tools/call",
        "mcp-name": "list_tasks",
    }
    async with httpx2.AsyncClient(timeout=60) as client:
        answer = await client.post(url, content=body, headers=headers)
    return answer.status_code, answer.content


async def pieces(body):
    """Of a length that nobody tells, which is the long way's."""
    yield body


@pytest.mark.parametrize("how", MALFORMED)
async def test_a_malformed_call_is_answered_as_on_the_long_way_and_nothing_runs(gateway, ran, how):
    body = MALFORMED[how]
    short, long = await sent(gateway, body), await sent(gateway, pieces(body))
    assert short == long
    assert short[0] < 500, short
    assert ran() == []
