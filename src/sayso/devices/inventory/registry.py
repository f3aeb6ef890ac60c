"""The registry: a user's machines in PostgreSQL. Each function runs in a given transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.devices.inventory.machine import Command, Machine, MachineWire, Metric

MOST = 10_000  # machines per user
_SQL = Path(__file__).parent / "sql"


class Named(NamedTuple):
    """The names of a machine."""

    id: str
    name: str
    serial: str
    description: str
    location: str
    aliases: Sequence[str]


class Seen(NamedTuple):
    """A message from or about a machine. Fields that the message does not contain are `None`."""

    id: str
    at: datetime | None
    connected: bool | None = None
    firmware: str | None = None


class Reading(NamedTuple):
    """A measured value of a machine."""

    id: str
    metric: str
    at: datetime
    value: Any


def save(on: Transaction, user_id: str, machines: Sequence[Machine]) -> None:
    """Create these machines, or update their descriptions. Their observed state is kept."""
    ids = [machine.id for machine in machines]
    rows = [_described(machine) for machine in machines]
    commands = [
        {"machine_id": machine.id, "place": place, "destructive": command.destructive, "takes_value": command.is_valued}
        | {"description": command.description}
        | _plain(command, "id", "name", "minimum", "maximum", "unit", "wire")
        for machine in machines
        for place, command in enumerate(machine.commands)
    ]
    metrics = [
        {"machine_id": machine.id, "place": place} | _plain(metric, "name", "unit", "wire")
        for machine in machines
        for place, metric in enumerate(machine.metrics)
    ]
    on.later(statement(_SQL, "machines_save"), user_id=user_id, machines=_json(rows))
    on.later(statement(_SQL, "commands_drop"), user_id=user_id, ids=ids)
    on.later(statement(_SQL, "commands_save"), user_id=user_id, commands=_json(commands))
    kept: dict[str, Any] = {
        "machine_ids": [str(row["machine_id"]) for row in metrics],
        "names": [str(row["name"]) for row in metrics],
    }
    on.later(statement(_SQL, "metrics_drop"), user_id=user_id, ids=ids, **kept)
    on.later(statement(_SQL, "metrics_save"), user_id=user_id, metrics=_json(metrics))


async def forget(on: Transaction, user_id: str, ids: Sequence[str]) -> list[str]:
    """Remove machines from the registry. Returns the ids of those that existed."""
    return [row[0] for row in await on.rows(statement(_SQL, "machines_forget"), user_id=user_id, ids=list(ids))]


async def all_machines(on: Transaction, user_id: str, limit: int = MOST) -> list[Machine]:
    """The user's machines, sorted by name."""
    return [_machine(row) for row in await on.rows(statement(_SQL, "machines_list"), user_id=user_id, limit=limit)]


async def by_ids(on: Transaction, user_id: str, ids: Iterable[str]) -> list[Machine]:
    found = await on.rows(statement(_SQL, "machines_ids"), user_id=user_id, ids=list(ids))
    return [_machine(row) for row in found]


async def names(on: Transaction, user_id: str) -> list[Named]:
    """The names of the user's machines."""
    return [Named(*row) for row in await on.rows(statement(_SQL, "machines_named"), user_id=user_id)]


async def recent(
    on: Transaction, user_id: str, machine: str, metrics: Sequence[str], limit: int
) -> dict[str, list[tuple[datetime, Any]]]:
    """The last readings of each metric, newest first."""
    query = statement(_SQL, "readings_list")
    found: dict[str, list[tuple[datetime, Any]]] = {name: [] for name in metrics}
    for name, at, value in await on.rows(query, user_id=user_id, id=machine, names=list(metrics), limit=limit):
        found[name].append((at, value))
    return found


async def recent_of_all(
    on: Transaction, user_id: str, ids: Sequence[str], limit: int
) -> dict[tuple[str, str], list[tuple[datetime, Any]]]:
    """The last readings of each metric of these machines, by machine and metric, oldest first."""
    query = statement(_SQL, "readings_of_machines")
    found: dict[tuple[str, str], list[tuple[datetime, Any]]] = {}
    for machine, metric, at, value in await on.rows(query, user_id=user_id, ids=list(ids), limit=limit):
        found.setdefault((machine, metric), []).append((at, value))
    return found


def note_seen(on: Transaction, user_id: str, seen: Sequence[Seen]) -> None:
    """Store when machines were last seen and whether they are connected, with one entry per machine."""
    on.later(statement(_SQL, "machines_seen"), user_id=user_id, seen=_json([each._asdict() for each in seen]))


def note_readings(on: Transaction, user_id: str, readings: Sequence[Reading]) -> None:
    """Store readings in the history, and the newest of each metric as its value."""
    note_latest(on, user_id, readings)
    distinct = {(each.id, each.metric, each.at): each for each in readings}
    on.later(statement(_SQL, "readings_add"), user_id=user_id, readings=_rows(distinct.values()))


def note_latest(on: Transaction, user_id: str, readings: Sequence[Reading]) -> None:
    """Store the newest reading of each metric as its value, and nothing in the history."""
    newest = {(each.id, each.metric): each for each in sorted(readings, key=lambda one: one.at)}
    on.later(statement(_SQL, "metrics_set"), user_id=user_id, readings=_rows(newest.values()))


def drop_readings(on: Transaction, user_id: str, before: datetime) -> None:
    """Delete readings that are older than `before`."""
    on.later(statement(_SQL, "readings_drop"), user_id=user_id, before=before)


def _rows(readings: Iterable[Reading]) -> str:
    """The readings as one JSON value, because an array would be quoted element by element."""
    return _json([{"id": id_, "metric": metric, "at": at, "value": value} for id_, metric, at, value in readings])


def _described(machine: Machine) -> dict[str, Any]:
    row = {name: getattr(machine, name) for name in ("id", "name", "serial", "description", "location", "firmware")}
    wire = msgspec.to_builtins(machine.wire) if machine.wire else None
    return row | {"aliases": list(machine.aliases), "wire": wire, "definition": machine.definition.hex()}


def _plain(value: msgspec.Struct, *names: str) -> dict[str, Any]:
    return {name: msgspec.to_builtins(getattr(value, name)) for name in names}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _machine(row: Sequence[Any]) -> Machine:
    identifier, name, serial, description, location, aliases, firmware, connected, last_seen, wire, version = row[:11]
    return Machine(
        id=identifier,
        name=name,
        serial=serial,
        description=description,
        location=location,
        aliases=tuple(aliases),
        firmware=firmware,
        commands=msgspec.convert(row[11], tuple[Command, ...]),
        metrics=msgspec.convert(row[12], tuple[Metric, ...]),
        wire=msgspec.convert(wire, MachineWire) if wire is not None else None,
        connected=connected,
        last_seen=last_seen,
        version=version,
    )
