"""Tells a user about a new question: by web push to paired devices, and at the addresses of `notify` in sayso.json.

A message names the server, the tool and the names of the values, never a value. The link in it leads to the question,
which only a paired browser can see. Messages are sent by the guarded process of the reminders (`reminders.sender`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from sayso.errors import BadData, MissingExtra
from sayso.gateway.config import Config
from sayso.gateway.inbox.html import ROOT
from sayso.gateway.inbox.subscriptions import Subscriptions
from sayso.gateway.messages import say
from sayso.gateway.questions.browsers import Browsers
from sayso.gateway.questions.shown import shown_call
from sayso.gateway.trail.stores import user_here
from sayso.gateway.values import Question
from sayso.reminders.addresses import BadAddress, check_address
from sayso.reminders.sender import Sender
from sayso.reminders.values import Kind, Sent
from sayso.settings import Settings

MOST, WITHIN = 5, 60.0  # messages to a user, and seconds; one more says that there are more
_PLAIN = ("ntfy",)  # `ntfy://TOPIC` is ntfy.sh over HTTPS
_NAMES = 8  # names of values in a message
_LONGEST = 100  # characters of a name

_log = logging.getLogger(__name__)


class Channel(NamedTuple):
    """A way to a user; `device` is that of a browser, which forgets its subscription if it ends."""

    kind: Kind
    target: Any
    name: str
    device: str = ""


class Message(NamedTuple):
    """What is sent."""

    id: str
    title: str
    body: str
    url: str


class Sends(Protocol):
    """What sends a message."""

    async def send(
        self, kind: Kind, target: Any, *, title: str, body: str, payload: str = "", topic: str = ""
    ) -> Sent: ...

    async def close(self) -> None: ...


class Notifier:
    """Sends messages without making the call wait for them."""

    def __init__(
        self,
        addresses: tuple[str, ...],
        owner: str,
        subscriptions: Subscriptions,
        browsers: Browsers,
        sender: Sends,
        lang: str | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._addresses, self._owner = addresses, owner
        self._subscriptions, self._browsers = subscriptions, browsers
        self._sender, self._lang, self._clock = sender, lang, clock
        self._sending: set[asyncio.Task[None]] = set()
        self._recent: dict[str, deque[float]] = {}

    def channels(self, user: str) -> list[Channel]:
        """Where this user is told: the addresses of the file are for the user of this machine."""
        given = self._addresses if user == self._owner else ()
        addresses = [Channel("address", each, f"{each.partition(':')[0]}://…") for each in given]
        pushes = [
            Channel("push", each.target, f"web push, {each.device[:6]}", each.device)
            for each in self._subscriptions.of(user, self._browsers)
        ]
        return [*addresses, *pushes]

    def reaches(self, user: str) -> bool:
        return bool(self.channels(user))

    def tell(self, user: str, question: Question, url: str, until: float) -> None:
        """Say that a question is open; beyond a number per minute once that there are more."""
        now, recent = self._clock(), self._recent.setdefault(user, deque())
        while recent and now - recent[0] > WITHIN:
            recent.popleft()
        if len(recent) > MOST:
            return
        recent.append(now)
        inbox = url.partition("/confirm/")[0] + ROOT
        message = self._about(question, url, until) if len(recent) <= MOST else self._more(question, inbox)
        task = asyncio.get_running_loop().create_task(self._send(user, message))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def attempt(self, user: str, inbox: str) -> list[tuple[str, Sent]]:
        """Send a test to each channel and return the results."""
        title, body = say(self._lang, "notify_try"), say(self._lang, "notify_try_body", url=inbox)
        return await self._to_all(user, Message("0" * 32, title, body, inbox))

    async def close(self) -> None:
        """Cancels messages that are still being sent."""
        for task in list(self._sending):
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)
        await self._sender.close()

    def _about(self, question: Question, url: str, until: float) -> Message:
        call = shown_call(question.wanted.server, question.wanted.tool, {})[:_LONGEST]
        names = [shown_call("", name, {})[:_LONGEST] for name in list(question.asks.arguments)[:_NAMES]]
        time_of_day = datetime.fromtimestamp(until).astimezone().strftime("%H:%M")
        told = ", ".join(names) or say(self._lang, "notify_none")
        title = say(self._lang, "notify_title", call=call)
        body = say(self._lang, "notify_body", time=time_of_day, names=told, url=url)
        return Message(question.id.replace("-", "")[:32], title, body, url)

    def _more(self, question: Question, inbox: str) -> Message:
        title, body = say(self._lang, "notify_more"), say(self._lang, "notify_more_body", url=inbox)
        return Message(question.id.replace("-", "")[:32], title, body, inbox)

    async def _send(self, user: str, message: Message) -> None:
        for name, sent in await self._to_all(user, message):
            if sent.outcome != "sent":
                _log.warning("a notification was not sent (%s): %s %s", name, sent.outcome, sent.detail)

    async def _to_all(self, user: str, message: Message) -> list[tuple[str, Sent]]:
        channels = self.channels(user)
        sent = await asyncio.gather(*(self._to(each, message) for each in channels))
        for channel, outcome in zip(channels, sent, strict=True):
            if outcome.outcome == "gone" and channel.device:
                self._subscriptions.remove(user, channel.device)
        return [(channel.name, outcome) for channel, outcome in zip(channels, sent, strict=True)]

    async def _to(self, channel: Channel, message: Message) -> Sent:
        told = {"id": message.id, "title": message.title, "body": message.body, "url": message.url}
        return await self._sender.send(
            channel.kind,
            channel.target,
            title=message.title,
            body=message.body,
            payload=msgspec.json.encode(told).decode(),
            topic=message.id,
        )


def open_notifier(
    config: Config, file: Path, settings: Settings, subscriptions: Subscriptions, browsers: Browsers
) -> Notifier | None:
    """The notifier of a gateway; None if nothing is set. BadData for an address that cannot be used."""
    addresses = config.sayso.notify
    if not addresses and settings.push_key is None:
        return None
    schemes = {*settings.reminder_schemes, *_PLAIN}
    for number, address in enumerate(addresses):
        try:
            check_address(address, schemes)
        except BadAddress as problem:
            remedy = "Other kinds of addresses are allowed by SAYSO_REMINDER_SCHEMES."
            raise BadData(str(file), f"sayso.notify[{number}]", str(problem), remedy) from None
    for name in ("requests", "apprise" if addresses else "pywebpush"):
        if find_spec(name) is None:
            raise MissingExtra("notify", name)
    return Notifier(addresses, user_here(settings), subscriptions, browsers, Sender(settings), config.sayso.lang)
