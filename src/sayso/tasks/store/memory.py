"""A user's tasks in memory, optionally in a file: the six tools without a database.

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
from sayso.tasks.results import completed_before, content, done, failed, is_retry, is_still
from sayso.tasks.search.lookup import find, in_order, is_on, list_tasks
from sayso.tasks.store.taskfile import Stamp, TaskFile, TaskList
from sayso.tasks.timing.due import read_due
from sayso.tasks.timing.fields import Fields, Refused, fields_of_change, fields_of_new
from sayso.tasks.timing.repeat import following
from sayso.tasks.values import (
    SHAPES,
    AddTask,
    CompleteTask,
    DeleteTask,
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


class MemoryTasks:
    """The tools over a list in this process. Another process may change the file, so a changed file is read again
    before every call."""

    def __init__(
        self,
        clock: Callable[[], datetime],
        *,
        user: Mapping[str, str] | None = None,
        language: str = "en",
        file: TaskFile | None = None,
        reach: Callable[[Task], Json] | None = None,
    ) -> None:
        self._reach = reach  # returns whether a task's reminder will arrive, for the answer
        self._clock, self._user, self.language, self._file = clock, dict(user or {"id": "me"}), language, file
        self._list = TaskList()
        self._stamp: Stamp | None = None
        self._look()

    @property
    def kept(self) -> TaskList:
        """The current list."""
        self._look()
        return self._list

    def replace(self, kept: TaskList) -> None:
        """Replace this list with another one. OSError if the file cannot be written."""
        if self._file is not None:
            self._file.save(kept)
            self._stamp = self._file.stamp()
        self._list = kept

    async def things(self, message: str) -> tuple[Entity, ...]:  # noqa: ARG002  all tasks are returned
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
        if now is None or not is_still(now, back["after"]):
            return self._refused("stale", "stale").result
        added = msgspec.convert(back.get("dropped"), Occurrence | None)
        dropped = msgspec.convert(back.get("added"), Occurrence | None)
        return self._keep(now, before and msgspec.structs.replace(before, version=now.version + 1), added, dropped)

    def history(self, task: str) -> tuple[Occurrence, ...]:
        """The dates of a repeating task that were completed, the latest first."""
        self._look()
        return tuple(done for done in reversed(self._list.history) if done.task_id == task)

    def _add(self, given: AddTask) -> Done:
        now = self._clock()
        try:
            fields = fields_of_new(given, _wall_clock(now), _zone(now))
        except Refused as why:
            return self._refused("invalid", why.message, text=why.text)
        task = Task(
            id=f"t{self._list.next}",
            title=given.title,
            description=given.description,
            status="pending",
            completed=False,
            priority=given.priority,
            due=str(fields.due) or None,
            repeat=fields.repeat,
            list=self._list_name(given.list),
            remind=fields.remind,
            created_at=now.astimezone(UTC).isoformat(timespec="milliseconds"),
            version=1,
        )
        return self._changed(None, task)

    def _change(self, given: CompleteTask | DeleteTask | UpdateTask, versions: Mapping[str, int]) -> Done:
        """Find and change one task, if it still has the version that was shown."""
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
        return self._update(task, wanted, distinct=task.id in versions)

    def _update(self, task: Task, given: UpdateTask, *, distinct: bool) -> Done:
        """Completing a repeating task moves it to its next date. Reopening it undoes that, unless the task has changed
        since. A retry of the last completion changes nothing. A call that is `distinct` is not a retry: it names the
        version of the task."""
        now = self._clock()
        name = task.list if given.new_list is UNSET else self._list_name(given.new_list)
        try:
            after = _updated(task, given, name, now)
        except Refused as why:
            return self._refused("invalid", why.message, text=why.text)
        added: Occurrence | None = None
        dropped: Occurrence | None = None
        last = next(iter(self.history(task.id)), None)
        if (task.status, after.status) == ("pending", "completed"):
            if last and task.repeat and not distinct and is_retry(task, after, last, now):
                return Done(_json(completed_before(task, last, _zone(now))), None)
            after, added = _advanced(task, after, now)
        elif given.new_status == "pending" and after == task and task.repeat:
            if last and last.version == task.version - 1:
                after, dropped = msgspec.structs.replace(task, due=last.due, repeat=last.repeat), last
        if after == task:
            return Done(_json(done(task, changed=False)), None)
        after = msgspec.structs.replace(after, version=task.version + 1)
        changed = self._changed(task, after, added, dropped)
        if added and changed.back:
            changed.result["occurrence"] = added.due or now.date().isoformat()
        return changed

    def _list_name(self, name: str | None) -> str | None:
        """The name of a list in its first spelling."""
        on_it = (task for task in self._list.tasks if name and is_on(task, name))
        first = min(on_it, key=lambda task: (task.created_at, len(task.id), task.id), default=None)
        return first.list if first else name

    def _changed(
        self,
        before: Task | None,
        after: Task | None,
        added: Occurrence | None = None,
        dropped: Occurrence | None = None,
    ) -> Done:
        result = self._keep(before, after, added, dropped)
        task = before or after
        if result["status"] != "success" or task is None:
            return Done(result, None)
        back = {
            "id": task.id,
            "before": msgspec.to_builtins(before) if before else None,
            "after": content(after) if after else None,
        }
        history = {"added": added, "dropped": dropped}
        if self._reach is not None and after is not None and after.remind and not after.completed:
            result |= self._reach(after)
        return Done(result, back | {name: msgspec.to_builtins(one) for name, one in history.items() if one})

    def _keep(
        self,
        before: Task | None,
        after: Task | None,
        added: Occurrence | None = None,
        dropped: Occurrence | None = None,
    ) -> Json:
        """Store the list with one task changed. The file is written first; if that fails, the list does not change."""
        others = tuple(task for task in self._list.tasks if before is None or task.id != before.id)
        made = self._list.next if before is None else self._list.made
        history = tuple(done for done in self._list.history if done != dropped)
        kept = TaskList(
            tasks=(*others, after) if after else others, made=made, history=(*history, added) if added else history
        )
        try:
            self.replace(kept)
        except OSError:
            return self._refused("unavailable", "unavailable").result
        if after is not None:
            return _json(done(after, changed=True))
        if before is None:
            raise AssertionError("a task was there before, or is there after")
        return _json(TaskResult(status="success", task_id=before.id, title=before.title, changed=True))

    def _refused(self, reason: Reason, message: str, **values: str) -> Done:
        return Done(_json(failed(TaskResult, self.language, reason, message, **values)), None)

    def _look(self) -> None:
        """Read the file again if it has changed since the last read or write."""
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


def _updated(task: Task, given: UpdateTask, list_name: str | None, now: datetime) -> Task:
    zone = _zone(now)
    before = Fields(read_due(task.due, zone), task.repeat, task.remind)
    fields = fields_of_change(given, before, _wall_clock(now), zone)
    status = given.new_status or task.status
    return msgspec.structs.replace(
        task,
        title=task.title if given.new_title is None else given.new_title,
        description=task.description if given.new_description is None else given.new_description,
        priority=given.new_priority or task.priority,
        status=status,
        completed=status == "completed",
        due=str(fields.due) or None,
        repeat=fields.repeat,
        list=list_name,
        remind=fields.remind,
    )


def _advanced(before: Task, after: Task, now: datetime) -> tuple[Task, Occurrence | None]:
    """A task after its completion. A repeating task moves to its next date; the completed date is returned with it."""
    moved = following(after.repeat, read_due(after.due, _zone(now)), _wall_clock(now), _zone(now))
    if after.repeat is None or moved is None:
        return after, None
    done_now = Occurrence(
        task_id=before.id,
        version=before.version,
        due=after.due,
        repeat=after.repeat,
        completed_at=now.astimezone(UTC).isoformat(timespec="milliseconds"),
    )
    due, repeat = moved
    changes = {"status": "pending", "completed": False, "due": str(due), "repeat": repeat}
    return msgspec.structs.replace(after, **changes), done_now


def _wall_clock(now: datetime) -> datetime:
    return now.replace(tzinfo=None)


def _zone(now: datetime) -> Any:
    if now.tzinfo is None:
        raise ValueError("the clock must know its zone")
    return now.tzinfo


def _json(result: Result) -> Json:
    encoded: Json = msgspec.to_builtins(result)
    return encoded
