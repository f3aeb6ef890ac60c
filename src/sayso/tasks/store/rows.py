"""Database rows as tasks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from sayso.tasks.timing.due import Due
from sayso.tasks.timing.fields import Fields
from sayso.tasks.values import Priority, Status, Task


class TaskRow(NamedTuple):
    """The columns that every query of tasks returns, in their order."""

    id: UUID
    title: str
    description: str
    status: Status
    priority: Priority
    due_date: date | None
    due_time: time | None
    repeat: str | None
    list: str | None
    remind: str | None
    created_at: datetime
    version: int

    @property
    def due(self) -> Due:
        return Due(day=self.due_date, time=self.due_time)

    @property
    def fields(self) -> Fields:
        return Fields(self.due, self.repeat, self.remind)

    def shown(self) -> Task:
        return Task(
            id=str(self.id),
            title=self.title,
            description=self.description,
            status=self.status,
            completed=self.status == "completed",
            priority=self.priority,
            due=str(self.due) or None,
            repeat=self.repeat,
            list=self.list,
            remind=self.remind,
            created_at=self.created_at.astimezone(UTC).isoformat(timespec="milliseconds"),
            version=self.version,
        )


_row = partial(tuple.__new__, TaskRow)  # faster than TaskRow(*row): the queries return exactly these columns


def task_rows(found: Iterable[Any]) -> list[TaskRow]:
    return [_row(each) for each in found]
