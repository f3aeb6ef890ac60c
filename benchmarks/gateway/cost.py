"""What the gateway costs: a read call and a list of 500 tools through it, against the same without, over loopback HTTP.

    python -m benchmarks gateway-cost

In each round a few calls of both, shuffled; the ratio is the median of the rounds. With --ledger, the same once
more with the trail in PostgreSQL, where every call waits for a commit: it is told, and nothing is promised. Then many
calls in a row, and how much memory they leave behind. Exits with 1 above 1.30 times, or where memory grows by a tenth.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path

import psycopg
from mcp import Client

from benchmarks.harness.figures import Ratio
from benchmarks.harness.race import race_over, ratio
from benchmarks.harness.services import Progress, environment_for, free_port, new_database

MOST = 1.30
GROWTH = 1.10
EACH = 10  # calls of each in a round
HERE = Path(__file__).parent
WORDS = {"sayso/words": "look up the thing called lamp"}


def start(
    port: int, *command: str | Path, url: str = "", python: str | Path = sys.executable
) -> subprocess.Popen[bytes]:
    """A server as a process of its own, once it listens."""
    process = subprocess.Popen([python, *command], env=environment_for(url, SAYSO_ENV="production"))
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            asyncio.run(_opens(port))
        except OSError:
            time.sleep(0.1)
        else:
            return process
    raise SystemExit("a server does not answer")


async def _opens(port: int) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()


async def measure(direct_url: str, gateway_url: str, rounds: int) -> tuple[Ratio, Ratio]:
    """A read call, and a list of the tools, of what they take without the gateway."""
    async with AsyncExitStack() as stack:
        direct = await stack.enter_async_context(Client(direct_url, cache=None))
        through = await stack.enter_async_context(Client(gateway_url, cache=None))
        calls = await race_over({"direct": reading(direct), "through": reading(through)}, rounds, EACH)
        lists = await race_over({"direct": direct.list_tools, "through": through.list_tools}, max(10, rounds // 10), 4)
    return ratio(calls["through"], calls["direct"]), ratio(lists["through"], lists["direct"])


def reading(client: Client) -> Callable[[], Awaitable[object]]:
    """A call that only reads."""
    return lambda: client.call_tool("read_0", {"name": "lamp"}, meta=WORDS)


async def many(gateway_url: str, calls: int, memory: Callable[[], int]) -> float:
    """How much memory grows from a tenth of the calls to all of them."""
    progress = Progress("calls", calls)
    async with Client(gateway_url, cache=None) as client:
        await client.list_tools()
        before = 0
        for number in range(calls):
            await client.call_tool("read_0", {"name": f"lamp {number}"}, meta=WORDS)
            progress.step()
            if number == calls // 10:
                before = memory()
    return memory() / before


@contextmanager
def ledger() -> Iterator[str]:
    """A database, as a role that row security binds sees it."""
    role = f"sayso_proof_{secrets.token_hex(6)}"
    with new_database() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN IN ROLE sayso_app")
        try:
            yield psycopg.conninfo.make_conninfo(url, user=role)
        finally:
            connection.execute(f"DROP ROLE {role}")


def gateway(config: Path, port: int, url: str = "") -> subprocess.Popen[bytes]:
    serve = ("-m", "sayso.cli", "gateway", "--config", config, "--transport", "http", "--port", str(port))
    return start(port, *serve, url=url)


def resident(pid: int) -> int:
    """Kilobytes that a process holds."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise SystemExit("the gateway is gone")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--tools", type=int, default=500)
    parser.add_argument("--ledger", action="store_true", help="also with the trail in PostgreSQL")
    options = parser.parse_args()
    upstream, front, other = free_port(), free_port(), free_port()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        config = Path(folder) / "sayso.json"
        server = {"url": f"http://127.0.0.1:{upstream}/mcp", "sayso": {"trusted": True}}
        config.write_text(json.dumps({"mcpServers": {"upstream": server}}))
        processes = [start(upstream, HERE / "reader.py", str(upstream), str(options.tools))]
        try:
            processes.append(gateway(config, front))
            urls = (f"http://127.0.0.1:{upstream}/mcp", f"http://127.0.0.1:{front}/mcp")
            calls, lists = asyncio.run(measure(*urls, options.rounds))
            told = f"a read call: {calls.median:.2f} times; a list of {options.tools} tools: {lists.median:.2f} times"
            print(f"{told} (at most {MOST})")
            if options.ledger:
                processes.append(gateway(config, other, stack.enter_context(ledger())))
                kept, _ = asyncio.run(measure(urls[0], f"http://127.0.0.1:{other}/mcp", options.rounds))
                print(f"a read call with the trail in the ledger: {kept.median:.2f} times")
            growth = 1.0
            if options.calls:
                growth = asyncio.run(many(urls[1], options.calls, lambda: resident(processes[1].pid)))
                print(f"memory after {options.calls:,} calls: {growth:.3f} times that after a tenth (at most {GROWTH})")
        finally:
            for process in processes:
                process.terminate()
                process.wait(20)
    return int(calls.median > MOST or lists.median > MOST or growth > GROWTH)


if __name__ == "__main__":
    sys.exit(main())
