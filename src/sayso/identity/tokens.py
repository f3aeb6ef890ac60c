"""Bearer tokens: signature by the issuer's published keys, issuer, audience and expiry; then the principal.

Only asymmetric signatures count: with a shared secret, whoever can check a token could make one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Any, Protocol

import jwt
from jwt import PyJWK, PyJWKClient, PyJWKSet
from jwt.exceptions import PyJWKClientError, PyJWKSetError, PyJWTError

from sayso.identity.principal import Principal, principal_from

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
LEEWAY = 30  # seconds that two clocks may differ
_FRESH = 300
_PATIENCE = 10  # seconds between two looks for a key that is not there

_log = logging.getLogger(__name__)


class Keys(Protocol):
    """Where the issuer's public keys come from."""

    async def find(self, key_id: str | None) -> PyJWK | None: ...


class PublishedKeys:
    """The issuer's JWKS, fetched when it is old, or when a token names a key that is not in it."""

    def __init__(self, url: str) -> None:
        self._client = PyJWKClient(url, cache_jwk_set=False, timeout=5)
        self._keys: dict[str | None, PyJWK] = {}
        self._fetched = float("-inf")
        self._lock = asyncio.Lock()

    async def find(self, key_id: str | None) -> PyJWK | None:
        if time.monotonic() - self._fetched > (_FRESH if key_id in self._keys else _PATIENCE):
            async with self._lock:
                if time.monotonic() - self._fetched > _PATIENCE:
                    await self._fetch()
        return self._keys.get(key_id)

    async def _fetch(self) -> None:
        self._fetched = time.monotonic()
        try:
            keys: PyJWKSet = await asyncio.to_thread(self._client.get_jwk_set, refresh=True)
        except (PyJWKClientError, PyJWKSetError) as problem:
            _log.warning("the issuer's keys cannot be had: %s", problem)
            return
        self._keys = {each.key_id: each for each in keys.keys if each.public_key_use in (None, "sig")}


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A token that proves who somebody is."""

    principal: Principal
    claims: dict[str, Any]


class Tokens:
    """Verifies tokens of one issuer, made for one audience."""

    def __init__(self, *, issuer: str, audience: str, keys: Keys) -> None:
        self._issuer, self._audience, self._keys = issuer, audience, keys

    async def verify(self, token: str) -> Verified | None:
        """Whom the token proves; None where it proves nobody. The reason goes to the log alone."""
        try:
            header = jwt.get_unverified_header(token)
            key = await self._keys.find(header.get("kid"))
            if key is None:
                _log.info("token refused: no key of the issuer has its id")
                return None
            claims = jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name] if key.algorithm_name in ALGORITHMS else [],
                audience=self._audience,
                issuer=self._issuer,
                leeway=LEEWAY,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except (PyJWTError, ValueError) as problem:
            _log.info("token refused: %s", problem)
            return None
        principal = principal_from(claims)
        return Verified(principal=principal, claims=claims) if principal else None
