"""The key pair that signs web pushes (VAPID, RFC 8292). The private key is 32 bytes as base64url, in SAYSO_PUSH_KEY."""

from __future__ import annotations

import base64
import binascii

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_CURVE = ec.SECP256R1()


def new_key() -> str:
    """A new private key."""
    number = ec.generate_private_key(_CURVE).private_numbers().private_value
    return _text(number.to_bytes(32, "big"))


def public_key(private: str) -> str:
    """The public key in the form that browsers need, or ValueError."""
    try:
        raw = base64.urlsafe_b64decode(private + "=" * (-len(private) % 4))
    except (binascii.Error, ValueError) as problem:
        raise ValueError("not base64url") from problem
    if len(raw) != 32:
        raise ValueError("not 32 bytes")
    key = ec.derive_private_key(int.from_bytes(raw, "big"), _CURVE).public_key()
    return _text(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
