"""Finds and lists in-memory tasks by the same rules as the SQL queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from rapidfuzz import fuzz

from sayso.tasks.results import MOST_SHOWN, ambiguous, failed, not_found, page
from sayso.tasks.search.keys import body_key, fold, key, words
from sayso.tasks.search.typos import is_slip
from sayso.tasks.timing.due import read_days
from sayso.tasks.values import ListResult, ListTasks, Status, Task, TaskResult

_NEAR = 50.0  # out of 100; less similar titles are not suggested
_LAST = "~"  # sorts after every date


def in_order(tasks: Sequence[Task]) -> list[Task]:
    """Pending tasks before completed ones, the soonest due first."""
    return sorted(
        tasks, key=lambda task: (task.completed, *_due_order(task.due), task.created_at, len(task.id), task.id)
    )


def _due_order(due: str | None) -> tuple[str, str]:
    day, _, at = (due or "").partition("T")
    return day or _LAST, at or _LAST


def find(tasks: Sequence[Task], said: str, among: Status | None, language: str) -> Task | TaskResult:
    """The task that the user means: by its id, by its whole title, by consecutive words of the title, or by a similar
    title. If several match, those with the status `among` take precedence."""
    tasks = in_order(tasks)
    for found in _ways(tasks, said):
        if found:
            fitting = [task for task in found if task.status == among] or found
            return fitting[0] if len(fitting) == 1 else ambiguous(language, said, fitting)
    return not_found(language, said, _nearest(tasks, key(said)))


def _ways(tasks: Sequence[Task], said: str) -> Iterator[list[Task]]:
    wanted = key(said)
    yield [task for task in tasks if task.id == said.strip()]
    same = [task for task in tasks if key(task.title) == wanted]
    yield [task for task in same if fold(task.title) == fold(said)]
    yield same
    yield [task for task in tasks if f" {wanted} " in f" {key(task.title)} "]
    yield [task for task in _nearest(tasks, wanted) if is_slip(wanted, key(task.title))]


def _nearest(tasks: Sequence[Task], wanted: str) -> list[Task]:
    rated = [(fuzz.WRatio(wanted, key(task.title)), task) for task in tasks]
    near = sorted((one for one in rated if one[0] >= _NEAR), key=lambda one: -one[0])
    return [task for _, task in near[:MOST_SHOWN]]


def list_tasks(tasks: Sequence[Task], given: ListTasks, now: datetime, language: str) -> ListResult:
    """A page of the list. If a search finds nothing, the page holds tasks with similar titles."""
    tasks = in_order(tasks)
    try:
        first, last = read_days(given.due, now.date())
    except ValueError:
        return failed(ListResult, language, "invalid", "days_unreadable", text=given.due or "")
    found = [task for task in tasks if _passes(task, given, now) and _within(task, first, last)]
    search = key(given.search) if given.search else ""
    if search:
        wanted = words(search) or [search]
        found = [task for task in found if all(f" {word}" in _text(task) for word in wanted)]
    if search and not (found or given.offset or given.filter != "all" or given.priority or first or given.list):
        near = [task for task in _nearest(tasks, search) if is_slip(search, key(task.title))]
        return page(near, given, nearest=bool(near) or None)
    return page(found[given.offset : given.offset + given.limit + 1], given)


def _passes(task: Task, given: ListTasks, now: datetime) -> bool:
    if given.priority and task.priority != given.priority:
        return False
    if given.list and not is_on(task, given.list):
        return False
    match given.filter:
        case "all":
            return True
        case "overdue":
            return not task.completed and _is_over(task.due, now.replace(tzinfo=None))
        case status:
            return task.status == status


def is_on(task: Task, name: str) -> bool:
    """Whether the task is on the list with this name."""
    return task.list is not None and fold(task.list) == fold(name)


def _is_over(due: str | None, now: datetime) -> bool:
    """Whether a due date has passed. A day without a time passes at the following midnight."""
    if due is None:
        return False
    moment = datetime.fromisoformat(due)
    return moment <= now if "T" in due else moment.date() < now.date()


def _within(task: Task, first: date | None, last: date | None) -> bool:
    if first is None or last is None:
        return True
    return task.due is not None and first <= datetime.fromisoformat(task.due).date() <= last


def _text(task: Task) -> str:
    return f" {key(task.title)} {body_key(task.description)} "
