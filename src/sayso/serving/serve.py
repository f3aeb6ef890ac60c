"""Runs an MCP server over standard input and output for one user, or over HTTP with tokens."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from sayso.errors import BadSetting, NotReady
from sayso.identity.bearer import bearer, holder, hosts
from sayso.identity.principal import LONGEST_ID, RESERVED, Principal, principal_from
from sayso.serving.connection import PROBES, Bounded
from sayso.serving.metrics import CONTENT_TYPE, Counted, Metrics, may_read
from sayso.serving.server import Identify
from sayso.settings import Settings, check_listening

PATH = "/mcp"
MOST_CONNECTIONS = 1000  # more of them get a 503, so that idle connections cannot use up the memory

Make = Callable[[Identify], Server[Any]]
Ready = Callable[[], Awaitable[None]]


def stdio_person(settings: Settings) -> Principal:
    """The user for whom a server over standard input and output acts, or BadSetting."""
    if settings.stdio_user is None:
        raise BadSetting("SAYSO_STDIO_USER", "is not set: name the user for whom the server acts")
    person = principal_from({"sub": settings.stdio_user, "name": settings.stdio_user, "zoneinfo": settings.timezone})
    if person is None:
        raise BadSetting(
            "SAYSO_STDIO_USER", f"must have 1 to {LONGEST_ID} characters and must not begin with {RESERVED}"
        )
    return person


async def serve_stdio(make: Make, person: Principal) -> None:
    """Serve one user over standard input and output."""
    server = make(lambda: person)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def serve_http(
    make: Make, ready: Ready, settings: Settings, metrics: Metrics, *, host: str, port: int, sessions: bool
) -> None:
    """Serve every client that has a valid token, until the process is stopped."""
    check_listening(settings, host)
    app = http_app(make, ready, settings, metrics, host=host, port=port, sessions=sessions)
    config = uvicorn.Config(
        app, host=host, port=port, http=Bounded, log_level="warning", limit_concurrency=MOST_CONNECTIONS
    )
    await uvicorn.Server(config).serve()


def fastest_loop() -> Callable[[], AbstractEventLoop] | None:
    """The factory of the event loop: uvloop if it is installed, which makes a call a third faster."""
    return uvicorn.Config("").get_loop_factory()


def http_app(
    make: Make, ready: Ready, settings: Settings, metrics: Metrics, *, host: str, port: int, sessions: bool = False
) -> Starlette:
    """The streamable HTTP app. It is stateless, unless `sessions` is set for older clients: these can ask their user
    only within a session."""
    server = make(holder)
    needed = bearer(settings, f"http://{host}:{port}{PATH}")

    async def is_alive(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("ok")

    async def is_ready(_request: Request) -> PlainTextResponse:
        try:
            await ready()
        except NotReady as problem:
            return PlainTextResponse(str(problem), status_code=503)
        return PlainTextResponse("ok")

    async def figures(request: Request) -> Response:
        if not may_read(request, settings):
            return PlainTextResponse("Not Found", status_code=404)
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=not sessions,
        stateless_http=not sessions,
        transport_security=hosts(settings, host),
        host=host,
        auth=needed.auth,
        token_verifier=needed.verifier,
        custom_starlette_routes=[Route("/healthz", is_alive), Route("/readyz", is_ready), Route("/metrics", figures)],
    )
    app.add_middleware(Counted, metrics=metrics, paths=(PATH, *PROBES), timed=PATH)
    return app
