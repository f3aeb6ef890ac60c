"""Resolves the task that the user means: by id, by title, by consecutive words, then by similar spelling.

"buy milk" is "Buy milk" and not "Buy milk for Anna". "milk" can be either. "by mlik" is the most similar title.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.tasks.results import MOST_SHOWN
from sayso.tasks.search.keys import fold, key
from sayso.tasks.search.search import with_phrase
from sayso.tasks.search.typos import is_slip
from sayso.tasks.store.rows import TaskRow, task_rows
from sayso.tasks.values import Status

REACH = 1_000  # of a longer list, only the first tasks are searched for typos
_SQL = Path(__file__).parents[1] / "sql"


@dataclass(frozen=True, kw_only=True)
class Several:
    """Several tasks match."""

    tasks: list[TaskRow]


@dataclass(frozen=True, kw_only=True)
class Missing:
    """No task matches; these are the most similar."""

    nearest: list[TaskRow]


async def resolve(
    on: Transaction, user_id: str, said: str, *, among: Status | None = None
) -> TaskRow | Several | Missing:
    """The task that the user means. If several match, those with the status `among` take precedence."""
    if by_id := await _by_id(on, user_id, said):
        return by_id
    wanted = key(said)
    exact = await _rows(on, "task_by_title", user_id=user_id, key=wanted, limit=MOST_SHOWN + 1)
    if exact:
        # titles that differ in punctuation have the same key: an exact match takes precedence
        return _choose([task for task in exact if fold(task.title) == fold(said)] or exact, among)
    part = await with_phrase(on, user_id, wanted, limit=MOST_SHOWN + 1)
    if part:
        return _choose(part, among)
    near = await _rows(on, "task_near", user_id=user_id, key=wanted, reach=REACH, limit=MOST_SHOWN)
    if slips := [task for task in near if is_slip(wanted, key(task.title))]:
        return _choose(slips, among)
    return Missing(nearest=near)


def _choose(tasks: list[TaskRow], among: Status | None) -> TaskRow | Several:
    fitting = [task for task in tasks if task.status == among] or tasks
    return fitting[0] if len(fitting) == 1 else Several(tasks=fitting)


async def _by_id(on: Transaction, user_id: str, said: str) -> TaskRow | None:
    try:
        wanted = UUID(said.strip())
    except ValueError:
        return None
    found = await _rows(on, "task_by_id", user_id=user_id, id=wanted)
    return found[0] if found else None


async def _rows(on: Transaction, name: str, **values: Any) -> list[TaskRow]:
    return task_rows(await on.rows(statement(_SQL, name), **values))
