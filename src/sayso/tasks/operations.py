"""The operations of the tools, each within a given transaction. Problems are results, not exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from uuid import UUID, uuid4

import msgspec
from msgspec import UNSET

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.serving.person import Person
from sayso.tasks import results
from sayso.tasks.results import MOST_SHOWN
from sayso.tasks.search.keys import body_key, contains, distinct_words, fold, key, words
from sayso.tasks.search.resolve import REACH, Missing, Several, resolve
from sayso.tasks.search.search import with_words
from sayso.tasks.search.typos import is_slip
from sayso.tasks.store.rows import TaskRow, task_rows
from sayso.tasks.timing import occurrences
from sayso.tasks.timing.due import Due, read_days, read_due
from sayso.tasks.timing.fields import Fields, Refused, fields_of_change, fields_of_new
from sayso.tasks.timing.repeat import following
from sayso.tasks.values import (
    AddTask,
    CompleteTask,
    Day,
    ListResult,
    ListTasks,
    Occurrence,
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
MOST_LISTS = 200  # the most list names that are matched against a message
_SQL = Path(__file__).parent / "sql"


class Altered(NamedTuple):
    """The result of a change, and the occurrence that it added to the task's history or removed from it."""

    result: TaskResult
    added: Occurrence | None = None
    dropped: Occurrence | None = None


async def add(on: Transaction, person: Person, given: AddTask) -> TaskResult:
    try:
        fields = fields_of_new(given, person.wall_clock, person.zone)
    except Refused as why:
        return failed(TaskResult, person, "invalid", why.message, text=why.text)
    task = TaskRow(
        id=uuid4(),
        title=given.title,
        description=given.description,
        status="pending",
        priority=given.priority,
        due_date=fields.due.day,
        due_time=fields.due.time,
        repeat=fields.repeat,
        list=await _list_name(on, person, given.list),
        remind=fields.remind,
        created_at=person.now,
        version=1,
    )
    # the answer needs no value that the database computes, so nothing is read back
    stored = task._asdict() | _keys(task) | {"words": distinct_words(task.title, task.description)}
    on.later(statement(_SQL, "task_add"), user_id=person.id, task=msgspec.json.encode(stored).decode())
    return _done(task, changed=True)


async def _list_name(on: Transaction, person: Person, name: str | None) -> str | None:
    """The name of a list in its first spelling."""
    if name is None:
        return None
    found = await on.row(statement(_SQL, "list_name"), user_id=person.id, list_key=fold(name))
    return found[0] if found else name


async def list_names(on: Transaction, person: Person, limit: int = MOST_LISTS) -> list[str]:
    """The names of the existing lists, in their first spelling."""
    found = await on.rows(statement(_SQL, "list_names"), user_id=person.id, limit=limit)
    return [name for (name,) in found]


async def open_titled(on: Transaction, person: Person, title: str) -> Task | None:
    """The open task with this title, ignoring case and punctuation."""
    found = await on.rows(statement(_SQL, "task_by_title"), user_id=person.id, key=key(title), limit=1)
    return next((task.shown() for task in task_rows(found) if task.status == "pending"), None)


async def day(on: Transaction, person: Person) -> Day:
    """Today in the user's time zone: how many tasks are done, and how many are left."""
    today = person.wall_clock.date()
    begins, ends = (datetime.combine(each, time(), person.zone) for each in (today, today + timedelta(days=1)))
    found = await on.row(statement(_SQL, "day_read"), user_id=person.id, day=today, begins=begins, ends=ends)
    done, left = found or (0, 0)
    return Day(date=today.isoformat(), done=done, left=left)


def _keys(task: TaskRow) -> dict[str, Any]:
    """The normalised texts of a task, which searches compare."""
    return {
        "title_key": key(task.title),
        "description_key": body_key(task.description),
        "list_key": None if task.list is None else fold(task.list),
    }


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
        "list_key": fold(given.list) if given.list else None,
    }
    page: dict[str, Any] = {"limit": given.limit + 1, "offset": given.offset}
    search = key(given.search) if given.search else ""
    if not search:
        if all(value is None for value in filters.values()):
            listed = await on.rows(statement(_SQL, "task_first"), user_id=person.id, **page)
        else:  # with a filter, the planner may choose an index
            listed = await on.rows(statement(_SQL, "task_list"), fresh_plan=True, user_id=person.id, **filters, **page)
        return _page(task_rows(listed), given)
    found = await with_words(on, person.id, words(search) or [search], filters, **page)
    if found or given.offset or given.filter != "all" or given.priority or first or given.list:
        return _page(found, given)
    near = task_rows(
        await on.rows(statement(_SQL, "task_near"), user_id=person.id, key=search, reach=REACH, limit=MOST_SHOWN)
    )
    slips = [task for task in near if is_slip(search, key(task.title))]
    return _page(slips, given, nearest=bool(slips) or None)


