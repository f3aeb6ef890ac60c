"""Notifies open pages when their user's list has changed, on any replica.

Every change increments a counter in the database. Every two seconds, a process reads the counters of all users whose
pages it has open, in few round trips. This is reliable. A message over Redis makes the process read at once. This is
faster, but the message may be lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING
from uuid import uuid4

from redis.asyncio import Redis
from redis.exceptions import RedisError

from sayso.assistant.values import Reply
from sayso.chat.guards.problems import Problem
from sayso.database.pool import Unavailable
from sayso.decision import Nothing
from sayso.settings import Settings

if TYPE_CHECKING:
    from redis.asyncio.client import PubSub

EVERY = 2.0  # seconds between two reads of all counters
SIGN_OF_LIFE = 15.0
LONGEST = 900.0  # seconds of a stream; a client that reconnects is authenticated again
PER_PERSON = 10
MOST = 1_500  # per process
_TOGETHER = 200  # users whose counters are read in one round trip
_LISTEN = 0.25  # seconds until a new page's user is subscribed to
_PAUSE = 2.0  # seconds until Redis is tried again
_CHANNEL = "sayso:changed:"

Counts = Callable[[Sequence[str]], Awaitable[dict[str, int]]]

_log = logging.getLogger(__name__)


class Window:
    """An open page: the last counter that it was sent, and an event for changes."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.number = -1

    def tell(self, number: int) -> None:
        if number != self.number:
            self.number = number
            self.news.set()


class Watch:
    """The open pages of a process."""

    def __init__(self, settings: Settings) -> None:
        url = settings.redis_url
        self._redis = Redis.from_url(url, socket_connect_timeout=_PAUSE) if url else None
        self._name = uuid4().hex.encode()
        self._windows: dict[str, set[Window]] = {}
        self._nudged: set[str] = set()
        self._wake, self._over = asyncio.Event(), False
        self._publishing: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    @asynccontextmanager
    async def running(self, counts: Counts) -> AsyncIterator[None]:
        """Read counters and listen to Redis while the context is open."""
        self._loop = asyncio.get_running_loop()
        tasks = [asyncio.create_task(self._look(counts))]
        if self._redis is not None:
            tasks.append(asyncio.create_task(self._listen(self._redis)))
        try:
            yield
        finally:
            self._end()
            for task in (*tasks, *self._publishing):
                task.cancel()
            await asyncio.gather(*tasks, *self._publishing, return_exceptions=True)
            if self._redis is not None:
                await self._redis.aclose()

    def end(self) -> None:
        """End all streams, from any thread, so that a stopping process does not wait for pages to close."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end)

    def admit(self, user_id: str) -> None:
        """Raise Problem if no more pages can be watched."""
        if len(self._windows.get(user_id, ())) >= PER_PERSON:
            raise Problem("rate_limited", headers={"Retry-After": "30"})
        if self._over or sum(map(len, self._windows.values())) >= MOST:
            raise Problem("unavailable", headers={"Retry-After": "5"})

    async def stream(self, user_id: str, seen: int, now: int) -> AsyncIterator[int | None]:
        """The counter each time it changes, starting after `seen`; None as a keep-alive."""
        window, until = Window(), monotonic() + LONGEST
        window.number = seen
        self._windows.setdefault(user_id, set()).add(window)
        try:
            window.tell(now)
            while not self._over and (left := until - monotonic()) > 0:
                try:
                    await asyncio.wait_for(window.news.wait(), min(left, SIGN_OF_LIFE))
                except TimeoutError:
                    yield None
                    continue
                window.news.clear()
                if not self._over:
                    yield window.number
        finally:
            self._windows[user_id].discard(window)
            if not self._windows[user_id]:
                del self._windows[user_id]

    def is_open(self, user_id: str) -> bool:
        """Whether this process has a page of the user open."""
        return user_id in self._windows

    def nudge(self, user_id: str) -> None:
        """A user's list may have changed: make every process with an open page of that user read the counter at
        once."""
        self._look_at(user_id)
        if self._redis is not None:
            task = asyncio.create_task(self._publish(self._redis, user_id))
            self._publishing.add(task)
            task.add_done_callback(self._publishing.discard)

    def _look_at(self, user_id: str) -> None:
        if user_id in self._windows:
            self._nudged.add(user_id)
            self._wake.set()

    def _end(self) -> None:
        self._over = True
        for windows in self._windows.values():
            for window in windows:
                window.news.set()

    async def _look(self, counts: Counts) -> None:
        due = monotonic() + EVERY
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), max(0.0, due - monotonic()))
            self._wake.clear()
            people, self._nudged = list(self._nudged & self._windows.keys()), set()
            if monotonic() >= due:
                people, due = list(self._windows), monotonic() + EVERY
            for first in range(0, len(people), _TOGETHER):
                await self._look_together(counts, people[first : first + _TOGETHER])

    async def _look_together(self, counts: Counts, people: Sequence[str]) -> None:
        try:
            found = await counts(people)
        except Unavailable:  # the next read will find the change
            return
        except Exception:  # noqa: BLE001  no error may stop the loop
            _log.exception("the change counts cannot be read")
            return
        for user_id, number in found.items():
            for window in self._windows.get(user_id, ()):
                window.tell(number)

    async def _publish(self, redis: Redis, user_id: str) -> None:
        try:
            async with asyncio.timeout(_PAUSE):
                await redis.publish(_channel(user_id), self._name)
        except (RedisError, OSError) as problem:  # OSError includes the timeout
            _log.info("a nudge was lost: %s", type(problem).__name__)

    async def _listen(self, redis: Redis) -> None:
        while True:
            try:
                async with redis.pubsub(ignore_subscribe_messages=True) as heard:
                    await self._hear(heard)
            except (RedisError, OSError) as problem:
                _log.warning("redis does not answer, so changes are found by polling only: %s", type(problem).__name__)
            await asyncio.sleep(_PAUSE)

    async def _hear(self, heard: PubSub) -> None:
        """Listen for changes of the users whose pages are open."""
        whose: dict[bytes, str] = {}
        while True:
            wanted = {_channel(user_id): user_id for user_id in self._windows}
            if new := wanted.keys() - whose.keys():
                await heard.subscribe(*new)
            if gone := whose.keys() - wanted.keys():
                await heard.unsubscribe(*gone)
            whose = wanted
            if not whose:
                await asyncio.sleep(_LISTEN)
                continue
            message = await heard.get_message(timeout=_LISTEN)
            if message is not None and message["data"] != self._name and message["channel"] in whose:
                self._look_at(whose[message["channel"]])


def may_have_changed(reply: Reply) -> bool:
    """Whether a turn may have changed the list: it has an undo step, or it was an undo."""
    return reply.undo is not None or any(
        isinstance(decision, Nothing) and decision.reason == "cancelled" for decision in reply.decisions
    )


def _channel(user_id: str) -> bytes:
    """A hash of the id, because ids are personal data and may contain any character."""
    return f"{_CHANNEL}{sha256(user_id.encode()).hexdigest()[:32]}".encode()
