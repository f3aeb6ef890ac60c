"""Does the link keep up with a large fleet, and what does it add to a command's way?

    python -m benchmarks fleet-size

5,000 simulated machines of 20 users send a reading every 5 seconds, for a minute; each reading that the broker took
must stand in the registry's history. Meanwhile commands go to some machines over the link, in turn with bare requests
over aiomqtt alone (publish with a response topic, wait for the answer) to a client that answers at once: same broker,
same run.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import subprocess
import sys
import time
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import aiomqtt
import psycopg

from benchmarks.harness.brokers import own_broker
from benchmarks.harness.services import new_database
from sayso.database.pool import Database
from sayso.devices.inventory import registry
from sayso.devices.inventory.machine import Machine
from sayso.devices.link import wire
from sayso.devices.link.broker import Broker, end, message_properties
from sayso.devices.link.gather import Gather
from sayso.devices.link.link import Link
from sayso.devices.link.topics import Topics
from sayso.devices.link.wire import Order
from sayso.devices.service import DeviceService
from sayso.devices.simulate.fleet import make_fleet
from sayso.devices.values import CommandResult, ExecuteCommand
from sayso.identity.principal import Principal
from sayso.serving.serve import fastest_loop

OWNERS = 20


class Bare:
    """A request and its answer with aiomqtt alone: what a command costs at least."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, asyncio.Future[None]] = {}

    async def listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            future = self._waiting.pop(message.properties.CorrelationData, None)  # type: ignore[union-attr]
            if future is not None and not future.done():
                future.set_result(None)

    async def ask(self, client: aiomqtt.Client) -> float:
        begun, data = time.perf_counter(), uuid4().bytes
        self._waiting[data] = future = asyncio.get_running_loop().create_future()
        properties = message_properties(CorrelationData=data, ResponseTopic="bare/answer", MessageExpiryInterval=10)
        body = wire.written(Order(id=uuid4(), command="turn_on", expires_at=datetime.now(UTC)))
        await client.publish("bare/ask", body, qos=1, properties=properties)
        await asyncio.wait_for(future, 60)
        return time.perf_counter() - begun


