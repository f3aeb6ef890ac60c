"""Runs the MCP server of the devices."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from mcp.server import Server

from sayso.database.pool import Database, Unavailable, database_from
from sayso.devices.link.broker import broker_of
from sayso.devices.link.gather import Gather
from sayso.devices.link.link import Link
from sayso.devices.link.topics import Topics
from sayso.devices.server import make_server
from sayso.devices.service import TOOLS, DeviceService
from sayso.errors import NotReady
from sayso.identity.trust import trusted_tokens
from sayso.serving import serve
from sayso.serving.metrics import Metrics
from sayso.serving.serve import Make, Ready
from sayso.serving.server import Identify
from sayso.settings import Settings

PATIENCE = 5  # seconds that a server waits for the broker at startup; then it starts without it


async def serve_stdio(settings: Settings, url: str) -> None:
    """Serve the user whom the settings name, over stdin and stdout, and listen only to their machines."""
    person = serve.stdio_person(settings)
    async with service_of(settings, url, owner=person.id) as service:
        await serve.serve_stdio(_maker(service, settings), person)


async def serve_http(settings: Settings, url: str, *, host: str, port: int, sessions: bool) -> None:
    """Serve every client that has a valid token, until the process is stopped."""
    trusted_tokens(settings)
    metrics = Metrics(TOOLS)
    async with service_of(settings, url, metrics=metrics) as service:
        make, ready = _maker(service, settings), _readiness(service)
        await serve.serve_http(make, ready, settings, metrics, host=host, port=port, sessions=sessions)


@asynccontextmanager
async def service_of(
    settings: Settings, url: str, *, owner: str | None = None, metrics: Metrics | None = None
) -> AsyncIterator[DeviceService]:
    """The device service with its own connection pool and its own link."""
    async with (
        database_from(settings, url, metrics) as database,
        open_devices(settings, database, owner=owner) as service,
    ):
        yield service


@asynccontextmanager
async def open_devices(
    settings: Settings, database: Database, *, owner: str | None = None
) -> AsyncIterator[DeviceService]:
    """The device service over this database, with its own link."""
    async with open_link(settings, database, owner=owner) as link:
        await link.ready(PATIENCE)
        yield DeviceService(database, link, zone=settings.timezone, patience=settings.mqtt_patience)


def open_link(settings: Settings, database: Database, *, owner: str | None = None) -> Link:
    """The link of the settings, not connected yet. BadSetting if the settings name no broker."""
    return Link(broker_of(settings), Topics(settings.mqtt_topics), Gather(database), owner=owner)


def _maker(service: DeviceService, settings: Settings) -> Make:
    def make(identify: Identify) -> Server[Any]:
        return make_server(service, identify, version=version("sayso"), state_keys=settings.state_keys)

    return make


def _readiness(service: DeviceService) -> Ready:
    async def ready() -> None:
        try:
            await service.is_ready()
        except Unavailable as problem:
            raise NotReady("no database") from problem
        if not service.link.is_connected:
            raise NotReady("no broker")

    return ready
