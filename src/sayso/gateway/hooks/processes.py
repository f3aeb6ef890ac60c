"""Finds the client among the ancestors of a process.

A client starts its hooks, perhaps through a shell, and the gateway. So the nearest ancestor of a hook that is not a
shell is the process that started the gateway: its words are for this gateway, and not for that of another client.
This module starts with the hook and imports little.
"""

from __future__ import annotations

import os
import sys

SHELLS = frozenset(("bash", "dash", "fish", "ksh", "sh", "zsh"))
_MOST = 16  # processes to go up


class Process:
    """A process, as the system tells it."""

    __slots__ = ("parent", "pid", "program", "started")

    def __init__(self, pid: int, parent: int, started: str, program: str) -> None:
        self.pid, self.parent, self.started, self.program = pid, parent, started, program

    @property
    def is_shell(self) -> bool:
        return os.path.basename(self.program).lstrip("-") in SHELLS  # noqa: PTH119  pathlib takes longer to load

    @property
    def mark(self) -> list[object]:
        """Tells it from others: numbers are used again."""
        return [self.pid, self.started]


def client_marks(pid: int | None = None) -> list[object] | None:
    """The process that started this one, and the main process of its application, as JSON; None if there is neither.

    An editor runs several processes of one program: one may start the hooks, and another the servers. Their parent runs
    the same program.
    """
    found = _client(pid or os.getpid())
    if found is None:
        return None
    above = look_up(found.parent)
    return [found.mark, above.mark if above is not None and above.program == found.program else None]


def is_same_client(ours: list[object] | None, theirs: object) -> bool:
    """Whether both were started by one client: by the same process, or by two processes of one application."""
    if ours is None or not isinstance(theirs, list) or len(theirs) != len(ours):
        return False
    return ours[0] == theirs[0] or (ours[1] is not None and ours[1] == theirs[1])


def look_up(pid: int) -> Process | None:
    """A process by its number; None if it is gone."""
    if pid < 1:
        return None
    return _from_proc(pid) if sys.platform == "linux" else _from_ps(pid)


def _client(pid: int) -> Process | None:
    """The nearest ancestor that is not a shell. Process 1 adopts orphans, so it may be anyone's."""
    found = look_up(pid)
    for _ in range(_MOST):
        found = look_up(found.parent) if found is not None else None
        if found is None or not found.is_shell:
            break
    return found if found is not None and found.pid > 1 and not found.is_shell else None


def _from_proc(pid: int) -> Process | None:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            told = file.read()
    except OSError:
        return None
    name, _, rest = told.partition("(")[2].rpartition(")")
    fields = rest.split()
    try:
        program = os.readlink(f"/proc/{pid}/exe")  # noqa: PTH115
    except OSError:
        program = name
    return Process(pid, int(fields[1]), fields[19], program.removesuffix(" (deleted)"))


def _from_ps(pid: int) -> Process | None:
    """On systems without /proc. Windows has no `ps`, and no words from hooks."""
    if os.name != "posix":
        return None
    import subprocess  # noqa: PLC0415  the usual system does without

    columns = ("-o", "ppid=", "-o", "lstart=", "-o", "comm=")
    command = ["/bin/ps", *columns, "-p", str(pid)]
    try:
        told = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=5, check=True).stdout  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    parent, *day, program = told.split(None, 6)
    return Process(pid, int(parent), " ".join(day), program.strip())
