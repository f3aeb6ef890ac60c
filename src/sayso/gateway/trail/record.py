"""The trail of a gateway in a file: one entry per line, in a hash chain.

A caller that adds entries waits for the sync to disk, except for reads, which are synced soon after. Calls that wait at
the same time share one sync.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from sayso.ledger.chain import (
    ERASURE,
    Entry,
    Event,
    Head,
    Receipt,
    Verified,
    Walk,
    blank,
    can_be_erased,
    entries,
    first_hash,
)

_JSON = msgspec.json.Encoder(order="deterministic")
_SOON = 0.05  # seconds until the disk has what nobody waits for


class GroupSync:
    """Syncs files to disk, once for all who wait at the same time. After a failed sync all later ones fail too: fsync
    reports an error only once, so a later success proves nothing."""

    def __init__(self) -> None:
        self._running = asyncio.Lock()
        self._asked = self._done = 0
        self._later: asyncio.Task[None] | None = None
        self._problem: OSError | None = None

    def check(self) -> None:
        """Raises OSError if a sync failed."""
        if self._problem is not None:
            raise OSError(self._problem.errno, self._problem.strerror)

    async def wait(self, handles: Sequence[int]) -> None:
        """Wait until everything written before this call is on disk. Callers that arrive during a sync share the next
        one."""
        self._asked += 1
        mine = self._asked
        async with self._running:
            self.check()
            if self._done < mine:
                covered = self._asked
                try:
                    await asyncio.to_thread(_sync, handles)
                except OSError as problem:
                    self._problem = problem
                    raise
                self._done = covered

    def soon(self, handles: Sequence[int]) -> None:
        """Sync within a moment; what follows until then goes with it."""
        if self._later is None or self._later.done():
            self._later = asyncio.create_task(self._wait_later(handles))

    async def _wait_later(self, handles: Sequence[int]) -> None:
        await asyncio.sleep(_SOON)
        self._later = None  # what is written from here on needs another one
        with suppress(OSError):  # `check` reports it to the next caller
            await self.wait(handles)

    def close(self, handles: Sequence[int]) -> None:
        """Immediately syncs the entries that are not on disk yet."""
        if self._later is not None:
            self._later.cancel()
        if self._later is not None or self._done < self._asked:
            _sync(handles)
        self._later = None


class FileTrail:
    """A trail in a file; several processes may add to it."""

    def __init__(self, file: Path, owner: str = "local") -> None:
        self._file, self._owner = file, owner
        self._handles: tuple[int, int] | None = None  # of the entries, and of where they end
        self._known = (-1, Head(0, b""))  # how long the file was when this was its end
        self._disk = GroupSync()

    async def add(self, user: str, events: Sequence[Event], *, wait: bool = True) -> None:
        """Adds entries, with the user who acted if that is not the owner. They are on disk afterwards, or soon after
        that if `wait` is False."""
        self._disk.check()
        if user != self._owner:
            events = [Event(each.kind, {**msgspec.to_builtins(each.body), "user": user}) for each in events]
        with self._held() as handles:
            self._append(*handles, events)
        if wait:
            await self._disk.wait(handles)
        else:
            self._disk.soon(handles)

    def erase(self, numbers: Sequence[int]) -> Receipt | None:
        """Blanks the content of these entries. The receipt, which names the entries that had content, is written first:
        whatever happens in between, no entry is blank without it. `None` if no entry had content."""
        with self._held() as (file, end):
            found = [(at, line, entry) for at, line, entry in self._lines() if entry.number in numbers]
            found = [each for each in found if can_be_erased(each[2])]
            if not found:
                return None
            receipt = Receipt(numbers=tuple(entry.number for _, _, entry in found))
            self._append(file, end, [Event(ERASURE, receipt)])
            _sync((file, end))
            for at, line, entry in found:  # in its place and with its length: others may have the file open
                _write(file, msgspec.json.encode(blank(entry)).ljust(len(line) - 1), at)
            _sync((file,))
        return receipt

    @contextmanager
    def _held(self) -> Iterator[tuple[int, int]]:
        """The files, while nobody else writes to them: the chain has one end."""
        handles = self._handles or self._open()
        fcntl.flock(handles[0], fcntl.LOCK_EX)
        try:
            yield handles
        finally:
            fcntl.flock(handles[0], fcntl.LOCK_UN)

    def _append(self, file: int, end: int, events: Sequence[Event]) -> None:
        size = os.fstat(file).st_size
        head = self._known[1] if self._known[0] == size else self._head(file, size)
        added = list(entries(head, datetime.now(UTC), None, events, _JSON))
        lines = b"".join(msgspec.json.encode(each) + b"\n" for each in added)
        last = Head(added[-1].number, added[-1].hash)
        try:
            _write(file, lines, size)
            _write(end, f"{last.number:<20} {last.hash.hex()}".encode(), 0)
        except OSError:
            os.ftruncate(file, size)  # half an entry would be the end of the chain
            raise
        self._known = (size + len(lines), last)

    def _open(self) -> tuple[int, int]:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        how = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        self._handles = (os.open(self._file, how, 0o600), os.open(self._end, how, 0o600))
        folder = os.open(self._file.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _sync((folder,))  # a new file is on disk once its folder is
        finally:
            os.close(folder)
        return self._handles

    def close(self) -> None:
        """Let go of the files."""
        self._disk.close(self._handles or ())
        for handle in self._handles or ():
            os.close(handle)
        self._handles = None

    def read(self) -> Iterator[Entry]:
        """All entries, in order. ValidationError for a line that is not an entry."""
        return (entry for _, _, entry in self._lines())

    def _lines(self) -> Iterator[tuple[int, bytes, Entry]]:
        """Where each line begins, the line, and its entry."""
        if not self._file.exists():
            return
        at = 0
        with self._file.open("rb") as file:
            for line in file:
                yield at, line, msgspec.json.decode(line, type=Entry)
                at += len(line)

    def verify(self) -> Verified:
        """Go along the whole chain."""
        walk = Walk(self._owner)
        try:
            if not all(walk.step(entry) for entry in self.read()):
                return walk.verified()
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return walk.verified(f"line {walk.at.number + 1} is not an entry")
        start = ["0", first_hash(self._owner).hex()]
        told = self._end.read_text("utf-8", "replace").split() if self._end.exists() else start
        if told != [str(walk.at.number), walk.at.hash.hex()]:
            number = told[0] if told else "an entry that is not named"
            return walk.verified(f"the chain ends at entry {walk.at.number}, and should end at {number}")
        return walk.verified()

    @property
    def _end(self) -> Path:
        return self._file.with_suffix(".end")

    def _head(self, file: int, size: int) -> Head:
        """The end of the chain: in the last line."""
        if size == 0:
            return Head(0, first_hash(self._owner))
        step = 4096
        while True:
            tail = os.pread(file, min(size, step), max(0, size - step))
            lines = tail.splitlines()
            if len(lines) > 1 or step >= size:
                last = msgspec.json.decode(lines[-1], type=Entry)
                return Head(last.number, last.hash)
            step *= 4


def _write(file: int, what: bytes, at: int) -> None:
    """All of it, or OSError: a disk that is nearly full takes a part."""
    if os.pwrite(file, what, at) != len(what):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _sync(handles: Sequence[int]) -> None:
    for handle in handles:
        os.fsync(handle)
