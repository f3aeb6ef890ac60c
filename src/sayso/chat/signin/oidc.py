"""Signs in with the identity provider: OpenID Connect authorization code flow with PKCE.

The browser gets only a code; tokens never reach it. Discovery finds the provider's endpoints, and the same code
verifies the ID token as every other token.
"""

from __future__ import annotations

import base64
import hmac
import logging
import secrets
from collections.abc import Mapping
from hashlib import sha256
from time import monotonic
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx2
import msgspec

from sayso.errors import BadSetting, SaysoError
from sayso.identity.principal import Principal
from sayso.identity.trust import id_tokens
from sayso.settings import DEVELOPMENT_ISSUER, Settings

CALLBACK = "/auth/callback"
DISCOVERY = "/.well-known/openid-configuration"
SCOPE = "openid profile email"
_FRESH = 3600.0  # seconds for which the provider's metadata is cached
_PATIENCE = 10.0

_log = logging.getLogger(__name__)


class ProviderAway(SaysoError):
    """The identity provider does not answer, or its answer is not valid."""


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """The required part of a provider's metadata."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in that was started: the values that the provider must return, and the page to open then. It is stored in
    a sealed cookie of that browser."""

    state: str
    nonce: str
    verifier: str
    next: str

    @classmethod
    def new(cls, following: str) -> Attempt:
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        return cls(state=state, nonce=nonce, verifier=verifier, next=following)

    @property
    def challenge(self) -> str:
        return base64.urlsafe_b64encode(sha256(self.verifier.encode()).digest()).decode().rstrip("=")

    def is_of(self, state: str | None) -> bool:
        return hmac.compare_digest(self.state.encode(), (state or "").encode())


class Provider:
    """The identity provider of the settings."""

    def __init__(self, settings: Settings) -> None:
        check_provider(settings)
        self._client, self._secret = settings.oidc_client_id or "", settings.oidc_client_secret
        self._issuer, self._in_development = settings.issuer or "", settings.in_development
        self._back = f"{(settings.public_url or '').rstrip('/')}{CALLBACK}"
        self._tokens = id_tokens(settings)
        self._wire = httpx2.AsyncClient(timeout=_PATIENCE, follow_redirects=False)
        self._metadata: Metadata | None = None
        self._found = float("-inf")

    async def close(self) -> None:
        await self._wire.aclose()

    async def address(self, attempt: Attempt) -> str:
        """The address where the user signs in."""
        endpoint = (await self._discovered()).authorization_endpoint
        asked = {
            "response_type": "code",
            "client_id": self._client,
            "redirect_uri": self._back,
            "scope": SCOPE,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(asked)}"

    async def signed_in(self, attempt: Attempt, returned: Mapping[str, str]) -> Principal | None:
        """The user who signed in at the provider; None if the response is not valid."""
        metadata = await self._discovered()
        issuer = returned.get("iss")
        if issuer != self._issuer and (issuer is not None or metadata.authorization_response_iss_parameter_supported):
            _log.info("sign-in refused: the answer is another provider's")
            return None
        if "code" not in returned:
            _log.info("sign-in refused: the provider gave no code")
            return None
        token = await self._exchange(metadata, attempt, returned["code"])
        verified = await self._tokens.verify(token) if token else None
        if verified is None:
            return None
        claims = verified.claims
        if not hmac.compare_digest(str(claims.get("nonce")).encode(), attempt.nonce.encode()):
            _log.info("sign-in refused: the token was made for another sign-in")
            return None
        if claims.get("azp", self._client) != self._client:
            _log.info("sign-in refused: the token was made for another client")
            return None
        return verified.principal

    async def _exchange(self, metadata: Metadata, attempt: Attempt, code: str) -> str | None:
        """Exchange the code for the ID token. A code works once, and only with its verifier."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._back,
            "client_id": self._client,
            "code_verifier": attempt.verifier,
        }
        headers = {"Accept": "application/json"}
        if self._secret is not None:
            secret = self._secret.get_secret_value()
            if "client_secret_basic" in metadata.token_endpoint_auth_methods_supported:
                pair = f"{quote(self._client, safe='')}:{quote(secret, safe='')}"
                headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
            else:
                form["client_secret"] = secret
        try:
            answer = await self._wire.post(metadata.token_endpoint, data=form, headers=headers)
            body: Any = answer.json() if answer.status_code == httpx2.codes.OK else {}
        except (httpx2.HTTPError, ValueError) as problem:
            raise ProviderAway(type(problem).__name__) from problem
        if answer.status_code >= httpx2.codes.INTERNAL_SERVER_ERROR:
            raise ProviderAway(f"the token endpoint answered {answer.status_code}")
        token = body.get("id_token") if isinstance(body, dict) else None
        if not isinstance(token, str):
            _log.info("sign-in refused: the token endpoint answered %s, without an ID token", answer.status_code)
            return None
        return token

    async def _discovered(self) -> Metadata:
        if self._metadata is None or monotonic() - self._found > _FRESH:
            try:
                answer = await self._wire.get(f"{self._issuer.rstrip('/')}{DISCOVERY}")
                found = msgspec.json.decode(answer.raise_for_status().content, type=Metadata)
            except (httpx2.HTTPError, msgspec.DecodeError) as problem:
                raise ProviderAway(type(problem).__name__) from problem
            self._check(found)
            self._metadata, self._found = found, monotonic()
        return self._metadata

    def _check(self, found: Metadata) -> None:
        if found.issuer != self._issuer:
            raise ProviderAway("discovery names another issuer")
        for endpoint in (found.authorization_endpoint, found.token_endpoint):
            if urlsplit(endpoint).scheme != "https" and not self._in_development:
                raise ProviderAway("an endpoint is not encrypted")


def provider_from(settings: Settings) -> Provider | None:
    """The identity provider, or None if the settings have no client id."""
    return Provider(settings) if settings.oidc_client_id is not None else None


def check_provider(settings: Settings) -> None:
    """Raise BadSetting if users could not sign in with these settings."""
    if settings.oidc_client_id is None:
        return
    if settings.oidc_issuer in (None, DEVELOPMENT_ISSUER):
        raise BadSetting("SAYSO_OIDC_ISSUER", "is not set, and SAYSO_OIDC_CLIENT_ID is: name your identity provider")
    url = settings.public_url or ""
    if not url.startswith(("https://", "http://") if settings.in_development else "https://"):
        raise BadSetting(
            "SAYSO_PUBLIC_URL", "the provider sends people back there: write https://HOST, the page's address"
        )
    if not settings.state_keys:
        raise BadSetting("SAYSO_STATE_KEYS", "is not set: sessions are sealed with it; make one: openssl rand -hex 32")
