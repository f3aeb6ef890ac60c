"""Results of the tools, in the user's language."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeVar

from sayso.devices.inventory.machine import Command, Machine
from sayso.devices.inventory.orders import OrderRow
from sayso.devices.inventory.registry import Named
from sayso.devices.messages import say
from sayso.devices.values import (
    CommandResult,
    CommandShown,
    MachineShown,
    Option,
    Reason,
    Result,
)

R = TypeVar("R", bound=Result)

MOST_SHOWN = 10


def failed(shape: type[R], language: str, reason: Reason, message: str, /, **values: str) -> R:
    """An error result with its message."""
    return shape(status="error", reason=reason, error_message=say(language, message, **values))


def which(shape: type[R], language: str, reason: Reason, message: str, options: list[Option], /, **values: str) -> R:
    """An error result that lists the machines or commands that the user may mean."""
    names = ", ".join(f"'{name}'" for name in dict.fromkeys(_called(option) for option in options[:MOST_SHOWN]))
    text = say(language, message, names=names or "–", **values)
    return shape(status="error", reason=reason, error_message=text, options=options[:MOST_SHOWN] or None)


def _called(option: Option) -> str:
    return option.command or option.name


def machine_options(machines: Sequence[Named] | Sequence[Machine]) -> list[Option]:
    """The machines as options. Machines with the same name also show their location or id."""
    names = [machine.name for machine in machines]
    return [
        Option(id=one.id, name=f"{one.name} ({one.location or one.id})" if names.count(one.name) > 1 else one.name)
        for one in machines
    ]


def command_options(machine: Machine, commands: Sequence[Command]) -> list[Option]:
    return [Option(id=machine.id, name=machine.name, machine_command_id=one.id, command=one.name) for one in commands]


def shown(machine: Machine, connected: bool | None) -> MachineShown:
    return MachineShown(
        id=machine.id,
        name=machine.name,
        serial=machine.serial,
        description=machine.description,
        location=machine.location,
        connected=connected,
        commands=[
            CommandShown(
                id=one.id,
                name=one.name,
                description=one.description,
                destructive=one.destructive,
                takes_value=one.is_valued,
                minimum=one.minimum,
                maximum=one.maximum,
                unit=one.unit,
            )
            for one in machine.commands
        ],
        metrics=[metric.name for metric in machine.metrics],
        version=machine.version,
    )


def limits(language: str, command: Command) -> str:
    """The range of values that a command takes, in words."""
    unit = f" {command.unit}" if command.unit else ""
    least = None if command.minimum is None else f"{command.minimum:g}"
    most = None if command.maximum is None else f"{command.maximum:g}{unit}"
    if least is not None and most is not None:
        return say(language, "range", minimum=least, maximum=most)
    if least is not None:
        return say(language, "range_least", minimum=least + unit)
    return say(language, "range_most", maximum=most) if most is not None else ""


def of_order(language: str, order: OrderRow, machine: Machine | None, *, waited: bool) -> CommandResult:
    """The outcome of an order as a tool result. With `waited`, `unknown` means that no answer came in time."""
    name = machine.name if machine else order.machine_id
    command = machine.command(order.command_id) if machine else None
    answer = order.answered
    known = CommandResult(
        status="success",
        device_id=order.machine_id,
        name=name,
        machine_command_id=order.command_id,
        command=command.name if command else order.command_id,
        value=order.value,
        unit=command.unit if command and order.value is not None else None,
        outcome=order.state,
        changed=answer.changed if answer else None,
        state=answer.state if answer else None,
        order_id=str(order.id),
    )
    if order.state in ("done", "delivered"):
        return known
    reasons: dict[str, tuple[Reason, str]] = {
        "refused": ("refused", "refused"),
        "failed": ("failed", "failed"),
        "expired": ("expired", "expired"),
        "unsent": ("unavailable", "unsent"),
    }
    reason, message = reasons.get(order.state, ("timeout", "timeout") if waited else ("unknown", "unknown"))
    text = (answer.reason if answer else None) or say(language, "no_reason")
    return _with(known, reason, say(language, message, name=name, text=text[:500]))


def _with(known: CommandResult, reason: Reason, message: str) -> CommandResult:
    fields = {name: getattr(known, name) for name in known.__struct_fields__}
    return CommandResult(**(fields | {"status": "error", "reason": reason, "error_message": message}))


def moment(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat(timespec="milliseconds") if at else None
