"""Signatures of paired devices: ECDSA with P-256 and SHA-256, as WebCrypto makes them.

A device signs what it answers: the question, the digest of the exact call, the answer, until when it counts, a nonce of
the page, and the origin of the page. So a yes cannot be moved to another call, question, gateway or time.
"""

from __future__ import annotations

import base64
import binascii

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

_CURVE, _HOW = ec.SECP256R1(), ec.ECDSA(SHA256())
_KEY, _SIGNATURE = 65, 64  # bytes of an uncompressed point, and of the two numbers


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """A signature with everything that it covers besides the call and the answer."""

    device: str
    origin: str
    until: int
    nonce: str
    value: str


def is_key(key: str) -> bool:
    """Whether it is a public key as a browser exports it, in base64url."""
    return _public(key) is not None


def answer_text(question: str, digest: str, said: str, signature: Signature) -> bytes:
    """What a device signs. The answer comes last: nothing after it can be taken for a part of it."""
    lines = ("sayso answer 1", signature.origin, question, digest, str(signature.until), signature.nonce, said)
    return "\n".join(lines).encode("utf-8", "replace")


def pairing_text(origin: str, code: str) -> bytes:
    """What a device signs when it is paired, so that it holds the private key."""
    return f"sayso pairing 1\n{origin}\n{code}".encode("utf-8", "replace")


def is_signed(key: str, text: bytes, signature: str) -> bool:
    """Whether the holder of this key signed this text."""
    public, raw = _public(key), _bytes(signature, _SIGNATURE)
    if public is None or raw is None:
        return False
    half = _SIGNATURE // 2
    numbers = (int.from_bytes(part, "big") for part in (raw[:half], raw[half:]))
    try:
        public.verify(encode_dss_signature(*numbers), text, _HOW)
    except InvalidSignature:
        return False
    return True


def _public(key: str) -> ec.EllipticCurvePublicKey | None:
    raw = _bytes(key, _KEY)
    if raw is None:
        return None
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, raw)
    except ValueError:
        return None


def _bytes(text: str, size: int) -> bytes | None:
    """Exactly so many bytes, in base64url without padding; None for anything else."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == size else None
