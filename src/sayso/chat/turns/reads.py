"""Reads for the page: conversations, tasks, machines and the trail, each in a transaction of its user."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

from sayso.assistant.values import Json
from sayso.chat.turns.machines import Machines
from sayso.database.pool import Database, Transaction
from sayso.identity.principal import Principal
from sayso.ledger import history, trail
from sayso.ledger.chain import Entry, Verified
from sayso.ledger.values import History, Spoken
from sayso.reminders import store
from sayso.serving.epochs import Epochs
from sayso.serving.person import People, Person
from sayso.tasks import operations
from sayso.tasks.hands import changes_of_one
from sayso.tasks.values import Day, ListResult, ListTasks


class Looking:
    """Reads rows of one user, and never those of another."""

    def __init__(self, database: Database, machines: Machines | None, zone: str, clock: Callable[[], datetime]) -> None:
        self._database, self._machines, self._clock = database, machines, clock
        self._people = People(zone)
        self.epochs = Epochs(database)

    @asynccontextmanager
    async def acting(self, who: Principal) -> AsyncIterator[tuple[Transaction, Person]]:
        """A transaction of this user."""
        async with self._database.transaction(who.id) as on:
            yield on, await self._people.meet(on, who, self._clock())

    async def person(self, who: Principal) -> Person:
        """The user with their clock, time zone and language."""
        async with self.acting(who) as (_on, person):
            return person

    async def end_sessions(self, who: Principal) -> None:
        """End all page sessions of a user, including this one."""
        async with self.acting(who) as (on, _person):
            await self.epochs.end_sessions(on, who.id)
        await self.epochs.read(who.id)

    async def conversations(self, who: Principal, limit: int) -> list[Spoken]:
        """The last conversations of a user."""
        async with self.acting(who) as (on, _person):
            return await history.conversations(on, who.id, limit)

    async def conversation(self, who: Principal, conversation: UUID, limit: int) -> History:
        """The current state of a conversation, with its last turns."""
        async with self.acting(who) as (on, person):
            return await history.read(on, who.id, conversation, limit, person.now)

    async def tasks(self, who: Principal, given: ListTasks) -> ListResult:
        """The user's tasks."""
        async with self.acting(who) as (on, person):
            return await operations.list_tasks(on, person, given)

    async def day(self, who: Principal) -> Day:
        """How many tasks of today are done and left."""
        async with self.acting(who) as (on, person):
            return await operations.day(on, person)

    async def machines(self, who: Principal, limit: int, points: int) -> Json:
        """An overview of the user's machines."""
        if self._machines is None:
            return {"machines": [], "more": 0}
        await self._machines.catch_up(who)
        async with self.acting(who) as (on, person):
            return await self._machines.overview(on, person, limit, points)

    async def changes(self, user_ids: Sequence[str]) -> dict[str, int]:
        """The change counter of each user's list."""
        found = await self._database.of_each(user_ids, changes_of_one())
        return {user_id: rows[0][0] if rows else 0 for user_id, rows in found.items()}

    async def rang(self, who: Principal) -> int:
        """How often reminders of the user have rung."""
        async with self.acting(who) as (on, _person):
            return await store.rang(on, who.id)

    async def trail(
        self, who: Principal, after: int, limit: int, *, kinds: Sequence[str] = (), newest: bool = False
    ) -> list[Entry]:
        """The trail of messages, decisions and calls, the oldest or the newest first."""
        async with self.acting(who) as (on, _person):
            return await trail.look(on, who.id, after, limit, kinds=kinds, newest=newest)

    async def verify(self, who: Principal) -> Verified:
        """Check that the trail was not changed."""
        async with self.acting(who) as (on, _person):
            return await trail.verify(on, who.id)
