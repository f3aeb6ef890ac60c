"""A list of tasks in a JSON file: written whole and put in place at once, so that a crash leaves the old list or the
new one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import msgspec

from sayso.errors import BadData
from sayso.tasks.values import Occurrence, Task

Stamp = tuple[int, int, int]


class TaskList(msgspec.Struct, frozen=True, kw_only=True):
    """All tasks, how many there ever were (an id is not given twice), and what was completed of repeating ones."""

    tasks: tuple[Task, ...] = ()
    made: int = 0
    history: tuple[Occurrence, ...] = ()

    @property
    def next(self) -> int:
        """The number of the next one; somebody may have written into the file by hand."""
        numbers = (int(task.id[1:]) for task in self.tasks if task.id[1:].isdecimal() and len(task.id) < 19)
        return max(self.made, *numbers, 0) + 1


class TaskFile:
    """The file of a list. It need not be there yet."""

    def __init__(self, path: Path) -> None:
        self._path = path.expanduser().resolve()

    def stamp(self) -> Stamp | None:
        """What tells one state of the file from another; None while there is none."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        return found.st_mtime_ns, found.st_ino, found.st_size

    def load(self) -> TaskList:
        """The list, or BadData: a file that cannot be read is never written over."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=TaskList)
        except FileNotFoundError:
            return TaskList()
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OSError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else str(problem)
            remedy = "Choose another file, or fix this one."
            raise BadData(str(self._path), "(file)", why or "cannot be read", remedy) from problem

    def save(self, kept: TaskList) -> None:
        """Put the list in place; OSError where that cannot be done."""
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self._path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
