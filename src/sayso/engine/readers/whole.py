"""Whole: what a complete expression means, once its days, times and stretches are known.

"from monday to thursday" → in_period(between(monday, thursday)); "friday, 9am" → on_day(day, time).
Here an unsure hour is settled, a bare time gets its day, and what only looks like a date is let go.
"""

from __future__ import annotations

from datetime import date, timedelta

from sayso.engine.readers.clock import MONTHS, settle
from sayso.engine.readers.days import day_and_month, day_of_month
from sayso.engine.readers.stretches import monday_of, stretch_this
from sayso.engine.readers.when import (
    Clock,
    Context,
    Day,
    Meant,
    Period,
    Shift,
    Strength,
    Unit,
    When,
    add_months,
    calendar_day,
)

_BARE, _WEAK, _STRONG = Strength.BARE, Strength.WEAK, Strength.STRONG
_SATURDAY = 5

# ---------------------------------------------------------------- periods


def period(_: Context, stretch: Period) -> Period:
    return stretch


def weekend(context: Context) -> Period:
    """This one, of which today may be the last day."""
    return _weekend(context, 0)


def weekend_next(context: Context) -> Period:
    return _weekend(context, 1)


def weekend_last(context: Context) -> Period:
    return _weekend(context, -1)


def week_of(_: Context, date: Day) -> Period:
    """As in "the week of the 6th": Monday to Sunday around that day."""
    monday = monday_of(date.day)
    return Period(monday, monday + timedelta(days=6))


def nth_week(_: Context, ordinal: int, stretch: Period) -> Period | None:
    """As in "the first week of october": as ISO 8601 counts weeks, it has most of its days there."""
    if ordinal > 0:
        monday = monday_of(stretch.first + timedelta(days=3)) + timedelta(weeks=ordinal - 1)
    else:
        monday = monday_of(stretch.last - timedelta(days=3)) + timedelta(weeks=ordinal + 1)
    thursday = monday + timedelta(days=3)
    return Period(monday, monday + timedelta(days=6)) if stretch.first <= thursday <= stretch.last else None


def between(_: Context, date: Day, date2: Day) -> Period | None:
    """As in "from tomorrow to thursday"; an end before the beginning is a week later, or the period is under way."""
    first, last = date.day, date2.day
    if last < first and (first - last).days < 7:
        last += timedelta(days=7)
    elif last < first:
        first = add_months(first, -12) or first
    return Period(first, last) if first < last < first + timedelta(days=366) else None


def running(_: Context, length: Shift, date: Day) -> Period | None:
    """As in "for two weeks from may 20th"."""
    end = length.after(date.day)
    return Period(date.day, end - timedelta(days=1)) if end and end > date.day else None


def between_days(
    context: Context, mday: int | None = None, nth: int | None = None, mday2: int | None = None, nth2: int | None = None
) -> Period | None:
    """As in "between the 3rd and the 7th"."""
    start, last = day_of_month(context, mday, nth), mday2 or nth2 or 0
    if start is None:
        return None
    end = calendar_day(start.day.year, start.day.month, last)
    return Period(start.day, end) if end and end > start.day else None


def between_days_of_month(
    context: Context,
    month: int,
    mday: int | None = None,
    nth: int | None = None,
    mday2: int | None = None,
    nth2: int | None = None,
    year: int | None = None,
) -> Period | None:
    """As in "from 13 to 15 july": under way counts as this year's."""
    last = day_and_month(context, month, mday2, nth2, year=year)
    first = last and calendar_day(last.day.year, month, mday or nth or 0)
    return Period(first, last.day) if last and first and first < last.day else None


def between_days_in(
    _: Context,
    stretch: Period,
    mday: int | None = None,
    nth: int | None = None,
    mday2: int | None = None,
    nth2: int | None = None,
) -> Period | None:
    """As in "from 4 to 22 this month"."""
    first = stretch.first + timedelta(days=(mday or nth or 0) - 1)
    last = stretch.first + timedelta(days=(mday2 or nth2 or 0) - 1)
    told = stretch.strength != Strength.NEVER
    return Period(first, last) if told and stretch.first <= first < last <= stretch.last else None


