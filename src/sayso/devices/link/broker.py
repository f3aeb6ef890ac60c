"""The broker: its address, our credentials, and an MQTT 5 connection."""

from __future__ import annotations

import asyncio
import logging
import ssl
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

import aiomqtt
from aiomqtt import ProtocolVersion, Will
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from sayso.errors import BadSetting
from sayso.settings import Settings

_PORTS = {"mqtt": 1883, "mqtts": 8883}
_KEEPALIVE = 20  # seconds
_IN_FLIGHT = 1000  # unacknowledged messages; with a lower limit, further messages would be sent late
_quiet = logging.getLogger("sayso.mqtt")
_quiet.setLevel(logging.ERROR)


@dataclass(frozen=True, kw_only=True)
class Broker:
    """An MQTT broker, and our login."""

    host: str
    port: int
    username: str | None = None
    password: str | None = None
    encrypted: bool = False

    def client(
        self, identifier: str, *, will: Will | None = None, session: int = 0, timeout: float = 5
    ) -> aiomqtt.Client:
        """A client that is not connected yet. `session` is the number of seconds for which the broker keeps our session
        and its messages while we are disconnected. With 0 each connection starts a new session."""
        return aiomqtt.Client(
            self.host,
            self.port,
            username=self.username,
            password=self.password,
            identifier=identifier,
            protocol=ProtocolVersion.V5,
            will=will,
            clean_start=session == 0,
            properties=_properties(PacketTypes.CONNECT, SessionExpiryInterval=session, ReceiveMaximum=_IN_FLIGHT),
            keepalive=_KEEPALIVE,
            max_inflight_messages=_IN_FLIGHT,
            tls_context=ssl.create_default_context() if self.encrypted else None,
            timeout=timeout,
            logger=_quiet,
        )


def broker_of(settings: Settings) -> Broker:
    """The broker of the settings, or BadSetting. The message never repeats a password."""
    if settings.mqtt_url is None:
        raise BadSetting("SAYSO_MQTT_URL", "is not set: name the broker, mqtt://USER:PASSWORD@HOST or mqtts://…")
    try:
        parts = urlsplit(settings.mqtt_url.get_secret_value())
        usable = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0 and parts.path in ("", "/")
    except ValueError:
        usable = False
    if not usable:
        raise BadSetting("SAYSO_MQTT_URL", "cannot be read: write mqtt://USER:PASSWORD@HOST or mqtts://…")
    return Broker(
        host=parts.hostname or "",
        port=parts.port or _PORTS[parts.scheme],
        username=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        encrypted=parts.scheme == "mqtts",
    )


def end_if_cancelled() -> None:
    """Raise CancelledError if the current task was cancelled: an error while closing a connection may have replaced
    it."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks until they end: in Python 3.11 a wait with a time-out may swallow a cancellation."""
    left = [task for task in tasks if not task.done()]
    while left:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=5)  # time for an orderly end
        left = [task for task in left if not task.done()]
    await asyncio.gather(*tasks, return_exceptions=True)


def message_properties(**given: Any) -> Properties:
    """The properties of a message: expiry, response topic, correlation data."""
    return _properties(PacketTypes.PUBLISH, **given)


def _properties(kind: int, **given: Any) -> Properties:
    made: Any = Properties(kind)  # type: ignore[no-untyped-call]
    for name, value in given.items():
        setattr(made, name, value)
    return made  # type: ignore[no-any-return]
