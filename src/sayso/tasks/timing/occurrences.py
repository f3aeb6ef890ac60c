"""The completed dates of repeating tasks, within a given transaction."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, tzinfo
from pathlib import Path
from uuid import UUID

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.tasks.timing.due import Due, read_due
from sayso.tasks.values import Occurrence

MOST_READ = 1_000
_SQL = Path(__file__).parents[1] / "sql"
_Row = tuple[int, date | None, time | None, str, datetime]


def add(on: Transaction, user_id: str, done: Occurrence, zone: tzinfo) -> None:
    """Store a completed date."""
    due = read_due(done.due, zone)
    on.later(
        statement(_SQL, "occurrence_add"),
        user_id=user_id,
        task_id=UUID(done.task_id),
        version=done.version,
        due_date=due.day,
        due_time=due.time,
        repeat=done.repeat,
        completed_at=datetime.fromisoformat(done.completed_at),
    )


def drop(on: Transaction, user_id: str, done: Occurrence) -> None:
    """Delete a completed date after an undo."""
    task = UUID(done.task_id)
    on.later(statement(_SQL, "occurrence_drop"), user_id=user_id, task_id=task, version=done.version)


async def at_version(on: Transaction, user_id: str, task: UUID, version: int) -> Occurrence | None:
    """The date that was completed when the task had this version."""
    found = await on.row(statement(_SQL, "occurrence_at"), user_id=user_id, task_id=task, version=version)
    return _occurrence(task, found) if found else None


async def read(on: Transaction, user_id: str, task: UUID, limit: int = MOST_READ) -> list[Occurrence]:
    """The completed dates of a task, the latest first."""
    found = await on.rows(statement(_SQL, "occurrences_read"), user_id=user_id, task_id=task, limit=limit)
    return [_occurrence(task, row) for row in found]


def _occurrence(task: UUID, row: _Row) -> Occurrence:
    version, day, at, repeat, completed_at = row
    return Occurrence(
        task_id=str(task),
        version=version,
        due=str(Due(day=day, time=at)) or None,
        repeat=repeat,
        completed_at=completed_at.astimezone(UTC).isoformat(timespec="milliseconds"),
    )
