"""Random repeat rules, and their dates by a walk over the calendar that shares nothing with the service or dateutil.

Each day from the start on is held against the rule as RFC 5545 states it. Times are wall clock times.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from random import Random
from typing import Literal
from zoneinfo import ZoneInfo

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
ZONES = (
    "Europe/Rome",
    "America/New_York",
    "America/Santiago",  # the clock changes at midnight, and summer is in January
    "Africa/Cairo",  # some days begin at one o'clock
    "Australia/Lord_Howe",  # the clock changes by half an hour
    "Antarctica/Troll",  # the clock changes by two hours
    "Asia/Kolkata",  # the clock never changes
    "UTC",
)
FURTHEST = 60 * 366  # days without a date after which a series is over
Freq = Literal["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule as it was drawn. A day is a number and a weekday: (-1, 4) is the last Friday, (0, 4) every Friday."""

    freq: Freq
    interval: int = 1
    days: tuple[tuple[int, int], ...] = ()
    month_days: tuple[int, ...] = ()
    until: date | None = None  # of the wall clock; a datetime where a time was given
    until_in_utc: datetime | None = None  # the same, where it is given in UTC
    count: int | None = None

    def __str__(self) -> str:
        """The rule as the service keeps it."""
        return self._written(self.until)

    @property
    def given(self) -> str:
        """The rule as it is given to the service: UNTIL may be in UTC."""
        return self._written(self.until_in_utc or self.until)

    @property
    def for_dateutil(self) -> str:
        """The rule as dateutil reads it: a day of UNTIL is meant as a whole."""
        until = self.until
        if until is not None and not isinstance(until, datetime):
            until = datetime.combine(until, time(23, 59, 59))
        return self._written(until)

    def _written(self, until: date | None) -> str:
        parts = [f"FREQ={self.freq}"]
        if self.interval > 1:
            parts.append(f"INTERVAL={self.interval}")
        if self.days:
            parts.append("BYDAY=" + ",".join(f"{number or ''}{WEEKDAYS[day]}" for number, day in self.days))
        if self.month_days:
            parts.append("BYMONTHDAY=" + ",".join(map(str, self.month_days)))
        if isinstance(until, datetime):
            parts.append(f"UNTIL={until:%Y%m%dT%H%M%S}{'Z' if until.tzinfo else ''}")
        elif until:
            parts.append(f"UNTIL={until:%Y%m%d}")
        if self.count:
            parts.append(f"COUNT={self.count}")
        return ";".join(parts)


def walk(rule: Rule, start: datetime) -> Iterator[datetime]:
    """The dates of a rule from its start on, found by looking at every day."""
    given, day, empty = 0, start.date(), 0
    while empty < FURTHEST and (rule.count is None or given < rule.count):
        moment = datetime.combine(day, start.time())
        if rule.until is not None and _is_after(moment, rule.until):
            return
        if _fits(rule, start.date(), day):
            given, empty = given + 1, 0
            yield moment
        day, empty = day + timedelta(days=1), empty + 1


def _is_after(moment: datetime, until: date) -> bool:
    return moment > until if isinstance(until, datetime) else moment.date() > until


def _fits(rule: Rule, start: date, day: date) -> bool:
    """Whether a day is one of the rule's: its period is not skipped, and it is one of the days in that period."""
    if _period(rule.freq, start, day) % rule.interval:
        return False
    named = bool(rule.days or rule.month_days)
    match rule.freq:
        case "WEEKLY" if not named:
            return day.weekday() == start.weekday()
        case "MONTHLY" if not named:
            return day.day == start.day
        case "YEARLY" if not named:
            return (day.month, day.day) == (start.month, start.day)
    return (not rule.days or any(_is_weekday(rule.freq, day, *each) for each in rule.days)) and (
        not rule.month_days or any(_is_day_of_month(day, each) for each in rule.month_days)
    )


def _period(freq: Freq, start: date, day: date) -> int:
    """How many days, weeks, months or years lie between two days. Weeks begin on Monday."""
    match freq:
        case "DAILY":
            return (day - start).days
        case "WEEKLY":
            return (day.toordinal() - 1) // 7 - (start.toordinal() - 1) // 7
        case "MONTHLY":
            return (day.year - start.year) * 12 + day.month - start.month
        case "YEARLY":
            return day.year - start.year


