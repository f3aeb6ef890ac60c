"""The list as the API takes and gives it: tasks, what is asked for, what is changed by a click."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from sayso.chat.contract import may_be_absent
from sayso.chat.shapes import STORABLE
from sayso.tasks.values import LONGEST_DESCRIPTION, LONGEST_TITLE, Filter, Priority, Status


def _calendar(value: object) -> object:
    """A date as people write it: pydantic would also read seconds since 1970."""
    if isinstance(value, str) and (len(value) != 10 or value[4] != "-"):
        raise ValueError("write today, tomorrow, this_week, next_week or YYYY-MM-DD")
    return value


Day: TypeAlias = Literal["today", "tomorrow", "this_week", "next_week"] | Annotated[date, BeforeValidator(_calendar)]


class TaskQuery(BaseModel):
    """Which tasks are wanted."""

    model_config = ConfigDict(extra="forbid")

    filter: Annotated[Filter, Field(description="Which of them.")] = "all"
    priority: Priority = may_be_absent("Only those of this priority.")
    due: Day = may_be_absent("When they are due, on the person's own calendar.")
    search: Annotated[str, Field(max_length=LONGEST_TITLE, pattern=STORABLE)] = may_be_absent(
        "Words that the task's words begin with."
    )
    limit: Annotated[int, Field(ge=1, le=100, description="How many at most.")] = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000, description="How many to pass over.")] = 0


# A time on a day: what JSON Schema can say of it, which leaves out that of a leap day.
_DAY = r"((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
_MOMENT = rf"^[1-9][0-9]{{3}}-{_DAY}T([01][0-9]|2[0-3]):[0-5][0-9]$"


def _due(value: str) -> str:
    """A day, or a day and a time, that there is."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?", value):
        raise ValueError("write YYYY-MM-DD or YYYY-MM-DDTHH:MM")
    datetime.fromisoformat(value)
    return value


Due: TypeAlias = Annotated[
    str,
    AfterValidator(_due),
    WithJsonSchema(
        {
            "anyOf": [{"type": "string", "format": "date"}, {"type": "string", "pattern": _MOMENT}],
            "examples": ["2026-03-12", "2026-03-12T17:00"],
        }
    ),
]


def _not_blank(title: str) -> str:
    if not title.split():
        raise ValueError("a title is wanted")
    return title


Title: TypeAlias = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_TITLE, pattern=STORABLE),
    AfterValidator(_not_blank),
    WithJsonSchema({"type": "string", "maxLength": LONGEST_TITLE, "pattern": r"^[^\u0000]*[^\s\u0000][^\u0000]*$"}),
]
Description: TypeAlias = Annotated[str, Field(max_length=LONGEST_DESCRIPTION, pattern=STORABLE)]


class NewTask(BaseModel):
    """A task to be added."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"title": "Buy milk", "due": "2026-03-12T17:00"}]}
    )

    title: Annotated[Title, Field(description="What is to be done.")]
    description: Annotated[Description, Field(description="Details.")] = ""
    priority: Annotated[Priority, Field(description="How much it matters.")] = "medium"
    due: Annotated[Due | None, Field(description="YYYY-MM-DD, or YYYY-MM-DDTHH:MM, on the person's own clock.")] = None


class TaskChange(BaseModel):
    """What is to be changed about a task."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"minProperties": 1, "examples": [{"priority": "high"}, {"due": "2026-03-12"}]},
    )

    title: Title = may_be_absent("What it is called.")
    description: Annotated[Description | None, Field(description="Null takes it away.")] = None
    priority: Priority = may_be_absent("How much it matters.")
    due: Annotated[Due | None, Field(description="Null takes it away.")] = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("say what is to be changed")
        return self


class UndoWanted(BaseModel):
    """What is to be taken back."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{"undo": "12"}, {}]})

    undo: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,17}$")] = may_be_absent(
        "What a result can be taken back by; without it, the last change."
    )


class Task(BaseModel):
    """A task."""

    id: Annotated[str, Field(description="What tools and routes call it.")]
    title: Annotated[str, Field(description="What is to be done.")]
    description: Annotated[str, Field(description="Details.")]
    status: Annotated[Status, Field(description="Whether it is done.")]
    completed: Annotated[bool, Field(description="The same, as yes or no.")]
    priority: Annotated[Priority, Field(description="How much it matters.")]
    due: Annotated[str | None, Field(description="YYYY-MM-DD, or YYYY-MM-DDTHH:MM, on the person's own clock.")]
    created_at: Annotated[datetime, Field(description="When it was added.")]
    version: Annotated[int, Field(description="Counts its changes.")]


class Tasks(BaseModel):
    """A page of tasks, as the tool `list_tasks` gives it."""

    status: Annotated[Literal["success"], Field(description="As the tool has it.")]
    count: Annotated[int, Field(description="How many there are on this page.")]
    tasks: Annotated[list[Task], Field(description="Pending ones first, the soonest due first.")]
    next_offset: int = may_be_absent("Where the next page begins; absent on the last.")
