"""Runs the MCP server of the tasks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from mcp.server import Server
from starlette.applications import Starlette

from sayso.database.pool import Unavailable, database_from
from sayso.errors import NotReady
from sayso.identity.trust import trusted_tokens
from sayso.serving import serve
from sayso.serving.metrics import Metrics
from sayso.serving.serve import Make, Ready
from sayso.serving.server import Identify
from sayso.settings import Settings
from sayso.tasks.server import make_server
from sayso.tasks.service import TOOLS, TaskService


async def serve_stdio(settings: Settings, url: str) -> None:
    """Serve the user whom the settings name, over stdin and stdout."""
    person = serve.stdio_person(settings)
    async with service_of(settings, url) as service:
        await serve.serve_stdio(_maker(service, settings), person)


async def serve_http(settings: Settings, url: str, *, host: str, port: int, sessions: bool) -> None:
    """Serve every client that has a valid token, until the process is stopped."""
    trusted_tokens(settings)
    metrics = Metrics(TOOLS)
    async with service_of(settings, url, metrics) as service:
        make, ready = _maker(service, settings), _readiness(service)
        await serve.serve_http(make, ready, settings, metrics, host=host, port=port, sessions=sessions)


@asynccontextmanager
async def service_of(settings: Settings, url: str, metrics: Metrics | None = None) -> AsyncIterator[TaskService]:
    """The task service with a separate connection pool."""
    async with database_from(settings, url, metrics) as database:
        yield TaskService(database, zone=settings.timezone)


def http_app(
    service: TaskService,
    settings: Settings,
    metrics: Metrics | None = None,
    *,
    host: str,
    port: int,
    sessions: bool = False,
) -> Starlette:
    """The streamable HTTP app of the tasks."""
    make, ready = _maker(service, settings), _readiness(service)
    return serve.http_app(make, ready, settings, metrics or Metrics(TOOLS), host=host, port=port, sessions=sessions)


def _maker(service: TaskService, settings: Settings) -> Make:
    def make(identify: Identify) -> Server[Any]:
        return make_server(service, identify, version=version("sayso"), state_keys=settings.state_keys)

    return make


def _readiness(service: TaskService) -> Ready:
    async def ready() -> None:
        try:
            await service.is_ready()
        except Unavailable as problem:
            raise NotReady("no database") from problem

    return ready