async def complete(on: Transaction, person: Person, given: CompleteTask, *, distinct: bool = False) -> TaskResult:
    """Complete a task. See `alter` for `distinct`."""
    return await _set_status(on, person, given.task_identifier, "completed", distinct=distinct)


async def reopen(on: Transaction, person: Person, identifier: str) -> TaskResult:
    return await _set_status(on, person, identifier, "pending")


async def _set_status(
    on: Transaction, person: Person, identifier: str, status: Status, *, distinct: bool = False
) -> TaskResult:
    meant = await resolve(on, person.id, identifier, among="pending" if status == "completed" else "completed")
    if not isinstance(meant, TaskRow):
        return unresolved(person, identifier, meant)
    task = await lock(on, person, meant.id)
    if task is None:
        return unresolved(person, identifier, Missing(nearest=[]))
    if status == "completed" and task.version != meant.version:  # a concurrent call changed it
        done = await occurrences.at_version(on, person.id, task.id, meant.version)
        if done:  # that call completed the date that is meant
            return results.completed_before(task.shown(), done, person.zone)
    return (await set_status(on, person, task, status, distinct=distinct)).result


async def set_status(
    on: Transaction, person: Person, task: TaskRow, status: Status, *, distinct: bool = False
) -> Altered:
    """Complete or reopen a task that is locked."""
    given = UpdateTask(task_identifier=str(task.id), new_status=status)
    return await alter(on, person, task, given, distinct=distinct)


async def update(on: Transaction, person: Person, given: UpdateTask, *, distinct: bool = False) -> TaskResult:
    """Change a task. See `alter` for `distinct`."""
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
    return (await alter(on, person, before, given, distinct=distinct)).result


async def alter(
    on: Transaction, person: Person, before: TaskRow, given: UpdateTask, *, distinct: bool = False
) -> Altered:
    """Change a locked task. The new state is known in advance, so this does not wait for the database.

    Completing a repeating task moves it to its next date. Reopening it undoes that, unless the task has changed since.
    A retry of the last completion changes nothing. A call that is `distinct` is not a retry: it has a separate
    idempotency key, or it names the version of the task.
    """
    if given.changes_nothing:
        return Altered(failed(TaskResult, person, "invalid", "nothing_to_change"))
    try:
        fields = fields_of_change(given, before.fields, person.wall_clock, person.zone)
    except Refused as why:
        return Altered(failed(TaskResult, person, "invalid", why.message, text=why.text))
    name = before.list if given.new_list is UNSET else await _list_name(on, person, given.new_list)
    after = _changed(before, given, fields, name)
    added: Occurrence | None = None
    dropped: Occurrence | None = None
    if (before.status, after.status) == ("pending", "completed"):
        if not distinct and (last := await _completed_just_now(on, person, before, after)):
            return Altered(results.completed_before(before.shown(), last, person.zone))
        after, added = _advanced(person, before, after)
    elif given.new_status == "pending" and after == before and before.repeat:
        after, dropped = await _moved_back(on, person, before)
    if after == before:
        return Altered(_done(before, changed=False))
    _write(on, person, before, after)
    if added:
        occurrences.add(on, person.id, added, person.zone)
    if dropped:
        occurrences.drop(on, person.id, dropped)
    done = _done(after._replace(version=before.version + 1), changed=True)
    if added:
        done = msgspec.structs.replace(done, occurrence=added.due or person.wall_clock.date().isoformat())
    return Altered(done, added, dropped)


async def _moved_back(on: Transaction, person: Person, before: TaskRow) -> tuple[TaskRow, Occurrence | None]:
    """A repeating task as it was before its last completion, and that date; unchanged if it was never completed."""
    last = await occurrences.at_version(on, person.id, before.id, before.version - 1)
    return (_at(before, read_due(last.due, person.zone), last.repeat), last) if last else (before, None)


async def _completed_just_now(on: Transaction, person: Person, before: TaskRow, after: TaskRow) -> Occurrence | None:
    """The date that the previous call completed, if this call is a retry of it."""
    if before.repeat is None:
        return None
    last = await occurrences.at_version(on, person.id, before.id, before.version - 1)
    return last if results.is_retry(before.shown(), after.shown(), last, person.now) else None


