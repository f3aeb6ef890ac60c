"""Reminders in a terminal: what comes due in a list while somebody watches it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from sayso.assistant.values import Json
from sayso.errors import BadData
from sayso.reminders.clock import ring_at, rings
from sayso.tasks.values import Task

EVERY = 1.0  # seconds between two looks at the list

Tasks = Callable[[], Iterable[Task]]


class Due(NamedTuple):
    """A reminder that is due."""

    at: datetime
    task: Task


class Bell:
    """Rings each reminder of a list once, from the moment on at which it was made."""

    def __init__(self, tasks: Tasks, clock: Callable[[], datetime]) -> None:
        self._tasks, self._clock = tasks, clock
        self._since = clock()

    def due(self) -> list[Due]:
        """What came due since the last look, the earliest first. A list that cannot be read now is looked at again."""
        now = self._clock()
        try:
            tasks = list(self._tasks())
        except BadData:
            return []
        found = [Due(at, task) for task in tasks if (at := _moment(task, now)) and self._since < at <= now]
        self._since = now
        return sorted(found, key=lambda each: (each.at, each.task.id))

    def coming(self, until: datetime) -> list[Due]:
        """What is to ring before a moment."""
        now = self._clock()
        found = [Due(at, task) for task in self._tasks() if (at := _moment(task, now)) and now < at < until]
        return sorted(found, key=lambda each: (each.at, each.task.id))


@contextmanager
def watching(bell: Bell, ring: Callable[[Task], None]) -> Iterator[None]:
    """Ring beside whatever else goes on, for as long as this lasts."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(EVERY):
            for each in bell.due():
                ring(each.task)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def reach(clock: Callable[[], datetime]) -> Callable[[Task], Json]:
    """What an answer in a terminal says about the reminder of a task."""

    def told(task: Task) -> Json:
        now = clock()
        return dict(rings(ring_at(task.due, task.remind, now.tzinfo) if now.tzinfo else None, now, "terminal"))

    return told


def _moment(task: Task, now: datetime) -> datetime | None:
    if task.completed or now.tzinfo is None:
        return None
    return ring_at(task.due, task.remind, now.tzinfo)
