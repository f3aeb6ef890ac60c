"""Bearer tokens for MCP servers over HTTP: identifies the caller, and restricts the host names of requests."""

from __future__ import annotations

from typing import NamedTuple

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl

from sayso.identity.principal import Principal, principal_from
from sayso.identity.tokens import LEEWAY, Tokens
from sayso.identity.trust import trusted_tokens
from sayso.settings import Settings

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Bearer(NamedTuple):
    """The authentication settings of the SDK, with which it accepts only requests that have a valid token."""

    auth: AuthSettings
    verifier: Verifier


def bearer(settings: Settings, address: str) -> Bearer:
    """Accept tokens of the issuer in the settings. `address` is the server's address if the settings have no public
    one."""
    auth = AuthSettings(
        issuer_url=AnyHttpUrl(settings.issuer or ""),
        resource_server_url=AnyHttpUrl(settings.public_url or address),
        validate_token_resource=False,  # the verifier checks the audience itself
    )
    return Bearer(auth, Verifier(trusted_tokens(settings)))


def holder() -> Principal | None:
    """The user whom the token of this request identifies."""
    token = get_access_token()
    return principal_from(token.claims or {}) if token else None


def hosts(settings: Settings, host: str) -> TransportSecuritySettings | None:
    """The host names that a request may use. They prevent DNS rebinding, in which a web page reaches a server on this
    machine."""
    if settings.allowed_hosts:
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=list(settings.allowed_hosts),
            allowed_origins=[f"{scheme}://{name}" for name in settings.allowed_hosts for scheme in ("http", "https")],
        )
    return None if host in LOOPBACK else TransportSecuritySettings(enable_dns_rebinding_protection=False)


class Verifier:
    """Verifies our tokens for the SDK."""

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
            expires_at=int(claims["exp"]) + LEEWAY,  # the SDK also checks this, by its own clock
            subject=verified.principal.id,
            claims=claims,
        )
