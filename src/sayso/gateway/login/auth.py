"""Authenticates requests to a server with the tokens of a user, and renews them.

In a gateway that serves, nobody is at a browser: if the tokens cannot be renewed, the user has to sign in again.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from pydantic import AnyUrl

from sayso.gateway.login.tokens import Login

CALLBACK = "/callback"


class SignInNeeded(OAuthFlowError):
    """Only a person at a browser can go on."""


def metadata(port: int) -> OAuthClientMetadata:
    """What an authorization server is told about us."""
    return OAuthClientMetadata(
        client_name="Sayso gateway",
        redirect_uris=[AnyUrl(f"http://127.0.0.1:{port}{CALLBACK}")],
        token_endpoint_auth_method="none",  # noqa: S106  a program on someone's machine keeps no secret
    )


class StoredAuth(OAuthClientProvider):
    """The SDK's flow over saved tokens, which another process may renew meanwhile."""

    def __init__(self, url: str, login: Login) -> None:
        super().__init__(url, metadata(0), login, _nobody, _nobody_answers)
        self._login, self._seen = login, -1.0

    async def _auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        if self._login.changed != self._seen:
            self._seen = self._login.changed
            self._login.fill(self.context)
            self._initialized = False  # the SDK reads tokens and client again
        flow = super()._auth_flow(request)
        try:
            outgoing = await anext(flow)
            while True:
                response = yield outgoing
                outgoing = await flow.asend(response)
        except StopAsyncIteration:
            return
        finally:
            await flow.aclose()


async def _nobody(url: str) -> None:
    raise SignInNeeded(f"signing in requires a browser: {url.partition('?')[0]}")


async def _nobody_answers() -> AuthorizationCodeResult:
    raise SignInNeeded("signing in requires a browser")
