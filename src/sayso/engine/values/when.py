"""Defines the values that a date expression can have.

"push it to friday at 9" → When(day=the coming Friday, time=(9, 0)); "push it by ten days" → When(shift=Shift(days=10)).
Readers return `When` and `DateSpan`. `Clock`, `Day` and `Period` are the pieces these are built from.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from enum import IntEnum
from typing import NamedTuple

from sayso.engine.values.specs import Part, Unit

FIRST_YEAR, LAST_YEAR = 1900, 2199
_PIVOT = 50  # "74" is 1974, "26" is 2026: a two-digit year this far ahead belongs to the last century
MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "year": 12}


class Strength(IntEnum):
    """How surely words mean a time. A preposition before them lifts WEAK to STRONG ("on sunday").

    BARE is a lone figure, which needs more: something that may follow a time ("at 9 to …", not "at 14 Elm Road").
    HINT needs a preposition to be read at all ("by easter"), MAYBE is read but never sure ("on 15").
    ALONE is read only as the whole message, the answer to "when?": "morning". NEVER means a time only inside
    something larger: "the month" in "the end of the month".
    """

    NEVER = -3
    ALONE = -2
    MAYBE = -1
    BARE = 0
    HINT = 1
    WEAK = 2
    STRONG = 3


class Shift(NamedTuple):
    """A length of time, to be added to what the caller knows. Negative runs backwards."""

    months: int = 0
    days: int = 0
    minutes: int = 0

    def plus(self, other: Shift) -> Shift:
        return Shift(self.months + other.months, self.days + other.days, self.minutes + other.minutes)

    def back(self) -> Shift:
        return Shift(-self.months, -self.days, -self.minutes)

    def after(self, start: date) -> date | None:
        """The day that many months and days later, without the minutes. `None` beyond the calendar we keep."""
        moved = add_months(start, self.months)
        if moved is None or abs(self.days) > 100_000:
            return None
        try:
            moved += timedelta(days=self.days)
        except OverflowError:
            return None
        return moved if FIRST_YEAR <= moved.year <= LAST_YEAR else None


class When(NamedTuple):
    """A date or a time as it was said. `day_said` is False for a bare time: its day is today, or tomorrow if past.

    `later` comes with a day and a time that are counted from now: "two hours later" is so much later than the date of
    the thing that the message mentions, if there is one. `guessed`: the half of the day was not said.
    """

    day: date | None = None
    time: tuple[int, int] | None = None
    shift: Shift | None = None
    period: tuple[date, date] | None = None
    name: str | None = None
    day_said: bool = True
    later: Shift | None = None
    guessed: bool = False
    part: Part | None = None  # of the day, said without an hour: "tonight"


class DateSpan(NamedTuple):
    """The place of a date expression: tokens start to end; from `lead` on with its introduction ("by", "entro")."""

    start: int
    end: int
    lead: int
    when: When
    strong: bool


class Clock(NamedTuple):
    """A time of day; `sure` if it cannot mean twelve hours later as well."""

    hour: int
    minute: int
    sure: bool
    strength: Strength = Strength.STRONG
    figures: bool = False  # written "7:30", which some languages read as 24 hours


class Day(NamedTuple):
    """A calendar day, with the part of the day or the time that was said with it."""

    day: date
    strength: Strength = Strength.STRONG
    part: Part | None = None
    name: str | None = None
    time: tuple[int, int] | None = None
    later: Shift | None = None
    today_if_ahead: bool = False  # "the 15th" on a 15th: today, if the time said with it is still to come


class Period(NamedTuple):
    """First and last day."""

    first: date
    last: date
    strength: Strength = Strength.STRONG
    name: str | None = None


NIGHT_ENDS = 5  # the hour up to which it is still the night before


class Meant(NamedTuple):
    """A reading of the whole expression; `when` is `None` for an expression that only looks like a date."""

    when: When | None
    strength: Strength


class Habits(NamedTuple):
    """The defaults that speakers of a language assume."""

    afternoon_until: int = 0  # a bare hour from 1 to this one is after noon
    clock_is_24h: bool = False  # "7:30" in figures is the morning
    month_first: bool = False  # "05/06" is the 6th of May
    week_work_ends: int = 4  # "the end of the week": Friday


class Context(NamedTuple):
    """The values that every meaning may use."""

    now: datetime
    today: date
    habits: Habits


def add_months(start: date, months: int) -> date | None:
    """The same day of another month, or its last day: 31 January and one month is 28 February."""
    years, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    if not FIRST_YEAR <= years <= LAST_YEAR:
        return None
    return date(years, month + 1, min(start.day, days_in(years, month + 1)))


def days_in(year: int, month: int) -> int:
    following = date(year + month // 12, month % 12 + 1, 1)
    return (following - timedelta(days=1)).day


def full_year(year: int, this_year: int) -> int:
    """The year that two digits mean."""
    near = this_year // 100 * 100 + year
    return near - 100 if near > this_year + _PIVOT else near


def calendar_day(year: int, month: int, day: int) -> date | None:
    """That day, or `None` if the calendar does not have it."""
    if not (FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= 12 and 1 <= day <= days_in(year, month)):
        return None
    return date(year, month, day)


def falls_on(when: When, held: str) -> bool:
    """Whether a date in a field is the one that was said."""
    try:
        day = date.fromisoformat(held[:10])
    except ValueError:
        return False
    if when.period is not None:
        return when.period[0] <= day <= when.period[1]
    time = when.time is None or held[11:16] == f"{when.time[0]:02}:{when.time[1]:02}"
    return day == when.day and time


def is_past(held: str, now: datetime) -> bool:
    """Whether a date in a field is over. A day without a time ends at midnight."""
    try:
        at = datetime.fromisoformat(held)
    except ValueError:
        return False
    return at.date() < now.date() or ("T" in held and at.replace(tzinfo=None) <= now.replace(tzinfo=None))


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())
