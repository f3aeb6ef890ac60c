"""A yes counts once: each approved state is sent by many senders at once, through two gateways that share a folder, or
(--ledger) nothing but a database.

python -m benchmarks gateway-once
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any

from mcp import Client
from mcp_types import ElicitResult

from benchmarks.gateway.upstream import Upstream
from benchmarks.harness.services import KEY, Progress, new_database, settings_for
from sayso.gateway.proxy import make_server
from sayso.gateway.serve import open_gateway
from sayso.settings import Settings

YES = ElicitResult(action="accept", content={"answer": True})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--senders", type=int, default=16)
    parser.add_argument("--ledger", action="store_true", help="two folders, and a database that both share")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        upstream = stack.enter_context(Upstream())
        settings = settings_for(stack.enter_context(new_database())) if given.ledger else None
        wrong = asyncio.run(prove(folder, upstream, given.states, given.senders, settings))
    return int(wrong > 0)


def write(file: Path, upstream: Upstream) -> Path:
    """The file of a gateway; what it must remember is beside it."""
    settings = {"pack": "tasks", "tools": {"delete_note": {"risk": "destructive"}}}
    file.write_text(json.dumps({"mcpServers": {"one": {"url": upstream.url, "sayso": settings}}}))
    return file


async def prove(folder: Path, upstream: Upstream, states: int, senders: int, settings: Settings | None) -> int:
    names = ("one", "two") if settings else ("one", "one")
    files = [write(folder / f"{name}.json", upstream) for name in names]
    progress = Progress("states", states)
    async with AsyncExitStack() as stack:
        clients = []
        for file in files:
            gateway = await stack.enter_async_context(open_gateway(file, lambda: "ada", settings))
            server = make_server(gateway, version="0", state_keys=(KEY,))
            clients.append(await stack.enter_async_context(Client(server, elicitation_callback=_never, cache=None)))
        statuses: Counter[str] = Counter()
        for number in range(states):
            arguments = {"name": f"note {number}"}
            asked = await clients[number % 2].session.call_tool("delete_note", arguments, allow_input_required=True)
            answers = [
                answer(clients[sender % 2], arguments, getattr(asked, "request_state", "")) for sender in range(senders)
            ]
            statuses.update(await asyncio.gather(*answers))
            progress.step()
    times = Counter(arguments["name"] for _, arguments in upstream.ran)
    doubled, lost = sum(count > 1 for count in times.values()), states - len(times)
    print(
        f"{states:,} approved states, each sent {senders} times over two gateways: {len(upstream.ran):,} ran, "
        f"{doubled} doubled, {lost} lost; the others: {statuses['refused']:,} refused"
    )
    return doubled + lost + abs(statuses["refused"] - states * (senders - 1))


async def answer(client: Client, arguments: dict[str, Any], state: str) -> str:
    result = await client.session.call_tool(
        "delete_note", arguments, input_responses={"answer": YES}, request_state=state, allow_input_required=True
    )
    return str((getattr(result, "structured_content", None) or {}).get("status", "ran"))


async def _never(_context: Any, _params: Any) -> ElicitResult:
    raise RuntimeError("the proof answers by itself")


if __name__ == "__main__":
    sys.exit(main())
