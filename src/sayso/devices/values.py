"""What the four tools take and give, as frozen values. Their JSON Schemas are the tools' published ones."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sayso.devices.wire import Scalar

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

    id: str
    name: str
    description: str = ""
    destructive: bool = False
    takes_value: bool = False
    minimum: float | None = None
    maximum: float | None = None
    unit: str | None = None


class MachineShown(msgspec.Struct, frozen=True, kw_only=True):
    """A machine as it is shown."""

    id: str
    name: str
    serial: str
    description: str
    location: str
    connected: bool | None
    commands: list[CommandShown]
    metrics: list[str]
    version: int


class Point(msgspec.Struct, frozen=True, kw_only=True):
    at: str
    value: Scalar


class MetricShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A metric with its latest value, and the last ones before it, newest first."""

    name: str
    value: Scalar
    unit: str | None = None
    at: str | None = None
    history: list[Point] | None = None


class LastCommand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a machine was told last, and what came of it."""

    machine_command_id: str
    at: str
    outcome: Outcome
    value: float | None = None


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What could have been meant."""

    id: str  # of the machine
    name: str
    machine_command_id: str | None = None
    command: str | None = None


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool gives. `status` is always there; an error says why, and shows what could have been meant."""

    status: Literal["success", "error", "needs_confirmation"]
    error_message: str | None = None
    reason: Reason | None = None
    options: list[Option] | None = None


class CommandResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    """`outcome` says what the machine answered, `state` how it is now by its own word."""

    device_id: str | None = None
    name: str | None = None
    machine_command_id: str | None = None
    command: str | None = None
    value: float | None = None
    unit: str | None = None
    outcome: Outcome | None = None
    changed: bool | None = None
    state: dict[str, Scalar] | None = None
    order_id: str | None = None


class MetricsResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    device_id: str | None = None
    name: str | None = None
    connected: bool | None = None
    last_seen: str | None = None
    metrics: list[MetricShown] | None = None


class DetailResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    device_id: str | None = None
    name: str | None = None
    connected: bool | None = None
    firmware: str | None = None
    last_seen: str | None = None
    serial: str | None = None
    location: str | None = None
    last_command: LastCommand | None = None


class ListResult(Result, frozen=True, kw_only=True, omit_defaults=True):
    count: int | None = None
    machines: list[MachineShown] | None = None
    more: int | None = None
