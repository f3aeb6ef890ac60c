"""A read call through gateways, beside the direct call: what passing costs, and what judging adds."""

from __future__ import annotations

import asyncio
import json
import tempfile
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

from mcp import Client

from benchmarks.gateway.cost import EACH, HERE, MOST, gateway, reading, start
from benchmarks.harness.figures import Part, Target
from benchmarks.harness.race import Timed, race_over, ratio, rows
from benchmarks.harness.services import free_port, peer_python

DIRECT, BARE, OURS = "direct call", "bare pass-through gateway", "Sayso gateway"
REUSED, DEFAULT = "FastMCP proxy, one session reused", "FastMCP proxy, as it is by default"
METHOD = """A read call to a small MCP server over loopback HTTP, with a client of the official SDK. The bare gateway
only passes bytes on. FastMCP's proxy runs with one shared session, and with a session per call, its default."""
REASON = "Sayso adds to the bare gateway: it reads and judges the call and writes a line of the trail."


def gateways(rounds: int, *, default: bool = True) -> Part:
    """All ways to the same server; the slowest in a short race of its own with the direct call."""
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        ports = [free_port() for _ in range(5)]
        urls = [f"http://127.0.0.1:{port}/mcp" for port in ports]
        config = Path(folder) / "sayso.json"
        config.write_text(json.dumps({"mcpServers": {"upstream": {"url": urls[0], "sayso": {"trusted": True}}}}))
        peer, proxy = peer_python("fastmcp"), HERE / "fastmcp_proxy.py"
        for process in (
            start(ports[0], HERE / "reader.py", str(ports[0])),
            start(ports[1], HERE / "bare.py", str(ports[1]), urls[0]),
            gateway(config, ports[2]),
            start(ports[3], proxy, str(ports[3]), urls[0], "reused", python=peer),
            start(ports[4], proxy, str(ports[4]), urls[0], "default", python=peer),
        ):
            stack.callback(process.wait, 20)
            stack.callback(process.terminate)
        ways = dict(zip((DIRECT, BARE, OURS, REUSED, DEFAULT), urls, strict=True))
        found, slow = asyncio.run(_race(ways, rounds, max(3, rounds // 5) if default else 0))
    table = rows(found, DIRECT, {}, per=1000)
    table += [row for row in rows(slow, DIRECT, {}, per=1000) if row.name == DEFAULT] if slow else []
    return Part(
        name="gateway",
        title="The gateway",
        method=METHOD,
        against=DIRECT,
        unit="ms",
        rounds=rounds,
        rows=table,
        targets=[
            Target(
                what="a read call through the gateway ÷ a direct one",
                value=ratio(found[OURS], found[DIRECT]),
                limit=MOST,
                stretch=1.2,
                reason=REASON,
            ),
            Target(what="a read call through the gateway ÷ a bare one's", value=ratio(found[OURS], found[BARE])),
            Target(what="a read call through the gateway ÷ FastMCP's", value=ratio(found[OURS], found[REUSED])),
        ],
    )


async def _race(ways: dict[str, str], rounds: int, few: int) -> tuple[dict[str, Timed], dict[str, Timed]]:
    async with AsyncExitStack() as stack:
        calls = {}
        for name, url in ways.items():
            client = await stack.enter_async_context(Client(url, cache=None))
            await client.list_tools()
            calls[name] = reading(client)
        slow = {DIRECT: calls[DIRECT], DEFAULT: calls.pop(DEFAULT)}
        found = await race_over(calls, rounds, EACH)
        return found, await race_over(slow, few, 3) if few else {}
