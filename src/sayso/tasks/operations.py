"""What the tools do, each within a transaction that it is given. A problem is a result, never an exception."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID, uuid4

import msgspec
from msgspec import UNSET

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.serving.person import Person
from sayso.tasks import results
from sayso.tasks.due import Due, read_days, read_due
from sayso.tasks.keys import body_key, contains, distinct_words, key, words
from sayso.tasks.resolve import REACH, Missing, Several, resolve
from sayso.tasks.results import MOST_SHOWN
from sayso.tasks.rows import TaskRow, task_rows
from sayso.tasks.search import with_words
from sayso.tasks.slips import is_slip
from sayso.tasks.values import (
    AddTask,
    CompleteTask,
    ListResult,
    ListTasks,
    Reason,
    Result,
    Status,
    Task,
    TaskResult,
    UpdateTask,
    UserResult,
)

R = TypeVar("R", bound=Result)

RESTORABLE = timedelta(days=30)
_SQL = Path(__file__).parent / "sql"


async def add(on: Transaction, person: Person, given: AddTask) -> TaskResult:
    try:
        due = read_due(given.due, person.zone)
    except ValueError:
        return failed(TaskResult, person, "invalid", "due_unreadable", text=given.due or "")
    task = TaskRow(
        id=uuid4(),
        title=given.title,
        description=given.description,
        status="pending",
        priority=given.priority,
        due_date=due.day,
        due_time=due.time,
        created_at=person.now,
        version=1,
    )
    # all that the answer says is known before: nothing is read back
    stored = task._asdict() | {
        "title_key": key(task.title),
        "description_key": body_key(task.description),
        "words": distinct_words(task.title, task.description),
    }
    on.later(statement(_SQL, "task_add"), user_id=person.id, task=msgspec.json.encode(stored).decode())
    return _done(task, changed=True)


async def list_tasks(on: Transaction, person: Person, given: ListTasks) -> ListResult:
    try:
        first, last = read_days(given.due, person.wall_clock.date())
    except ValueError:
        return failed(ListResult, person, "invalid", "days_unreadable", text=given.due or "")
    overdue = given.filter == "overdue"
    filters: dict[str, Any] = {
        "status": "pending" if overdue else None if given.filter == "all" else given.filter,
        "priority": given.priority,
        "first": first,
        "last": last,
        "overdue_at": person.wall_clock if overdue else None,
    }
    page: dict[str, Any] = {"limit": given.limit + 1, "offset": given.offset}
    search = key(given.search) if given.search else ""
    if not search:
        anew = any(value is not None for value in filters.values())  # an index may serve a filter that is given
        listed = await on.rows(statement(_SQL, "task_list"), planned_anew=anew, user_id=person.id, **filters, **page)
        return _page(task_rows(listed), given)
    found = await with_words(on, person.id, words(search) or [search], filters, **page)
    if found or given.offset or given.filter != "all" or given.priority or first:
        return _page(found, given)
    near = task_rows(
        await on.rows(statement(_SQL, "task_near"), user_id=person.id, key=search, reach=REACH, limit=MOST_SHOWN)
    )
    slips = [task for task in near if is_slip(search, key(task.title))]
    return _page(slips, given, nearest=bool(slips) or None)


async def complete(on: Transaction, person: Person, given: CompleteTask) -> TaskResult:
    return await _set_status(on, person, given.task_identifier, "completed")


async def reopen(on: Transaction, person: Person, identifier: str) -> TaskResult:
    return await _set_status(on, person, identifier, "pending")


async def _set_status(on: Transaction, person: Person, identifier: str, status: Status) -> TaskResult:
    meant = await resolve(on, person.id, identifier, among="pending" if status == "completed" else "completed")
    if not isinstance(meant, TaskRow):
        return unresolved(person, identifier, meant)
    values = {"user_id": person.id, "id": meant.id, "status": status, "now": person.now}
    changed = await on.row(statement(_SQL, "task_set_status"), **values)
    if changed:
        return _done(_row(changed), changed=True)
    now = await lock(on, person, meant.id)
    return _done(now, changed=False) if now else unresolved(person, identifier, Missing(nearest=[]))


async def set_status(on: Transaction, person: Person, task: TaskRow, status: Status) -> TaskResult:
    """Complete or reopen a task that is locked: what it will be is known, and need not be waited for."""
    if task.status == status:
        return _done(task, changed=False)
    on.later(statement(_SQL, "task_set_status"), user_id=person.id, id=task.id, status=status, now=person.now)
    return _done(task._replace(status=status, version=task.version + 1), changed=True)


async def update(on: Transaction, person: Person, given: UpdateTask) -> TaskResult:
    if given.changes_nothing:
        return failed(TaskResult, person, "invalid", "nothing_to_change")
    among: Status | None = None
    if given.new_status:
        among = "completed" if given.new_status == "pending" else "pending"
    meant = await resolve(on, person.id, given.task_identifier, among=among)
    if not isinstance(meant, TaskRow):
        return unresolved(person, given.task_identifier, meant)
    before = await lock(on, person, meant.id)
    if before is None:
        return unresolved(person, given.task_identifier, Missing(nearest=[]))
    return await change(on, person, before, given)


async def change(on: Transaction, person: Person, before: TaskRow, given: UpdateTask) -> TaskResult:
    """Change a task that is locked: what it will be is known, and need not be waited for."""
    if given.changes_nothing:
        return failed(TaskResult, person, "invalid", "nothing_to_change")
    try:
        due = before.due if given.new_due is UNSET else read_due(given.new_due, person.zone)
    except ValueError:
        return failed(TaskResult, person, "invalid", "due_unreadable", text=str(given.new_due))
    after = _changed(before, given, due)
    if after == before:
        return _done(before, changed=False)
    on.later(
        statement(_SQL, "task_update"),
        user_id=person.id,
        now=person.now,
        title_key=key(after.title),
        description_key=body_key(after.description),
        **after._asdict(),
    )
    _index_anew(on, person, before, after)
    return _done(after._replace(version=before.version + 1), changed=True)


def _index_anew(on: Transaction, person: Person, before: TaskRow, after: TaskRow) -> None:
    old = set(distinct_words(before.title, before.description))
    new = set(distinct_words(after.title, after.description))
    for name, changed in (("words_drop", old - new), ("words_add", new - old)):
        if changed:
            on.later(statement(_SQL, name), user_id=person.id, id=after.id, words=sorted(changed))


def _changed(before: TaskRow, given: UpdateTask, due: Due) -> TaskRow:
    return before._replace(
        title=before.title if given.new_title is None else given.new_title,
        description=before.description if given.new_description is None else given.new_description,
        priority=given.new_priority or before.priority,
        status=given.new_status or before.status,
        due_date=due.day,
        due_time=due.time,
    )


async def delete(on: Transaction, person: Person, task: TaskRow) -> TaskResult:
    """Delete a task that is locked, which nobody else can have changed."""
    on.later(statement(_SQL, "task_delete"), user_id=person.id, id=task.id, version=task.version, now=person.now)
    until = (person.now + RESTORABLE).isoformat(timespec="seconds")
    return TaskResult(status="success", task_id=str(task.id), title=task.title, changed=True, restorable_until=until)


async def restore(on: Transaction, person: Person, task: UUID) -> TaskResult:
    values = {"user_id": person.id, "id": task, "now": person.now}
    back = await on.row(statement(_SQL, "task_restore"), **values)
    if back:
        return _done(_row(back), changed=True)
    there = await lock(on, person, task)
    return _done(there, changed=False) if there else failed(TaskResult, person, "not_found", "too_late")


async def find(on: Transaction, person: Person, identifier: str) -> TaskResult:
    meant = await resolve(on, person.id, identifier)
    return _done(meant, changed=False) if isinstance(meant, TaskRow) else unresolved(person, identifier, meant)


async def titles(on: Transaction, user_id: str, typed: str, limit: int) -> list[str]:
    """Titles that have a word beginning with what is typed, pending ones first."""
    pattern = contains(f" {key(typed)}") if typed.strip() else "%"
    found = await on.rows(statement(_SQL, "task_titles"), user_id=user_id, pattern=pattern, limit=limit)
    return [title for (title,) in found]


async def user_info(person: Person) -> UserResult:
    return UserResult(
        status="success",
        user_id=person.id,
        name=person.name,
        email=person.email,
        timezone=person.zone.key,
        local_time=person.wall_clock.isoformat(timespec="minutes"),
    )


def failed(shape: type[R], person: Person, reason: Reason, message: str, **values: str) -> R:
    """A result that says what went wrong, in the person's language."""
    return results.failed(shape, person.language, reason, message, **values)


def unresolved(person: Person, said: str, why: Several | Missing) -> TaskResult:
    """A result for a name that fits several tasks or none, with the ones that could be meant."""
    if isinstance(why, Several):
        return results.ambiguous(person.language, said, _shown(why.tasks))
    return results.not_found(person.language, said, _shown(why.nearest))


def _page(found: list[TaskRow], given: ListTasks, nearest: bool | None = None) -> ListResult:
    return results.page(_shown(found), given, nearest)


def _done(task: TaskRow, *, changed: bool) -> TaskResult:
    return results.done(task.shown(), changed=changed)


def _shown(tasks: list[TaskRow]) -> list[Task]:
    return [task.shown() for task in tasks]


async def lock(on: Transaction, person: Person, task: UUID) -> TaskRow | None:
    """The task as it is now, held until the transaction ends."""
    found = await on.row(statement(_SQL, "task_lock"), user_id=person.id, id=task)
    return TaskRow(*found) if found else None


def _row(found: tuple[object, ...] | None) -> TaskRow:
    if found is None:
        raise AssertionError("the statement returns the row it wrote")
    return TaskRow(*found)  # type: ignore[arg-type]
