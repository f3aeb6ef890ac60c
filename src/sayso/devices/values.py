"""What the four tools take and give, as frozen values. Their JSON Schemas are the tools' published ones."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sayso.devices.link.wire import Scalar

Said = Annotated[str, Meta(min_length=1, max_length=500)]
Reason = Literal[
    "invalid",
    "missing",
    "not_found",
    "ambiguous",
    "out_of_range",
    "offline",
    "refused",
    "failed",
    "expired",
    "timeout",
    "unknown",
    "unavailable",
    "needs_confirmation",
    "declined",
    "confirmation_refused",
    "stale",
    "key_reused",
]
Outcome = Literal["sent", "done", "delivered", "refused", "failed", "expired", "unsent", "unknown"]


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tool takes. The user is never among it."""


class ExecuteCommand(Arguments, frozen=True, kw_only=True):
    """`device_name` and `command` may stand for the ids: a name is looked for."""

    device_id: Said | None = None
    machine_command_id: Said | None = None
    device_name: Said | None = None
    command: Said | None = None
    value: float | None = None


class ReadMetrics(Arguments, frozen=True, kw_only=True):
    device_id: Said | None = None
    device_name: Said | None = None
    metrics: Annotated[tuple[Said, ...], Meta(max_length=100)] = ()


class DeviceDetail(Arguments, frozen=True, kw_only=True):
    device_id: Said | None = None
    device_name: Said | None = None


class ListMachines(Arguments, frozen=True, kw_only=True):
    search: Annotated[str, Meta(max_length=200)] | None = None


class CommandShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command as it is shown."""

    id: str  # what tools call it
    name: str  # what people call it
    description: str = ""  # what it does
    destructive: bool = False  # whether the person is asked first
    takes_value: bool = False  # whether it takes a number
    minimum: float | None = None  # the least that it takes
    maximum: float | None = None  # the most that it takes
    unit: str | None = None  # the unit of the number


class MachineShown(msgspec.Struct, frozen=True, kw_only=True):
    """A machine as it is shown."""

    id: str  # what tools call it
    name: str  # what people call it
    serial: str  # its serial number
    description: str  # what it is
    location: str  # where it is
    connected: bool | None  # whether it is; null where nobody knows
    commands: list[CommandShown]  # what it can be told
    metrics: list[str]  # what it measures
    version: int  # counts its changes


class Point(msgspec.Struct, frozen=True, kw_only=True):
    at: str  # when it was measured
    value: Scalar  # what was measured


class MetricShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A metric with its latest value, and the last ones before it, newest first."""

    name: str  # what it is called
    value: Scalar  # the latest
    unit: str | None = None  # its unit
    at: str | None = None  # when it was measured
    history: list[Point] | None = None  # the last ones before it, newest first


class LastCommand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a machine was told last, and what came of it."""

    machine_command_id: str  # the command
    at: str  # when it was given
    outcome: Outcome  # what came of it
    value: float | None = None  # the number that went with it


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What could have been meant."""

    id: str  # of the machine
    name: str  # the machine's name
    machine_command_id: str | None = None  # of its command
    command: str | None = None  # the command's name


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool gives. `status` is always there; an error says why, and shows what could have been meant."""

    status: Literal["success", "error", "needs_confirmation"]  # whether it worked, or waits for a yes
    error_message: str | None = None  # what went wrong, in the user's language
    reason: Reason | None = None  # the same, for programs
    options: list[Option] | None = None  # what could have been meant


class CommandResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    """`outcome` says what the machine answered, `state` how it is now by its own word."""

    device_id: str | None = None  # of the machine
    name: str | None = None  # the machine's name
    machine_command_id: str | None = None  # of the command
    command: str | None = None  # the command's name
    value: float | None = None  # the number that went with it
    unit: str | None = None  # its unit
    outcome: Outcome | None = None  # what the machine answered
    changed: bool | None = None  # whether anything did
    state: dict[str, Scalar] | None = None  # how the machine is now, by its own word
    order_id: str | None = None  # names what was sent, once


class MetricsResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    device_id: str | None = None  # of the machine
    name: str | None = None  # the machine's name
    connected: bool | None = None  # whether it is; absent where nobody knows
    last_seen: str | None = None  # when it last said anything
    metrics: list[MetricShown] | None = None  # those asked for, or all


class DetailResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    device_id: str | None = None  # of the machine
    name: str | None = None  # the machine's name
    connected: bool | None = None  # whether it is; absent where nobody knows
    firmware: str | None = None  # its version
    last_seen: str | None = None  # when it last said anything
    serial: str | None = None  # its serial number
    location: str | None = None  # where it is
    last_command: LastCommand | None = None  # what it was told last


class ListResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    count: int | None = None  # how many there are here
    machines: list[MachineShown] | None = None  # by name
    more: int | None = None  # how many there are besides
