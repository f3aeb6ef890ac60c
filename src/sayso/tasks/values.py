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
    """What a tool takes. The user is never among it."""


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
    """Null clears `new_due`, `new_repeat`, `new_list` and `new_remind`; any other field it leaves as it is."""

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

    id: str  # what tools call it
    title: str  # what is to be done
    description: str  # details
    status: Status  # whether it is done
    completed: bool  # the same, as yes or no
    priority: Priority  # how much it matters
    due: str | None  # YYYY-MM-DD or YYYY-MM-DDTHH:MM, on the user's own clock
    repeat: str | None = None  # the RFC 5545 rule by which it repeats from its due date on
    list: str | None = None  # the named list it is on
    remind: str | None = None  # how long before it is due a reminder is wanted, as an ISO 8601 duration
    created_at: str  # when it was added
    version: int  # counts its changes


class Occurrence(msgspec.Struct, frozen=True, kw_only=True):
    """A date of a repeating task that was completed. The task itself has gone on to its next date."""

    task_id: str  # the task
    version: int  # the task's version when it was completed
    due: str | None  # the date
    repeat: str  # the rule from that date on
    completed_at: str  # when it was completed


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool gives. `status` is always there; an error says why, and shows what could have been meant."""

    status: Literal["success", "error", "needs_confirmation"]  # whether it worked, or waits for a yes
    error_message: str | None = None  # what went wrong, in the user's language
    reason: Reason | None = None  # the same, for programs
    options: list[Task] | None = None  # what could have been meant


class TaskResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    task_id: str | None = None  # the task that it is about
    title: str | None = None  # its title
    description: str | None = None  # its description
    task: Task | None = None  # the task as it is now
    changed: bool | None = None  # whether anything did
    occurrence: str | None = None  # the date that was completed, where the task repeats and has gone on to its next
    restorable_until: str | None = None  # for a deleted task, until when it can be brought back


class ListResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    count: int | None = None  # how many there are on this page
    tasks: list[Task] | None = None  # pending ones first, the soonest due first
    next_offset: int | None = None  # the offset of the next page, if there is one
    nearest: bool | None = None  # whether these only come near what was searched for


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """A day on somebody's list."""

    date: str  # YYYY-MM-DD
    done: int  # how many tasks were completed on it, whenever they were due
    left: int  # how many are open and due on it


class UserResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    user_id: str | None = None  # who the user is to the server
    name: str | None = None  # what they are called
    email: str | None = None  # where they are written to
    timezone: str | None = None  # their time zone
    local_time: str | None = None  # their clock


# What each tool takes and gives.
SHAPES: dict[str, tuple[type[Arguments], type[Result]]] = {
    "add_task": (AddTask, TaskResult),
    "list_tasks": (ListTasks, ListResult),
    "complete_task": (CompleteTask, TaskResult),
    "delete_task": (DeleteTask, TaskResult),
    "update_task": (UpdateTask, TaskResult),
    "get_user_info": (GetUserInfo, UserResult),
}
