"""Validates bearer tokens: signature by the issuer's published keys, issuer, audience and expiry.

Only asymmetric signatures are accepted: with a shared secret, anyone who can verify a token could also issue one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import jwt
from jwt import PyJWK, PyJWKClient, PyJWKSet
from jwt.exceptions import PyJWKClientError, PyJWKSetError, PyJWTError

from sayso.identity.principal import Principal, principal_from

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
LEEWAY = 30  # seconds by which two clocks may differ
_FRESH = 300
_REMEMBERED = 60  # seconds for which a verified token is cached, because a signature takes half a millisecond
_MOST = 10_000
_PATIENCE = 10  # seconds between two fetches for a key that is not known

_log = logging.getLogger(__name__)


class Keys(Protocol):
    """A source of the issuer's public keys."""

    async def find(self, key_id: str | None) -> PyJWK | None: ...


class PublishedKeys:
    """The issuer's JWKS. It is fetched again when it is old, or when a token names a key that is not in it. If the
    fetch fails, the known keys are accepted for `stale` seconds, so that a revoked key does not stay valid for ever."""

    def __init__(self, url: str, *, stale: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = PyJWKClient(url, cache_jwk_set=False, timeout=5)
        self._keys: dict[str | None, PyJWK] = {}
        self._stale, self._clock = stale, clock
        self._tried = self._fetched = float("-inf")
        self._lock = asyncio.Lock()

    async def find(self, key_id: str | None) -> PyJWK | None:
        if self._clock() - self._tried > (_FRESH if key_id in self._keys else _PATIENCE):
            async with self._lock:  # callers wait while the keys are fetched
                if self._clock() - self._tried > _PATIENCE:
                    await self._fetch()
                    self._tried = self._clock()
        if self._keys and self._clock() - self._fetched > self._stale:
            _log.error("the issuer's keys have expired and could not be fetched again: tokens are refused")
            self._keys = {}
        return self._keys.get(key_id)

    async def _fetch(self) -> None:
        try:
            keys: PyJWKSet = await asyncio.to_thread(self._client.get_jwk_set, refresh=True)
        except (PyJWKClientError, PyJWKSetError) as problem:
            _log.warning("the issuer's keys could not be fetched: %s", problem)
            return
        self._keys = {each.key_id: each for each in keys.keys if each.public_key_use in (None, "sig")}
        self._fetched = self._clock()


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A valid token: its user and its claims."""

    principal: Principal
    claims: dict[str, Any]


class Tokens:
    """Verifies tokens of one issuer for one audience."""

    def __init__(self, *, issuer: str, audience: str, keys: Keys) -> None:
        self._issuer, self._audience, self._keys = issuer, audience, keys
        self._proved: OrderedDict[str, tuple[float, Verified]] = OrderedDict()  # by token: until when it is cached

    async def verify(self, token: str) -> Verified | None:
        """The user and claims of the token; None if it is not valid. The reason is only logged."""
        until, known = self._proved.get(token, (0.0, None))
        if known is not None and time.time() < until:
            return known
        verified = await self._verify(token)
        if verified is not None:
            self._proved[token] = (min(time.time() + _REMEMBERED, float(verified.claims["exp"]) + LEEWAY), verified)
            self._proved.move_to_end(token)
            while len(self._proved) > _MOST:
                self._proved.popitem(last=False)
        return verified

    async def _verify(self, token: str) -> Verified | None:
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
        if principal is None:
            _log.info("token refused: its subject cannot be a person's id")
            return None
        return Verified(principal=principal, claims=claims)
