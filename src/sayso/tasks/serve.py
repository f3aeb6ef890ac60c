"""Running the MCP server: over standard input and output for one person, or over HTTP for whoever has a token."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version

import uvicorn
from mcp.server.stdio import stdio_server
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from sayso.database.pool import Database, Unavailable
from sayso.errors import BadSetting
from sayso.identity.bearer import bearer, holder, hosts
from sayso.identity.principal import LONGEST_ID, principal_from
from sayso.identity.trust import trusted_tokens
from sayso.settings import Settings
from sayso.tasks.server import make_server
from sayso.tasks.service import TaskService

PATH = "/mcp"
MOST_CONNECTIONS = 1000  # beyond them 503, so that connections that say nothing cannot take all the memory


async def serve_stdio(settings: Settings, url: str) -> None:
    """Serve whoever started this process; the settings say who that is."""
    if settings.stdio_user is None:
        raise BadSetting("SAYSO_STDIO_USER", "is not set: name the user for whom the server acts")
    person = principal_from({"sub": settings.stdio_user, "name": settings.stdio_user, "zoneinfo": settings.timezone})
    if person is None:
        raise BadSetting("SAYSO_STDIO_USER", f"is no name of 1 to {LONGEST_ID} characters")
    async with service_of(settings, url) as service:
        server = make_server(service, lambda: person, version=version("sayso"), state_keys=settings.state_keys)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


async def serve_http(settings: Settings, url: str, *, host: str, port: int, sessions: bool) -> None:
    """Serve every holder of a token, until told to stop."""
    trusted_tokens(settings)
    async with service_of(settings, url) as service:
        app = http_app(service, settings, host=host, port=port, sessions=sessions)
        config = uvicorn.Config(
            app, host=host, port=port, http="h11", log_level="warning", limit_concurrency=MOST_CONNECTIONS
        )
        await uvicorn.Server(config).serve()


def fastest_loop() -> Callable[[], AbstractEventLoop] | None:
    """The event loop to run in: uvloop's where it is installed, which takes a third off a call."""
    return uvicorn.Config("").get_loop_factory()


@asynccontextmanager
async def service_of(settings: Settings, url: str) -> AsyncIterator[TaskService]:
    """The task service over a pool of its own."""
    async with Database(url, connections=settings.database_pool, prepare=settings.database_prepare) as database:
        yield TaskService(database, zone=settings.timezone)


def http_app(service: TaskService, settings: Settings, *, host: str, port: int, sessions: bool = False) -> Starlette:
    """The streamable HTTP app. Nothing is kept between requests, unless sessions are wanted for older clients, which
    can be asked over a session alone."""
    server = make_server(service, holder, version=version("sayso"), state_keys=settings.state_keys)
    needed = bearer(settings, f"http://{host}:{port}{PATH}")

    async def alive(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("ok")

    async def ready(_request: Request) -> PlainTextResponse:
        try:
            await service.is_ready()
        except Unavailable:
            return PlainTextResponse("no database", status_code=503)
        return PlainTextResponse("ok")

    return server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=not sessions,
        stateless_http=not sessions,
        transport_security=hosts(settings, host),
        host=host,
        auth=needed.auth,
        token_verifier=needed.verifier,
        custom_starlette_routes=[Route("/healthz", alive), Route("/readyz", ready)],
    )
