"""Request and response shapes of the task list."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic.config import JsonDict

from sayso.chat.routes.contract import may_be_absent
from sayso.chat.routes.shapes import STORABLE
from sayso.quick_add import Field as QuickField
from sayso.tasks.timing.remind import read_remind
from sayso.tasks.timing.repeat import LONGEST_RULE, read_repeat
from sayso.tasks.values import LONGEST_DESCRIPTION, LONGEST_LIST, LONGEST_TITLE, Filter, Priority, Status


def _calendar(value: object) -> object:
    """Accept only ISO 8601 dates: pydantic would also accept seconds since 1970."""
    if isinstance(value, str) and (len(value) != 10 or value[4] != "-"):
        raise ValueError("write today, tomorrow, this_week, next_week or YYYY-MM-DD")
    return value


Day: TypeAlias = Literal["today", "tomorrow", "this_week", "next_week"] | Annotated[date, BeforeValidator(_calendar)]


def _not_blank(name: str) -> str:
    if not name.split():
        raise ValueError("must not be blank")
    return name


_NAME = r"^[^\u0000]*[^\s\u0000][^\u0000]*$"
Title: TypeAlias = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_TITLE, pattern=STORABLE),
    AfterValidator(_not_blank),
    WithJsonSchema({"type": "string", "maxLength": LONGEST_TITLE, "pattern": _NAME}),
]
ListName: TypeAlias = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_LIST, pattern=STORABLE),
    AfterValidator(_not_blank),
    WithJsonSchema({"type": "string", "maxLength": LONGEST_LIST, "pattern": _NAME, "examples": ["Shopping"]}),
]


class TaskQuery(BaseModel):
    """Which tasks are wanted."""

    model_config = ConfigDict(extra="forbid")

    filter: Annotated[Filter, Field(description="Which of them.")] = "all"
    priority: Priority = may_be_absent("Only those of this priority.")
    due: Day = may_be_absent("When they are due, on the user's calendar.")
    list: ListName = may_be_absent("The named list they are on, compared without case.")
    search: Annotated[str, Field(max_length=LONGEST_TITLE, pattern=STORABLE)] = may_be_absent(
        "Words that the task's words begin with."
    )
    limit: Annotated[int, Field(ge=1, le=100, description="How many at most.")] = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000, description="How many to pass over.")] = 0


# A day with a time, as a pattern for JSON Schema. It leaves out 29 February.
_DAY = r"((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
_MOMENT = rf"^[1-9][0-9]{{3}}-{_DAY}T([01][0-9]|2[0-3]):[0-5][0-9]$"


def _due(value: str) -> str:
    """Accept only an existing day, optionally with a time."""
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


# Patterns for JSON Schema. They leave out some rules and durations that the API also accepts.
_WEEKDAY, _NUMBER, _OF_MONTH = "(MO|TU|WE|TH|FR|SA|SU)", "[1-9][0-9]{0,2}", "-?([1-9]|[12][0-9]|3[01])"
_ON_WEEKDAYS = rf"(;BYDAY={_WEEKDAY}(,{_WEEKDAY}){{0,6}})?"
_ON_DATES = (
    rf"(;BYDAY=(-?[1-5])?{_WEEKDAY}(,(-?[1-5])?{_WEEKDAY}){{0,6}}|;BYMONTHDAY={_OF_MONTH}(,{_OF_MONTH}){{0,9}})?"
)
_RULE = (
    rf"^FREQ=(DAILY(;INTERVAL={_NUMBER})?|WEEKLY(;INTERVAL={_NUMBER})?{_ON_WEEKDAYS}"
    rf"|(MONTHLY|YEARLY)(;INTERVAL={_NUMBER})?{_ON_DATES})"
    rf"(;UNTIL=[1-9][0-9]{{3}}{_DAY.replace(')-(', ')(').replace('02-', '02')}|;COUNT={_NUMBER})?$"
)
_DURATION = r"^P([0-9]W|[0-9]{1,2}D(T[0-9]{1,3}[HMS])?|T[0-9]{1,3}[HMS]|T[0-9]{1,2}H[0-9]{1,2}M)$"


def _repeat(value: str) -> str:
    if read_repeat(value, UTC) is None:
        raise ValueError("write an RFC 5545 rule")
    return value


def _remind(value: str) -> str:
    if read_remind(value) is None:
        raise ValueError("write an ISO 8601 duration")
    return value


Repeat: TypeAlias = Annotated[
    str,
    Field(max_length=LONGEST_RULE),
    AfterValidator(_repeat),
    WithJsonSchema(
        {
            "type": "string",
            "maxLength": LONGEST_RULE,
            "pattern": _RULE,
            "examples": ["FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "FREQ=MONTHLY;BYDAY=-1FR"],
        }
    ),
]
Remind: TypeAlias = Annotated[
    str,
    AfterValidator(_remind),
    WithJsonSchema({"type": "string", "pattern": _DURATION, "examples": ["PT0S", "PT10M", "P1D"]}),
]
Description: TypeAlias = Annotated[str, Field(max_length=LONGEST_DESCRIPTION, pattern=STORABLE)]


LONGEST_TEXT = 400
QuickWords: TypeAlias = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_TEXT, pattern=STORABLE),
    AfterValidator(_not_blank),
    WithJsonSchema({"type": "string", "maxLength": LONGEST_TEXT, "pattern": _NAME}),
]
Kept: TypeAlias = Annotated[list[QuickField], Field(max_length=20)]
_KEEP = "Values that stay in the title as they were typed."
_TYPED: JsonDict = {"text": "call mum tomorrow at 5pm"}
_NEW: JsonDict = {"title": "Buy milk", "due": "2026-03-12T17:00", "repeat": "FREQ=WEEKLY", "list": "Shopping"}
_REPEAT = (
    "How it repeats from its due date on: an RFC 5545 rule without DTSTART. COUNT includes the date that is due now."
)
_REMIND = "The time between the reminder and the due date, as an ISO 8601 duration. Null means no reminder."


class NewTask(BaseModel):
    """A new task, given as a title or as free text."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [_NEW, _TYPED],
            "oneOf": [{"required": ["title"]}, {"required": ["text"]}],
            "dependentRequired": {"keep": ["text"]},
        },
    )

    title: Title = may_be_absent("The title. Give either this or `text`.")
    text: QuickWords = may_be_absent("The text that the user typed. Sayso reads the fields from it; any text is valid.")
    keep: Annotated[Kept, Field(description=_KEEP)] = []
    description: Annotated[Description, Field(description="Details.")] = ""
    priority: Annotated[Priority, Field(description="The priority.")] = "medium"
    due: Annotated[Due | None, Field(description="YYYY-MM-DD, or YYYY-MM-DDTHH:MM, in the user's own time.")] = None
    repeat: Annotated[Repeat | None, Field(description=_REPEAT)] = None
    list: Annotated[ListName | None, Field(description="The named list to put it on.")] = None
    remind: Annotated[Remind | None, Field(description=_REMIND)] = None

    unless_open: Annotated[
        bool, Field(description="Add nothing if an open task has this title; answer 409 `duplicate` instead.")
    ] = False

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        given = self.model_fields_set
        if ("title" in given) == ("text" in given):
            raise ValueError("give either title or text")
        if "keep" in given and "text" not in given:
            raise ValueError("give keep only together with text")
        return self


