"""Rings the reminders that are due. Every replica runs this loop, and each reminder rings once.

The steps are: claim, ring, send, settle. A claim takes due reminders from the queue and holds them for a short lease;
other replicas skip them (SKIP LOCKED). Ringing is a transaction of the user: it locks the task, and if the reminder is
still due, it writes the reminder and a delivery for each channel under unique keys. Messages are sent only after that.
If a replica dies during its lease, another one sends the remaining deliveries.

Reminders do not use procrastinate jobs. Jobs use a separate connection, so a job could not be stored in the transaction
that changes the task, and every change of a task would have to find and cancel its job.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, Protocol
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import msgspec

from sayso.database.pool import Database, Transaction, Unavailable
from sayso.database.queries import statement
from sayso.identity.principal import RESERVED, known_zone
from sayso.languages.spoken import spoken
from sayso.reminders.clock import MORNING, moment, quiet_until, wall_clock
from sayso.reminders.seal import AddressSeal
from sayso.reminders.store import due_text
from sayso.reminders.values import Kind, Ring, Sent
from sayso.serving.messages import Messages
from sayso.settings import Settings

RUNNER = f"{RESERVED}reminders"  # the id under which reminders are claimed; it does not belong to a user
EVERY = 1.0  # seconds between two reads of the queue
BATCH = 50
MOST_ATTEMPTS = 8
LATE = timedelta(minutes=2)  # a reminder that is later than this says so
_AT_ONCE = 4  # users whose reminders ring at the same time
_SQL = Path(__file__).parent / "sql"

say = Messages(Path(__file__).with_name("messages.yaml")).say
_log = logging.getLogger(__name__)


class Sends(Protocol):
    """A sender of messages, which must be ready first."""

    async def ready(self) -> object: ...

    async def send(
        self, kind: Kind, target: Any, *, title: str, body: str, payload: str = "", topic: str = ""
    ) -> Sent: ...


class Claimed(NamedTuple):
    """A reminder that this replica holds for a while."""

    user_id: str
    task_id: UUID
    remind_at: datetime
    until: datetime

    @property
    def key(self) -> dict[str, Any]:
        return {"user_id": self.user_id, "task_id": self.task_id, "remind_at": self.remind_at}


class Delivery(NamedTuple):
    """A reminder to send over a channel."""

    claimed: Claimed
    id: UUID
    attempts: int
    channel: UUID
    kind: Kind
    sealed: str
    ring: Ring


class Runner:
    """The loop of one replica."""

    def __init__(
        self,
        database: Database,
        sender: Sends,
        seal: AddressSeal,
        settings: Settings,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        rang: Callable[[str], None] = lambda _user: None,
    ) -> None:
        self._database, self._sender, self._seal, self._clock = database, sender, seal, clock
        self._lease = timedelta(seconds=settings.reminder_lease)
        self._oldest = timedelta(hours=settings.reminder_late_hours)
        self.rang = rang  # called with the user whose reminder rang

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the loop while the context is open."""
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            began, done = monotonic(), 0
            try:
                done = await self.once()
            except Unavailable as problem:
                _log.warning("reminders wait, the database does not answer: %s", type(problem).__name__)
            except Exception:  # noqa: BLE001  no error may stop the next reminders
                _log.exception("reminders could not be rung")
            if done < BATCH:
                await asyncio.sleep(max(0.05, EVERY - (monotonic() - began)))

    async def once(self) -> int:
        """Ring the reminders that are due, at most one batch. Returns how many were claimed."""
        now, began = self._clock(), monotonic()
        until = now + self._lease
        async with self._database.transaction(RUNNER) as on:
            rows = await on.rows(statement(_SQL, "claim"), now=now, until=until, limit=BATCH)
        claimed = sorted(Claimed(user_id, task, at, until) for user_id, task, at in rows)
        people = [list(group) for _, group in groupby(claimed, lambda each: each.user_id)]
        room = asyncio.Semaphore(_AT_ONCE)

        async def ring(each: Sequence[Claimed]) -> None:
            async with room:
                if monotonic() - began < self._lease.total_seconds() / 2:  # later, it could end while sending
                    await self._ring_for(each)

        came = await asyncio.gather(*(ring(each) for each in people), return_exceptions=True)
        for problem in came:
            if isinstance(problem, Unavailable):
                _log.warning("a reminder waits, the database does not answer")
            elif isinstance(problem, Exception):
                _log.error("a reminder could not be rung", exc_info=problem)
            elif isinstance(problem, BaseException):
                raise problem
        return len(rows)

    async def _ring_for(self, claimed: Sequence[Claimed]) -> None:
        """Ring the reminders of one user, and send them."""
        waiting: list[Delivery] = []
        rang = False
        async with self._database.transaction(claimed[0].user_id) as on:
            for each in claimed:
                is_new, deliveries = await self._ring(on, each)
                rang |= is_new
                waiting += deliveries
        if rang:
            self.rang(claimed[0].user_id)
        if waiting and await self._can_send(waiting[0].claimed.until):
            came = await asyncio.gather(*(self._send(each) for each in waiting))
            async with self._database.transaction(claimed[0].user_id) as on:
                self._settle(on, list(zip(waiting, came, strict=True)))

    async def _ring(self, on: Transaction, claimed: Claimed) -> tuple[bool, list[Delivery]]:
        """Store that a reminder rang, once. Returns whether it rang now, and the deliveries to send."""
        task, found = await on.several(
            (statement(_SQL, "task_hold"), claimed.key), (statement(_SQL, "reminder_at"), claimed.key)
        )
        now = self._clock()
        if not task:  # it was moved, completed or deleted
            return False, _end(on, claimed)
        title, day, at, updated_at, zone_name, language, morning, quiet_from, quiet_to = task[0]
        zone, due = ZoneInfo(known_zone(zone_name) or "UTC"), due_text(day, at)
        late: int | None
        if found:
            reminder, late = found[0]
        else:
            due_at = moment(wall_clock(due, morning or MORNING), zone)
            if now - claimed.remind_at > self._oldest or max(due_at, claimed.remind_at) <= updated_at:
                return False, _end(on, claimed)  # too late to be useful, or already past when the task was last changed
            if quiet := quiet_until(now, zone, quiet_from, quiet_to):
                on.later(statement(_SQL, "claim_later"), **claimed.key, until=claimed.until, at=quiet)
                return False, []
            reminder, waited = uuid4(), now - max(claimed.remind_at, updated_at)
            late = int(waited.total_seconds() // 60) if waited >= LATE else None
            on.later(statement(_SQL, "reminder_add"), **claimed.key, id=reminder, now=now, late=late)
            on.later(statement(_SQL, "deliveries_add"), **claimed.key, now=now)
            on.later(statement(_SQL, "rang_count"), user_id=claimed.user_id)
        rows = await on.rows(statement(_SQL, "deliveries_waiting"), **claimed.key)
        if not rows:
            return not found, _end(on, claimed)
        ring = _worded(reminder, claimed, title, due, language, now.astimezone(zone), late=late is not None)
        return not found, [
            Delivery(claimed, id_, attempts, channel, kind, sealed, ring)
            for id_, attempts, channel, kind, sealed in rows
        ]

    async def _can_send(self, until: datetime) -> bool:
        """Whether the sender is ready and enough of the lease is left. If not, a later claim sends the messages."""
        try:
            await self._sender.ready()
        except (OSError, TimeoutError) as problem:
            _log.warning("reminders cannot be sent: %s", type(problem).__name__)
            return False
        return self._clock() < until - self._lease / 2

    async def _send(self, delivery: Delivery) -> Sent:
        target = self._seal.open(delivery.claimed.user_id, delivery.sealed)
        if target is None:
            return Sent(0, "refused", "sealed_with_another_key")
        ring = delivery.ring
        payload = msgspec.json.encode(ring).decode()
        topic = ring.id.replace("-", "")  # a push service replaces a message of the same topic that is not shown yet
        return await self._sender.send(
            delivery.kind, target, title=ring.title, body=ring.body, payload=payload, topic=topic
        )

    def _settle(self, on: Transaction, came: Sequence[tuple[Delivery, Sent]]) -> None:
        """Store the results of sending. A failed message is sent again later."""
        now, again = self._clock(), dict[Claimed, datetime]()
        for delivery, sent in came:
            state = "sent" if sent.outcome == "sent" else "failed"
            if sent.outcome == "failed" and delivery.attempts + 1 < MOST_ATTEMPTS:
                state = "waiting"
                again[delivery.claimed] = now + timedelta(seconds=min(600, 5 * 2**delivery.attempts))
            if state != "sent":
                _log.warning("a reminder was not sent over %s: %s %s", delivery.kind, sent.outcome, sent.detail)
            user_id = delivery.claimed.user_id
            on.later(statement(_SQL, "delivery_settle"), user_id=user_id, id=delivery.id, state=state, now=now)
            if sent.outcome == "gone":  # the browser has ended its subscription
                on.later(statement(_SQL, "channel_drop"), user_id=user_id, id=delivery.channel)
        for claimed in {delivery.claimed for delivery, _ in came}:
            if at := again.get(claimed):
                on.later(statement(_SQL, "claim_later"), **claimed.key, until=claimed.until, at=at)
            else:
                _end(on, claimed)


def _end(on: Transaction, claimed: Claimed) -> list[Delivery]:
    on.later(statement(_SQL, "claim_end"), **claimed.key, until=claimed.until)
    return []


def _worded(
    reminder: UUID, claimed: Claimed, title: str, due: str, language: str, now: datetime, *, late: bool
) -> Ring:
    """The message for the user, in their language and time zone."""
    words = spoken(language)
    at = claimed.remind_at.astimezone(now.tzinfo).isoformat(timespec="minutes")
    body = say(language, "late" if late else "due", due=words.when(due, now), at=words.when(at, now))
    return Ring(id=str(reminder), task_id=str(claimed.task_id), title=title, body=body, due=due, language=language)
