"""Runs the gateway over standard input and output for one person, or over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from sayso.errors import BadSetting, NotReady
from sayso.gateway.config import Config, read_config, state_folder
from sayso.gateway.guarded import Guarded
from sayso.gateway.hooks.lookup import HookWords
from sayso.gateway.inbox.app import pages_routes
from sayso.gateway.inbox.desk import open_desk
from sayso.gateway.inbox.notify import open_notifier
from sayso.gateway.inbox.serve import origin, serve_pages
from sayso.gateway.login.tokens import Logins
from sayso.gateway.messages import say
from sayso.gateway.metrics import CONTENT_TYPE
from sayso.gateway.proxy import Gateway, Identify, make_server
from sayso.gateway.questions.browsers import Browsers
from sayso.gateway.questions.pages import Pages
from sayso.gateway.redaction.redactor import Redactor
from sayso.gateway.rules.reload import Source, watching
from sayso.gateway.seals.beacon import Beacon
from sayso.gateway.seals.key import Key, open_key
from sayso.gateway.seals.pins import Pins
from sayso.gateway.trail.stores import open_keeping, user_here
from sayso.gateway.upstream.fast_path import FastPath
from sayso.identity.bearer import LOOPBACK, bearer, holder, hosts
from sayso.identity.local import is_from_here
from sayso.settings import Settings, check_listening

PATH = "/mcp"


class Sealed(NamedTuple):
    """What a gateway keeps in files that it seals."""

    pins: Pins
    pages: Pages
    browsers: Browsers
    key: Key


def open_sealed(config: Config, file: Path, settings: Settings | None = None) -> Sealed:
    """The sealed files of the gateway of this file, with its key."""
    state = state_folder(config, file)
    key = open_key(state, settings)
    pins = Pins(state / "tools.json", key)
    if key.is_new:
        pins.start()
    pages = Pages(state / "pages", key, beacon=Beacon(state / "inbox.json", key))
    return Sealed(pins, pages, Browsers(state / "browsers", key), key)


@asynccontextmanager
async def open_gateway(file: Path, identify: Identify, settings: Settings | None = None) -> AsyncIterator[Gateway]:
    """The gateway over the servers of a file; they are connected when they are needed. Without settings it keeps what
    it must remember beside the file."""
    config = read_config(file)
    lang = config.sayso.lang
    sealed = open_sealed(config, file, settings)
    pins, pages, browsers, key = sealed
    logins = Logins(state_folder(config, file) / "logins", key)
    servers = {
        name: Guarded(name, server, pins, file.parent, lang, logins)
        for name, server in config.servers.items()
        if not server.disabled
    }
    async with open_keeping(config, file, settings) as found:
        keeping = found._replace(redactor=Redactor(config.sayso.redaction, key))
        gateway = Gateway(servers, identify, keeping, pages, browsers, lang, keeping.grants(key))
        gateway.desk = open_desk(config, file, settings, sealed, keeping)
        notifier = open_notifier(config, file, settings or Settings(), gateway.desk.subscriptions, browsers)
        gateway.paging.notifier = notifier
        try:
            source, note = Source(file, config, pins, servers), partial(gateway.note, user_here(settings or Settings()))
            async with watching(gateway, source, config, note):
                yield gateway
        finally:
            if notifier is not None:
                await notifier.close()
            for server in servers.values():
                await server.close()


async def serve_stdio(settings: Settings, file: Path) -> None:
    """Serve the user who started this process."""
    user = user_here(settings)
    async with open_gateway(file, lambda: user, settings) as gateway, AsyncExitStack() as stack:
        gateway.hook_words = HookWords()
        server = make_server(gateway, version=version("sayso"), state_keys=settings.state_keys)
        if gateway.desk is not None:
            await stack.enter_async_context(serve_pages(gateway.desk))
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


async def serve_http(settings: Settings, file: Path, *, host: str, port: int, sessions: bool) -> None:
    """Serve over HTTP: with an issuer, the users of its tokens; without one, the local user on this machine only."""
    if host not in LOOPBACK and settings.issuer is None:
        raise BadSetting(
            "SAYSO_OIDC_ISSUER",
            "is not set, and without tokens the gateway listens only on 127.0.0.1: set it, or use --host 127.0.0.1",
        )
    check_listening(settings, host)
    async with (
        open_gateway(file, identify_caller(settings), settings) as gateway,
        front_app(gateway, settings, host=host, port=port, sessions=sessions) as app,
    ):
        await uvicorn.Server(uvicorn.Config(app, host=host, port=port, http="h11", log_level="warning")).serve()


@asynccontextmanager
async def front_app(
    gateway: Gateway, settings: Settings, *, host: str, port: int, sessions: bool
) -> AsyncIterator[ASGIApp]:
    """The app, with the fast path in front of it if callers need no token."""
    app = http_app(gateway, settings, host=host, port=port, sessions=sessions)
    if settings.issuer is not None:
        yield app
        return
    fast = FastPath(app, gateway, PATH, _loopback(settings, host))
    try:
        yield fast
    finally:
        await fast.close()


def _loopback(settings: Settings, host: str) -> TransportSecuritySettings:
    """The names under which a request may come, as the SDK has them for an address of this machine."""
    names = [f"{name}:*" for name in ("127.0.0.1", "localhost", "[::1]")]
    return hosts(settings, host) or TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
    )


def identify_caller(settings: Settings) -> Identify:
    """A function that returns the caller: the user of the token, or the local user if tokens are not required."""
    if settings.issuer is None:
        user = user_here(settings)
        return lambda: user

    def proved() -> str | None:
        principal = holder()
        return principal.id if principal else None

    return proved


def http_app(gateway: Gateway, settings: Settings, *, host: str, port: int, sessions: bool = False) -> Starlette:
    """The streamable HTTP app. Older clients can be asked over a session alone."""
    server = make_server(gateway, version=version("sayso"), state_keys=settings.state_keys)
    needed = bearer(settings, f"http://{host}:{port}{PATH}") if settings.issuer is not None else None

    gateway.paging.pages.beacon = None  # this address stays, too
    gateway.paging.pages.base = origin(settings.public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}")

    async def alive(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("ok")

    async def ready(_request: Request) -> PlainTextResponse:
        try:
            await gateway.ready()
        except NotReady:
            return PlainTextResponse(say(gateway.lang, "no_database"), status_code=503)
        return PlainTextResponse("ok")

    async def figures(request: Request) -> Response:
        if not settings.metrics_open and not is_from_here(request):
            return PlainTextResponse("Not Found", status_code=404)
        return Response(gateway.metrics.text(), media_type=CONTENT_TYPE)

    return server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=not sessions,
        stateless_http=not sessions,
        transport_security=hosts(settings, host),
        host=host,
        auth=needed.auth if needed else None,
        token_verifier=needed.verifier if needed else None,
        custom_starlette_routes=[
            Route("/healthz", alive),
            Route("/readyz", ready),
            Route("/metrics", figures),
            *(pages_routes(gateway.desk, keys=True) if gateway.desk is not None else ()),
        ],
    )
