"""Is a command done twice, or late, or without anybody knowing, when the broker dies again and again?

    python -m benchmarks fleet-chaos

1,000 commands to 200 simulated machines of 4 users, each machine on a connection of its own, while the broker is
killed 50 times (and forgets all it had) and 20 machines come and go. Every machine keeps a list of what it really did,
and that is held against what was said of each command. Then, with the ACL that `sayso devices acl` writes, machines of
8 users try 10,000 times to speak or listen to each other's.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import psycopg

from benchmarks.fleet.machines import MOVED
from benchmarks.fleet.trespass import trespass
from benchmarks.harness.brokers import OwnBroker, own_broker
from benchmarks.harness.services import Progress, new_database
from sayso.database.pool import Database
from sayso.devices.inventory import registry
from sayso.devices.inventory.machine import Machine
from sayso.devices.link.broker import Broker
from sayso.devices.link.gather import Gather
from sayso.devices.link.link import Link
from sayso.devices.link.topics import Topics
from sayso.devices.service import DeviceService
from sayso.devices.simulate.fleet import make_fleet
from sayso.devices.values import CommandResult, ExecuteCommand
from sayso.identity.principal import Principal

OWNERS = 4
SENDERS = 24
PATIENCE = 6.0  # seconds that a command has
# what may have been done, by what was said of it: how often
ALLOWED = {"done": (1, 1), "unknown": (0, 1), "sent": (0, 1)}


class Effects:
    """What machines really did, as they wrote it down."""

    def __init__(self, files: list[Path]) -> None:
        self.times: dict[UUID, list[datetime]] = defaultdict(list)
        self.late = self.moves = 0
        for line in (line for file in files for line in file.read_text("utf-8").splitlines()):
            if line == MOVED:
                self.moves += 1
                continue
            order, at, until = line.split()
            self.times[UUID(order)].append(datetime.fromisoformat(at))
            self.late += datetime.fromisoformat(at) >= datetime.fromisoformat(until)


class Chaos:
    """One run: a broker that dies, and people who go on giving commands. The machines are processes of their own."""

    def __init__(self, options: argparse.Namespace, mosquitto: OwnBroker) -> None:
        self._options, self._mosquitto = options, mosquitto
        self._chance = random.Random(options.seed)
        self._each = options.machines // OWNERS
        self.results: list[CommandResult] = []
        self.kills = self._given = 0

    def machines(self, folder: Path) -> list[tuple[subprocess.Popen[bytes], Path]]:
        """Start the machines of each owner; where they write down what they do."""
        numbers = (self._mosquitto.port, self._each, self._options.seed, self._options.restless // OWNERS)
        started = []
        for number in range(OWNERS):
            file = folder / f"{number}.txt"
            command = [sys.executable, "-m", "benchmarks.fleet.machines", f"owner {number}", *map(str, numbers), file]
            started.append((subprocess.Popen(command), file))
        return started

    async def run(self, url: str) -> None:
        broker, topics = Broker(host="127.0.0.1", port=self._mosquitto.port), Topics()
        owners = [Principal(id=f"owner {number}") for number in range(OWNERS)]
        fleet = [each.machine for each in make_fleet(self._each, seed=self._options.seed)]
        async with Database(url) as database, Link(broker, topics, Gather(database)) as link:
            for owner in owners:
                async with database.transaction(owner.id) as on:
                    registry.save(on, owner.id, fleet)
            service = DeviceService(database, link, patience=PATIENCE)
            await self._all_there(service, owners, fleet)
            progress = Progress("commands", self._options.commands)
            killing = asyncio.create_task(self._kill())
            await asyncio.gather(*(self._send(service, owners, fleet, progress) for _ in range(SENDERS)))
            await killing
            await asyncio.sleep(PATIENCE)  # what comes late comes now

    async def _all_there(self, service: DeviceService, owners: list[Principal], fleet: list[Machine]) -> None:
        for _ in range(600):
            if all(service.link.connected(owner.id, machine) for owner in owners for machine in fleet):
                return
            await asyncio.sleep(0.1)
        raise SystemExit("the machines do not connect")

    async def _send(
        self, service: DeviceService, owners: list[Principal], fleet: list[Machine], progress: Progress
    ) -> None:
        """Give commands, as the kills go on: neither ends before the other."""
        while self._given < self._options.commands:
            number, self._given = self._given, self._given + 1
            while self.kills < number * self._options.kills // self._options.commands:  # noqa: ASYNC110  of many kills
                await asyncio.sleep(0.02)
            machine = self._chance.choice(fleet)
            command = self._chance.choice([one for one in machine.commands if not one.destructive])
            value = None
            if command.is_valued:
                value = float(self._chance.randint(int(command.minimum or 0), int(command.maximum or 0)))
            given = ExecuteCommand(device_id=machine.id, machine_command_id=command.id, value=value)
            result = await service.ask_command(self._chance.choice(owners), given, key=f"command {number}")
            if not isinstance(result, CommandResult):
                raise SystemExit("a command that asks is none of this run's")
            self.results.append(result)
            progress.step()

    async def _kill(self) -> None:
        while self.kills < self._options.kills:
            await asyncio.sleep(self._chance.uniform(0.4, 2))
            self._mosquitto.kill()
            self.kills += 1
            await asyncio.sleep(self._chance.uniform(0.05, 0.6))
            await asyncio.to_thread(self._mosquitto.start)


def judge(chaos: Chaos, effects: Effects, url: str) -> dict[str, Any]:
    """What was said, held against what was done."""
    times = effects.times
    told = {UUID(result.order_id): result for result in chaos.results if result.order_id}
    wrong = []
    for order, result in told.items():
        least, most = ALLOWED.get(result.outcome or "", (0, 0))
        if not least <= len(times.get(order, ())) <= most:
            wrong.append(f"{result.outcome}, done {len(times.get(order, ()))} times")
    unsaid = [result for result in chaos.results if result.status == "error" and not result.error_message]
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM sayso.orders WHERE state = 'sent'").fetchone()
        late = connection.execute("SELECT count(*) FROM sayso.orders WHERE state = 'unknown'").fetchone()
    return {
        "doubled": sum(len(each) > 1 for each in times.values()),
        "late": effects.late,
        "without an order": len([order for order in times if order not in told]),
        "wrongly told": len(wrong),
        "unsettled": row[0] if row else -1,
        "said nothing": len(unsaid),
        "wrong": Counter(wrong),
        "still unknown": late[0] if late else -1,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commands", type=int, default=1000)
    parser.add_argument("--machines", type=int, default=200)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--restless", type=int, default=20)
    parser.add_argument("--attempts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.ERROR)  # connections are lost all the time
    begun = time.monotonic()
    with new_database(durable=False) as url, own_broker() as mosquitto, TemporaryDirectory() as folder:
        chaos = Chaos(options, mosquitto)
        machines = chaos.machines(Path(folder))
        try:
            asyncio.run(chaos.run(url))
        finally:
            for process, _ in machines:
                process.kill()
                process.wait(20)
        effects = Effects([file for _, file in machines])
        found = judge(chaos, effects, url)
    outcomes = Counter(result.reason or result.outcome for result in chaos.results)
    print(
        f"{len(chaos.results):,} commands to {options.machines} machines, the broker killed {chaos.kills} times, "
        f"{options.restless} machines gone and back {effects.moves} times ({time.monotonic() - begun:.0f} s): "
        + ", ".join(f"{count} {name}" for name, count in outcomes.most_common())
    )
    print(
        f"{found['doubled']} doubled, {found['late']} after their end, {found['without an order']} without an order, "
        f"{found['wrongly told']} wrongly told {found['wrong'] or ''}, {found['unsettled']} unsettled; "
        f"{found['still unknown']} unknown to the end, each reported"
    )
    leaks, attempts = asyncio.run(trespass(options.attempts, options.seed))
    noticed, _ = asyncio.run(trespass(100, options.seed, guarded=False))
    print(
        f"{attempts:,} attempts to reach another user's machines: {sum(leaks.values())} messages across {leaks or ''}"
        f" (in 100 without the ACL: {sum(noticed.values())})"
    )
    names = ("doubled", "late", "without an order", "wrongly told", "unsettled", "said nothing")
    short = len(chaos.results) < options.commands or chaos.kills < options.kills or attempts < options.attempts
    return int(bool(any(found[name] for name in names) or leaks or not noticed or short))


if __name__ == "__main__":
    sys.exit(main())
