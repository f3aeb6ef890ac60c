"""The task service: one transaction per call, exactly once per idempotency key. Deletes require confirmation.

async with Database(url) as database:
    service = TaskService(database)
    await service.call(Principal(id="ada"), "add_task", AddTask(title="Buy milk"), key="42")
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar
from uuid import UUID, uuid4

import msgspec

from sayso import confirmation
from sayso.database.pool import Database, Transaction
from sayso.identity.principal import Principal
from sayso.serving import once
from sayso.serving.person import People, Person
from sayso.tasks import operations
from sayso.tasks.operations import failed, unresolved
from sayso.tasks.search.resolve import Missing, resolve
from sayso.tasks.store.rows import TaskRow
from sayso.tasks.timing import occurrences
from sayso.tasks.values import (
    SHAPES,
    Arguments,
    DeleteTask,
    GetUserInfo,
    Occurrence,
    Reason,
    Result,
    TaskResult,
    UserResult,
)

R = TypeVar("R", bound=Result)
Operation = Callable[[Transaction, Person, Any], Awaitable[Result]]


async def _user_info(_on: Transaction, person: Person, _given: GetUserInfo) -> UserResult:
    return await operations.user_info(person)


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool's arguments, result and operation. A tool without an operation asks for confirmation first."""

    takes: type[Arguments]
    gives: type[Result]
    does: Operation | None
    writes: bool


_DOES: dict[str, Operation | None] = {
    "add_task": operations.add,
    "list_tasks": operations.list_tasks,
    "complete_task": operations.complete,
    "delete_task": None,
    "update_task": operations.update,
    "get_user_info": _user_info,
}
# A key identifies a call and its retries: a second completion under another key is not a retry.
_UNDER_A_KEY: dict[str, Operation] = {
    "complete_task": partial(operations.complete, distinct=True),
    "update_task": partial(operations.update, distinct=True),
}
_READS = ("list_tasks", "get_user_info")
TOOLS = {
    name: Tool(takes=takes, gives=gives, does=_DOES[name], writes=name not in _READS)
    for name, (takes, gives) in SHAPES.items()
}


class Question(confirmation.Question, frozen=True, kw_only=True):
    """The question that the user confirms before a task is deleted."""

    kind = "question 1"

    task: UUID
    title: str
    due: str | None
    completed: bool
    repeats: bool = False


class TaskService:
    """Shared by all requests of a process. It has no state that another process would need."""

    def __init__(
        self, database: Database, *, zone: str = "UTC", clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._database = database
        self._people = People(zone)
        self._clock = clock

    @asynccontextmanager
    async def _open(self, who: Principal) -> AsyncIterator[tuple[Transaction, Person]]:
        async with self._database.transaction(who.id) as on:
            yield on, await self._people.meet(on, who, self._clock())

    async def call(self, who: Principal, name: str, given: Arguments, key: str | None = None) -> Result:
        """Run a tool that requires no confirmation. A repeated key returns the same answer, or an error if the
        arguments differ."""
        tool = TOOLS[name]
        if tool.does is None:
            raise ValueError(f"{name} requires confirmation: use ask_delete")
        async with self._open(who) as (on, person):
            if key is None or not tool.writes:
                return await tool.does(on, person, given)
            used = await once.claim_key(on, who.id, key, once.fingerprint(name, given))
            if used:
                return _again(tool.gives, person, used)
            result = await _UNDER_A_KEY.get(name, tool.does)(on, person, given)
            once.keep_answer(on, who.id, key, result)
            return result

    async def ask_delete(self, who: Principal, given: DeleteTask, key: str | None = None) -> Question | TaskResult:
        """The question that the user must confirm; or the result, if there is nothing to ask."""
        async with self._open(who) as (on, person):
            if key is not None:
                used = await once.find_answer(on, who.id, key, once.fingerprint("delete_task", given))
                if used:
                    return _again(TaskResult, person, used)
            meant = await resolve(on, who.id, given.task_identifier)
            if not isinstance(meant, TaskRow):
                return unresolved(person, given.task_identifier, meant)
            return _question(meant)

    async def answer_delete(
        self, who: Principal, given: DeleteTask, question: Question, *, yes: bool, key: str | None = None
    ) -> Question | TaskResult:
        """Handle the user's answer to the question. A yes deletes the task once, if it is still as shown. If the task
        has changed since, the result is a new question."""
        async with self._open(who) as (on, person):
            if used := await once.claim_confirmation(on, who.id, question.id, question.digest):
                return _again(TaskResult, person, used, "refused")
            task = await operations.lock(on, person, question.task)
            if yes and task and task.version != question.version:
                once.keep_outcome(on, who.id, question.id, _refused(person))
                return _question(task, again=True)
            if key is not None:
                used = await once.claim_key(on, who.id, key, once.fingerprint("delete_task", given))
                if used:
                    before = _again(TaskResult, person, used)
                    once.keep_outcome(on, who.id, question.id, before)
                    return before
            if not yes:
                result = failed(TaskResult, person, "declined", "declined", title=question.title)
            elif task:
                result = await operations.delete(on, person, task)
            else:
                result = unresolved(person, given.task_identifier, Missing(nearest=[]))
            once.keep_outcome(on, who.id, question.id, result)
            if key is not None:
                once.keep_answer(on, who.id, key, result)
            return result

    async def reopen(self, who: Principal, identifier: str) -> TaskResult:
        async with self._open(who) as (on, person):
            return await operations.reopen(on, person, identifier)

    async def restore(self, who: Principal, task: UUID) -> TaskResult:
        """Restore a task that was deleted in the last 30 days."""
        async with self._open(who) as (on, person):
            return await operations.restore(on, person, task)

    async def find(self, who: Principal, identifier: str) -> TaskResult:
        """One task, by its id or its title."""
        async with self._open(who) as (on, person):
            return await operations.find(on, person, identifier)

    async def history(self, who: Principal, task: UUID, limit: int = occurrences.MOST_READ) -> list[Occurrence]:
        """The dates of a repeating task that were completed, the latest first."""
        async with self._open(who) as (on, person):
            return await occurrences.read(on, person.id, task, limit)

    async def is_ready(self) -> None:
        """Raise Unavailable if the database does not answer."""
        await self._database.ping()

    async def titles(self, who: Principal, typed: str, limit: int) -> list[str]:
        """Titles that have a word with the typed prefix."""
        async with self._open(who) as (on, _person):
            return await operations.titles(on, who.id, typed, limit)


def _question(task: TaskRow, *, again: bool = False) -> Question:
    return Question(
        id=uuid4(),
        task=task.id,
        version=task.version,
        title=task.title,
        due=str(task.due) or None,
        completed=task.status == "completed",
        repeats=task.repeat is not None,
        again=again,
    )


def _refused(person: Person) -> TaskResult:
    return failed(TaskResult, person, "refused", "refused")


def _again(gives: type[R], person: Person, used: once.Used, otherwise: Reason = "key_reused") -> R:
    """The stored answer if the call is the same, otherwise an error."""
    if used.same:
        return msgspec.json.decode(used.answer, type=gives)
    return failed(gives, person, otherwise, otherwise)