def _advanced(person: Person, before: TaskRow, after: TaskRow) -> tuple[TaskRow, Occurrence | None]:
    """A task after its completion. A repeating task moves to its next date; the completed date is returned with it."""
    moved = following(after.repeat, after.due, person.wall_clock, person.zone)
    if after.repeat is None or moved is None:
        return after, None
    done = Occurrence(
        task_id=str(before.id),
        version=before.version,
        due=str(after.due) or None,
        repeat=after.repeat,
        completed_at=person.now.astimezone(UTC).isoformat(timespec="milliseconds"),
    )
    return _at(after, *moved)._replace(status="pending"), done


def _at(task: TaskRow, due: Due, repeat: str) -> TaskRow:
    return task._replace(due_date=due.day, due_time=due.time, repeat=repeat)


def put(on: Transaction, person: Person, before: TaskRow, content: Mapping[str, Any]) -> TaskResult:
    """Set a locked task to an earlier content. The fields are set as given, and no date moves."""
    due = read_due(content["due"], person.zone)
    others = {name: value for name, value in content.items() if name != "due"}
    after = before._replace(due_date=due.day, due_time=due.time, **others)
    if after == before:
        return _done(before, changed=False)
    _write(on, person, before, after)
    return _done(after._replace(version=before.version + 1), changed=True)


def _write(on: Transaction, person: Person, before: TaskRow, after: TaskRow) -> None:
    if after == before._replace(status=after.status):
        status = statement(_SQL, "task_set_status")
        on.later(status, user_id=person.id, id=after.id, status=after.status, now=person.now)
        return
    on.later(statement(_SQL, "task_update"), user_id=person.id, now=person.now, **_keys(after), **after._asdict())
    _reindex(on, person, before, after)


def _reindex(on: Transaction, person: Person, before: TaskRow, after: TaskRow) -> None:
    old = set(distinct_words(before.title, before.description))
    new = set(distinct_words(after.title, after.description))
    for name, changed in (("words_drop", old - new), ("words_add", new - old)):
        if changed:
            on.later(statement(_SQL, name), user_id=person.id, id=after.id, words=sorted(changed))


def _changed(before: TaskRow, given: UpdateTask, fields: Fields, list_name: str | None) -> TaskRow:
    return before._replace(
        title=before.title if given.new_title is None else given.new_title,
        description=before.description if given.new_description is None else given.new_description,
        priority=given.new_priority or before.priority,
        status=given.new_status or before.status,
        due_date=fields.due.day,
        due_time=fields.due.time,
        repeat=fields.repeat,
        list=list_name,
        remind=fields.remind,
    )


async def delete(on: Transaction, person: Person, task: TaskRow) -> TaskResult:
    """Delete a locked task. The lock prevents concurrent changes."""
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


async def snoozed_until(on: Transaction, person: Person, task: UUID) -> datetime | None:
    """The time until which the reminder of a task is snoozed."""
    found = await on.row(statement(_SQL, "task_snoozed"), user_id=person.id, id=task)
    return found[0] if found else None


async def snooze(on: Transaction, person: Person, before: TaskRow, until: datetime | None) -> TaskResult:
    """Move the reminder of a locked task to another time; None resets it to the task's own time."""
    if before.status != "pending" or before.remind is None or before.due_date is None:
        return failed(TaskResult, person, "stale", "stale")
    on.later(statement(_SQL, "task_snooze"), user_id=person.id, id=before.id, until=until, now=person.now)
    return _done(before._replace(version=before.version + 1), changed=True)


async def find(on: Transaction, person: Person, identifier: str) -> TaskResult:
    meant = await resolve(on, person.id, identifier)
    return _done(meant, changed=False) if isinstance(meant, TaskRow) else unresolved(person, identifier, meant)


async def titles(on: Transaction, user_id: str, typed: str, limit: int) -> list[str]:
    """Titles that have a word with the typed prefix; pending tasks come first."""
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
    """An error result with a message in the user's language."""
    return results.failed(shape, person.language, reason, message, **values)


def unresolved(person: Person, said: str, why: Several | Missing) -> TaskResult:
    """The result for a name that matches several tasks or none, with the tasks that the user may mean."""
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
    """Lock the task until the transaction ends, and return its current state."""
    found = await on.row(statement(_SQL, "task_lock"), user_id=person.id, id=task)
    return TaskRow(*found) if found else None


def _row(found: tuple[object, ...] | None) -> TaskRow:
    if found is None:
        raise AssertionError("the statement returns the row it wrote")
    return TaskRow(*found)  # type: ignore[arg-type]
