"""The task tools for an assistant. They run in its transaction, act only on the versions that were shown, and return an
undo step for each change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from sayso.assistant.values import Done, Json
from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.decision import Answer, Call, Confirm
from sayso.record import Entity
from sayso.serving.arguments import Unusable
from sayso.serving.person import Person
from sayso.tasks import operations
from sayso.tasks.arguments import read_arguments
from sayso.tasks.operations import Altered, failed, unresolved
from sayso.tasks.results import content, is_still
from sayso.tasks.search.keys import distinct_words
from sayso.tasks.search.resolve import Missing, Several, resolve
from sayso.tasks.service import TOOLS
from sayso.tasks.store.rows import TaskRow, task_rows
from sayso.tasks.timing import occurrences
from sayso.tasks.values import AddTask, CompleteTask, DeleteTask, Occurrence, Result, Task, TaskResult, UpdateTask

MOST = 500  # tasks that a decision considers; of a longer list, the message's words select more
FEW = 30  # of a longer list, the tasks that are tried first; usually they are enough
_REACH = 1_000  # the most tasks with a word that a search considers
_LATELY = 100  # the most tasks of the conversation
_SPOKEN = ("history", "pending")  # evidence from earlier turns
UNDO_DAYS = {"delete_task": operations.RESTORABLE.days}
_SQL = Path(__file__).parent / "sql"


def first_things(user_id: str) -> tuple[bytes, dict[str, Any]]:
    """The query for the user's first tasks. The caller sends it with other queries and gives the rows to
    `TaskHands`."""
    return _list(user_id, FEW)


def _list(user_id: str, most: int) -> tuple[bytes, dict[str, Any]]:
    """The query for the first `most` tasks, and one more to see if the list is longer."""
    return statement(_SQL, "task_first"), {"user_id": user_id, "limit": most + 1, "offset": 0}


def changes_of_one() -> bytes:
    """The query for the change counter of a user's list. It returns no row before the first change."""
    return statement(_SQL, "changes_read")


# Returns whether a task's reminder will arrive, for the answer: `rings` and `remind_at`.
Reach = Callable[[Transaction, Person, Task], Awaitable[Json]]


