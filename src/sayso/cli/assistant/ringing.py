"""Reminders in a terminal: what comes due in a list, or rings at a chat service, while somebody watches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from http.client import HTTPException
from typing import NamedTuple, Protocol
from urllib.error import HTTPError

import msgspec

from sayso.assistant.values import Json
from sayso.cli.assistant.backends import Unanswered
from sayso.cli.assistant.remote import RemoteTalk
from sayso.errors import BadData
from sayso.reminders.clock import ring_at, rings
from sayso.tasks.values import Task

EVERY = 1.0  # seconds between two looks at the list
PAUSE = 2.0  # seconds until a service that is away is tried again
RANG = "reminder_rang"

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


class Ringing(Protocol):
    """What is printed of a reminder."""

    @property
    def title(self) -> str: ...

    @property
    def due(self) -> str | None: ...


Ring = Callable[[Ringing, datetime], None]


@contextmanager
def following(service: RemoteTalk, ring: Ring) -> Iterator[None]:
    """Ring what rings at a chat service, for as long as this lasts. What rang before is not told."""
    over = threading.Event()

    def follow() -> None:
        known: set[tuple[str, str | None]] | None = None
        while not over.is_set():
            try:
                for kind in service.events():
                    if kind not in ("", RANG):
                        continue
                    found = {(each.id, each.rang_at): each for each in reversed(service.ringing())}
                    new = [found[key] for key in found if known is not None and key not in known]
                    now, known = service.now(), set(found)
                    for each in new if not over.is_set() else ():
                        ring(each, now)
            except HTTPError as problem:
                if problem.code in (401, 403, 404):  # the conversation itself says what is wrong
                    return
            except (OSError, HTTPException, Unanswered, msgspec.DecodeError):
                pass  # it is tried again
            over.wait(PAUSE)

    threading.Thread(target=follow, daemon=True).start()  # it may wait for the service: nobody waits for it
    try:
        yield
    finally:
        over.set()


@contextmanager
def watching(bell: Bell, ring: Ring) -> Iterator[None]:
    """Ring beside everything else, for as long as this lasts."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(EVERY):
            for each in bell.due():
                ring(each.task, datetime.now().astimezone())

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
