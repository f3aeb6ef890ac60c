"""The trail of a gateway for one machine: a file, one line an entry, chained by hashes as the ledger's trail is."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from sayso.ledger.chain import Entry, Event, Head, Verified, entries, first_hash, wrong

_JSON = msgspec.json.Encoder(order="deterministic")


class FileTrail:
    """A trail in a file; several processes may add to it."""

    def __init__(self, file: Path, owner: str = "local") -> None:
        self._file, self._owner = file, owner
        self._handles: tuple[int, int] | None = None  # of the entries, and of where they end
        self._known = (-1, Head(0, b""))  # how long the file was when this was its end

    async def add(self, user: str, events: Sequence[Event]) -> None:
        """Add entries, with who did it where that is another than the owner. The file is held meanwhile, so that the
        chain has one end."""
        if user != self._owner:
            events = [Event(each.kind, {**msgspec.to_builtins(each.body), "user": user}) for each in events]
        file, end = self._handles or self._open()
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            size = os.fstat(file).st_size
            head = self._known[1] if self._known[0] == size else self._head(file, size)
            added = list(entries(head, datetime.now(UTC), None, events, _JSON))
            lines = b"".join(msgspec.json.encode(each) + b"\n" for each in added)
            last = Head(added[-1].number, added[-1].hash)
            _write(file, lines, size)
            _write(end, f"{last.number:<20} {last.hash.hex()}".encode(), 0)
            self._known = (size + len(lines), last)
        except OSError:
            os.ftruncate(file, size)  # half an entry would be the end of the chain
            raise
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)

    def _open(self) -> tuple[int, int]:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        how = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        self._handles = (os.open(self._file, how, 0o600), os.open(self._end, how, 0o600))
        return self._handles

    def close(self) -> None:
        """Let go of the files."""
        for handle in self._handles or ():
            os.close(handle)
        self._handles = None

    def read(self) -> Iterator[Entry]:
        """All entries, in order. ValidationError for a line that is none."""
        if self._file.exists():
            with self._file.open("rb") as file:
                for line in file:
                    yield msgspec.json.decode(line, type=Entry)

    def verify(self) -> Verified:
        """Go along the whole chain."""
        at, problem = Head(0, first_hash(self._owner)), None
        try:
            for entry in self.read():
                if problem := wrong(entry, at):
                    break
                at = Head(entry.number, entry.hash)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            problem = f"line {at.number + 1} is no entry"
        told = self._end.read_text().split() if self._end.exists() else ["0", first_hash(self._owner).hex()]
        if problem is None and told != [str(at.number), at.hash.hex()]:
            problem = f"the chain ends at entry {at.number}, and should end at {told[0]}"
        return Verified(intact=problem is None, entries=at.number, head=at.hash.hex(), problem=problem)

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