class QuickText(BaseModel):
    """A text to be read as a new task."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [_TYPED]})

    text: Annotated[QuickWords, Field(description="The text that the user typed; any text is valid.")]
    keep: Annotated[Kept, Field(description=_KEEP)] = []


class ReadTask(BaseModel):
    """A text as it was read: the task that would be added."""

    title: Annotated[str, Field(description="The text without the values that were read.")]
    due: Annotated[str | None, Field(description="YYYY-MM-DD, or YYYY-MM-DDTHH:MM, in the user's own time.")]
    repeat: Annotated[str | None, Field(description=_REPEAT)]
    priority: Annotated[Priority | None, Field(description="The priority.")]
    list: Annotated[str | None, Field(description="The named list.")]
    remind: Annotated[str | None, Field(description=_REMIND)]
    lang: Annotated[str, Field(description="The language that it was read in.", examples=["en"])]
    spans: Annotated[
        dict[QuickField, tuple[int, int]],
        Field(description="For each value, its start and end in the text, in characters."),
    ]


class TaskChange(BaseModel):
    """The fields of a task to change."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "minProperties": 1,
            "examples": [{"priority": "high"}, {"due": "2026-03-12"}, {"list": "Shopping"}],
        },
    )

    title: Title = may_be_absent("The title.")
    description: Annotated[Description | None, Field(description="Null removes it.")] = None
    priority: Priority = may_be_absent("The priority.")
    due: Annotated[Due | None, Field(description="Null removes it.")] = None
    repeat: Annotated[Repeat | None, Field(description="Null ends the repeat.")] = None
    list: Annotated[ListName | None, Field(description="The list to move it to; null takes it off its list.")] = None
    remind: Annotated[Remind | None, Field(description="Null removes it.")] = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("give at least one field to change")
        return self


class UndoRequest(BaseModel):
    """The change to undo."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{"undo": "12"}, {}]})

    undo: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,17}$")] = may_be_absent(
        "The `undo` of a result. Without it, the last change is undone."
    )


class Task(BaseModel):
    """A task."""

    id: Annotated[str, Field(description="The id.")]
    title: Annotated[str, Field(description="What is to be done.")]
    description: Annotated[str, Field(description="Details.")]
    status: Annotated[Status, Field(description="Whether it is done.")]
    completed: Annotated[bool, Field(description="The same as a boolean.")]
    priority: Annotated[Priority, Field(description="The priority.")]
    due: Annotated[str | None, Field(description="YYYY-MM-DD, or YYYY-MM-DDTHH:MM, in the user's own time.")]
    repeat: Annotated[str | None, Field(description=_REPEAT)]
    list: Annotated[str | None, Field(description="The named list it is on.")]
    remind: Annotated[str | None, Field(description=_REMIND)]
    created_at: Annotated[datetime, Field(description="When it was added.")]
    version: Annotated[int, Field(description="Counts its changes.")]


class Tasks(BaseModel):
    """A page of tasks, as the tool `list_tasks` gives it."""

    status: Annotated[Literal["success"], Field(description="Always `success`.")]
    count: Annotated[int, Field(description="How many there are on this page.")]
    tasks: Annotated[list[Task], Field(description="Pending ones first, the soonest due first.")]
    next_offset: int = may_be_absent("Where the next page begins; absent on the last.")


class Today(BaseModel):
    """Today on the user's calendar."""

    date: Annotated[date, Field(description="The user's current day.")]
    done: Annotated[int, Field(description="How many tasks were completed today, whenever they were due.")]
    left: Annotated[int, Field(description="How many are open and due today.")]
