"""Running the MCP server: over standard input and output for one person, or over HTTP for whoever has a token."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version

import uvicorn
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from sayso.database.pool import Database, Unavailable
from sayso.errors import BadSetting
from sayso.identity.principal import Principal, known_zone, principal_from
from sayso.identity.tokens import Tokens
from sayso.identity.trust import trusted_tokens
from sayso.settings import Settings
from sayso.tasks.server import make_server
from sayso.tasks.service import TaskService

PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


async def serve_stdio(settings: Settings, url: str) -> None:
    """Serve whoever started this process; the settings say who that is."""
    if settings.stdio_user is None:
        raise BadSetting("SAYSO_STDIO_USER", "is not set: name the user for whom the server acts")
    person = Principal(id=settings.stdio_user, name=settings.stdio_user, zone=known_zone(settings.timezone))
    async with service_of(settings, url) as service:
        server = make_server(service, lambda: person, version=version("sayso"), state_keys=settings.state_keys)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


async def serve_http(settings: Settings, url: str, *, host: str, port: int, sessions: bool) -> None:
    """Serve every holder of a token, until told to stop."""
    trusted_tokens(settings)
    async with service_of(settings, url) as service:
        app = http_app(service, settings, host=host, port=port, sessions=sessions)
        await uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level="warning")).serve()


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
    server = make_server(service, _from_token, version=version("sayso"), state_keys=settings.state_keys)
    public = settings.public_url or f"http://{host}:{port}{PATH}"
    auth = AuthSettings(
        issuer_url=AnyHttpUrl(settings.issuer or ""),
        resource_server_url=AnyHttpUrl(public),
        validate_token_resource=False,  # the verifier checks the audience itself
    )

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
        transport_security=_hosts(settings, host),
        host=host,
        auth=auth,
        token_verifier=_Verifier(trusted_tokens(settings)),
        custom_starlette_routes=[Route("/healthz", alive), Route("/readyz", ready)],
    )


def _hosts(settings: Settings, host: str) -> TransportSecuritySettings | None:
    """Which names a request may come under: a page elsewhere must not reach a server on this machine by its address."""
    if settings.allowed_hosts:
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=list(settings.allowed_hosts),
            allowed_origins=[f"{scheme}://{name}" for name in settings.allowed_hosts for scheme in ("http", "https")],
        )
    return None if host in _LOOPBACK else TransportSecuritySettings(enable_dns_rebinding_protection=False)


class _Verifier:
    """Our tokens as the SDK wants them."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    async def verify_token(self, token: str) -> AccessToken | None:
        verified = await self._tokens.verify(token)
        if verified is None:
            return None
        claims = verified.claims
        return AccessToken(
            token=token,
            client_id=str(claims.get("azp") or claims.get("client_id") or verified.principal.id),
            scopes=str(claims.get("scope") or "").split(),
            expires_at=int(claims["exp"]),
            subject=verified.principal.id,
            claims=claims,
        )


def _from_token() -> Principal | None:
    token = get_access_token()
    return principal_from(token.claims or {}) if token else None
