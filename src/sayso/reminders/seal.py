"""Encrypts stored addresses for the user who owns them, and marks them so that the same address is one channel."""

from __future__ import annotations

import hmac
from typing import Any, Protocol

import msgspec


class Seals(Protocol):
    """Seals a text and opens it again, with the keys of SAYSO_STATE_KEYS."""

    @property
    def usable(self) -> bool: ...

    def seal(self, content: bytes) -> str: ...

    def open(self, sealed: str) -> bytes | None: ...


class AddressSeal:
    """Seals the address of a channel for one user. It cannot be opened for another user."""

    def __init__(self, seal: Seals, secret: str = "") -> None:
        self._seal = seal
        self._key = hmac.digest(secret.encode(), b"sayso channel marks 1", "sha256")

    @property
    def usable(self) -> bool:
        """Whether there is a key. Without one, no channel can be stored."""
        return self._seal.usable

    def close(self, user_id: str, target: Any) -> str:
        return self._seal.seal(msgspec.json.encode([user_id, target]))

    def open(self, user_id: str, sealed: str) -> Any:
        """The address that was sealed for this user; None for anything else."""
        content = self._seal.open(sealed)
        if content is None:
            return None
        whose, target = msgspec.json.decode(content)
        return target if whose == user_id else None

    def mark(self, user_id: str, target: Any) -> bytes:
        """A keyed digest that identifies an address of a user. Without the key, nobody can guess addresses from it."""
        return hmac.digest(self._key, msgspec.json.encode([user_id, target], order="sorted"), "sha256")
