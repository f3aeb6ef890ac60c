"""Defines repeats and lead times as values.

"every other monday at 9" → Repeat(WEEKLY, interval=2, days=((0, 0),), time=(9, 0)), whose rule is
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO. "10 minutes before" → Lead(minutes=10), PT10M.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from sayso.engine.values.specs import Part
from sayso.engine.values.when import LAST_YEAR, days_in

Frequency = Literal["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FURTHEST = 366 * 9  # days to search; even 29 February occurs within them


class Repeat(NamedTuple):
    """A recurrence rule, with what was said about its first occurrence."""

    frequency: Frequency
    interval: int = 1
    days: tuple[tuple[int, int], ...] = ()  # (which of the month, or 0 for every one; weekday, Monday is 0)
    month_days: tuple[int, ...] = ()  # negative numbers count from the end
    until: date | None = None
    times: int | None = None
    anchor: tuple[int, int] | None = None  # month and day of a yearly rule
    start: date | None = None  # the first occurrence is not before this day
    part: Part | None = None
    time: tuple[int, int] | None = None
    sure: bool = True  # False if the words may also mean a single date

    @property
    def rule(self) -> str:
        """The rule as RFC 5545 text, without DTSTART: FREQ, INTERVAL, BYDAY, BYMONTHDAY, UNTIL, COUNT."""
        parts = {
            "FREQ": self.frequency,
            "INTERVAL": str(self.interval) if self.interval > 1 else "",
            "BYDAY": ",".join(f"{which or ''}{_DAYS[day]}" for which, day in self.days),
            "BYMONTHDAY": ",".join(map(str, self.month_days)),
            "UNTIL": self.until.strftime("%Y%m%d") if self.until else "",
            "COUNT": str(self.times) if self.times else "",
        }
        return ";".join(f"{name}={value}" for name, value in parts.items() if value)

    def falls_on(self, day: date) -> bool:
        """Whether the rule allows this day, regardless of its interval."""
        if self.anchor is not None and (day.month, day.day) != self.anchor:
            return False
        length = days_in(day.year, day.month)
        if self.month_days and not {day.day, day.day - length - 1} & set(self.month_days):
            return False
        return not self.days or any(
            _is_nth(day, which, length) for which, weekday in self.days if weekday == day.weekday()
        )

    def first(
        self, now: datetime, time: tuple[int, int] | None = None, start: date | None = None
    ) -> date | datetime | None:
        """The first occurrence from now on: a datetime if a time was said, else a date. None if the rule has ended.

        Today counts, unless the time has passed. `time` and `start` override those of the repeat.
        """
        time = time or self.time
        day = _from(now, time, start or self.start)
        end = min(day.toordinal() + _FURTHEST, date(LAST_YEAR, 12, 31).toordinal())
        for number in range(day.toordinal(), end + 1):
            found = date.fromordinal(number)
            if self.until is not None and found > self.until:
                return None
            if self.falls_on(found):
                return found if time is None else datetime(found.year, found.month, found.day, *time)
        return None


def _from(now: datetime, time: tuple[int, int] | None, start: date | None) -> date:
    """The first day that counts."""
    today = now.date()
    day = max(today, start or today)
    passed = day == today and time is not None and time <= (now.hour, now.minute)
    return day + timedelta(days=1) if passed else day


class Lead(NamedTuple):
    """The time between a reminder and the due date."""

    days: int = 0
    minutes: int = 0
    at: tuple[int, int] | None = None  # an hour of that day instead: "the evening before at 8"

    @property
    def duration(self) -> str:
        """The ISO 8601 duration: P1D, PT1H30M, PT0S."""
        days, (hours, minutes) = self.days, divmod(self.minutes, 60)
        told = f"{hours}H" * bool(hours) + f"{minutes}M" * bool(minutes)
        return "P" + f"{days}D" * bool(days) + f"T{told}" * bool(told) if days or told else "PT0S"


class RepeatSpan(NamedTuple):
    """A repeat and the words it was read from."""

    start: int
    end: int
    value: Repeat


class LeadSpan(NamedTuple):
    """A lead time and the words it was read from."""

    start: int
    end: int
    value: Lead


def _is_nth(day: date, which: int, length: int) -> bool:
    """Whether a day is the nth of its weekday in its month; a negative n counts from the end, 0 is any."""
    if not which:
        return True
    return which == ((day.day - 1) // 7 + 1 if which > 0 else -((length - day.day) // 7 + 1))
