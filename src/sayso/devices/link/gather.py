"""Collects readings for half a second and writes them together, per owner.

Messages are in memory until the next round. A process that is killed loses the messages since the last round.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import psycopg

from sayso.database.pool import Database, Unavailable
from sayso.devices.inventory import orders, registry
from sayso.devices.inventory.registry import Reading, Seen
from sayso.devices.link.wire import Answer

EVERY = 0.5  # seconds
HISTORY = timedelta(hours=1)  # how long readings are stored
_TIDY = timedelta(minutes=5)
_MOST = 200_000  # readings that wait for the database; beyond that, the oldest are dropped and counted

_log = logging.getLogger(__name__)


@dataclass
class _Heard:
    """The messages of one owner's machines since the last round."""

    seen: dict[str, Seen] = field(default_factory=dict)
    readings: list[Reading] = field(default_factory=list)
    latest: list[Reading] = field(default_factory=list)
    late: list[tuple[str, Answer]] = field(default_factory=list)


class Gather:
    """Buffers messages between the link and the registry. It knows a machine's connection state before the registry
    does."""

    def __init__(self, database: Database, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database, self._clock = database, clock
        self._heard: dict[str, _Heard] = defaultdict(_Heard)
        self._connected: dict[tuple[str, str], bool] = {}
        self._tidied: dict[str, datetime] = {}
        self.kept = self.lost = 0

    def connected(self, owner: str, machine: str) -> bool | None:
        """Whether a machine is connected; None if it has not reported this."""
        return self._connected.get((owner, machine))

    def see(self, owner: str, seen: Seen) -> None:
        """Buffer that a machine was seen, with its reported state."""
        heard = self._heard[owner].seen
        before = heard.get(seen.id)
        if seen.connected is not None:
            self._connected[owner, seen.id] = seen.connected
        if before is not None:
            connected = before.connected if seen.connected is None else seen.connected
            at = max(filter(None, (before.at, seen.at)), default=None)
            seen = Seen(seen.id, at, connected, seen.firmware or before.firmware)
        heard[seen.id] = seen

    def read(self, owner: str, readings: Sequence[Reading], *, is_new: bool = True) -> None:
        """Buffer readings. Readings that are not new change only the latest values, not the history."""
        heard = self._heard[owner]
        (heard.readings if is_new else heard.latest).extend(readings)
        if len(heard.readings) > _MOST:
            self.lost += len(heard.readings) - _MOST
            del heard.readings[:-_MOST]

    def answer_late(self, owner: str, machine: str, answer: Answer) -> None:
        """Buffer an answer that no caller waits for any more."""
        self._heard[owner].late.append((machine, answer))

    async def run(self) -> None:
        """Write the buffered messages in each round, until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            await self.flush()

    async def flush(self, owner: str | None = None) -> None:
        """Write the buffered messages of one owner or of all. If the database is unavailable, try again in the next
        round."""
        if owner is None:
            heard, self._heard = self._heard, defaultdict(_Heard)
        else:
            heard = defaultdict(_Heard, {owner: self._heard.pop(owner)} if owner in self._heard else {})
        for owner, one in heard.items():  # noqa: PLR1704  each owner in turn
            try:
                await self._write(owner, one)
                self.kept += len(one.readings)
            except Unavailable as problem:
                _log.warning("what machines say waits for the database: %s", problem)
                self._put_back(owner, one)
            except psycopg.Error as problem:
                _log.warning("what machines said could not be written: %s", problem)
                self.lost += len(one.readings)

    async def _write(self, owner: str, one: _Heard) -> None:
        now = self._clock()
        async with self._database.transaction(owner) as on:
            if one.seen:
                registry.note_seen(on, owner, list(one.seen.values()))
            if one.latest:
                registry.note_latest(on, owner, one.latest)
            if one.readings:
                registry.note_readings(on, owner, one.readings)
            for machine, answer in one.late:
                await orders.settle_late(on, owner, machine, answer, now)
            if now - self._tidied.get(owner, datetime.min.replace(tzinfo=UTC)) > _TIDY:
                self._tidied[owner] = now
                registry.drop_readings(on, owner, now - HISTORY)

    def _put_back(self, owner: str, one: _Heard) -> None:
        newer, self._heard[owner] = self._heard[owner], one
        for seen in newer.seen.values():
            self.see(owner, seen)
        self.read(owner, newer.latest, is_new=False)
        self.read(owner, newer.readings)
        one.late.extend(newer.late)

    async def close(self) -> None:
        """Write the remaining messages."""
        with suppress(Unavailable):
            await self.flush()
