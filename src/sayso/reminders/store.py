"""Reads and writes reminders, settings and channels. Each function runs in a transaction of their user."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.reminders.clock import moment
from sayso.reminders.values import Channel, Kind, Reminder, Settings
from sayso.serving.person import Person

MOST_SHOWN = 100
MOST_CHANNELS = 10  # per user
_SQL = Path(__file__).parent / "sql"


async def read(on: Transaction, person: Person) -> tuple[list[Reminder], list[Reminder]]:
    """The reminders that rang and are still open, the newest first; and those that will ring before the user's day
    ends."""
    midnight = datetime.combine(person.wall_clock.date() + timedelta(days=1), time())
    values: dict[str, Any] = {
        "user_id": person.id,
        "now": person.now,
        "ends": moment(midnight, person.zone),
        "limit": MOST_SHOWN,
    }
    found = await on.rows(statement(_SQL, "reminders_read"), **values)
    reminders = [
        Reminder(
            id=str(id_),
            task_id=str(task),
            title=title,
            due=due_text(day, at),
            remind_at=remind_at,
            rang_at=rang_at,
            late_by_minutes=late,
        )
        for id_, task, title, day, at, remind_at, rang_at, late in found
    ]
    return [each for each in reminders if each.rang_at], [each for each in reminders if not each.rang_at]


def due_text(day: date, at: time | None) -> str:
    """A due date in the format of tasks."""
    return day.isoformat() if at is None else f"{day.isoformat()}T{at:%H:%M}"


async def task_of(on: Transaction, user_id: str, reminder: UUID) -> UUID | None:
    """The task that a reminder is about."""
    found = await on.row(statement(_SQL, "reminder_find"), user_id=user_id, id=reminder)
    return found[0] if found else None


async def dismiss(on: Transaction, person: Person, reminder: UUID) -> bool:
    """Stop showing a reminder. Returns whether it exists."""
    values = {"user_id": person.id, "id": reminder, "now": person.now}
    return await on.row(statement(_SQL, "reminder_dismiss"), **values) is not None


async def rang(on: Transaction, user_id: str) -> int:
    """How often reminders of a user have rung."""
    found = await on.row(statement(_SQL, "rang_read"), user_id=user_id)
    return int(found[0]) if found else 0


async def read_settings(on: Transaction, user_id: str) -> Settings:
    found = await on.row(statement(_SQL, "settings_read"), user_id=user_id)
    return Settings(morning=found[0], quiet_from=found[1], quiet_to=found[2]) if found else Settings()


def write_settings(on: Transaction, user_id: str, given: Settings) -> None:
    values: dict[str, Any] = {"morning": given.morning, "quiet_from": given.quiet_from, "quiet_to": given.quiet_to}
    on.later(statement(_SQL, "settings_write"), user_id=user_id, **values)


async def channels(on: Transaction, user_id: str) -> list[Channel]:
    return [Channel(*each) for each in await on.rows(statement(_SQL, "channels_read"), user_id=user_id)]


async def reach(on: Transaction, user_id: str, task: UUID) -> tuple[datetime | None, bool]:
    """When a task rings, and whether its user has a channel."""
    found = await on.row(statement(_SQL, "reach"), user_id=user_id, task_id=task)
    return (found[0], found[1]) if found else (None, False)


async def find_channel(on: Transaction, user_id: str, channel: UUID) -> tuple[Kind, str] | None:
    """The kind of a channel, and its sealed address."""
    found = await on.row(statement(_SQL, "channel_find"), user_id=user_id, id=channel)
    return (found[1], found[2]) if found else None


async def add_channel(on: Transaction, person: Person, kind: Kind, label: str, sealed: str, mark: bytes) -> UUID | None:
    """The id of the channel; None if the user already has the maximum number."""
    values = {"kind": kind, "label": label, "sealed": sealed, "mark": mark, "now": person.now, "most": MOST_CHANNELS}
    found = await on.row(statement(_SQL, "channel_add"), user_id=person.id, id=uuid4(), **values)
    return found[0] if found else None


async def drop_channel(on: Transaction, user_id: str, channel: UUID) -> bool:
    return await on.row(statement(_SQL, "channel_drop"), user_id=user_id, id=channel) is not None
