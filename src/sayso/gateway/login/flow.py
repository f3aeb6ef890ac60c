"""Signs in to a server: opens the authorization page, and takes the answer on a port of this machine.

The SDK does the protocol: discovery, registration, PKCE, and the checks of state, issuer and resource.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull

from sayso.gateway.config import OAuthSettings
from sayso.gateway.login.auth import CALLBACK, metadata
from sayso.gateway.login.tokens import Login, Saved
from sayso.gateway.messages import say
from sayso.identity.bearer import LOOPBACK

PATIENCE = 300  # seconds that a person has to sign in
_MOST = 16_384  # bytes of a request to the callback


class Callback:
    """Waits on a port of this machine for the answer of one authorization page."""

    def __init__(self, lang: str | None) -> None:
        self._lang, self._state = lang, ""
        self._answer: asyncio.Future[AuthorizationCodeResult] = asyncio.get_running_loop().create_future()

    def expect(self, url: str) -> None:
        """Take only the answer to this page. OAuthFlowError for an address that no browser should open."""
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
            raise OAuthFlowError(f"the server names an authorization page that is not https: {url[:200]}")
        self._state = parse_qs(parts.query).get("state", [""])[0]

    async def wait(self) -> AuthorizationCodeResult:
        async with asyncio.timeout(PATIENCE):
            return await self._answer

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request to the port."""
        try:
            async with asyncio.timeout(10):
                head = await reader.readuntil(b"\r\n\r\n")
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.close()
            return
        status, message = self._take(head.split(b"\r\n", 1)[0].decode("latin-1"))
        text = say(self._lang, message).encode()
        headers = f"Content-Type: text/plain; charset=utf-8\r\nContent-Length: {len(text)}\r\nConnection: close"
        writer.write(f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n".encode() + text)
        await writer.drain()
        writer.close()

    def _take(self, line: str) -> tuple[str, str]:
        """The status of the answer, and the message on its page."""
        method, _, rest = line.partition(" ")
        parts = urlsplit(rest.rpartition(" ")[0])
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if method != "GET" or parts.path != CALLBACK or not self._state or given.get("state") != self._state:
            return "404 Not Found", "login_unknown"
        if self._answer.done():
            return "404 Not Found", "login_unknown"
        if "code" in given:
            answer = AuthorizationCodeResult(code=given["code"], state=given["state"], iss=given.get("iss"))
            self._answer.set_result(answer)
            return "200 OK", "login_done"
        told = given.get("error_description") or given.get("error") or "no code"
        self._answer.set_exception(OAuthFlowError(f"the authorization server refused: {told[:200]}"))
        return "200 OK", "login_refused"


async def sign_in(
    url: str, login: Login, settings: OAuthSettings, lang: str | None, show: Callable[[str], None]
) -> bool:
    """Sign in and save the tokens; False if the server requires none. `show` opens or prints the page's address.

    OAuthFlowError, TimeoutError, OSError or an error of HTTP if it fails.
    """
    callback = Callback(lang)
    listening = await asyncio.start_server(callback.handle, "127.0.0.1", settings.port, limit=_MOST)
    async with listening:
        port = listening.sockets[0].getsockname()[1]

        async def open_page(page: str) -> None:
            callback.expect(page)
            show(page)

        login.write(Saved(client=_registered(settings, port)))
        told = metadata(port)
        provider = OAuthClientProvider(url, told, login, open_page, callback.wait)
        login.context = provider.context
        async with _connected(url, provider) as client:
            await client.list_tools()
    if login.read().tokens is None:
        login.remove()
        return False
    return True


def _registered(settings: OAuthSettings, port: int) -> dict[str, object] | None:
    """The client that the operator registered; None if we register ourselves."""
    if settings.client_id is None:
        return None
    client = OAuthClientInformationFull(
        client_id=settings.client_id,
        client_secret=settings.client_secret,
        redirect_uris=metadata(port).redirect_uris,
        token_endpoint_auth_method="client_secret_post" if settings.client_secret else "none",
    )
    return client.model_dump(mode="json", exclude_none=True)


@asynccontextmanager
async def _connected(url: str, auth: httpx2.Auth) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(auth=auth, timeout=httpx2.Timeout(30.0, read=PATIENCE)) as http,
        Client(streamable_http_client(url, http_client=http), read_timeout_seconds=PATIENCE) as client,
    ):
        yield client
