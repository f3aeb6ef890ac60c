"""Runs simulated machines on a broker, with last will and metrics. Each order runs once and before it expires."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import uniform
from uuid import UUID

import aiomqtt
from aiomqtt import Message, MqttError, Will
from paho.mqtt.subscribeoptions import SubscribeOptions

from sayso.devices.link import wire
from sayso.devices.link.broker import Broker, end, end_if_cancelled, message_properties
from sayso.devices.link.topics import ANSWER, METRICS, ONLINE, SET, STATE, Topics
from sayso.devices.link.wire import Answer, Garbled, Online, Order, Values
from sayso.devices.simulate.fleet import FIRMWARE, Simulated, refusal

SESSION = 300  # seconds that the broker keeps orders for a disconnected machine; each order has its own expiry
_REMEMBERED = timedelta(minutes=5)  # how long the id of an order is known after its expiry
_OFFLINE = wire.written(Online(online=False))

_log = logging.getLogger(__name__)

Effect = Callable[[str, Order, datetime], None]


class Body:
    """A machine that runs each order once. Its state is independent of its connections."""

    def __init__(self, owner: str, simulated: Simulated, *, language: str = "en", effect: Effect | None = None) -> None:
        self.owner, self.simulated, self._language, self._effect = owner, simulated, language, effect
        self._known: dict[UUID, tuple[Answer, datetime]] = {}

    @property
    def id(self) -> str:
        return self.simulated.machine.id

    def obey(self, order: Order, now: datetime) -> Answer:
        """Run an order and return its result. A known order gets its earlier result, and an expired one is not run."""
        known = self._known.get(order.id)
        if known is not None:
            return known[0]
        answer = self._do(order, now)
        self._known = {key: one for key, one in self._known.items() if one[1] + _REMEMBERED > now}
        self._known[order.id] = (answer, order.expires_at)
        return answer

    def _do(self, order: Order, now: datetime) -> Answer:
        if now >= order.expires_at:
            return Answer(id=order.id, status="expired")
        inside = self.simulated.inside
        did = inside.do(order.command, order.value)
        if did.refusal is not None:
            return Answer(id=order.id, status="refused", reason=refusal(did.refusal, inside, self._language))
        if self._effect is not None:
            self._effect(self.owner, order, now)
        return Answer(id=order.id, status="done", changed=did.changed, state=inside.measure())


class Station:
    """Machines of one owner on one connection: usually one machine, or several as behind a gateway. A last will covers
    only one machine, so several machines on a connection have none."""

    def __init__(
        self,
        broker: Broker,
        topics: Topics,
        bodies: Sequence[Body],
        *,
        every: float = 5.0,
        speed: float = 1.0,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._broker, self._topics, self._clock = broker, topics, clock
        self._bodies = {topics.of(body.owner, body.id, SET): body for body in bodies}
        self._every, self._speed = every, speed
        self.is_measuring = True
        self.sent = 0  # readings that the broker accepted

    async def run(self) -> None:
        """Stay connected and measure, until cancelled."""
        first = next(iter(self._bodies.values()))
        name = f"sayso-sim-{sha256(f'{first.owner}/{first.id}'.encode()).hexdigest()[:16]}"
        online = self._topics.of(first.owner, first.id, ONLINE)
        will = Will(online, _OFFLINE, qos=1, retain=True) if len(self._bodies) == 1 else None
        while True:
            try:
                async with self._broker.client(name, will=will, session=SESSION) as client:
                    await self._serve(client)
            except (MqttError, OSError, TimeoutError) as problem:
                _log.debug("a machine lost its connection: %s", problem)
                end_if_cancelled()
            await asyncio.sleep(uniform(0.1, 0.6))  # noqa: S311

    async def leave(self, client: aiomqtt.Client) -> None:
        """Publish that the machines are offline: the broker sends no last will after an orderly disconnect."""
        with suppress(MqttError):
            for body in self._bodies.values():
                topic = self._topics.of(body.owner, body.id, ONLINE)
                await client.publish(topic, _OFFLINE, qos=1, retain=True, timeout=2)

    async def _serve(self, client: aiomqtt.Client) -> None:
        measuring: asyncio.Task[None] | None = None
        try:
            await self._arrive(client)
            measuring = asyncio.create_task(self._measure(client))
            measuring.add_done_callback(lambda task: task.cancelled() or task.exception())  # as the message loop ends
            async for message in client.messages:
                await self._hear(client, message)
        except asyncio.CancelledError:
            await self.leave(client)
            raise
        finally:
            if measuring is not None:
                await end(measuring)

    async def _arrive(self, client: aiomqtt.Client) -> None:
        """Subscribe to orders, and publish the connection and state of each machine."""
        filters = [(topic, SubscribeOptions(qos=1)) for topic in self._bodies]
        for start in range(0, len(filters), 100):
            await client.subscribe(filters[start : start + 100])
        online = wire.written(Online(online=True, firmware=FIRMWARE))
        for body in self._bodies.values():
            await client.publish(self._topics.of(body.owner, body.id, ONLINE), online, qos=1, retain=True)
            await self._show(client, body)

    async def _hear(self, client: aiomqtt.Client, message: Message) -> None:
        """Run an order and publish the answer on its response topic. A retained message is ignored, since it may be
        old."""
        body = self._bodies.get(message.topic.value)
        respond = getattr(message.properties, "ResponseTopic", None)
        if body is None or message.retain:
            return
        try:
            order = wire.order(bytes(message.payload))
        except Garbled:
            return
        answer = body.obey(order, self._clock())
        own = self._topics.of(body.owner, body.id, ANSWER)
        if isinstance(respond, str) and respond.startswith(f"{own}/"):
            correlation = message_properties(CorrelationData=order.id.bytes)
            await client.publish(respond, wire.written(answer), qos=1, properties=correlation)
        if answer.status == "done":
            await self._show(client, body)

    async def _measure(self, client: aiomqtt.Client) -> None:
        """Publish a reading of each machine in every period, spread evenly over it."""
        bodies = list(self._bodies.values())
        loop = asyncio.get_running_loop()
        at = loop.time() + uniform(0, self._every)  # noqa: S311
        while True:
            for body in bodies:
                at += self._every / len(bodies)
                await asyncio.sleep(max(0.0, at - loop.time()))
                if not self.is_measuring:
                    return
                body.simulated.inside.pass_time(self._every * self._speed)
                await client.publish(
                    self._topics.of(body.owner, body.id, METRICS), self._reading(body), qos=1, timeout=30
                )
                self.sent += 1

    async def _show(self, client: aiomqtt.Client, body: Body) -> None:
        await client.publish(self._topics.of(body.owner, body.id, STATE), self._reading(body), qos=1, retain=True)

    def _reading(self, body: Body) -> bytes:
        return wire.written(Values(values=body.simulated.inside.measure(), at=self._clock()))
