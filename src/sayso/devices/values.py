"""Parameters and results of the four tools. Their JSON Schemas are published."""

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
    """The arguments of a tool. They never include the user."""


class ExecuteCommand(Arguments, frozen=True, kw_only=True):
    """`device_name` and `command` can replace the ids: the service searches for the names."""

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
    destructive: bool = False  # whether it requires confirmation
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
    connected: bool | None  # whether it is connected; null if unknown
    commands: list[CommandShown]  # its commands
    metrics: list[str]  # its metrics
    version: int  # counts its changes


class Point(msgspec.Struct, frozen=True, kw_only=True):
    at: str  # when it was measured
    value: Scalar  # the value


class MetricShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A metric with its latest value and earlier ones."""

    name: str  # its name
    value: Scalar  # the latest value
    unit: str | None = None  # its unit
    at: str | None = None  # when it was measured
    history: list[Point] | None = None  # earlier values, newest first


class LastCommand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last command of a machine, and its result."""

    machine_command_id: str  # the command
    at: str  # when it was sent
    outcome: Outcome  # its result
    value: float | None = None  # its value


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A similar machine or command."""

    id: str  # the machine's id
    name: str  # the machine's name
    machine_command_id: str | None = None  # the command's id
    command: str | None = None  # the command's name


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a tool. It always has a `status`. An error has a reason, and options if the name was ambiguous or
    unknown."""

    status: Literal["success", "error", "needs_confirmation"]  # whether it worked, or requires confirmation
    error_message: str | None = None  # the error, in the user's language
    reason: Reason | None = None  # the error, for programs
    options: list[Option] | None = None  # similar machines or commands


class CommandResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    """`outcome` is the result of the order, and `state` is the machine's state as it reports it."""

    device_id: str | None = None  # the machine's id
    name: str | None = None  # the machine's name
    machine_command_id: str | None = None  # the command's id
    command: str | None = None  # the command's name
    value: float | None = None  # its value
    unit: str | None = None  # its unit
    outcome: Outcome | None = None  # what the machine answered
    changed: bool | None = None  # whether anything changed
    state: dict[str, Scalar] | None = None  # the machine's state, as it reports it
    order_id: str | None = None  # the id of the order


class MetricsResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    device_id: str | None = None  # the machine's id
    name: str | None = None  # the machine's name
    connected: bool | None = None  # whether it is connected
    last_seen: str | None = None  # when it last sent anything
    metrics: list[MetricShown] | None = None  # the requested metrics, or all


class DetailResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    device_id: str | None = None  # the machine's id
    name: str | None = None  # the machine's name
    connected: bool | None = None  # whether it is connected
    firmware: str | None = None  # its version
    last_seen: str | None = None  # when it last sent anything
    serial: str | None = None  # its serial number
    location: str | None = None  # where it is
    last_command: LastCommand | None = None  # what it was told last


class ListResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    count: int | None = None  # how many there are here
    machines: list[MachineShown] | None = None  # by name
    more: int | None = None  # how many there are besides
