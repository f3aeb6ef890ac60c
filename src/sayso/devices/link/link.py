"""The link to the broker. Orders and answers use one connection and readings another, so that no answer waits behind
readings.

    async with Link(broker, topics, gather) as link:
        outcome = await link.give("ada", machine, command, order)

An order has an expiry, after which the broker and the machine drop it. If the connection is lost before the answer, the
order is sent again with the same id, and the machine runs it once. So the outcome of most orders is known even if the
broker restarts. Otherwise it is `unknown`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from math import ceil
from typing import NamedTuple, Self
from uuid import UUID, uuid4

from aiomqtt import Message, MqttError
from paho.mqtt.subscribeoptions import SubscribeOptions

from sayso.devices.inventory.machine import Command, Machine
from sayso.devices.inventory.orders import GRACE, State
from sayso.devices.inventory.registry import Reading, Seen
from sayso.devices.link import wire
from sayso.devices.link.broker import Broker, end, message_properties
from sayso.devices.link.gather import Gather
from sayso.devices.link.reconnect import Connection, stay
from sayso.devices.link.topics import ANSWER, METRICS, ONLINE, SET, STATE, Place, Topics
from sayso.devices.link.watch import Watch
from sayso.devices.link.wire import Answer, Garbled, Order

_LEAST = 0.3  # seconds: an order with less time than this is not sent
_SETTLED = 1.5  # seconds for a device to confirm a state that it already has

_log = logging.getLogger(__name__)


class Outcome(NamedTuple):
    """The outcome of an order, with the machine's answer if it sent one."""

    state: State
    answer: Answer | None = None


