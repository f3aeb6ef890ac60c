"""Serves the pages: next to a gateway that a client started, or in a separate process (`sayso gateway inbox`)."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette

from sayso.errors import BadSetting
from sayso.gateway.inbox.app import pages_routes
from sayso.gateway.inbox.desk import Desk
from sayso.gateway.seals.beacon import GOOD_FOR
from sayso.settings import Settings, is_loopback

_URL = "SAYSO_PUBLIC_URL"


@asynccontextmanager
async def serve_pages(desk: Desk) -> AsyncIterator[None]:
    """Serve the pages on a port of this machine, for a gateway that speaks over standard input and output. The port
    changes, so browsers keep no key for it."""
    config = uvicorn.Config(
        Starlette(routes=pages_routes(desk, keys=False)),
        http="h11",
        log_level="error",
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = _Beside(config)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        desk.pages.base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        serving = asyncio.create_task(server.serve([listening]))
        try:
            yield
        finally:
            desk.pages.base, server.should_exit = None, True
            await serving


async def serve_inbox(desk: Desk, base: str, listening: socket.socket) -> None:
    """Serves the inbox at a permanent address, and announces it to the gateways while it runs."""
    desk.pages.base = base
    app = Starlette(routes=pages_routes(desk, keys=True))
    config = uvicorn.Config(app, http="h11", log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
    renewing = asyncio.create_task(_renew_beacon(desk, base))
    try:
        await uvicorn.Server(config).serve([listening])
    finally:
        renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing
        if desk.pages.beacon is not None:
            desk.pages.beacon.withdraw(base)


async def _renew_beacon(desk: Desk, base: str) -> None:
    while desk.pages.beacon is not None:
        desk.pages.beacon.publish(base)
        await asyncio.sleep(GOOD_FOR / 3)


def inbox_base(settings: Settings, host: str, port: int) -> str:
    """The address under which browsers reach the inbox. Outside this machine it must be encrypted: only then a browser
    has a device key, and a cookie that nobody else can read."""
    if settings.public_url is None:
        if not is_loopback(host):
            raise BadSetting(
                _URL,
                f"is not set, and {host} is open to other machines: set it to the https:// address of the proxy in "
                "front of the inbox, or listen on 127.0.0.1",
            )
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"
    base = origin(settings.public_url)
    if not is_encrypted_or_local(base):
        raise BadSetting(_URL, "is not encrypted: write https://HOST, and let a proxy in front of the inbox have TLS")
    return base


def is_encrypted_or_local(base: str) -> bool:
    parts = urlsplit(base)
    return parts.scheme == "https" or is_loopback(parts.hostname or "")


def origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


class _Beside(uvicorn.Server):
    """A server next to another one, which handles the signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
