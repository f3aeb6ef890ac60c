"""Tries forged, replayed, swapped and late yeses and grants on a gateway: none may count.

python -m benchmarks gateway-forgeries

Each try ends in a call that would run if the forgery counted; the server counts what runs. Genuine answers and grants
run at the beginning and at the end, so that a gateway that refuses everything does not pass.
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
from random import Random
from typing import Any
from unittest.mock import patch

from mcp import Client
from mcp_types import ElicitResult

from benchmarks.attacks.forged_grants import GRANTS
from benchmarks.attacks.forged_worlds import DELETE, WRITE, World, settings_for_forgeries
from benchmarks.attacks.forged_yeses import YESES
from benchmarks.gateway.upstream import Upstream
from benchmarks.harness.services import KEY, Progress
from sayso.gateway.proxy import make_server
from sayso.gateway.serve import open_gateway

NO = ElicitResult(action="decline")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tries", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        upstream = stack.enter_context(Upstream())
        wrong = asyncio.run(prove(folder, upstream, given.tries, Random(given.seed)))
    return int(wrong > 0)


async def prove(folder: Path, upstream: Upstream, tries: int, rng: Random) -> int:
    tricks = [*YESES, *GRANTS]
    counts: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    async with AsyncExitStack() as stack:
        world = await opened(stack, folder, upstream, rng)
        genuine = await world.genuine()
        progress = Progress("tries", tries)
        for number in range(tries):
            trick = tricks[number % len(tricks)]
            counts[trick.__name__] += 1
            before = len(upstream.ran)
            await trick(world)
            accepted[trick.__name__] += len(upstream.ran) - before
            world.clear()
            progress.step()
        genuine += await world.genuine()
    for name, count in counts.items():
        print(f"{name:32} {count:6,} tries, {accepted[name]} accepted")
    print(f"{tries:,} forged, replayed, swapped and late yeses and grants: {accepted.total()} accepted")
    print(f"genuine yeses and grants: {genuine} of {2 * World.GENUINE} accepted")
    return accepted.total() + 2 * World.GENUINE - genuine


async def opened(stack: AsyncExitStack, folder: Path, upstream: Upstream, rng: Random) -> World:
    """A gateway, another one with other keys, and a client that declines whatever it is asked."""
    world = World(folder, upstream, rng)
    stack.enter_context(patch("sayso.gateway.proxy._now", world.now))
    for name, key in (("ours", KEY), ("theirs", KEY[::-1])):
        file = folder / f"{name}.json"
        file.write_text(json.dumps({"mcpServers": {"one": {"url": upstream.url, "sayso": RISKS}}}))
        settings = settings_for_forgeries(folder, name)
        gateway = await stack.enter_async_context(open_gateway(file, lambda: world.user, settings))
        server = make_server(gateway, version="0", state_keys=(key,))
        client = await stack.enter_async_context(Client(server, elicitation_callback=_decline, cache=None))
        world.add(name, gateway, client)
    return world


RISKS = {"tools": {WRITE: {"risk": "write"}, DELETE: {"risk": "destructive"}}, "grants": {"most": "always"}}


async def _decline(_context: Any, _params: Any) -> ElicitResult:
    return NO


if __name__ == "__main__":
    sys.exit(main())
