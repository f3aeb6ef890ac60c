"""The address of a running inbox, in a sealed file: other processes of the gateway link to it while it runs.

A gateway that a client starts has a page on a port that changes. The inbox (`sayso gateway inbox`) has an address that
stays, so that a browser or phone can keep it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import msgspec

from sayso.gateway.seals.key import Key

GOOD_FOR = 60.0  # seconds; the inbox renews it three times in that time
_PURPOSE = "inbox address"


class BeaconContent(msgspec.Struct, frozen=True, kw_only=True):
    """The address, and until when it is valid."""

    base: str
    until: float


class Beacon:
    """Publishes and reads the address of the inbox."""

    def __init__(self, file: Path, key: Key, clock: Callable[[], float] = time.time) -> None:
        self._file, self._key, self._clock = file, key, clock

    def read(self) -> str | None:
        """The address of the inbox; None if none runs, or if the file is not ours."""
        with suppress(FileNotFoundError):
            content = self._key.unwrap(_PURPOSE, self._file.read_bytes())
            found = msgspec.json.decode(content, type=BeaconContent) if content is not None else None
            return found.base if found is not None and found.until > self._clock() else None
        return None

    def publish(self, base: str) -> None:
        """Publish the address of the inbox for the next minute."""
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        content = msgspec.json.encode(BeaconContent(base=base, until=self._clock() + GOOD_FOR))
        fresh = self._file.with_name(f"{uuid4()}.new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(self._key.wrap(_PURPOSE, content))
        fresh.replace(self._file)

    def withdraw(self, base: str) -> None:
        """Remove the address when the inbox ends. An address that another inbox wrote stays."""
        if self.read() == base:
            self._file.unlink(missing_ok=True)
