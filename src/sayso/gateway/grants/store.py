"""Stores grants as sealed files, one for each, that all processes of a gateway share.

The seal shows that a grant is ours, not that it still counts: another program could put back a file that was removed.
So the folder is next to the gateway's key, which servers are not told of, and a revoked grant leaves a file behind that
says so. If the key comes from SAYSO_STATE_KEYS, the folder is in the state folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec

from sayso.gateway.grants.grant import Grant
from sayso.gateway.seals.key import Key, write_once

PURPOSE = "grant"
_ID = re.compile(r"[0-9a-f]{12}")
_GRANT, _REVOKED, _USES = ".grant", ".revoked", ".uses"


class Grants(Protocol):
    """Where grants are kept."""

    async def of(self, user: str) -> list[Grant]:
        """The user's grants; some may have ended."""

    async def keep(self, grant: Grant) -> None:
        """Keep a new one."""

    async def revoke(self, grant: Grant) -> None:
        """It counts no more, whatever is put back."""

    async def count(self, grant: Grant) -> None:
        """It was used once more."""

    async def uses(self, grant: Grant) -> int:
        """How often it was used."""


def unsealed(key: Key, wrapped: bytes, identifier: str) -> Grant | None:
    """The grant of this id; None if we did not seal it for this id."""
    content = key.unwrap(PURPOSE, wrapped)
    with suppress(msgspec.MsgspecError, UnicodeDecodeError):
        grant = msgspec.json.decode(content or b"", type=Grant)
        return grant if grant.id == identifier else None
    return None


def sealed(key: Key, grant: Grant) -> bytes:
    """A grant, for a file or a row."""
    return key.wrap(PURPOSE, msgspec.json.encode(grant, order="sorted"))


def is_id(identifier: str) -> bool:
    """Whether it is the id of a grant."""
    return _ID.fullmatch(identifier) is not None


class FileGrants:
    """Grants in a folder."""

    def __init__(self, folder: Path, key: Key) -> None:
        self._folder, self._key = folder, key
        self._revoked: set[str] = set()  # another program may remove a file, not what we remember

    async def of(self, user: str) -> list[Grant]:
        """The user's grants."""
        return [grant for grant in self.all() if grant.user == user]

    def all(self) -> list[Grant]:
        """The grants of all users. A file that cannot be read does not count."""
        self._revoked.update(file.stem for file in self._folder.glob(f"*{_REVOKED}"))
        return list(self._read())

    async def keep(self, grant: Grant) -> None:
        """Keep a new one."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_once(self._file(grant, _GRANT), sealed(self._key, grant))

    async def revoke(self, grant: Grant) -> None:
        """It counts no more, whatever is put back."""
        self._revoked.add(grant.id)
        write_once(self._file(grant, _REVOKED), b"")
        for ending in (_GRANT, _USES):
            self._file(grant, ending).unlink(missing_ok=True)

    async def count(self, grant: Grant) -> None:
        """It was used once more: one byte for each use."""
        handle = os.open(self._file(grant, _USES), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, b".")
        finally:
            os.close(handle)

    async def uses(self, grant: Grant) -> int:
        """How often it was used."""
        with suppress(FileNotFoundError):
            return self._file(grant, _USES).stat().st_size
        return 0

    def _file(self, grant: Grant, ending: str) -> Path:
        return self._folder / f"{grant.id}{ending}"

    def _read(self) -> Iterator[Grant]:
        for file in sorted(self._folder.glob(f"*{_GRANT}")):
            if not is_id(file.stem) or file.stem in self._revoked:
                continue
            with suppress(OSError):
                grant = unsealed(self._key, file.read_bytes(), file.stem)
                if grant is not None:
                    yield grant
