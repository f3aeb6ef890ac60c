"""A person's tasks in memory, and in a file if there is to be one: the six tools without a database.

hands = MemoryTasks(lambda: datetime.now().astimezone(), file=TaskFile(Path("tasks.json")))
await hands.call("add_task", {"title": "Buy milk"}, {})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import UNSET

from sayso.assistant.values import Done, Json
from sayso.record import Entity
from sayso.serving.arguments import Unusable
from sayso.tasks.arguments import read_arguments
from sayso.tasks.due import read_due
from sayso.tasks.lookup import find, in_order, list_tasks
from sayso.tasks.results import done, failed
from sayso.tasks.taskfile import Stamp, TaskFile, TaskList
from sayso.tasks.values import (
    SHAPES,
    AddTask,
    CompleteTask,
    DeleteTask,
    ListTasks,
    Reason,
    Result,
    Status,
    Task,
    TaskResult,
    UpdateTask,
    UserResult,
)


class MemoryTasks:
    """Hands over a list that this process holds. Another process may change the file meanwhile: it is looked at anew
    before every call."""

    def __init__(
        self,
        clock: Callable[[], datetime],
        *,
        user: Mapping[str, str] | None = None,
        language: str = "en",
        file: TaskFile | None = None,
    ) -> None:
        self._clock, self._user, self.language, self._file = clock, dict(user or {"id": "me"}), language, file
        self._list = TaskList()
        self._stamp: Stamp | None = None
        self._look()

    async def things(self, message: str) -> tuple[Entity, ...]:  # noqa: ARG002  all of them fit
        self._look()
        return tuple(Entity({"kind": "task", **msgspec.structs.asdict(task)}) for task in in_order(self._list.tasks))

    async def call(self, tool: str, arguments: Json, versions: dict[str, int]) -> Done:
        takes, gives = SHAPES.get(tool, (None, TaskResult))
        if takes is None:
            return self._refused("invalid", "invalid", problem=tool)
        self._look()
        try:
            given = read_arguments(takes, arguments, self.language)
        except Unusable as problem:
            return Done(_json(gives(status="error", reason="invalid", error_message=str(problem))), None)
        match given:
            case AddTask():
                return self._add(given)
            case ListTasks():
                return Done(_json(list_tasks(self._list.tasks, given, self._clock(), self.language)), None)
            case CompleteTask() | DeleteTask() | UpdateTask():
                return self._change(given, versions)
            case _:
                return Done(_json(self._user_info()), None)

    async def put_back(self, back: Json) -> Json:
        self._look()
        now = next((task for task in self._list.tasks if task.id == back["id"]), None)
        before = msgspec.convert(back["before"], Task) if back["before"] else None
        if back["after"] is None and before and now is None:  # it was deleted
            return self._keep(before, msgspec.structs.replace(before, version=before.version + 1))
        if now is None or _content(now) != back["after"]:
            return self._refused("stale", "stale").result
        return self._keep(now, before and msgspec.structs.replace(before, version=now.version + 1))

    def _add(self, given: AddTask) -> Done:
        now = self._clock()
        try:
            due = read_due(given.due, _zone(now))
        except ValueError:
            return self._refused("invalid", "due_unreadable", text=given.due or "")
        task = Task(
            id=f"t{self._list.next}",
            title=given.title,
            description=given.description,
            status="pending",
            completed=False,
            priority=given.priority,
            due=str(due) or None,
            created_at=now.astimezone(UTC).isoformat(timespec="milliseconds"),
            version=1,
        )
        return self._changed(None, task)

    def _change(self, given: CompleteTask | DeleteTask | UpdateTask, versions: Mapping[str, int]) -> Done:
        """A tool that changes one task: found, compared with what was shown, changed."""
        if isinstance(given, UpdateTask) and given.changes_nothing:
            return self._refused("invalid", "nothing_to_change")
        task = find(self._list.tasks, given.task_identifier, _among(given), self.language)
        if not isinstance(task, Task):
            return Done(_json(task), None)
        if versions.get(task.id, task.version) != task.version:
            return self._refused("stale", "stale")
        if isinstance(given, DeleteTask):
            return self._changed(task, None)
        wanted = given if isinstance(given, UpdateTask) else UpdateTask(task_identifier=task.id, new_status="completed")
        try:
            after = _updated(task, wanted, self._clock())
        except ValueError:
            return self._refused("invalid", "due_unreadable", text=str(wanted.new_due))
        if after == task:
            return Done(_json(done(task, changed=False)), None)
        return self._changed(task, msgspec.structs.replace(after, version=task.version + 1))

    def _changed(self, before: Task | None, after: Task | None) -> Done:
        result = self._keep(before, after)
        task = before or after
        if result["status"] != "success" or task is None:
            return Done(result, None)
        back = {
            "id": task.id,
            "before": msgspec.to_builtins(before) if before else None,
            "after": _content(after) if after else None,
        }
        return Done(result, back)

    def _keep(self, before: Task | None, after: Task | None) -> Json:
        """The list with one task as it is now, in the file first: what could not be written did not happen."""
        others = tuple(task for task in self._list.tasks if before is None or task.id != before.id)
        made = self._list.next if before is None else self._list.made
        kept = TaskList(tasks=(*others, after) if after else others, made=made)
        if self._file is not None:
            try:
                self._file.save(kept)
            except OSError:
                return self._refused("unavailable", "unavailable").result
            self._stamp = self._file.stamp()
        self._list = kept
        if after is not None:
            return _json(done(after, changed=True))
        if before is None:
            raise AssertionError("a task was there before, or is there after")
        return _json(TaskResult(status="success", task_id=before.id, title=before.title, changed=True))

    def _refused(self, reason: Reason, message: str, **values: str) -> Done:
        return Done(_json(failed(TaskResult, self.language, reason, message, **values)), None)

    def _look(self) -> None:
        """Read the file, where it is not as we left it."""
        if self._file is not None and (stamp := self._file.stamp()) != self._stamp:
            self._list, self._stamp = self._file.load(), stamp

    def _user_info(self) -> UserResult:
        now = self._clock()
        return UserResult(
            status="success",
            user_id=self._user.get("id"),
            name=self._user.get("name"),
            email=self._user.get("email"),
            timezone=now.tzname(),
            local_time=now.replace(tzinfo=None).isoformat(timespec="minutes"),
        )


def _among(given: CompleteTask | DeleteTask | UpdateTask) -> Status | None:
    if isinstance(given, CompleteTask):
        return "pending"
    if isinstance(given, DeleteTask) or given.new_status is None:
        return None
    return "completed" if given.new_status == "pending" else "pending"


def _updated(task: Task, given: UpdateTask, now: datetime) -> Task:
    due = task.due if given.new_due is UNSET else str(read_due(given.new_due, _zone(now))) or None
    status = given.new_status or task.status
    return msgspec.structs.replace(
        task,
        title=task.title if given.new_title is None else given.new_title,
        description=task.description if given.new_description is None else given.new_description,
        priority=given.new_priority or task.priority,
        status=status,
        completed=status == "completed",
        due=due,
    )


def _content(task: Task) -> Json:
    """What a person can change about it: as long as that is the same, a change can be taken back."""
    return {name: getattr(task, name) for name in ("title", "description", "priority", "due", "status")}


def _zone(now: datetime) -> Any:
    if now.tzinfo is None:
        raise ValueError("the clock must know its zone")
    return now.tzinfo


def _json(result: Result) -> Json:
    encoded: Json = msgspec.to_builtins(result)
    return encoded
