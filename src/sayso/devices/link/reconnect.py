"""Keeps the connection to the broker open. It reconnects with the same client id, so that queued messages arrive."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import aiomqtt
from aiomqtt import Message, MqttError
from paho.mqtt.subscribeoptions import SubscribeOptions

from sayso.devices.link.broker import Broker, end_if_cancelled

# Seconds that the broker keeps our session while we are disconnected: longer than the longest pause before connecting
# again. If a client is killed, its share of the readings does not reach the other links for this time.
SESSION = 60
_SHORTEST, _LONGEST = 0.1, 15.0  # seconds before connecting again
_CONNECTING = 3.0  # seconds for the broker to accept the connection
_UNSUBSCRIBE_TIMEOUT = 2.0  # seconds for the broker to confirm an unsubscribe

_log = logging.getLogger(__name__)


@dataclass
class Connection:
    """An open connection. `lost` is set when it ends."""

    client: aiomqtt.Client
    lost: asyncio.Event


Told = Callable[[Connection | None], Awaitable[None]]


async def _nobody(_connection: Connection | None) -> None:
    """Ignore the connection."""


async def stay(
    broker: Broker,
    identifier: str,
    filters: Callable[[], list[str]],
    hear: Callable[[Message], None],
    told: Told = _nobody,
) -> None:
    """Stay connected until cancelled. After a loss, reconnect with growing pauses. `told` is called with each
    connection, and with None when it is lost."""
    pause = _SHORTEST
    while True:
        lost = asyncio.Event()
        try:
            async with broker.client(identifier, session=SESSION, timeout=_CONNECTING) as client:
                try:
                    await _subscribe(client, filters())
                    await told(Connection(client, lost))
                    pause = _SHORTEST
                    async for message in client.messages:
                        hear(message)
                except asyncio.CancelledError:
                    await _leave(client, filters())
                    raise
        except (MqttError, OSError, TimeoutError) as problem:
            _log.info("no connection to the broker: %s", problem)
            end_if_cancelled()
        finally:
            lost.set()
            await told(None)
        await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311  so that not all clients reconnect at once
        pause = min(pause * 2, _LONGEST)


async def _subscribe(client: aiomqtt.Client, filters: list[str]) -> None:
    codes = await client.subscribe([(topic, SubscribeOptions(qos=1)) for topic in filters])
    for topic, code in zip(filters, codes, strict=False):
        if getattr(code, "is_failure", False):
            _log.warning("the broker refuses %s: %s. `sayso devices acl` prints what it should allow.", topic, code)


async def _leave(client: aiomqtt.Client, filters: list[str]) -> None:
    """Unsubscribe before the end. This client id is not used again, and its share of the readings goes to the other
    links."""
    with suppress(MqttError, TimeoutError):
        await client.unsubscribe(filters, timeout=_UNSUBSCRIBE_TIMEOUT)