def rest_of(context: Context, stretch: Period) -> Period | None:
    """As in "the rest of the week", today included."""
    return Period(context.today, stretch.last) if stretch.first <= context.today <= stretch.last else None


def coming_units(context: Context, unit: Unit, count: float = 3) -> Period | None:
    """As in "the next two weeks": whole ones, after the current; "the next days" are three."""
    return _run(context, unit, count, 1)


def past_units(context: Context, unit: Unit, count: float = 3) -> Period | None:
    return _run(context, unit, count, -1)


def _run(context: Context, unit: Unit, count: float, direction: int) -> Period | None:
    number = int(count)
    if number != count or not 0 < number < 1000:
        return None
    if unit == "day":
        current = Period(context.today, context.today)
    elif (found := stretch_this(context, unit)) is not None:
        current = found
    else:
        return None
    if direction > 0:
        first, end = current.last + timedelta(days=1), _units_later(current.last + timedelta(days=1), unit, number)
        return Period(first, end - timedelta(days=1)) if end else None
    start = _units_later(current.first, unit, -number)
    return Period(start, current.first - timedelta(days=1)) if start else None


def _units_later(start: date, unit: Unit, number: int) -> date | None:
    if unit in MONTHS:
        return add_months(start, number * MONTHS[unit])
    return Shift(days=number * (7 if unit == "week" else 1)).after(start)


def _weekend(context: Context, number: int) -> Period:
    saturday = context.today + timedelta(days=_SATURDAY - context.today.weekday() + 7 * number)
    return Period(saturday, saturday + timedelta(days=1))


# ---------------------------------------------------------------- the whole


def on_day(
    context: Context,
    day: Day,
    time: Clock | None = None,
    bare: Clock | None = None,
    time2: Clock | None = None,
    bare2: Clock | None = None,
) -> Meant:
    """A day, with the time on it if one was said; of a time span its beginning."""
    clock = _beginning(time or bare, time2 or bare2)
    if clock is None:
        return Meant(When(day=day.day, time=day.time, name=day.name), day.strength)
    at, after_midnight = settle(clock, day.part, context)
    found = day.day + timedelta(days=1) if after_midnight else day.day
    if day.today_if_ahead and at > (context.now.hour, context.now.minute):
        found = context.today
    return Meant(When(day=found, time=at), _STRONG)


def at_time(
    context: Context,
    time: Clock | None = None,
    bare: Clock | None = None,
    time2: Clock | None = None,
    bare2: Clock | None = None,
) -> Meant | None:
    """A bare time: today, or tomorrow once it is past."""
    clock = _beginning(time or bare, time2 or bare2)
    if clock is None:
        return None
    at, _ = settle(clock, None, context)
    ahead = at > (context.now.hour, context.now.minute)
    found = context.today if ahead else context.today + timedelta(days=1)
    return Meant(When(day=found, time=at, day_said=False), clock.strength)


def at_moment(_: Context, date_time: tuple[date, tuple[int, int]]) -> Meant:
    """As in "2026-05-01T15:00"."""
    return Meant(When(day=date_time[0], time=date_time[1]), _STRONG)


def in_period(_: Context, period: Period) -> Meant | None:
    if period.strength == Strength.NEVER:
        return None
    return Meant(When(period=(period.first, period.last), name=period.name), period.strength)


def lasting(_: Context, length: Shift) -> Meant:
    """A length without an anchor."""
    return Meant(When(shift=length), _WEAK)


def nothing(_: Context, **_said: object) -> Meant:
    """What has the look of a date and is none: "every monday at 9", "black friday"."""
    return Meant(None, _STRONG)


def no_such_day(_: Context, **_said: object) -> Meant:
    """As in "30 february": what the calendar lacks must not be read as its remainder, "february"."""
    return Meant(None, _STRONG)


def _beginning(first: Clock | None, second: Clock | None) -> Clock | None:
    """As in "3:30 to 6 pm": an unsure beginning lies in the half of the day that puts it before the end."""
    if first is None or second is None or first.sure or not second.sure:
        return first
    later = first.hour % 12 + 12
    hour = later if (later, first.minute) < (second.hour, second.minute) else first.hour % 12
    return Clock(hour, first.minute, True, second.strength)
