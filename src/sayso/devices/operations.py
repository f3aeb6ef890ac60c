"""The operations of the tools, each within a given transaction. Problems are results, not exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice
from math import isfinite
from typing import Any, NamedTuple, TypeVar

from sayso.database.pool import Transaction
from sayso.devices.inventory import orders, registry
from sayso.devices.inventory.machine import Command, Machine
from sayso.devices.inventory.resolve import commands_meant, machines_meant, nearest
from sayso.devices.link.link import Link, number
from sayso.devices.results import command_options, failed, limits, machine_options, moment, shown, which
from sayso.devices.values import (
    CommandResult,
    DetailResult,
    DeviceDetail,
    ExecuteCommand,
    LastCommand,
    ListMachines,
    ListResult,
    MetricShown,
    MetricsResult,
    Option,
    Point,
    ReadMetrics,
    Result,
)
from sayso.devices.words import words
from sayso.serving.person import Person

MOST_LISTED = 200
HISTORY = 10  # earlier readings of a metric that are shown
R = TypeVar("R", bound=Result)


class Pair(NamedTuple):
    """A command of a machine, with its value."""

    machine: Machine
    command: Command
    value: float | None


async def pair(on: Transaction, person: Person, link: Link, given: ExecuteCommand) -> Pair | CommandResult:
    """The command that the user means, if it can be sent: it exists, its value is valid and its machine is
    connected."""
    found = await _command(on, person, link, given)
    if isinstance(found, CommandResult):
        return found
    machine, command = found
    ready = Pair(machine, command, given.value)
    return _misvalued(person, ready) or away(person, link, ready) or ready


def away(person: Person, link: Link, meant: Pair) -> CommandResult | None:
    """The error if the machine is not connected, otherwise None."""
    if link.connected(person.id, meant.machine) is not False:
        return None
    result = failed(CommandResult, person.language, "offline", "offline", name=meant.machine.name)
    return _about(result, meant)


def _misvalued(person: Person, meant: Pair) -> CommandResult | None:
    machine, command, value = meant
    said = {"name": machine.name, "command": command.name, "range": limits(person.language, command)}
    if value is None:
        if not command.is_valued:
            return None
        return _about(failed(CommandResult, person.language, "missing", "value_missing", **said), meant)
    if not command.is_valued:
        return _about(failed(CommandResult, person.language, "invalid", "value_unwanted", **said), meant)
    below = command.minimum is not None and value < command.minimum
    above = command.maximum is not None and value > command.maximum
    if not isfinite(value) or below or above:
        text = number(value) if isfinite(value) else str(value)
        told = failed(CommandResult, person.language, "out_of_range", "out_of_range", value=text, **said)
        return _about(told, meant)
    return None


def _about(result: CommandResult, meant: Pair) -> CommandResult:
    fields = {name: getattr(result, name) for name in result.__struct_fields__}
    named = {"device_id": meant.machine.id, "name": meant.machine.name, "machine_command_id": meant.command.id}
    return CommandResult(**(fields | named | {"command": meant.command.name, "value": meant.value}))


async def _command(
    on: Transaction, person: Person, link: Link, given: ExecuteCommand
) -> tuple[Machine, Command] | CommandResult:
    """The machine and command that the user means. Only machines that have the command count."""
    said_device, said_command = given.device_id or given.device_name, given.machine_command_id or given.command
    if said_device is None and said_command is None:
        options = machine_options(await registry.names(on, person.id))
        return which(CommandResult, person.language, "missing", "device_missing", options)
    machines = await _machines(on, person, CommandResult, said_device)
    if isinstance(machines, CommandResult):
        return machines
    await link.watch(person.id, machines)
    if said_command is None:
        options = [each for one in machines for each in command_options(one, one.commands)]
        if len(machines) > 1:
            return _several(CommandResult, person, said_device or "", machines)
        return which(CommandResult, person.language, "missing", "command_missing", options, name=machines[0].name)
    pairs = [(one, command) for one in machines for command in commands_meant(said_command, one.commands)]
    if len(pairs) == 1:
        return pairs[0]
    if pairs:
        return _which_pair(person, pairs, said_device, said_command)
    if len(machines) == 1:
        options = command_options(machines[0], machines[0].commands)
        named = {"name": machines[0].name, "text": said_command}
        return which(CommandResult, person.language, "not_found", "no_command", options, **named)
    return failed(CommandResult, person.language, "not_found", "no_machine_with", text=said_command)


def _which_pair(
    person: Person, pairs: Sequence[tuple[Machine, Command]], said_device: str | None, said_command: str
) -> CommandResult:
    options = [option for machine, command in pairs for option in command_options(machine, [command])]
    if len({machine.id for machine, _ in pairs}) == 1:
        return which(CommandResult, person.language, "ambiguous", "ambiguous_command", options, text=said_command)
    machines = machine_options(list({machine.id: machine for machine, _ in pairs}.values()))
    told = which(CommandResult, person.language, "ambiguous", "ambiguous", machines, text=said_device or said_command)
    fields = {name: getattr(told, name) for name in told.__struct_fields__}
    return CommandResult(**(fields | {"options": options}))


async def _machines(on: Transaction, person: Person, shape: type[R], said: str | None) -> list[Machine] | R:
    """The machines that the user may mean, or the error if there is no such machine."""
    if said is None:
        machines = await registry.all_machines(on, person.id)
        return machines or failed(shape, person.language, "not_found", "not_found", text="")
    if by_id := await registry.by_ids(on, person.id, [said]):
        return by_id
    names = await registry.names(on, person.id)
    if meant := machines_meant(said, names):
        return await registry.by_ids(on, person.id, [one.id for one in meant])
    near = machine_options(nearest(said, names))
    return which(shape, person.language, "not_found", "not_found_near" if near else "not_found", near, text=said)


async def _machine(on: Transaction, person: Person, link: Link, shape: type[R], said: str | None) -> Machine | R:
    """The one machine that the user means, or the error."""
    machines = await _machines(on, person, shape, said)
    if isinstance(machines, Result):
        return machines
    if len(machines) > 1:
        return _several(shape, person, said or "", machines)
    await link.watch(person.id, machines)
    return machines[0]


def _several(shape: type[R], person: Person, said: str, machines: Sequence[Machine]) -> R:
    message = "ambiguous" if said else "device_missing"
    reason = "ambiguous" if said else "missing"
    options = machine_options(machines)
    if reason == "missing":
        return which(shape, person.language, "missing", message, options)
    return which(shape, person.language, "ambiguous", message, options, text=said)


async def read_metrics(on: Transaction, person: Person, link: Link, given: ReadMetrics) -> MetricsResult:
    machine = await _machine(on, person, link, MetricsResult, given.device_id or given.device_name)
    if isinstance(machine, MetricsResult):
        return machine
    wanted = []
    for said in given.metrics:
        metric = next((one for one in machine.metrics if one.name == said or words(one.name) == words(said)), None)
        if metric is None:
            options = [Option(id=machine.id, name=one.name) for one in machine.metrics]
            told = {"name": machine.name, "text": said}
            return which(MetricsResult, person.language, "not_found", "no_metric", options, **told)
        wanted.append(metric)
    chosen = wanted or list(machine.metrics)
    past = await registry.recent(on, person.id, machine.id, [one.name for one in chosen], HISTORY + 1)
    return MetricsResult(
        status="success",
        device_id=machine.id,
        name=machine.name,
        connected=link.connected(person.id, machine),
        last_seen=moment(machine.last_seen),
        metrics=[
            MetricShown(
                name=one.name,
                value=one.value,
                unit=one.unit,
                at=moment(one.at),
                history=_before(one.at, past[one.name]) or None,
            )
            for one in chosen
        ],
    )


def _before(latest: datetime | None, past: Iterable[tuple[datetime, Any]]) -> list[Point]:
    """The readings before the latest one. Newer readings, which arrived after it was read, are left out."""
    earlier = ((at, value) for at, value in past if latest is None or at < latest)
    return [Point(at=moment(at) or "", value=value) for at, value in islice(earlier, HISTORY)]


async def detail(on: Transaction, person: Person, link: Link, given: DeviceDetail) -> DetailResult:
    machine = await _machine(on, person, link, DetailResult, given.device_id or given.device_name)
    if isinstance(machine, DetailResult):
        return machine
    order = await orders.last(on, person.id, machine.id)
    return DetailResult(
        status="success",
        device_id=machine.id,
        name=machine.name,
        connected=link.connected(person.id, machine),
        firmware=machine.firmware,
        last_seen=moment(machine.last_seen),
        serial=machine.serial or None,
        location=machine.location or None,
        last_command=LastCommand(
            machine_command_id=order.command_id,
            at=moment(order.created_at) or "",
            outcome=order.state,
            value=order.value,
        )
        if order
        else None,
    )


async def list_machines(on: Transaction, person: Person, link: Link, given: ListMachines) -> ListResult:
    if given.search and given.search.strip():
        names = await registry.names(on, person.id)
        meant = machines_meant(given.search, names) or _about_words(given.search, names)
        ids = [one.id for one in meant]
        machines = await registry.by_ids(on, person.id, ids[:MOST_LISTED])
        more = len(ids) - len(machines)
    else:
        machines = await registry.all_machines(on, person.id, MOST_LISTED + 1)
        more = len(await registry.names(on, person.id)) - MOST_LISTED if len(machines) > MOST_LISTED else 0
        machines = machines[:MOST_LISTED]
    await link.watch(person.id, machines)
    listed = [shown(one, link.connected(person.id, one)) for one in machines]
    return ListResult(status="success", count=len(listed), machines=listed, more=more or None)


def _about_words(search: str, names: Sequence[registry.Named]) -> list[registry.Named]:
    """The machines that have, for each word of the search, a word that begins with it."""
    wanted = words(search)
    return [one for one in names if wanted and _has(words(" ".join(_texts(one))), wanted)]


def _texts(one: registry.Named) -> tuple[str, ...]:
    return one.name, one.location, one.description, one.serial, *one.aliases


def _has(there: Sequence[str], wanted: Sequence[str]) -> bool:
    return all(any(word.startswith(each) for word in there) for each in wanted)
