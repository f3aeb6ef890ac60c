"""Simulated machines of one owner as a process of their own, which writes down what they really did.

    python -m benchmarks.fleet.machines OWNER PORT COUNT SEED RESTLESS FILE

A line of the file: an order's id, when it was done, when it ended. The restless ones leave and come back, again and
again; each time is a line, too.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
from datetime import datetime
from pathlib import Path
from typing import TextIO

from sayso.devices.link.broker import Broker, end
from sayso.devices.link.topics import Topics
from sayso.devices.link.wire import Order
from sayso.devices.simulate.fleet import make_fleet
from sayso.devices.simulate.run import Body, Station

MOVED = "moved"


async def main(owner: str, port: int, count: int, seed: int, restless: int, file: TextIO) -> None:
    broker, topics, chance = Broker(host="127.0.0.1", port=port), Topics(), random.Random(f"{owner} {seed}")

    def note(_owner: str, order: Order, at: datetime) -> None:
        print(order.id, at.isoformat(), order.expires_at.isoformat(), file=file, flush=True)

    def start(body: Body) -> asyncio.Task[None]:
        return asyncio.create_task(Station(broker, topics, [body], every=5).run())

    tasks = {body: start(body) for body in (Body(owner, each, effect=note) for each in make_fleet(count, seed=seed))}
    moving = chance.sample(list(tasks), restless)
    while True:
        for body in moving:
            await asyncio.sleep(chance.uniform(0, 1))
            await end(tasks[body])
            print(MOVED, file=file, flush=True)
            await asyncio.sleep(chance.uniform(0, 0.5))
            tasks[body] = start(body)
        if not moving:
            await asyncio.sleep(1)


if __name__ == "__main__":
    logging.disable(logging.ERROR)
    name, *numbers, path = sys.argv[1:]
    with Path(path).open("w", encoding="utf-8") as written:
        asyncio.run(main(name, *map(int, numbers), written))
