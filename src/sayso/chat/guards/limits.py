"""Rate limits per user: a sliding window on Redis that all replicas share, and a limit on concurrent requests.

Large cases also count by their cost. If Redis does not answer, each process counts separately: the limit then applies
per process, and no user is locked out. The token and the database protect the data, not these limits.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from math import ceil
from time import monotonic, time
from typing import Any

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from sayso.errors import BadSetting
from sayso.settings import Settings

PATIENCE = 0.25  # seconds that Redis may take
PAUSE = 2.0  # seconds until Redis is tried again after a failure
MOST_REFUSED = 10_000  # refused users in the cache, before expired entries are deleted
AT_ONCE = 3  # concurrent requests of one user in one process
IN_LINE = 60  # more requests that may wait
CASES_AT_ONCE = 1  # concurrent cases of one user in one process
CASES_IN_LINE = 10
_PREFIX = "sayso:rate"
_COST = " cost"
_BYTES, _THINGS = 16 * 1024, 100  # one unit of cost each

_log = logging.getLogger(__name__)


def cost_of_size(size: int) -> int:
    """The cost of a case by its size in bytes; 0 for a small case."""
    return size // _BYTES


def cost_of_things(things: int, size: int) -> int:
    """The additional cost of a case with this many things, since a decision takes longer with more things."""
    return max(0, things // _THINGS - cost_of_size(size))


def limit_of(text: str, name: str) -> RateLimitItem:
    """The limit that a setting names, or BadSetting."""
    try:
        limit = parse(text)
    except ValueError:
        raise BadSetting(name, 'cannot be read: write it as "120/minute"') from None
    if limit.amount < 1:
        raise BadSetting(name, 'must be at least 1: write it as "120/minute"')
    return limit


def check_limits(settings: Settings) -> None:
    """Raise BadSetting if the limits in the settings are not usable."""
    limit_of(settings.rate_limit, "SAYSO_RATE_LIMIT")
    limit_of(settings.cost_limit, "SAYSO_COST_LIMIT")
    if settings.redis_url is None and not settings.in_development:
        raise BadSetting(
            "SAYSO_REDIS_URL",
            "is not set, and replicas share their rate limits in Redis: set it to redis://HOST:6379/0",
        )
    if settings.redis_url is not None and not settings.redis_url.startswith(("redis://", "rediss://")):
        raise BadSetting("SAYSO_REDIS_URL", "cannot be read: write redis://HOST:6379/0, or rediss:// for TLS")


class RateLimit:
    """Counts the requests of each user."""

    def __init__(self, settings: Settings) -> None:
        check_limits(settings)
        self._limit = limit_of(settings.rate_limit, "SAYSO_RATE_LIMIT")
        self._cost_limit = limit_of(settings.cost_limit, "SAYSO_COST_LIMIT")
        self._alone = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._redis: Redis | None = None
        self._shared: SlidingWindowCounterRateLimiter | None = None
        if settings.redis_url is not None:
            self._redis = Redis.from_url(
                settings.redis_url,
                socket_timeout=PATIENCE,
                socket_connect_timeout=PATIENCE,
                retry=Retry(NoBackoff(), 0),
            )
            self._shared = SlidingWindowCounterRateLimiter(_storage(settings.redis_url, self._redis))
        self._away_until = float("-inf")
        self._refused: dict[str, float] = {}

    async def hit(self, user_id: str, counter: str = "") -> int | None:
        """Count a request. Returns None if it may pass, otherwise the seconds to wait. A user who does not wait is
        refused without a lookup, so that a flood stays cheap. Each `counter` has its own count."""
        return await self._admit(self._limit, _key(user_id) + counter, 1)

    async def spend(self, user_id: str, cost: int) -> int | None:
        """Count the cost of a request. Returns None if it may pass, otherwise the seconds to wait. A request that costs
        more than the whole limit passes if nothing else was spent."""
        if cost < 1:
            return None
        return await self._admit(self._cost_limit, _key(user_id) + _COST, min(cost, self._cost_limit.amount))

    async def _admit(self, limit: RateLimitItem, key: str, cost: int) -> int | None:
        now = monotonic()
        if (until := self._refused.get(key, now)) > now:
            return ceil(until - now)
        wait = await self._count(limit, key, cost)
        if wait is not None:
            if len(self._refused) >= MOST_REFUSED:
                self._refused = {other: until for other, until in self._refused.items() if until > now}
            self._refused[key] = now + wait
        return wait

    async def _count(self, limit: RateLimitItem, key: str, cost: int) -> int | None:
        if self._shared is not None and monotonic() >= self._away_until:
            try:
                return await self._hit(self._shared, limit, key, cost)
            except (RedisError, OSError) as problem:
                self._away_until = monotonic() + PAUSE
                _log.warning("redis does not answer, so each process counts separately: %s", type(problem).__name__)
        return await self._hit(self._alone, limit, key, cost)

    async def _hit(
        self, limiter: SlidingWindowCounterRateLimiter, limit: RateLimitItem, key: str, cost: int
    ) -> int | None:
        if await limiter.hit(limit, key, cost=cost):
            return None
        window = await limiter.get_window_stats(limit, key)
        return max(1, ceil(window.reset_time - time()))

    async def close(self) -> None:
        if self._redis is not None:
            await self._redis.aclose()


async def forget(url: str, user_id: str) -> int:
    """Drop a user's counters and return how many there were. Otherwise they expire within two windows."""
    async with Redis.from_url(url, socket_timeout=10, socket_connect_timeout=10) as redis:
        keys = [key async for key in redis.scan_iter(match=f"{_PREFIX}*{_key(user_id)}*", count=1000)]
        return int(await redis.delete(*keys)) if keys else 0


def _key(user_id: str) -> str:
    """A hash of the id, because ids are personal data and may contain any character."""
    return sha256(user_id.encode()).hexdigest()[:32]


class ConcurrencyLimit:
    """Limits the concurrent requests of one user in this process; the others wait in a queue. One user must not occupy
    all database connections."""

    def __init__(self, most: int = AT_ONCE, in_line: int = IN_LINE) -> None:
        self._most, self._all = most, most + in_line
        self._here: dict[str, int] = {}
        self._gates: dict[str, asyncio.Semaphore] = {}

    @asynccontextmanager
    async def admit(self, user_id: str) -> AsyncIterator[bool]:
        """Wait for a free slot. Yields False if the queue is full."""
        here = self._here.get(user_id, 0)
        if here >= self._all:
            yield False
            return
        self._here[user_id] = here + 1
        try:
            async with self._gates.setdefault(user_id, asyncio.Semaphore(self._most)):
                yield True
        finally:
            self._here[user_id] -= 1
            if not self._here[user_id]:
                del self._here[user_id], self._gates[user_id]


def _storage(url: str, redis: Redis) -> RedisStorage:
    """The counter storage on this connection pool."""
    pool: Any = redis.connection_pool  # the package's types allow only numbers and strings, but a pool works
    return RedisStorage(url, implementation="redispy", key_prefix=_PREFIX, connection_pool=pool)
