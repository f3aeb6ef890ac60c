"""Addresses at rest: sealed for the person whose they are, and marked so that the same address is one channel."""

from __future__ import annotations

import hmac
from typing import Any, Protocol

import msgspec


class Seals(Protocol):
    """What seals a text and opens it again; the keys are those of SAYSO_STATE_KEYS."""

    @property
    def usable(self) -> bool: ...

    def seal(self, content: bytes) -> str: ...

    def open(self, sealed: str) -> bytes | None: ...


class AddressSeal:
    """Seals what a channel is reached by. Sealed for one person, it opens for nobody else."""

    def __init__(self, seal: Seals, secret: str = "") -> None:
        self._seal = seal
        self._key = hmac.digest(secret.encode(), b"sayso channel marks 1", "sha256")

    @property
    def usable(self) -> bool:
        """Whether there is a key: without one, no channel can be kept."""
        return self._seal.usable

    def close(self, user_id: str, target: Any) -> str:
        return self._seal.seal(msgspec.json.encode([user_id, target]))

    def open(self, user_id: str, sealed: str) -> Any:
        """What was sealed for this person; None for anything else."""
        content = self._seal.open(sealed)
        if content is None:
            return None
        whose, target = msgspec.json.decode(content)
        return target if whose == user_id else None

    def mark(self, user_id: str, target: Any) -> bytes:
        """What tells one address of a person from another; without the secret nobody can try addresses."""
        return hmac.digest(self._key, msgspec.json.encode([user_id, target], order="sorted"), "sha256")
