"""The device service: reads from the registry, and sends orders over the link. An order runs once per key, and a
destructive one only after the user confirms it.

async with Database(url) as database, Link(broker, topics, Gather(database)) as link:
    service = DeviceService(database, link)
    await service.call(Principal(id="ada"), "metrics_read", ReadMetrics(device_name="kitchen fridge"))
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

import msgspec

from sayso import confirmation
from sayso.database.pool import Database, Transaction
from sayso.devices import operations, results
from sayso.devices.inventory import orders, registry
from sayso.devices.inventory.orders import OrderRow
from sayso.devices.link.link import Link
from sayso.devices.link.wire import Order
from sayso.devices.operations import Pair
from sayso.devices.results import failed
from sayso.devices.values import (
    Arguments,
    CommandResult,
    DetailResult,
    DeviceDetail,
    ExecuteCommand,
    ListMachines,
    ListResult,
    MetricsResult,
    ReadMetrics,
    Result,
)
from sayso.identity.principal import Principal
from sayso.serving import once
from sayso.serving.person import People, Person

EXECUTE = "machine_command_execute"
_LOOK_AGAIN = 0.2  # seconds between two reads of an order that another call sent


@dataclass(frozen=True, kw_only=True)
class Tool:
    """The argument and result types of a tool."""

    takes: type[Arguments]
    gives: type[Result]


TOOLS = {
    EXECUTE: Tool(takes=ExecuteCommand, gives=CommandResult),
    "metrics_read": Tool(takes=ReadMetrics, gives=MetricsResult),
    "device_firmware_detail": Tool(takes=DeviceDetail, gives=DetailResult),
    "list_machines": Tool(takes=ListMachines, gives=ListResult),
}


class Question(confirmation.Question, frozen=True, kw_only=True):
    """The question that the user confirms before a destructive command."""

    kind = "device question 1"

    machine: str
    name: str
    command: str
    command_name: str
    value: float | None = None
    unit: str | None = None


class _Written(NamedTuple):
    """An order that is stored and not sent yet."""

    id: UUID
    pair: Pair
    order: OrderRow


class DeviceService:
    """Shared by all requests of a process. It has no state that another process would need."""

    def __init__(
        self,
        database: Database,
        link: Link,
        *,
        zone: str = "UTC",
        patience: float = 10,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._database, self.link, self._clock = database, link, clock
        self.patience = timedelta(seconds=patience)
        self._people = People(zone)

    @asynccontextmanager
    async def _open(self, who: Principal) -> AsyncIterator[tuple[Transaction, Person]]:
        async with self._database.transaction(who.id) as on:
            yield on, await self._people.meet(on, who, self._clock())

    async def call(self, who: Principal, name: str, given: Arguments) -> Result:
        """Run a tool that only reads."""
        await self.link.catch_up(who.id)
        async with self._open(who) as (on, person):
            match given:
                case ReadMetrics():
                    return await operations.read_metrics(on, person, self.link, given)
                case DeviceDetail():
                    await orders.settle_overdue(on, who.id, person.now)
                    return await operations.detail(on, person, self.link, given)
                case ListMachines():
                    return await operations.list_machines(on, person, self.link, given)
                case _:
                    raise ValueError(f"{name} requires confirmation: use ask_command")

    async def ask_command(
        self, who: Principal, given: ExecuteCommand, key: str | None = None
    ) -> Question | CommandResult:
        """Send the command, or return the question that the user must answer first."""
        body = once.fingerprint(EXECUTE, given)
        async with self._open(who) as (on, person):
            before = await orders.by_key(on, who.id, key) if key is not None else None
            if before is not None:
                written: _Written | OrderRow = before
            else:
                pair = await operations.pair(on, person, self.link, given)
                if isinstance(pair, CommandResult):
                    return pair
                if pair.command.destructive:
                    return _question(pair)
                written = await self._write(on, who, pair, body, key)
        return await self._finish(who, person, written, body)

    async def give(self, who: Principal, given: ExecuteCommand, versions: Mapping[str, int], key: str) -> CommandResult:
        """Send a command for an assistant that asks for confirmation itself. `versions` has the version of the machine
        that the user confirmed. Without it, a destructive command is not sent."""
        body = once.fingerprint(EXECUTE, given)
        async with self._open(who) as (on, person):
            before = await orders.by_key(on, who.id, key)
            if before is not None:
                written: _Written | OrderRow = before
            else:
                pair = await operations.pair(on, person, self.link, given)
                if isinstance(pair, CommandResult):
                    return pair
                shown = versions.get(pair.machine.id)
                if shown is not None and shown != pair.machine.version:
                    return failed(CommandResult, person.language, "stale", "stale")
                if pair.command.destructive and shown is None:
                    said = {"name": pair.machine.name, "command": pair.command.name}
                    return failed(CommandResult, person.language, "needs_confirmation", "needs_confirmation", **said)
                written = await self._write(on, who, pair, body, key)
        return await self._finish(who, person, written, body)

    async def answer_command(
        self, who: Principal, given: ExecuteCommand, question: Question, *, yes: bool, key: str | None = None
    ) -> Question | CommandResult:
        """Handle the user's answer to the question. A yes sends the command once, if the machine is still as shown. If
        the machine has changed since, the result is a new question."""
        body = once.fingerprint(EXECUTE, given)
        async with self._open(who) as (on, person):
            used = await once.claim_confirmation(on, who.id, question.id, question.digest)
            if used:
                before = await self._used(on, person, used)
                if isinstance(before, CommandResult):
                    return before
                written: _Written | OrderRow = before
                body = before.body
            else:
                came = await self._agreed(on, who, person, question, yes=yes)
                if not isinstance(came, Pair):
                    return came
                written = await self._write(on, who, came, body, key)
                _keep(on, who, question, CommandResult(status="error", reason="unknown", order_id=str(written.id)))
        return await self._finish(who, person, written, body)

    async def _finish(self, who: Principal, person: Person, written: _Written | OrderRow, body: bytes) -> CommandResult:
        if isinstance(written, _Written):
            return await self._carry_out(who, person, written)
        return await self._again(who, person, written, body)

    async def _used(self, on: Transaction, person: Person, used: once.Used) -> OrderRow | CommandResult:
        """The result of a confirmation that was used before."""
        if not used.same:
            return _unusable(person)
        came = msgspec.json.decode(used.answer, type=CommandResult)
        return came if came.order_id is None else await orders.by_id(on, person.id, UUID(came.order_id)) or came

    async def _agreed(
        self, on: Transaction, who: Principal, person: Person, question: Question, *, yes: bool
    ) -> Pair | Question | CommandResult:
        """The command if it may be sent now; otherwise the result or the new question."""
        pair = await self._as_shown(on, person, question)
        if not yes:
            declined = failed(CommandResult, person.language, "declined", "declined", name=question.name)
            return _keep(on, who, question, declined)
        if pair is None or pair.machine.version != question.version:
            _keep(on, who, question, _unusable(person))
            return _unusable(person) if pair is None else _question(pair, again=True)
        away = operations.away(person, self.link, pair)
        return _keep(on, who, question, away) if away else pair

    async def _write(
        self, on: Transaction, who: Principal, pair: Pair, body: bytes, key: str | None
    ) -> _Written | OrderRow:
        """Store the order before it is sent. If the key already has an order, return that one."""
        order = self._order(pair, body)
        if await orders.write(on, who.id, order, key):
            return _Written(order.id, pair, order)
        before = await orders.by_key(on, who.id, key or "")
        if before is None:
            raise AssertionError("only a key that was used keeps an order from being written")
        return before

    async def _as_shown(self, on: Transaction, person: Person, question: Question) -> Pair | None:
        for machine in await registry.by_ids(on, person.id, [question.machine]):
            if command := machine.command(question.command):
                return Pair(machine, command, question.value)
        return None

    def _order(self, pair: Pair, body: bytes) -> OrderRow:
        now = self._clock()
        return OrderRow(
            id=uuid4(),
            body=body,
            machine_id=pair.machine.id,
            command_id=pair.command.id,
            value=pair.value,
            state="sent",
            answer=None,
            created_at=now,
            expires_at=now + self.patience,
            settled_at=None,
        )

    async def _carry_out(self, who: Principal, person: Person, written: _Written) -> CommandResult:
        """Send a stored order, outside any transaction, and store its result."""
        _, pair, order = written
        message = Order(id=order.id, command=order.command_id, value=order.value, expires_at=order.expires_at)
        outcome = await self.link.give(who.id, pair.machine, pair.command, message)
        async with self._database.transaction(who.id) as on:
            await orders.settle(on, who.id, order.id, outcome.state, outcome.answer, self._clock())
        told = msgspec.json.encode(outcome.answer).decode() if outcome.answer else None
        settled = order._replace(state=outcome.state, answer=told)
        return results.of_order(person.language, settled, pair.machine, waited=True)

    async def _again(self, who: Principal, person: Person, order: OrderRow, body: bytes) -> CommandResult:
        """The result of an order that was given before. Waits until the order is settled or its time is over."""
        if order.body != body:
            return failed(CommandResult, person.language, "key_reused", "key_reused")
        while True:
            async with self._open(who) as (on, now):
                if order.is_over(now.now):
                    await orders.settle_overdue(on, who.id, now.now)
                order = await orders.by_id(on, who.id, order.id) or order
                if order.state != "sent":
                    machines = await registry.by_ids(on, who.id, [order.machine_id])
                    return results.of_order(person.language, order, machines[0] if machines else None, waited=False)
            await asyncio.sleep(_LOOK_AGAIN)

    async def is_ready(self) -> None:
        """Raise Unavailable if the database does not answer."""
        await self._database.ping()


def _question(pair: Pair, *, again: bool = False) -> Question:
    machine, command = pair.machine, pair.command
    return Question(
        id=uuid4(),
        machine=machine.id,
        name=machine.name,
        version=machine.version,
        command=command.id,
        command_name=command.name,
        value=pair.value,
        unit=command.unit,
        again=again,
    )


def _keep(on: Transaction, who: Principal, question: Question, came: CommandResult) -> CommandResult:
    once.keep_outcome(on, who.id, question.id, came)
    return came


def _unusable(person: Person) -> CommandResult:
    return failed(CommandResult, person.language, "confirmation_refused", "confirmation_refused")
