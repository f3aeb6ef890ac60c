"""The page's session: an encrypted cookie with the user and its expiry. Replicas share the keys.

The browser cannot read or change it, and it is valid only for its issuer. It expires at a fixed time, and use does not
extend it.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Callable
from time import time
from typing import TypeVar

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from starlette.responses import Response

from sayso.identity.principal import Principal, is_reserved
from sayso.settings import Settings

LONGEST_COOKIE = 4_096
_NONCE = 12
T = TypeVar("T")


class Seal:
    """Seals texts for one purpose. The first key seals and every key opens, so that keys can be rotated."""

    def __init__(self, settings: Settings, purpose: str) -> None:
        self._bound = f"{purpose}\n{settings.env}\n{settings.issuer}".encode()
        self._ciphers = [AESGCM(_derived(key)) for key in settings.state_keys]

    @property
    def usable(self) -> bool:
        return bool(self._ciphers)

    def seal(self, content: bytes) -> str:
        nonce = secrets.token_bytes(_NONCE)
        return _text(nonce + self._ciphers[0].encrypt(nonce, content, self._bound))

    def open(self, sealed: str) -> bytes | None:
        """The sealed content; None if the text is not exactly one that this seal created."""
        try:
            raw = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
        except (binascii.Error, ValueError):
            return None
        if _text(raw) != sealed:
            return None
        for cipher in self._ciphers:
            try:
                return cipher.decrypt(raw[:_NONCE], raw[_NONCE:], self._bound)
            except (InvalidTag, ValueError):
                continue
        return None


class Cookie:
    """A sealed value in a cookie, with its own expiry. Over https, only this host can set and read it."""

    def __init__(self, settings: Settings, name: str, *, seconds: float, clock: Callable[[], float] = time) -> None:
        self._seal, self._seconds, self._clock = Seal(settings, name), seconds, clock
        self._secure = not settings.in_development
        self.name = f"__Host-{name}" if self._secure else name

    @property
    def usable(self) -> bool:
        return self._seal.usable

    def put(self, response: Response, value: msgspec.Struct) -> None:
        """Set the cookie in the response, with its expiry."""
        content = msgspec.json.encode([self._clock() + self._seconds, value])
        self._set(response, self._seal.seal(content), int(self._seconds))

    def drop(self, response: Response) -> None:
        """Delete the cookie in the browser."""
        self._set(response, "", 0)

    def find(self, header: str | None, shape: type[T]) -> T | None:
        """The value in a Cookie header; None if none is valid."""
        sealed = _cookies(header).get(self.name, "")
        content = self._seal.open(sealed) if 0 < len(sealed) <= LONGEST_COOKIE else None
        if content is None:
            return None
        try:
            until, value = msgspec.json.decode(content, type=tuple[float, shape])  # type: ignore[valid-type]
        except msgspec.DecodeError:  # from a release with another format
            return None
        return value if self._clock() < until else None

    def _set(self, response: Response, text: str, seconds: int) -> None:
        response.set_cookie(
            self.name, text, max_age=seconds, path="/", secure=self._secure, httponly=True, samesite="lax"
        )


class Signed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The signed-in user, as stored in the cookie."""

    id: str
    name: str | None = None
    email: str | None = None
    zone: str | None = None
    language: str | None = None
    epoch: int = 0  # the user's session epoch when the session began

    @property
    def principal(self) -> Principal:
        return Principal(id=self.id, name=self.name, email=self.email, zone=self.zone, language=self.language)


class Sessions:
    """The sessions of the page. The cookie does not say if its session was ended elsewhere: see
    `sayso.serving.epochs`."""

    def __init__(self, settings: Settings, *, clock: Callable[[], float] = time) -> None:
        self.cookie = Cookie(settings, "sayso-session", seconds=settings.session_hours * 3600, clock=clock)

    def begin(self, response: Response, who: Principal, epoch: int = 0) -> None:
        signed = Signed(id=who.id, name=who.name, email=who.email, zone=who.zone, language=who.language, epoch=epoch)
        self.cookie.put(response, signed)

    def end(self, response: Response) -> None:
        self.cookie.drop(response)

    def find(self, header: str | None) -> Signed | None:
        """The signed-in user of a Cookie header."""
        if not header or not self.cookie.usable:
            return None
        signed = self.cookie.find(header, Signed)
        if signed is None or is_reserved(signed.id):
            return None
        return signed


def _cookies(header: str | None) -> dict[str, str]:
    """The cookies of a header. If a name occurs twice, the first one counts: browsers send the more specific path
    first."""
    found: dict[str, str] = {}
    for part in (header or "").split(";"):
        name, _, value = part.strip().partition("=")
        found.setdefault(name, value.strip('"'))
    return found


def _derived(key: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"sayso/session/1").derive(key.encode())


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