def _is_weekday(freq: Freq, day: date, number: int, weekday: int) -> bool:
    if day.weekday() != weekday or not number:
        return day.weekday() == weekday
    if freq == "MONTHLY":
        at, length = day.day, calendar.monthrange(day.year, day.month)[1]
    else:
        at, length = day.timetuple().tm_yday, 366 if calendar.isleap(day.year) else 365
    return number == ((at - 1) // 7 + 1 if number > 0 else -((length - at) // 7 + 1))


def _is_day_of_month(day: date, number: int) -> bool:
    length = calendar.monthrange(day.year, day.month)[1]
    return number in (day.day, day.day - length - 1)


def draw(chance: Random, day: date, zone: ZoneInfo) -> Rule:
    """A random rule for a series that begins about this day."""
    freq: Freq = chance.choice(("DAILY", "WEEKLY", "MONTHLY", "YEARLY"))
    interval = chance.choice((1, 1, 1, 2, 3, 4))
    rule = _with_days(chance, Rule(freq=freq, interval=interval))
    match chance.choice(("never", "never", "count", "day", "time", "utc")):
        case "count":
            return replace(rule, count=chance.randint(1, 12))
        case "day":
            return replace(rule, until=day + timedelta(days=chance.randint(0, 900)))
        case "time":
            return replace(rule, until=_moment(chance, day))
        case "utc":
            moment = _moment(chance, day).replace(tzinfo=UTC)
            return replace(rule, until=moment.astimezone(zone).replace(tzinfo=None), until_in_utc=moment)
    return rule


def _with_days(chance: Random, rule: Rule) -> Rule:
    """The rule with BYDAY, BYMONTHDAY, both or neither, as far as its frequency allows."""
    kind = chance.random()
    match rule.freq:
        case "WEEKLY" if kind < 0.7:
            return replace(rule, days=_weekdays(chance))
        case "MONTHLY" | "YEARLY" if kind < 0.35:
            return replace(rule, days=_numbered(chance, 5 if rule.freq == "MONTHLY" else 53))
        case "MONTHLY" | "YEARLY" if kind < 0.65:
            return replace(rule, month_days=_month_days(chance))
        case "MONTHLY" | "YEARLY" if kind < 0.75:
            return replace(rule, days=_weekdays(chance), month_days=_month_days(chance))
        case "DAILY" if kind < 0.3:
            return replace(rule, interval=1, days=_weekdays(chance))
        case "DAILY" if kind < 0.4:
            return replace(rule, interval=1, month_days=_month_days(chance))
    return rule


def _weekdays(chance: Random) -> tuple[tuple[int, int], ...]:
    return tuple((0, day) for day in sorted(chance.sample(range(7), chance.randint(1, 5))))


def _numbered(chance: Random, most: int) -> tuple[tuple[int, int], ...]:
    ends = (1, 2, 3, 4, 5, -1, -2, most, -most, chance.randint(1, most))
    days = {(chance.choice(ends), chance.randrange(7)) for _ in range(chance.randint(1, 3))}
    return tuple(sorted(days, key=lambda day: (day[0] < 0, *day)))


def _month_days(chance: Random) -> tuple[int, ...]:
    drawn = {chance.choice((1, 10, 15, 28, 29, 30, 31, -1, -2, -31)) for _ in range(chance.randint(1, 3))}
    return tuple(sorted(drawn, key=lambda day: (day < 0, day)))


def _moment(chance: Random, day: date) -> datetime:
    return datetime.combine(day, time.min) + timedelta(minutes=chance.randint(2_000, 1_000_000))


@cache
def changes_of(zone: ZoneInfo) -> list[datetime]:
    """The moments of 2026 at which the clock changes, in UTC."""
    hours = [datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=number) for number in range(365 * 24)]
    shifts = [hour.astimezone(zone).utcoffset() for hour in hours]
    return [hour for number, hour in enumerate(hours) if number and shifts[number] != shifts[number - 1]]
