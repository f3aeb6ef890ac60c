"""Request and response shapes of the reminder routes."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic.config import JsonDict

from sayso.chat.routes.shapes import STORABLE
from sayso.reminders.addresses import LONGEST_ADDRESS, LONGEST_ENDPOINT

LONGEST_SNOOZE = 7 * 24 * 60  # minutes
_CLOCK = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
_VISIBLE = r"^[!-~]+$"
_BASE64 = "^[A-Za-z0-9_-]{20,200}={0,2}$"
_KEYS: JsonDict = {"p256dh": f"B{'A' * 86}", "auth": "A" * 22}


def _clock(value: str) -> str:
    if not re.fullmatch(_CLOCK, value):
        raise ValueError("write HH:MM")
    return value


Clock: TypeAlias = Annotated[
    str, AfterValidator(_clock), WithJsonSchema({"type": "string", "pattern": _CLOCK, "examples": ["09:00"]})
]


class Reminder(BaseModel):
    """A reminder that rang, or one that is still to come today."""

    id: Annotated[str, Field(description="The id. A push message has the same id.")]
    task_id: Annotated[str, Field(description="The task.")]
    title: Annotated[str, Field(description="The title of the task.")]
    due: Annotated[str, Field(description="YYYY-MM-DD, or YYYY-MM-DDTHH:MM, in the user's own time.")]
    remind_at: Annotated[datetime, Field(description="When it should ring.")]
    rang_at: Annotated[datetime | None, Field(description="When it rang; null if it is still to come.")]
    late_by_minutes: Annotated[int | None, Field(description="How late it rang; null if it was in time.")]


class Reminders(BaseModel):
    """Reminders that rang, and those still to come today."""

    ringing: Annotated[list[Reminder], Field(description="Reminders that rang and are still open, newest first.")]
    coming: Annotated[list[Reminder], Field(description="Reminders for the rest of today, soonest first.")]


class Snooze(BaseModel):
    """For how long a reminder is put off."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{"minutes": 10}]})

    minutes: Annotated[int, Field(ge=1, le=LONGEST_SNOOZE, description="Minutes from now.")] = 10


class ReminderSettings(BaseModel):
    """When the user is reminded, in the user's own time."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"morning": "09:00", "quiet_from": "22:00", "quiet_to": "07:00"}]},
    )

    morning: Annotated[Clock, Field(description="When a task without a time rings.")] = "09:00"
    quiet_from: Annotated[Clock | None, Field(description="The start of the quiet hours; null for none.")] = None
    quiet_to: Annotated[
        Clock | None,
        Field(description="The end of the quiet hours, when held reminders ring. Null if `quiet_from` is."),
    ] = None

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if (self.quiet_from is None) != (self.quiet_to is None):
            raise ValueError("give both quiet_from and quiet_to, or neither")
        return self


class PushKey(BaseModel):
    """The key that a browser subscribes with."""

    key: Annotated[str | None, Field(description="The public key, base64url; null if push is off.")]


class SubscriptionKeys(BaseModel):
    """The keys of a browser's subscription."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [_KEYS]})

    p256dh: Annotated[str, Field(pattern=_BASE64, description="The public key of the browser, base64url.")]
    auth: Annotated[str, Field(pattern=_BASE64, description="The secret that the browser shares, base64url.")]


class Subscription(BaseModel):
    """A subscription as `PushSubscription.toJSON()` gives it."""

    model_config = ConfigDict(
        extra="ignore",
        strict=True,
        json_schema_extra={"examples": [{"endpoint": "https://push.example.com/send/1", "keys": _KEYS}]},
    )

    endpoint: Annotated[
        str, Field(max_length=LONGEST_ENDPOINT, pattern=r"^https://[!-~]+$", description="Of the push service.")
    ]
    keys: Annotated[SubscriptionKeys, Field(description="What the message is encrypted with.")]
    label: Annotated[str, Field(min_length=1, max_length=100, pattern=STORABLE, description="The device.")] = "browser"


class Channel(BaseModel):
    """A way to reach the user."""

    id: Annotated[str, Field(description="The id.")]
    kind: Annotated[Literal["push", "address"], Field(description="A browser, or an address.")]
    label: Annotated[str, Field(description="The user's name for it.")]


class Channels(BaseModel):
    """All ways to reach the user."""

    channels: Annotated[list[Channel], Field(description="The oldest first.")]


class NewChannel(BaseModel):
    """An address to be reminded at."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"address": "ntfys://ntfy.sh/my-topic", "label": "phone"}]},
    )

    address: Annotated[
        str,
        Field(
            max_length=LONGEST_ADDRESS,
            pattern=_VISIBLE,
            description="An Apprise URL. It is stored encrypted and never returned.",
        ),
    ]
    label: Annotated[str, Field(min_length=1, max_length=100, pattern=STORABLE, description="What to call it.")]


class Made(BaseModel):
    """Something that was made."""

    id: Annotated[str, Field(description="The id.")]


class Tried(BaseModel):
    """The result of a test message."""

    outcome: Annotated[
        Literal["sent", "failed", "gone", "refused"],
        Field(description="`gone`: the browser has unsubscribed. `refused`: the address may not be used."),
    ]
    detail: Annotated[str, Field(description="More about it, for programs; it may be empty.")]
