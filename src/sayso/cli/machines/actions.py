"""Actions of `sayso devices`; they need the `devices` extra."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import typer
from aiomqtt import MqttError
from paho.mqtt.subscribeoptions import SubscribeOptions

from sayso.cli.services.tasks import prepared, run
from sayso.cli.show import visible
from sayso.database.pool import Database
from sayso.devices.inventory import registry
from sayso.devices.inventory.discovery import discover
from sayso.devices.inventory.fleetfile import read_fleet
from sayso.devices.inventory.machine import Machine
from sayso.devices.link.acl import mosquitto_acl
from sayso.devices.link.broker import Broker, broker_of, end
from sayso.devices.link.topics import Topics, level
from sayso.devices.simulate.fleet import languages, make_fleet
from sayso.devices.simulate.run import Body, Station
from sayso.errors import BadSetting, NotReady
from sayso.identity.principal import principal_from
from sayso.settings import Settings, read_settings

MOST_CONNECTIONS = 200  # of a simulated fleet; the machines of a larger one share them


def import_file(file: Path, user: str | None) -> None:
    machines = read_fleet(file)
    settings, url = prepared(over_http=False)
    owner = _owner(settings, user)
    run(_save(url, owner, machines))
    typer.echo(f"{len(machines)} machines of {visible(owner)} are in the registry.")


def discover_machines(user: str | None, seconds: float, language: str) -> None:
    settings, url = prepared(over_http=False)
    owner, broker, topics = _owner(settings, user), broker_of(settings), Topics(settings.mqtt_topics)
    messages: list[tuple[str, bytes]] = []
    prefix = settings.mqtt_discovery
    run(_listen(broker, f"{prefix.replace('{owner}', level(owner))}/#", seconds, messages))
    found = discover(messages, prefix=prefix, owner=owner, topics=topics, language=language)
    if found.machines:
        run(_save(url, owner, found.machines))
    for machine in found.machines:
        can = ", ".join(command.name for command in machine.commands) or "–"
        measures = ", ".join(metric.name for metric in machine.metrics) or "–"
        typer.echo(f"{visible(machine.name)}: can {visible(can)}; measures {visible(measures)}")
    for each in found.left_out:
        typer.echo(f"left out: {visible(each)}", err=True)
    typer.echo(f"{len(found.machines)} machines of {visible(owner)} are in the registry.")


async def _listen(broker: Broker, topic: str, seconds: float, into: list[tuple[str, bytes]]) -> None:
    """All that is retained there, and what comes in while we listen."""
    try:
        async with broker.client("") as client:
            await client.subscribe([(topic, SubscribeOptions(qos=1))])
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    async for message in client.messages:
                        if message.topic.value.endswith("/config"):
                            into.append((message.topic.value, bytes(message.payload)))  # noqa: PERF401  they may never end
    except MqttError as problem:
        raise NotReady(f"no connection to the broker: {problem}. Is SAYSO_MQTT_URL right?") from problem


def list_machines(user: str | None) -> None:
    settings, url = prepared(over_http=False)
    owner = _owner(settings, user)

    async def read() -> None:
        async with Database(url) as database, database.transaction(owner) as on:
            for machine in await registry.all_machines(on, owner):
                state = {True: "connected", False: "not connected", None: "no contact yet"}[machine.connected]
                typer.echo(f"{visible(machine.id)}  {visible(machine.name)}  {visible(machine.location)}  {state}")

    run(read())


def simulate_fleet(
    count: int,
    user: str | None,
    language: str,
    every: float,
    speed: float,
    seconds: float | None,
    seed: int,
) -> None:
    if language not in languages():
        raise typer.BadParameter(f"there are {', '.join(languages())}", param_hint="--language")
    settings, url = prepared(over_http=False)
    owner, broker, topics = _owner(settings, user), broker_of(settings), Topics(settings.mqtt_topics)
    fleet = make_fleet(count, language=language, seed=seed)
    run(_save(url, owner, [each.machine for each in fleet]))
    bodies = [Body(owner, each, language=language) for each in fleet]
    shared = -(-count // MOST_CONNECTIONS)
    stations = [
        Station(broker, topics, bodies[start : start + shared], every=every, speed=speed)
        for start in range(0, count, shared)
    ]
    typer.echo(f"{count} machines of {visible(owner)} are running. Stop them with Ctrl-C.")
    with suppress(KeyboardInterrupt):
        run(_simulate(stations, seconds))


async def _simulate(stations: Sequence[Station], seconds: float | None) -> None:
    tasks = [asyncio.create_task(station.run()) for station in stations]
    try:
        await asyncio.wait(tasks, timeout=seconds)
    finally:
        await end(*tasks)


def print_acl(link: str, user: str | None) -> None:
    settings = read_settings()
    if user is not None:
        typer.echo(level(user))
        return
    typer.echo(mosquitto_acl(Topics(settings.mqtt_topics), link, settings.mqtt_discovery), nl=False)


async def _save(url: str, owner: str, machines: Sequence[Machine]) -> None:
    async with Database(url) as database, database.transaction(owner) as on:
        registry.save(on, owner, machines)


def _owner(settings: Settings, user: str | None) -> str:
    principal = principal_from({"sub": user or settings.stdio_user})
    if principal is None:
        raise BadSetting("SAYSO_STDIO_USER", "is not set: name the owner with --user")
    return principal.id
