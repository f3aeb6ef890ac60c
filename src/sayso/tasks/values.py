"""What the six tools take and give, as frozen values. Their JSON Schemas are the tools' published ones."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

LONGEST_TITLE = 200
LONGEST_DESCRIPTION = 1000

Priority = Literal["low", "medium", "high"]
Status = Literal["pending", "completed"]
Filter = Literal["all", "pending", "completed", "overdue"]
Title = Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE)]
Description = Annotated[str, Meta(max_length=LONGEST_DESCRIPTION)]
Identifier = Annotated[str, Meta(min_length=1, max_length=500)]
Reason = Literal[
    "invalid",
    "not_found",
    "ambiguous",
    "needs_confirmation",
    "declined",
    "refused",
    "stale",
    "key_reused",
    "unavailable",
]


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tool takes. The user is never among it."""


class AddTask(Arguments, frozen=True, kw_only=True):
    title: Title
    description: Description = ""
    priority: Priority = "medium"
    due: str | None = None


class ListTasks(Arguments, frozen=True, kw_only=True):
    filter: Filter = "all"
    priority: Priority | None = None
    due: str | None = None
    search: Annotated[str, Meta(max_length=LONGEST_TITLE)] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    offset: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class CompleteTask(Arguments, frozen=True, kw_only=True):
    task_identifier: Identifier


class DeleteTask(Arguments, frozen=True, kw_only=True):
    task_identifier: Identifier


class UpdateTask(Arguments, frozen=True, kw_only=True):
    """Null leaves a field as it is, but for `new_due`, which it clears."""

    task_identifier: Identifier
    new_title: Title | None = None
    new_description: Description | None = None
    new_priority: Priority | None = None
    new_due: str | UnsetType | None = UNSET
    new_status: Status | None = None

    @property
    def changes_nothing(self) -> bool:
        texts = (self.new_title, self.new_description, self.new_priority, self.new_status)
        return self.new_due is UNSET and all(text is None for text in texts)


class GetUserInfo(Arguments, frozen=True, kw_only=True):
    pass


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A task as it is shown."""

    id: str
    title: str
    description: str
    status: Status
    completed: bool
    priority: Priority
    due: str | None
    created_at: str
    version: int


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool gives. `status` is always there; an error says why, and shows what could have been meant."""

    status: Literal["success", "error", "needs_confirmation"]
    error_message: str | None = None
    reason: Reason | None = None
    options: list[Task] | None = None


class TaskResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    task_id: str | None = None
    title: str | None = None
    description: str | None = None
    task: Task | None = None
    changed: bool | None = None
    restorable_until: str | None = None


class ListResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    count: int | None = None
    tasks: list[Task] | None = None
    next_offset: int | None = None
    nearest: bool | None = None


class UserResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    user_id: str | None = None
    name: str | None = None
    email: str | None = None
    timezone: str | None = None
    local_time: str | None = None


# What each tool takes and gives.
SHAPES: dict[str, tuple[type[Arguments], type[Result]]] = {
    "add_task": (AddTask, TaskResult),
    "list_tasks": (ListTasks, ListResult),
    "complete_task": (CompleteTask, TaskResult),
    "delete_task": (DeleteTask, TaskResult),
    "update_task": (UpdateTask, TaskResult),
    "get_user_info": (GetUserInfo, UserResult),
}
