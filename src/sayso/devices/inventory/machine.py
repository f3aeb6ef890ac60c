"""A machine as its owner describes it: name, commands and metrics."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from sayso.confirmation import digest

Id = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x20/+#]+$")]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=1000)]
Short = Annotated[str, Meta(max_length=200)]


class CommandWire(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How to send a command to a machine that does not use our topic layout: the topic and payload, and the topic on
    which the machine confirms it."""

    topic: str
    payload: str
    state_topic: str | None = None
    state_field: str | None = None  # of a JSON object; None if the payload is the value
    state: str | None = None  # the confirmed state; {value} stands for the value


class MetricWire(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a machine that does not use our topic layout publishes a metric."""

    topic: str
    field: str | None = None
    yes: str | None = None  # the payload for true, if the metric is a yes or no
    no: str | None = None


class MachineWire(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where such a machine reports whether it is connected, if it does."""

    topic: str | None = None
    online: str = "online"
    offline: str = "offline"


class Command(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A command of a machine."""

    id: Id
    name: Name
    description: Text = ""
    destructive: bool = False
    takes_value: bool = False
    minimum: float | None = None
    maximum: float | None = None
    unit: Short | None = None
    wire: CommandWire | None = None

    @property
    def is_valued(self) -> bool:
        """Whether the command requires a value."""
        return self.takes_value or self.minimum is not None or self.maximum is not None


class Metric(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A metric of a machine, with its latest value if there is one."""

    name: Name
    unit: Short | None = None
    wire: MetricWire | None = None
    value: Any = None
    at: datetime | None = None


class Machine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A machine. `connected` and `last_seen` are observed, not described by the owner."""

    id: Id
    name: Name
    serial: Short = ""
    description: Text = ""
    location: Short = ""
    aliases: tuple[Short, ...] = ()
    firmware: Short | None = None
    commands: tuple[Command, ...] = ()
    metrics: tuple[Metric, ...] = ()
    wire: MachineWire | None = None
    connected: bool | None = None
    last_seen: datetime | None = None
    version: int = 1

    @property
    def is_discovered(self) -> bool:
        """Whether it uses its own topics instead of our layout."""
        return self.wire is not None

    def command(self, identifier: str) -> Command | None:
        """The command of this id."""
        return next((command for command in self.commands if command.id == identifier), None)

    @property
    def definition(self) -> bytes:
        """A digest of the description, without observed values."""
        bare = [msgspec.structs.replace(metric, value=None, at=None) for metric in self.metrics]
        parts = [self.name, self.serial, self.description, self.location, self.aliases, self.commands, bare, self.wire]
        return digest("machine 1", parts)
