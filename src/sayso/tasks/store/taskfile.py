"""A list of tasks in a JSON file. The file is written to a temporary name and then renamed, so a crash leaves the old
list or the new one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import msgspec

from sayso.errors import BadData
from sayso.tasks.values import Occurrence, Task

Stamp = tuple[int, int, int]


class TaskList(msgspec.Struct, frozen=True, kw_only=True):
    """All tasks, the number of tasks ever created (so that no id is used twice), and the completed dates of repeating
    tasks."""

    tasks: tuple[Task, ...] = ()
    made: int = 0
    history: tuple[Occurrence, ...] = ()

    @property
    def next(self) -> int:
        """The number of the next task. It is above all ids in the file, because users may edit the file by hand."""
        numbers = (int(task.id[1:]) for task in self.tasks if task.id[1:].isdecimal() and len(task.id) < 19)
        return max(self.made, *numbers, 0) + 1


class TaskFile:
    """The file of a list. It does not have to exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path.expanduser().resolve()

    def stamp(self) -> Stamp | None:
        """A stamp that changes when the file changes; None if the file does not exist."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        return found.st_mtime_ns, found.st_ino, found.st_size

    def load(self) -> TaskList:
        """The list, or BadData. A file that cannot be read is never overwritten."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=TaskList)
        except FileNotFoundError:
            return TaskList()
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OSError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else str(problem)
            remedy = "Choose another file, or fix this one."
            raise BadData(str(self._path), "(file)", why or "cannot be read", remedy) from problem

    def save(self, kept: TaskList) -> None:
        """Write the list to the file. OSError if that fails."""
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
