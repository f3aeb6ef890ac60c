"""Parameters and results of the six tools. Their JSON Schemas are published."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

LONGEST_TITLE = 200
LONGEST_DESCRIPTION = 1000
LONGEST_LIST = 60

Priority = Literal["low", "medium", "high"]
Status = Literal["pending", "completed"]
Filter = Literal["all", "pending", "completed", "overdue"]
Title = Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE)]
Description = Annotated[str, Meta(max_length=LONGEST_DESCRIPTION)]
ListName = Annotated[str, Meta(min_length=1, max_length=LONGEST_LIST)]
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
    """The arguments of a tool. They never include the user."""


class AddTask(Arguments, frozen=True, kw_only=True):
    title: Title
    description: Description = ""
    priority: Priority = "medium"
    due: str | None = None
    repeat: str | None = None
    list: ListName | None = None
    remind: str | None = None


class ListTasks(Arguments, frozen=True, kw_only=True):
    filter: Filter = "all"
    priority: Priority | None = None
    due: str | None = None
    list: ListName | None = None
    search: Annotated[str, Meta(max_length=LONGEST_TITLE)] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    offset: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class CompleteTask(Arguments, frozen=True, kw_only=True):
    task_identifier: Identifier


class DeleteTask(Arguments, frozen=True, kw_only=True):
    task_identifier: Identifier


class UpdateTask(Arguments, frozen=True, kw_only=True):
    """Null clears `new_due`, `new_repeat`, `new_list` and `new_remind`. In any other field, null changes nothing."""

    task_identifier: Identifier
    new_title: Title | None = None
    new_description: Description | None = None
    new_priority: Priority | None = None
    new_due: str | UnsetType | None = UNSET
    new_repeat: str | UnsetType | None = UNSET
    new_list: ListName | UnsetType | None = UNSET
    new_remind: str | UnsetType | None = UNSET
    new_status: Status | None = None

    @property
    def changes_nothing(self) -> bool:
        texts = (self.new_title, self.new_description, self.new_priority, self.new_status)
        clearable = (self.new_due, self.new_repeat, self.new_list, self.new_remind)
        return all(text is None for text in texts) and all(value is UNSET for value in clearable)


class GetUserInfo(Arguments, frozen=True, kw_only=True):
    pass


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A task as it is shown."""

    id: str  # its id in tool calls
    title: str  # what to do
    description: str  # details
    status: Status  # whether it is done
    completed: bool  # the same as true or false
    priority: Priority  # its priority
    due: str | None  # YYYY-MM-DD or YYYY-MM-DDTHH:MM, in the user's time zone
    repeat: str | None = None  # the RFC 5545 rule by which it repeats from its due date on
    list: str | None = None  # the named list it is on
    remind: str | None = None  # how long before the due date a reminder is wanted, an ISO 8601 duration
    created_at: str  # when it was added
    version: int  # counts its changes


class Occurrence(msgspec.Struct, frozen=True, kw_only=True):
    """A completed date of a repeating task. The task itself has moved to its next date."""

    task_id: str  # the task
    version: int  # the task's version when it was completed
    due: str | None  # the date
    repeat: str  # the rule from that date on
    completed_at: str  # when it was completed


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a tool. It always has a `status`. An error has a reason, and options if the name was ambiguous or
    unknown."""

    status: Literal["success", "error", "needs_confirmation"]  # whether it worked, or requires confirmation
    error_message: str | None = None  # the error, in the user's language
    reason: Reason | None = None  # the error, for programs
    options: list[Task] | None = None  # similar tasks


class TaskResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    task_id: str | None = None  # the id of the task
    title: str | None = None  # its title
    description: str | None = None  # its description
    task: Task | None = None  # the task as it is now
    changed: bool | None = None  # whether anything changed
    occurrence: str | None = None  # the completed date of a repeating task that moved to its next date
    restorable_until: str | None = None  # until when a deleted task can be restored


class ListResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    count: int | None = None  # how many tasks are on this page
    tasks: list[Task] | None = None  # pending tasks first, the soonest due first
    next_offset: int | None = None  # the offset of the next page, if there is one
    nearest: bool | None = None  # whether these are only similar to the search


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """A day on a user's list."""

    date: str  # YYYY-MM-DD
    done: int  # how many tasks were completed on it, whenever they were due
    left: int  # how many are open and due on it


class UserResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    user_id: str | None = None  # the user's id
    name: str | None = None  # the user's name
    email: str | None = None  # the user's e-mail address
    timezone: str | None = None  # the user's time zone
    local_time: str | None = None  # the user's local time


# The argument and result types of each tool.
SHAPES: dict[str, tuple[type[Arguments], type[Result]]] = {
    "add_task": (AddTask, TaskResult),
    "list_tasks": (ListTasks, ListResult),
    "complete_task": (CompleteTask, TaskResult),
    "delete_task": (DeleteTask, TaskResult),
    "update_task": (UpdateTask, TaskResult),
    "get_user_info": (GetUserInfo, UserResult),
}
