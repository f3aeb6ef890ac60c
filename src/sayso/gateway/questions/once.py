"""Used answers: a yes counts once, in any process.

The seal on a question proves that it is ours, not that it is new. So the gateway that acts on it first creates a
file with its name. Creating a file that exists fails, for all processes that share the folder.
`ledgered` does the same with a row of the database.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Protocol

_ID = re.compile(r"[0-9a-f-]{36}")
_KEPT = 24 * 3600  # seconds; a seal is valid for ten minutes


def is_id(identifier: str) -> bool:
    """Whether it can be the id of one of our questions."""
    return _ID.fullmatch(identifier) is not None


class Claims(Protocol):
    """Claims answers, so that each is used once. `user` owns the row of the claim, if it is stored in the database."""

    async def claim(self, identifier: str, user: str = "") -> bool: ...


class UsedHere:
    """The answers used in this process, for a key that no other process seals with."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}

    async def claim(self, identifier: str, user: str = "") -> bool:  # noqa: ARG002  kept for all users together
        """Claim an answer; False if it was claimed before."""
        now = time.monotonic()
        while self._used and now - next(iter(self._used.values())) > _KEPT:
            del self._used[next(iter(self._used))]
        if identifier in self._used:
            return False
        self._used[identifier] = now
        return True


class Used:
    """The used answers, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._here = folder, UsedHere()  # another program may remove a file, but not this memory
        self._swept = float("-inf")

    async def claim(self, identifier: str, user: str = "") -> bool:  # noqa: ARG002  the same
        """Claim an answer; False if it was claimed before."""
        if not is_id(identifier):
            return False
        self._folder.mkdir(parents=True, exist_ok=True)
        self._sweep()
        try:
            (self._folder / identifier).touch(exist_ok=False)
        except FileExistsError:
            return False
        return await self._here.claim(identifier)

    def _sweep(self) -> None:
        if time.monotonic() - self._swept < 3600:
            return
        self._swept = time.monotonic()
        oldest = time.time() - _KEPT
        for file in self._folder.iterdir():
            if file.stat().st_mtime < oldest:
                file.unlink(missing_ok=True)
