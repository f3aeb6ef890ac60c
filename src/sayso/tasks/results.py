"""What the tools give, as values: the same from whatever keeps the tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sayso.tasks.messages import say
from sayso.tasks.values import ListResult, ListTasks, Reason, Result, Task, TaskResult

R = TypeVar("R", bound=Result)

MOST_SHOWN = 10
MOST_NEAREST = 3


def failed(shape: type[R], language: str, reason: Reason, message: str, **values: str) -> R:
    """A result that says what went wrong, in the person's language."""
    return shape(status="error", reason=reason, error_message=say(language, message, **values))


def ambiguous(language: str, said: str, tasks: Sequence[Task]) -> TaskResult:
    """A result for a name that fits several tasks."""
    return _which(language, "ambiguous", "ambiguous", said, tasks[:MOST_SHOWN])


def not_found(language: str, said: str, nearest: Sequence[Task]) -> TaskResult:
    """A result for a name that fits none, with the ones that come nearest."""
    shown = nearest[:MOST_NEAREST]
    return _which(language, "not_found", "not_found_near" if shown else "not_found", said, shown)


def _which(language: str, reason: Reason, message: str, said: str, shown: Sequence[Task]) -> TaskResult:
    titles = ", ".join(f"'{task.title}'" for task in shown)
    text = say(language, message, text=said, titles=titles)
    return TaskResult(status="error", reason=reason, error_message=text, options=list(shown) or None)


def done(task: Task, *, changed: bool) -> TaskResult:
    return TaskResult(
        status="success",
        task_id=task.id,
        title=task.title,
        description=task.description,
        task=task,
        changed=changed,
    )


def page(found: Sequence[Task], given: ListTasks, nearest: bool | None = None) -> ListResult:
    """The tasks of a page, given one more than it holds where there are more."""
    tasks = list(found[: given.limit])
    return ListResult(
        status="success",
        count=len(tasks),
        tasks=tasks,
        next_offset=given.offset + given.limit if len(found) > given.limit else None,
        nearest=nearest,
    )
