"""A share of a large fleet as a process: many machines on each of a few connections, as behind gateways.

    python -m benchmarks.fleet.readers PORT MACHINES EVERY NUMBER OF OWNERS FILE

Waits for FILE.go, measures until FILE.stop, and writes into FILE how many readings the broker took.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

from sayso.devices.link.broker import Broker, message_properties
from sayso.devices.link.topics import Topics
from sayso.devices.simulate.fleet import make_fleet
from sayso.devices.simulate.run import Body, Station


async def answer_bare(broker: Broker) -> None:
    """Answer bare requests at once: what a machine does, and nothing else."""
    async with broker.client("bare-server") as client:
        await client.subscribe("bare/ask", qos=1)
        async for message in client.messages:
            data = getattr(message.properties, "CorrelationData", b"")
            properties = message_properties(CorrelationData=data)
            await client.publish("bare/answer", message.payload, qos=1, properties=properties)


async def main(port: int, machines: int, every: float, number: int, shares: int, owners: int, file: Path) -> None:
    broker, topics = Broker(host="127.0.0.1", port=port), Topics()
    stations = [
        Station(broker, topics, [Body(f"owner {owner}", each) for each in make_fleet(machines // owners)], every=every)
        for owner in range(number, owners, shares)
    ]
    while not file.with_suffix(".go").exists():  # noqa: ASYNC110  another process makes it
        await asyncio.sleep(0.05)
    tasks = [asyncio.create_task(station.run()) for station in stations]
    if number == 0:
        tasks.append(asyncio.create_task(answer_bare(broker)))
    while not file.with_suffix(".stop").exists():  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    for station in stations:
        station.is_measuring = False
    await asyncio.sleep(1)
    written = file.with_suffix(".part")
    written.write_text(str(sum(station.sent for station in stations)), "utf-8")
    written.rename(file)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    given = sys.argv[1:]
    asyncio.run(main(int(given[0]), int(given[1]), float(given[2]), *map(int, given[3:6]), Path(given[6])))
