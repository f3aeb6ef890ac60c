"""The development issuer: issues tokens for any name, signed with a key from SAYSO_STATE_KEYS.

Use it to try Sayso without an identity provider. It does not work in production: a server that is configured to trust
it does not start.
"""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt import PyJWK

from sayso.errors import BadSetting
from sayso.settings import DEVELOPMENT_ISSUER, Settings

_KEY_ID = "development"
DEFAULT_AUDIENCE = "sayso"


def issue(settings: Settings, user: str, *, zone: str | None = None, hours: float = 12) -> str:
    """A token for this user, in development only."""
    now = datetime.now(UTC)
    claims = {
        "iss": DEVELOPMENT_ISSUER,
        "aud": settings.oidc_audience or DEFAULT_AUDIENCE,
        "sub": user,
        "name": user,
        "iat": now,
        "exp": now + timedelta(hours=hours),
    }
    if zone:
        claims["zoneinfo"] = zone
    return jwt.encode(claims, _private_key(settings), algorithm="EdDSA", headers={"kid": _KEY_ID})


class DevelopmentKeys:
    """The one public key of the development issuer."""

    def __init__(self, settings: Settings) -> None:
        public = _private_key(settings).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        x = base64.urlsafe_b64encode(public).decode().rstrip("=")
        self._key = PyJWK({"kty": "OKP", "crv": "Ed25519", "x": x, "kid": _KEY_ID, "alg": "EdDSA", "use": "sig"})

    async def find(self, key_id: str | None) -> PyJWK | None:
        return self._key if key_id == _KEY_ID else None


def _private_key(settings: Settings) -> Ed25519PrivateKey:
    if not settings.in_development or settings.issuer != DEVELOPMENT_ISSUER:
        raise BadSetting(
            "SAYSO_ENV",
            "Sayso issues tokens only in development: set it to development and unset SAYSO_OIDC_ISSUER. "
            "In production, get tokens from your identity provider",
        )
    if not settings.state_keys:
        raise BadSetting(
            "SAYSO_STATE_KEYS", "is not set: server and `sayso token` need the same key; make one: openssl rand -hex 32"
        )
    secret = settings.state_keys[0].encode()
    seed = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"sayso/development-issuer/1").derive(secret)
    return Ed25519PrivateKey.from_private_bytes(seed)
