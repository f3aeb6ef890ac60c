"""Rate limits: how often each user may call a tool.

The moments of the last calls are in a file per user and tool, in the state folder, so that all gateways that share the
folder count together. The count is exact: in no stretch of time as long as the unit do more calls pass than the limit
says. A call that is refused does not count.
"""

from __future__ import annotations

import fcntl
import math
import os
import re
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

PATTERN = r"^[1-9][0-9]{0,4}/(second|minute|hour|day)$"
_UNITS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}


class Limit(NamedTuple):
    """So many calls in so many seconds."""

    calls: int
    seconds: int

    @classmethod
    def parse(cls, text: str) -> Limit:
        """ "20/minute"; ValueError for anything else."""
        if not re.fullmatch(PATTERN, text):
            raise ValueError(f'"{text}" is not a limit such as "20/minute"')
        calls, _, unit = text.partition("/")
        return cls(int(calls), _UNITS[unit])


class Rates:
    """The calls that count, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take(self, limit: Limit | None, user: str, server: str, tool: str, now: float) -> int:
        """Count a call: 0 if it may run, otherwise the seconds until one may. OSError if it cannot be counted."""
        if limit is None:
            return 0
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = sha256(msgspec.json.encode((user, server, tool))).hexdigest()[:32]
        handle = os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            found = _read(handle)
            if found is None:  # nobody knows how many there were: as many as may be
                _write(handle, [now] * limit.calls)
                return limit.seconds
            moments = sorted(min(each, now) for each in found if each > now - limit.seconds)  # a clock can be set back
            if len(moments) >= limit.calls:
                return max(1, math.ceil(moments[-limit.calls] + limit.seconds - now))
            _write(handle, [*moments, now])
        finally:
            os.close(handle)
        return 0


def _read(handle: int) -> list[float] | None:
    """The moments; None if the file makes no sense."""
    content = os.pread(handle, os.fstat(handle).st_size, 0)
    try:
        return msgspec.json.decode(content, type=list[float]) if content else []
    except msgspec.MsgspecError:
        return None


def _write(handle: int, moments: list[float]) -> None:
    content = msgspec.json.encode(moments)
    os.pwrite(handle, content, 0)
    os.ftruncate(handle, len(content))
