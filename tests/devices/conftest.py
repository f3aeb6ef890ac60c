"""A broker of the tests' own, a simulated fleet on it, and the devices over both."""

from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from waiting import until

from benchmarks.harness.brokers import own_broker
from sayso.database.pool import Database
from sayso.devices.inventory import registry
from sayso.devices.link.broker import Broker, end
from sayso.devices.link.gather import Gather
from sayso.devices.link.link import Link
from sayso.devices.link.topics import Topics
from sayso.devices.service import DeviceService
from sayso.devices.simulate.fleet import make_fleet
from sayso.devices.simulate.run import Body, Station
from sayso.identity.principal import Principal
from sayso.settings import Settings

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def mosquitto():
    """A broker that is never killed."""
    if not (shutil.which("mosquitto") or Path("/usr/sbin/mosquitto").exists()):
        pytest.skip("no Mosquitto")
    with own_broker() as broker:
        yield broker


@pytest.fixture
def broker(mosquitto):
    return Broker(host="127.0.0.1", port=mosquitto.port)


@pytest.fixture
def who():
    """Somebody with no machines yet."""
    return Principal(id=f"user {uuid4().hex[:12]}", name="Ada", language="it")


@pytest.fixture
def other():
    return Principal(id=f"other {uuid4().hex[:12]}")


@pytest.fixture
def settings(url, mosquitto):
    return Settings(
        env="development", database_url=url, state_keys=(KEY,), mqtt_url=f"mqtt://127.0.0.1:{mosquitto.port}"
    )


@pytest.fixture
def environment(url, mosquitto):
    """The variables of a process that serves this database and this broker."""
    ours = {
        "SAYSO_DATABASE_URL": url,
        "SAYSO_ENV": "development",
        "SAYSO_STATE_KEYS": KEY,
        "SAYSO_MQTT_URL": f"mqtt://127.0.0.1:{mosquitto.port}",
    }
    return {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")} | ours


@pytest.fixture
async def database(url, anyio_backend):  # noqa: ARG001  one event loop for all
    async with Database(url) as opened:
        yield opened


@pytest.fixture
def open_devices(database, broker):
    """The devices over a link of their own."""

    @asynccontextmanager
    async def opened(**more):
        async with Link(broker, Topics(), Gather(database)) as link:
            assert await link.ready(10)
            yield DeviceService(database, link, **({"patience": 4} | more))

    return opened


@pytest.fixture
async def devices(open_devices):
    async with open_devices() as service:
        yield service


@pytest.fixture
def add(database):
    """Puts machines into somebody's registry."""

    async def added(who, *machines):
        async with database.transaction(who.id) as on:
            registry.save(on, who.id, machines)

    return added


@pytest.fixture
async def running(broker, add):
    """Runs simulated machines: those of a fleet of so many that are wanted; their bodies, by id."""
    tasks = {}

    async def run(who, count=4, *, only=None, language="it", every=0.3, service=None, effect=None):
        fleet = [each for each in make_fleet(count, language=language) if only is None or each.machine.id in only]
        await add(who, *(each.machine for each in fleet))
        bodies = {}
        for each in fleet:
            body = bodies[each.machine.id] = Body(who.id, each, language=language, effect=effect)
            tasks[body] = asyncio.create_task(Station(broker, Topics(), [body], every=every).run())
        if service is not None:
            await until(lambda: all(service.link._gather.connected(who.id, one) for one in bodies))
        return bodies

    async def stop(body):
        await end(tasks.pop(body))

    run.stop = stop
    yield run
    for body in list(tasks):
        await stop(body)