async def measure(options: argparse.Namespace, url: str, port: int, counts: list[Path]) -> dict[str, float]:
    """Let the fleet run, and time both kinds of requests in turn."""
    broker, topics = Broker(host="127.0.0.1", port=port), Topics()
    owners = [Principal(id=f"owner {number}") for number in range(OWNERS)]
    fleet = [each.machine for each in make_fleet(options.machines // OWNERS)]
    found: dict[str, list[float]] = {"bare": [], "link": [], "service": []}
    async with Database(url) as database:
        gathered = Gather(database)
        for owner in owners:
            async with database.transaction(owner.id) as on:
                registry.save(on, owner.id, fleet)
        async with Link(broker, topics, gathered) as link, broker.client("bare-client") as client:
            service, bare = DeviceService(database, link, patience=60), Bare()
            await client.subscribe("bare/answer", qos=1)
            listening = asyncio.create_task(bare.listen(client))
            begun = time.monotonic()
            for file in counts:
                file.with_suffix(".go").touch()
            await _all_there(link, owners, fleet)
            await asyncio.sleep(options.warm)
            until = time.monotonic() + options.seconds
            chance = random.Random(options.seed)
            while time.monotonic() < until:
                owner, machine = chance.choice(owners), chance.choice(fleet)
                found["bare"].append(await bare.ask(client))
                found["link"].append(await _by_link(link, owner, machine))
                found["service"].append(await _by_service(service, owner, machine))
                await asyncio.sleep(0.05)
            for file in counts:
                file.with_suffix(".stop").touch()
            sent = await _sent(counts)
            await _drained(gathered, url, sent)
            await end(listening)
    kept = _kept(url)
    return {
        "sent": sent,
        "kept": kept,
        "trials": len(found["link"]),
        "lost": gathered.lost,
        "took": time.monotonic() - begun,
    } | {name: median(times) * 1000 for name, times in found.items()}


async def _all_there(link: Link, owners: list[Principal], fleet: list[Machine]) -> None:
    for _ in range(1200):
        if all(link.connected(owner.id, machine) for owner in owners for machine in fleet):
            return
        await asyncio.sleep(0.1)
    raise SystemExit("the machines do not connect")


async def _drained(gathered: Gather, url: str, sent: int) -> None:
    """What the broker still has for us comes in, however long it takes; what comes no more is lost."""
    before, quiet = -1, 0
    while quiet < 5:
        await asyncio.sleep(1)
        await gathered.flush()
        kept = await asyncio.to_thread(_kept, url)
        if kept == sent:
            return
        quiet = quiet + 1 if kept == before else 0
        before = kept


async def _by_link(link: Link, owner: Principal, machine: Machine) -> float:
    command = next(one for one in machine.commands if not one.destructive and not one.is_valued)
    order = Order(id=uuid4(), command=command.id, expires_at=datetime.now(UTC) + timedelta(seconds=60))
    begun = time.perf_counter()
    outcome = await link.give(owner.id, machine, command, order)
    if outcome.state not in ("done", "refused"):
        raise SystemExit(f"a command came to {outcome.state}")
    return time.perf_counter() - begun


async def _by_service(service: DeviceService, owner: Principal, machine: Machine) -> float:
    command = next(one for one in machine.commands if not one.destructive and not one.is_valued)
    begun = time.perf_counter()
    result = await service.ask_command(owner, ExecuteCommand(device_id=machine.id, machine_command_id=command.id))
    if not isinstance(result, CommandResult) or result.outcome not in ("done", "refused"):
        raise SystemExit(f"a command came to {result}")
    return time.perf_counter() - begun


async def _sent(counts: list[Path]) -> int:
    """How many readings the broker took, by the word of the machines."""
    for _ in range(600):
        if all(file.exists() for file in counts):
            return sum(int(file.read_text("utf-8")) for file in counts)
        await asyncio.sleep(0.1)
    raise SystemExit("the machines do not stop")


def _kept(url: str) -> int:
    """Readings in the history: each has several values, taken at one moment."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM (SELECT DISTINCT user_id, machine_id, at FROM sayso.readings) AS x"
        )
        return int((row.fetchone() or (0,))[0])


def _run(measuring: Coroutine[Any, Any, dict[str, float]]) -> dict[str, float]:
    """In the event loop that the servers run in."""
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        return runner.run(measuring)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machines", type=int, default=5000)
    parser.add_argument("--every", type=float, default=5.0)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=5)
    parser.add_argument("--most", type=float, default=2.0, help="fail where the link takes more than this many times")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    with new_database(durable=False) as url, own_broker() as mosquitto, TemporaryDirectory() as folder:
        counts = [Path(folder) / f"{number}.txt" for number in range(2)]
        command = [
            sys.executable,
            "-m",
            "benchmarks.fleet.readers",
            str(mosquitto.port),
            str(options.machines),
            str(options.every),
        ]
        machines = [
            subprocess.Popen([*command, str(number), str(len(counts)), str(OWNERS), file])
            for number, file in enumerate(counts)
        ]
        try:
            found = _run(measure(options, url, mosquitto.port, counts))
        finally:
            for process in machines:
                process.kill()
                process.wait(20)
    missing = found["sent"] - found["kept"]
    ratio = found["link"] / found["bare"]
    seconds = found["took"]
    print(
        f"{options.machines:,} machines, a reading every {options.every:g} s, for {seconds:.0f} s: "
        f"{found['sent']:,} readings taken by the broker, {found['kept']:,} kept, {missing:,} lost"
    )
    print(
        f"a command and its answer, p50 of {found['trials']:,}: over the link {found['link']:.2f} ms, bare aiomqtt "
        f"{found['bare']:.2f} ms: {ratio:.2f} times; with its two transactions {found['service']:.2f} ms"
    )
    return int(missing != 0 or ratio > options.most)


if __name__ == "__main__":
    sys.exit(main())
