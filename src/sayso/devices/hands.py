"""The devices as tools of an assistant: reads run within its transaction, commands outside it.

A command has a key, so that a later process finds its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

import msgspec
from mcp_types import Tool

from sayso.assistant.converse import Assistant
from sayso.assistant.values import Json
from sayso.database.pool import Transaction
from sayso.devices import operations, results
from sayso.devices.definitions import tools
from sayso.devices.inventory import orders, registry
from sayso.devices.inventory.orders import OrderRow
from sayso.devices.inventory.overview import overview
from sayso.devices.service import EXECUTE, TOOLS, DeviceService
from sayso.devices.values import Arguments, CommandResult, DeviceDetail, ExecuteCommand, ListMachines, ReadMetrics
from sayso.identity.principal import Principal
from sayso.record import Entity
from sayso.serving import once
from sayso.serving.arguments import Unusable, check_texts, shaped
from sayso.serving.person import Person

MOST = 500  # the most machines that a decision considers


class Machines:
    """A user's machines, as the tools of an assistant."""

    def __init__(self, service: DeviceService, assistant: Assistant) -> None:
        self._service, self.assistant = service, assistant

    @property
    def patience(self) -> timedelta:
        """How long a caller waits for the answer to a command."""
        return self._service.patience + orders.GRACE

    def definitions(self) -> Sequence[Tool]:
        """The tool definitions for a model."""
        return tools()

    async def things(self, on: Transaction, person: Person) -> tuple[Entity, ...]:
        machines = await registry.all_machines(on, person.id, MOST)
        link = self._service.link
        shown = (results.shown(one, link.connected(person.id, one)) for one in machines)
        return tuple(Entity({"kind": "machine"} | msgspec.to_builtins(one)) for one in shown)

    async def read(self, on: Transaction, person: Person, tool: str, arguments: Json) -> Json:
        """Run a tool that only reads."""
        given = _given(tool, arguments, person)
        link = self._service.link
        match given:
            case ReadMetrics():
                return _json(await operations.read_metrics(on, person, link, given))
            case DeviceDetail():
                return _json(await operations.detail(on, person, link, given))
            case ListMachines():
                return _json(await operations.list_machines(on, person, link, given))
            case Arguments():
                return _invalid(tool)
            case _:
                return given

    async def look(self, who: Principal, person: Person, tool: str, arguments: Json) -> Json:
        """The same outside any transaction."""
        given = _given(tool, arguments, person)
        return _json(await self._service.call(who, tool, given)) if isinstance(given, Arguments) else given

    async def overview(self, on: Transaction, person: Person, limit: int, points: int) -> Json:
        """An overview of all machines, with the last `points` readings of each metric."""
        return _json(await overview(on, person, self._service.link, limit, points))

    async def catch_up(self, who: Principal) -> None:
        """Write all received messages of the user's machines to the registry, outside any transaction."""
        await self._service.link.catch_up(who.id)

    async def give(self, who: Principal, person: Person, arguments: Json, versions: dict[str, int], key: str) -> Json:
        """Send a command, outside any transaction. A destructive command is sent only if `versions` has the version of
        the machine that the user confirmed."""
        given = _given(EXECUTE, arguments, person)
        if not isinstance(given, ExecuteCommand):
            return given if isinstance(given, dict) else _invalid(EXECUTE)
        return _json(await self._service.give(who, given, versions, key))

    async def came_of(self, on: Transaction, person: Person, arguments: Json, key: str) -> Json:
        """The result of a command whose sender stopped. If it was not sent yet, it is never sent later."""
        order = await orders.by_key(on, person.id, key)
        if order is None:
            given = _given(EXECUTE, arguments, person)
            body = once.fingerprint(EXECUTE, given) if isinstance(given, Arguments) else b""
            machine, command = (str(arguments.get(name) or "-")[:200] for name in ("device_id", "machine_command_id"))
            now = person.now
            order = OrderRow(uuid4(), body, machine, command, None, "unsent", None, now, now, now)
            await orders.write(on, person.id, order, key)
            await orders.settle(on, person.id, order.id, "unsent", None, person.now)
        machines = await registry.by_ids(on, person.id, [order.machine_id])
        return _json(results.of_order(person.language, order, machines[0] if machines else None, waited=False))


def _given(tool: str, arguments: Json, person: Person) -> Arguments | Json:
    shape = TOOLS.get(tool)
    if shape is None:
        return _invalid(tool)
    try:
        check_texts(arguments, person.language)
        return shaped(shape.takes, arguments, person.language)
    except Unusable as problem:
        return _json(CommandResult(status="error", reason="invalid", error_message=str(problem)))


def _invalid(tool: str) -> Json:
    return _json(CommandResult(status="error", reason="invalid", error_message=tool))


def _json(result: Any) -> Json:
    encoded: Json = msgspec.to_builtins(result)
    return encoded