class Link:
    """One link per process. With an owner, it listens only to that owner's machines."""

    def __init__(
        self,
        broker: Broker,
        topics: Topics,
        gather: Gather,
        *,
        owner: str | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._broker, self._topics, self._gather, self._owner, self._clock = broker, topics, gather, owner, clock
        self.id = uuid4().hex[:16]  # in the topic for answers, which machines know
        self._client_id = uuid4().hex  # secret: a client that connects with the same id would disconnect us
        self._connection: Connection | None = None
        self._changed = asyncio.Condition()
        self._waiting: dict[UUID, tuple[str, str, asyncio.Future[Answer]]] = {}
        self._watch = Watch(gather, topics, clock)
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [
            asyncio.create_task(
                stay(self._broker, f"sayso-link-{self._client_id}", self._filters, self._hear, self._set)
            ),
            asyncio.create_task(stay(self._broker, f"sayso-ears-{self._client_id}", self._measured, self._hear)),
            asyncio.create_task(self._gather.run()),
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        await end(*self._tasks)
        await self._gather.close()

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    def connected(self, owner: str, machine: Machine) -> bool | None:
        """Whether a machine is connected, if that is known. Its latest message takes precedence over the registry."""
        said = self._gather.connected(owner, machine.id)
        return machine.connected if said is None else said

    async def catch_up(self, owner: str) -> None:
        """Write all received messages of an owner's machines to the registry."""
        await self._gather.flush(owner)

    async def ready(self, seconds: float) -> bool:
        """Wait for a connection. Returns whether there is one."""
        return await self._connected_within(seconds) is not None

    async def watch(self, owner: str, machines: Iterable[Machine]) -> None:
        """Listen to machines that use their own topics."""
        new = self._watch.add(owner, machines)
        connection = self._connection
        if new and connection is not None:
            with suppress(MqttError):  # the next connection subscribes to all topics
                await connection.client.subscribe([(topic, SubscribeOptions(qos=1)) for topic in new])

    async def give(self, owner: str, machine: Machine, command: Command, order: Order) -> Outcome:
        """Send an order, and wait for its result."""
        if command.wire is not None:
            return await self._give_discovered(owner, machine, command, order)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[order.id] = (owner, machine.id, future)
        try:
            return await self._give(owner, machine, order, future)
        finally:
            del self._waiting[order.id]

    async def _give(self, owner: str, machine: Machine, order: Order, future: asyncio.Future[Answer]) -> Outcome:
        may_be_sent = False
        while True:
            left = self._left(order)
            connection = await self._connected_within(left - _LEAST) if left >= _LEAST else None
            left = self._left(order)
            if connection is not None and left >= _LEAST:
                may_be_sent = True
                await self._publish(connection, owner, machine, order, left)
                await self._answered(future, connection.lost, self._left(order) + GRACE.total_seconds())
            elif may_be_sent:
                await self._answered(future, None, left + GRACE.total_seconds())
            if future.done():
                return Outcome(future.result().status, future.result())
            if not may_be_sent:
                return Outcome("unsent")
            if self._left(order) + GRACE.total_seconds() <= 0:
                return Outcome("unknown")

    async def _publish(self, connection: Connection, owner: str, machine: Machine, order: Order, left: float) -> None:
        """Publish an order. The broker's acknowledgement is not a result: only the machine's answer is."""
        properties = message_properties(
            MessageExpiryInterval=ceil(left),
            ResponseTopic=self._topics.of(owner, machine.id, ANSWER, self.id),
            CorrelationData=order.id.bytes,
            ContentType="application/json",
        )
        topic = self._topics.of(owner, machine.id, SET)
        try:
            await connection.client.publish(
                topic, wire.written(order), qos=1, retain=False, properties=properties, timeout=left
            )
        except MqttError as problem:
            _log.info("an order may not have been sent: %s", problem)

    async def _answered(self, future: asyncio.Future[Answer], lost: asyncio.Event | None, seconds: float) -> None:
        """Wait for the answer, until the time is over or the connection is lost."""
        if future.done() or seconds <= 0:
            return
        waits: list[asyncio.Future[object]] = [future]  # type: ignore[list-item]
        losing = asyncio.ensure_future(lost.wait()) if lost else None
        if losing is not None:
            waits.append(losing)  # type: ignore[arg-type]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if losing is not None:
                losing.cancel()

    async def _give_discovered(self, owner: str, machine: Machine, command: Command, order: Order) -> Outcome:
        """Send an order to a device that has no order ids. It is sent once, and the device's next state confirms it."""
        how = command.wire
        if how is None:
            raise AssertionError("only for a device with topics of its own")
        await self.watch(owner, [machine])
        connection = await self._connected_within(self._left(order) - _LEAST)
        left = self._left(order)
        if connection is None or left < _LEAST:
            return Outcome("unsent")
        said = self._watch.expect(how, order.value)
        try:
            payload = how.payload.replace("{value}", number(order.value))
            properties = message_properties(MessageExpiryInterval=ceil(left))
            try:
                await connection.client.publish(
                    how.topic, payload, qos=1, retain=False, properties=properties, timeout=left
                )
            except MqttError:
                if said is None:
                    return Outcome("unknown")
            if said is None:
                return Outcome("delivered")
            await asyncio.wait([said.future], timeout=_SETTLED if said.was_so else left)
            if not said.future.done() and not said.is_so():
                return Outcome("unknown")
            done = Answer(id=order.id, status="done", changed=not said.was_so)
            return Outcome("done", done)
        finally:
            if said is not None:
                self._watch.forget(said)

    def _left(self, order: Order) -> float:
        return (order.expires_at - self._clock()).total_seconds()

    async def _connected_within(self, seconds: float) -> Connection | None:
        if self._connection is not None:
            return self._connection
        with suppress(TimeoutError):
            async with asyncio.timeout(max(seconds, 0)), self._changed:
                await self._changed.wait_for(lambda: self._connection is not None)
        return self._connection

    async def _set(self, connection: Connection | None) -> None:
        """Store the new connection, or None when it is lost."""
        self._connection = connection
        if connection is not None:
            async with self._changed:
                self._changed.notify_all()

    def _filters(self) -> list[str]:
        """The topics of answers to us, of connection states, and of machines that use their own topics."""
        every = self._topics.every
        return [every(ANSWER, self.id, owner=self._owner), every(ONLINE, owner=self._owner), *self._watch.topics]

    def _measured(self) -> list[str]:
        """The topics of the latest values, which the broker retains, and a shared subscription to readings: the broker
        sends each reading to only one link."""
        every = self._topics.every
        return [every(STATE, owner=self._owner), f"$share/sayso/{every(METRICS, owner=self._owner)}"]

    def _hear(self, message: Message) -> None:
        """Handle a message. A message that cannot be read is logged and ignored, so that no machine can stop the
        link."""
        topic, payload = message.topic.value, bytes(message.payload)
        try:
            if self._watch.hear(topic, payload):
                return
            place = self._topics.read(topic)
            if place is not None:
                self._take(place, payload, retained=message.retain)
        except Garbled as problem:
            _log.info("a message that cannot be read, on %s: %s", topic, problem)

    def _take(self, place: Place, payload: bytes, *, retained: bool) -> None:
        owner, machine, rest = place
        now = self._clock()
        match rest:
            case ("answer", link) if link == self.id:
                self._answer(owner, machine, wire.answer(payload))
            case ("online",):
                said = wire.online(payload)
                seen = now if said.online and not retained else None  # the broker sends a last will, not the machine
                self._gather.see(owner, Seen(machine, seen, said.online, said.firmware))
            case ("state",) | ("metrics",):
                told = wire.values(payload)
                at = min(told.at, now) if told.at else now
                readings = [Reading(machine, name, at, value) for name, value in told.values.items()]
                self._gather.read(owner, readings, is_new=rest == ("metrics",))
                if not retained:
                    self._gather.see(owner, Seen(machine, at))
            case _:
                pass

    def _answer(self, owner: str, machine: str, answer: Answer) -> None:
        """Pass an answer to the caller that waits for it, if it comes from the machine of the order. A second answer is
        ignored, and a late one is stored."""
        waiting = self._waiting.get(answer.id)
        if waiting is None:
            self._gather.answer_late(owner, machine, answer)
        elif waiting[:2] == (owner, machine) and not waiting[2].done():
            waiting[2].set_result(answer)


def number(value: float | None) -> str:
    """A value as text, without a trailing ".0": 21, not 21.0."""
    if value is None:
        return ""
    return str(int(value)) if value == int(value) else str(value)
