"""An overview of a user's machines: location, connection, readings and last orders."""

from __future__ import annotations

import msgspec

from sayso.database.pool import Transaction
from sayso.devices.inventory import orders, registry
from sayso.devices.inventory.machine import Machine
from sayso.devices.inventory.orders import OrderRow
from sayso.devices.link.link import Link
from sayso.devices.link.wire import Scalar
from sayso.devices.results import moment
from sayso.devices.values import Outcome, Point
from sayso.serving.person import Person


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A metric with its latest value, and its last readings, oldest first."""

    name: str
    unit: str | None
    value: Scalar
    at: str | None
    history: list[Point]


class LastCommand(msgspec.Struct, frozen=True, kw_only=True):
    """The last command to a machine, and its result."""

    command: str
    value: float | None
    unit: str | None
    at: str
    outcome: Outcome


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """A machine in the overview."""

    id: str
    name: str
    description: str
    location: str
    connected: bool | None
    last_seen: str | None
    metrics: list[Measured]
    told: LastCommand | None


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The machines, sorted by name. `more` is the number of machines that are left out."""

    machines: list[Glance]
    more: int


async def overview(on: Transaction, person: Person, link: Link, limit: int, points: int) -> Overview:
    """The first `limit` machines, with the last `points` readings of each metric."""
    machines = await registry.all_machines(on, person.id, limit + 1)
    more = len(await registry.names(on, person.id)) - limit if len(machines) > limit else 0
    machines = machines[:limit]
    await link.watch(person.id, machines)
    await orders.settle_overdue(on, person.id, person.now)
    ids = [machine.id for machine in machines]
    last = await orders.last_of_each(on, person.id, ids)
    past = await registry.recent_of_all(on, person.id, ids, points) if points else {}
    glances = [
        Glance(
            id=one.id,
            name=one.name,
            description=one.description,
            location=one.location,
            connected=link.connected(person.id, one),
            last_seen=moment(one.last_seen),
            metrics=[
                Measured(
                    name=metric.name,
                    unit=metric.unit,
                    value=metric.value,
                    at=moment(metric.at),
                    history=[Point(at=moment(at) or "", value=was) for at, was in past.get((one.id, metric.name), ())],
                )
                for metric in one.metrics
            ],
            told=_last_command(one, last.get(one.id)),
        )
        for one in machines
    ]
    return Overview(machines=glances, more=more)


def _last_command(machine: Machine, order: OrderRow | None) -> LastCommand | None:
    if order is None:
        return None
    command = machine.command(order.command_id)
    return LastCommand(
        command=command.name if command else order.command_id,
        value=order.value,
        unit=command.unit if command and order.value is not None else None,
        at=moment(order.created_at) or "",
        outcome=order.state,
    )
