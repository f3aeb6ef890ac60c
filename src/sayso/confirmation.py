"""What every yes is bound to, wherever it is asked for: exactly what was shown, for a short time, to be used once.

After "delete the milk", a yes deletes this task, at this version, with this title: all of it is in the question's
digest. The code that acts on a yes compares the digest with the current state, and consumes the question's id.
"""

from __future__ import annotations

from hashlib import sha256
from typing import ClassVar
from uuid import UUID

import msgspec

PATIENCE = 600  # seconds that a person has to answer


def digest(kind: str, value: object) -> bytes:
    """The SHA-256 digest of a value of some kind. The order of keys does not matter, and no two kinds are mixed up:
    JSON keeps the parts of a value apart whatever they hold."""
    return sha256(f"sayso {kind}\n".encode() + msgspec.json.encode(value, order="sorted")).digest()


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a person is asked before something is done: this, as it is now. A yes to it counts once."""

    kind: ClassVar[str]

    id: UUID
    version: int  # of what it is about
    again: bool = False  # what it is about has changed since it was asked

    @property
    def digest(self) -> bytes:
        return digest(self.kind, self)
