"""Results of the tools, the same for every store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Any, TypeVar

import msgspec

from sayso.tasks.messages import say
from sayso.tasks.values import ListResult, ListTasks, Occurrence, Reason, Result, Task, TaskResult

R = TypeVar("R", bound=Result)

MOST_SHOWN = 10
MOST_NEAREST = 3
RETRY_WINDOW = timedelta(minutes=2)
_CONTENT = ("title", "description", "priority", "due", "repeat", "list", "remind", "status")
_MOVED = ("due", "repeat", "status")  # the fields that change when a repeating task is completed


def failed(shape: type[R], language: str, reason: Reason, message: str, **values: str) -> R:
    """An error result with a message in the user's language."""
    return shape(status="error", reason=reason, error_message=say(language, message, **values))


def ambiguous(language: str, said: str, tasks: Sequence[Task]) -> TaskResult:
    """The result for a name that matches several tasks."""
    return _which(language, "ambiguous", "ambiguous", said, tasks[:MOST_SHOWN])


def not_found(language: str, said: str, nearest: Sequence[Task]) -> TaskResult:
    """The result for a name that matches no task, with the most similar tasks."""
    shown = nearest[:MOST_NEAREST]
    return _which(language, "not_found", "not_found_near" if shown else "not_found", said, shown)


def _which(language: str, reason: Reason, message: str, said: str, shown: Sequence[Task]) -> TaskResult:
    titles = ", ".join(f"'{task.title}'" for task in shown)
    text = say(language, message, text=said, titles=titles)
    return TaskResult(status="error", reason=reason, error_message=text, options=list(shown) or None)


def content(task: Task) -> dict[str, Any]:
    """The fields of a task that a user can change."""
    return {name: getattr(task, name) for name in _CONTENT}


def is_still(task: Task, then: Mapping[str, Any] | None) -> bool:
    """Whether a task is still as a change left it, so that the change can be undone. The result is False if the change
    deleted the task (`then=None`). Fields that an older release did not store with the change are not compared."""
    now = content(task)
    return then is not None and all(now[name] == value for name, value in then.items())


def done(task: Task, *, changed: bool) -> TaskResult:
    return TaskResult(
        status="success",
        task_id=task.id,
        title=task.title,
        description=task.description,
        task=task,
        changed=changed,
    )


def is_retry(task: Task, wanted: Task, last: Occurrence | None, now: datetime) -> bool:
    """Whether a call that completes a repeating task is a retry of the previous call, which completed the date `last`.

    `wanted` is the task as the call would leave it. The call is a retry if the completion is recent, the task has not
    changed since, and the call changes nothing that the completion did not change.
    """
    if last is None or last.version != task.version - 1:
        return False
    if abs(now - datetime.fromisoformat(last.completed_at)) > RETRY_WINDOW:
        return False
    if wanted.due not in (task.due, last.due) or wanted.repeat not in (task.repeat, last.repeat):
        return False
    return all(getattr(wanted, name) == getattr(task, name) for name in _CONTENT if name not in _MOVED)


def completed_before(task: Task, last: Occurrence, zone: tzinfo) -> TaskResult:
    """The result for a date that is already completed. It names the same date as the first result."""
    day = datetime.fromisoformat(last.completed_at).astimezone(zone).date()
    return msgspec.structs.replace(done(task, changed=False), occurrence=last.due or day.isoformat())


def page(found: Sequence[Task], given: ListTasks, nearest: bool | None = None) -> ListResult:
    """The tasks of a page. `found` holds one task more than the limit if there is a next page."""
    tasks = list(found[: given.limit])
    return ListResult(
        status="success",
        count=len(tasks),
        tasks=tasks,
        next_offset=given.offset + given.limit if len(found) > given.limit else None,
        nearest=nearest,
    )
