"""The user of a call: clock, time zone and language, cached for some minutes."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.identity.principal import Principal, known_zone
from sayso.serving.messages import COMMON

_SQL = Path(__file__).parent / "sql"
_MOST = 10_000
_MINUTES = 10


@dataclass(frozen=True, kw_only=True)
class Person:
    """A user, and their local time."""

    id: str
    name: str | None
    email: str | None
    zone: ZoneInfo
    language: str
    now: datetime

    @property
    def wall_clock(self) -> datetime:
        """The user's local time, without a zone."""
        return self.now.astimezone(self.zone).replace(tzinfo=None)


class People:
    """Caches the users of recent calls. A user who is not cached is stored and read in the database, and their expired
    rows are deleted."""

    def __init__(self, default_zone: str) -> None:
        self._default_zone = known_zone(default_zone) or "UTC"
        self._met: OrderedDict[Principal, tuple[datetime, tuple[str | None, str | None, ZoneInfo, str]]] = OrderedDict()

    async def meet(self, on: Transaction, who: Principal, now: datetime) -> Person:
        met = self._met.get(who)
        if met is None or (now - met[0]).total_seconds() > _MINUTES * 60:
            met = (now, await self._look(on, who, now))
            self._met[who] = met
            self._met.move_to_end(who)
            while len(self._met) > _MOST:
                self._met.popitem(last=False)
        name, email, zone, spoken = met[1]
        return Person(id=who.id, name=name, email=email, zone=zone, language=spoken, now=now)

    async def _look(
        self, on: Transaction, who: Principal, now: datetime
    ) -> tuple[str | None, str | None, ZoneInfo, str]:
        found = await on.row(
            statement(_SQL, "user_meet"),
            user_id=who.id,
            name=who.name,
            email=who.email,
            zone=who.zone,
            language=who.language and COMMON.language(who.language),
            default_zone=self._default_zone,
        )
        if found is None:
            raise AssertionError("meeting somebody leaves a row")
        on.later(statement(_SQL, "tidy"), user_id=who.id, now=now)
        name, email, zone, spoken = found
        return name, email, ZoneInfo(known_zone(zone) or self._default_zone), spoken
