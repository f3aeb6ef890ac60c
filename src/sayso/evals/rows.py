"""Compares the tasks of a list with what a session's labels expect.

Titles, descriptions and names of lists compare without case, spacing and outer punctuation; the parts of a repeat
rule in any order; a reminder at the time itself is the same as none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from sayso.evals.compare import loosely
from sayso.evals.sessions import Change, Fields, alternatives
from sayso.tasks.store.taskfile import TaskList
from sayso.tasks.values import Task

Row = dict[str, Any]  # a task's fields by name
Titles = frozenset[str]  # titles of one task, all accepted

_NAMES = Fields.__struct_fields__
_FREE = ("title", "description", "list")
_ON_TIME = "PT0S"
_TO_THE_MINUTE = len("YYYY-MM-DDTHH:MM")


class Expected(NamedTuple):
    """A list as it should be: the tasks that were there, by id, and the new ones. Values may have alternatives."""

    kept: dict[str, Row]
    added: tuple[Row, ...] = ()


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The rows in which two lists differ: as they should be, and as they are."""

    expected: tuple[Row, ...] = ()
    found: tuple[Row, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.expected or self.found)


def rows_of(tasks: Sequence[Task]) -> dict[str, Row]:
    return {task.id: {name: getattr(task, name) for name in _NAMES} for task in tasks}


def expected_after(
    before: Mapping[str, Row], changes: Sequence[Change], other_titles: Collection[Titles] = ()
) -> Expected:
    """The list after these changes; KeyError names a task that is not on it.

    `other_titles`: where a label accepts several titles for a new task, a later turn may use any of them.
    """
    kept = {key: dict(row) for key, row in before.items()}
    added: list[Row] = []
    for change in changes:
        if change.add is not None:
            added.append({**msgspec.structs.asdict(Fields(title="-")), **change.add})
            continue
        key = _find(kept, change.title, other_titles)
        row = kept[key]
        match change.verb:
            case "delete":
                del kept[key]
            case "complete" if row["repeat"]:  # it moves on to its next date
                row.update(change.to)
            case "complete":
                row["status"] = "completed"
            case "reopen":
                row["status"] = "pending"
            case _:
                row.update(change.to)
    return Expected(kept, tuple(added))


def titles_of(added: Sequence[Row]) -> list[Titles]:
    """The titles of each new task for which several are accepted."""
    groups = [alternatives(row["title"]) for row in added]
    return [frozenset(loosely(title) for title in titles) for titles in groups if len(titles) > 1]


def difference(expected: Expected, found: Mapping[str, Row]) -> Difference:
    """The rows that are not as expected; false if all rows are."""
    off = [key for key, row in expected.kept.items() if key not in found or not _alike(row, found[key])]
    surplus = [row for key, row in found.items() if key not in expected.kept]
    missing = []
    for row in expected.added:
        match = next((other for other in surplus if _alike(row, other)), None)
        if match is None:
            missing.append(row)
        else:
            surplus.remove(match)
    return Difference(
        expected=(*(expected.kept[key] for key in off), *missing),
        found=(*(found[key] for key in off if key in found), *surplus),
    )


def corrected(now: TaskList, before: TaskList, expected: Expected, created_at: str) -> TaskList:
    """The list as it should have become. Tasks keep their ids and versions; new ones get ids that were not used yet."""
    present = {task.id for task in now.tasks}
    tasks = [task for task in now.tasks if task.id in expected.kept]
    tasks += [task for task in before.tasks if task.id in expected.kept and task.id not in present]
    first = now.next + len(expected.added)
    new = [new_task(Fields(**_settled(row)), first + n, created_at) for n, row in enumerate(expected.added)]
    return TaskList(
        tasks=(*(_with_fields(task, expected.kept[task.id]) for task in tasks), *new), made=first + len(new)
    )


def new_task(fields: Fields, number: int, created_at: str) -> Task:
    return Task(
        id=f"t{number}",
        **msgspec.structs.asdict(fields),
        completed=fields.status == "completed",
        created_at=created_at,
        version=1,
    )


def _with_fields(task: Task, row: Row) -> Task:
    values = _settled(row)
    return msgspec.structs.replace(task, **values, completed=values["status"] == "completed")


def _settled(row: Row) -> Row:
    """The row with the first of each field's alternatives."""
    return {name: alternatives(value)[0] for name, value in row.items()}


def _find(rows: Mapping[str, Row], title: str, other_titles: Collection[Titles]) -> str:
    wanted = loosely(title)
    same: set[str] = {wanted}.union(*(titles for titles in other_titles if wanted in titles))
    for accepted in ({wanted}, same):
        for key, row in rows.items():
            if any(loosely(one) in accepted for one in alternatives(row["title"])):
                return key
    raise KeyError(title)


def _alike(wanted: Row, found: Row) -> bool:
    return all(
        any(_plain(name, one) == _plain(name, found[name]) for one in alternatives(wanted[name])) for name in _NAMES
    )


def _plain(name: str, value: Any) -> Any:
    """The form in which values of this field are compared."""
    if name == "remind" and value == _ON_TIME:
        return None
    if not isinstance(value, str):
        return value
    if name in _FREE:
        return loosely(value)
    if name == "due":
        return value[:_TO_THE_MINUTE]
    if name == "repeat":
        parts = value.upper().removeprefix("RRULE:").split(";")
        return frozenset(part for part in parts if part not in ("", "INTERVAL=1"))
    return value