class TaskHands:
    """Runs the tools for one user, in one transaction.

    `distinct` says that no call is a retry of an earlier one, because the caller uses idempotency keys. Without it, a
    second completion of a repeating task within a short time changes nothing, unless the call names the version of the
    task.
    """

    def __init__(
        self,
        on: Transaction,
        person: Person,
        first: Sequence[Any] | None = None,
        lately: Sequence[str] = (),
        *,
        distinct: bool = False,
        reach: Reach | None = None,
    ) -> None:
        self._on, self._person, self._distinct, self._reach = on, person, distinct, reach
        self._first = None if first is None else task_rows(first)
        self._lately = lately[-_LATELY:]

    async def near(self, message: str) -> tuple[Entity, ...] | None:
        """The tasks of a long list that the message is probably about: those that it names, those of the conversation
        and the first ones. None if the list is short; then `things` returns all of it."""
        if self._first is None or len(self._first) <= FEW:
            return None
        words = {"words": distinct_words(message, ""), "limit": FEW, "reach": _REACH}
        said, lately = await self._named("task_said", words)
        return tuple([_thing(row) for row in dict.fromkeys([*said, *lately, *self._first[:FEW]])])

    async def things(self, message: str) -> tuple[Entity, ...]:
        rows, self._first = self._first, None
        if rows is None or len(rows) > FEW:
            query, values = _list(self._person.id, MOST)
            rows = task_rows(await self._on.rows(query, **values))
        if len(rows) > MOST:
            said, lately = await self._named("task_mentioned", {"words": distinct_words(message, ""), "limit": MOST})
            rows = list(dict.fromkeys([*said, *lately, *rows]))
        return tuple([_thing(row) for row in rows])

    async def _named(self, how: str, words: dict[str, Any]) -> tuple[list[TaskRow], list[TaskRow]]:
        """The tasks that have these words, and the tasks that the conversation mentioned recently."""
        ids = [found for each in self._lately if (found := _id(each))]
        said, lately = await self._on.several(
            (statement(_SQL, how), words | {"user_id": self._person.id}),
            (statement(_SQL, "task_by_ids"), {"user_id": self._person.id, "ids": ids}),
        )
        return task_rows(said), task_rows(lately)

    async def call(self, tool: str, arguments: Json, versions: dict[str, int]) -> Done:
        shape = TOOLS.get(tool)
        if shape is None:
            return Done(_json(failed(TaskResult, self._person, "invalid", "invalid", problem=tool)), None)
        try:
            given = read_arguments(shape.takes, arguments, self._person.language)
        except Unusable as problem:
            return Done(_json(shape.gives(status="error", reason="invalid", error_message=str(problem))), None)
        if isinstance(given, CompleteTask | DeleteTask | UpdateTask):
            return await self._change(given, versions)
        if shape.does is None:
            raise AssertionError("what has no operation of its own names a task")
        result = await shape.does(self._on, self._person, given)
        made = result.task if isinstance(given, AddTask) and isinstance(result, TaskResult) else None
        told = await self._told(made)
        return Done(_json(result) | told, {"id": made.id, "before": None, "after": content(made)} if made else None)

    async def _told(self, task: Task | None) -> Json:
        """Whether the reminder of a task will arrive, if it has one."""
        if self._reach is None or task is None or task.remind is None or task.status == "completed":
            return {}
        return await self._reach(self._on, self._person, task)

    async def restore(self, task: UUID) -> Done:
        """Restore a deleted task. Undo deletes it again."""
        result = await operations.restore(self._on, self._person, task)
        made = result.task if result.changed else None
        return Done(_json(result), {"id": made.id, "before": None, "after": content(made)} if made else None)

    async def snooze(self, task: UUID, until: datetime) -> Done:
        """Move the reminder of a task to another time. Undo moves it back."""
        before = await operations.lock(self._on, self._person, task)
        if before is None:
            return Done(_json(unresolved(self._person, str(task), Missing(nearest=[]))), None)
        was = await operations.snoozed_until(self._on, self._person, task)
        result = await operations.snooze(self._on, self._person, before, until)
        if result.status != "success":
            return Done(_json(result), None)
        same = content(before.shown())
        back = {"id": str(task), "before": same, "after": same, "snoozed": was and was.isoformat()}
        return Done(_json(result) | {"remind_at": until.astimezone(self._person.zone).isoformat()}, back)

    async def put_back(self, back: Json) -> Json:
        task, before = UUID(back["id"]), back["before"]
        if back["after"] is None:  # it was deleted
            return _json(await operations.restore(self._on, self._person, task))
        now = await operations.lock(self._on, self._person, task)
        if now is None or not is_still(now.shown(), back["after"]):
            return _json(failed(TaskResult, self._person, "stale", "stale"))
        if "snoozed" in back:
            until = datetime.fromisoformat(back["snoozed"]) if back["snoozed"] else None
            return _json(await operations.snooze(self._on, self._person, now, until))
        if before is None:
            return _json(await operations.delete(self._on, self._person, now))
        if done := back.get("added"):
            occurrences.drop(self._on, self._person.id, msgspec.convert(done, Occurrence))
        if done := back.get("dropped"):
            occurrences.add(self._on, self._person.id, msgspec.convert(done, Occurrence), self._person.zone)
        return _json(operations.put(self._on, self._person, now, before))

    async def _change(self, given: CompleteTask | DeleteTask | UpdateTask, versions: dict[str, int]) -> Done:
        """Find, lock and change one task, if it still has the version that was shown."""
        before = await self._held(given)
        if not isinstance(before, TaskRow):
            return Done(_json(unresolved(self._person, given.task_identifier, before)), None)
        if versions.get(str(before.id), before.version) != before.version:
            return Done(_json(failed(TaskResult, self._person, "stale", "stale")), None)
        distinct = self._distinct or str(before.id) in versions
        result, added, dropped = await self._do(given, before, distinct=distinct)
        if not result.changed:
            return Done(_json(result), None)
        after = content(result.task) if result.task else None
        back = {"id": str(before.id), "before": content(before.shown()), "after": after}
        history = {"added": added, "dropped": dropped}
        told = await self._told(result.task) if isinstance(given, UpdateTask) else {}
        return Done(
            _json(result) | told, back | {name: msgspec.to_builtins(one) for name, one in history.items() if one}
        )

    async def _held(self, given: CompleteTask | DeleteTask | UpdateTask) -> TaskRow | Several | Missing:
        """Find and lock the task. Usually the call names it by its id."""
        identifier = _id(given.task_identifier)
        if identifier and (found := await operations.lock(self._on, self._person, identifier)):
            return found
        meant = await resolve(self._on, self._person.id, given.task_identifier, among=_among(given))
        if not isinstance(meant, TaskRow):
            return meant
        return await operations.lock(self._on, self._person, meant.id) or Missing(nearest=[])

    async def _do(self, given: CompleteTask | DeleteTask | UpdateTask, before: TaskRow, *, distinct: bool) -> Altered:
        match given:
            case CompleteTask():
                return await operations.set_status(self._on, self._person, before, "completed", distinct=distinct)
            case DeleteTask():
                return Altered(await operations.delete(self._on, self._person, before))
            case UpdateTask():
                return await operations.alter(self._on, self._person, before, given, distinct=distinct)


def settles(answer: Answer, near: Sequence[Entity], message: str) -> bool:
    """Whether the whole list would give the same decision. True for a single call about no task, about a task of the
    conversation, or about a task whose whole title is in the message. Typos, partial titles and titles that were not
    found need the whole list."""
    if len(answer.decisions) != 1 or not isinstance(answer.decisions[0], Call | Confirm):
        return False
    evidence = answer.decisions[0].evidence.values()
    named = {one.entity for one in evidence if isinstance(one.entity, str) and one.source not in _SPOKEN}
    said = set(distinct_words(message, ""))
    return all(said.issuperset(distinct_words(thing.text("title"), "")) for thing in near if thing.id in named)


def _among(given: CompleteTask | DeleteTask | UpdateTask) -> Any:
    if isinstance(given, CompleteTask):
        return "pending"
    status = given.new_status if isinstance(given, UpdateTask) else None
    return {"pending": "completed", "completed": "pending"}.get(status or "")


def _id(said: str) -> UUID | None:
    try:
        return UUID(said)
    except ValueError:
        return None


def _thing(row: TaskRow) -> Entity:
    identifier, title, description, status, priority, due_date, _, repeat, on_list, remind, created_at, version = row
    return Entity.over(
        {
            "kind": "task",
            "id": str(identifier),
            "title": title,
            "description": description,
            "status": status,
            "priority": priority,
            "due": str(row.due) if due_date else None,
            "repeat": repeat,
            "list": on_list,
            "remind": remind,
            "created_at": created_at.isoformat(),
            "version": version,
        }
    )


def _json(result: Result) -> Json:
    encoded: Json = msgspec.to_builtins(result)
    return encoded
