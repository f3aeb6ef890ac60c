"""Bearer tokens for MCP servers over HTTP: the caller, and the host names that the server accepts."""

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
    """What the SDK needs to let in the holders of a token alone."""

    auth: AuthSettings
    verifier: Verifier


def bearer(settings: Settings, address: str) -> Bearer:
    """Tokens of the issuer in the settings; `address` is where clients reach the server, unless they say otherwise."""
    auth = AuthSettings(
        issuer_url=AnyHttpUrl(settings.issuer or ""),
        resource_server_url=AnyHttpUrl(settings.public_url or address),
        validate_token_resource=False,  # the verifier checks the audience itself
    )
    return Bearer(auth, Verifier(trusted_tokens(settings)))


def holder() -> Principal | None:
    """Whom the token of this request proves."""
    token = get_access_token()
    return principal_from(token.claims or {}) if token else None


def hosts(settings: Settings, host: str) -> TransportSecuritySettings | None:
    """Which names a request may come under: a page elsewhere must not reach a server on this machine by its address."""
    if settings.allowed_hosts:
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=list(settings.allowed_hosts),
            allowed_origins=[f"{scheme}://{name}" for name in settings.allowed_hosts for scheme in ("http", "https")],
        )
    return None if host in LOOPBACK else TransportSecuritySettings(enable_dns_rebinding_protection=False)


class Verifier:
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
            expires_at=int(claims["exp"]) + LEEWAY,  # the SDK looks again, by its own clock
            subject=verified.principal.id,
            claims=claims,
        )
