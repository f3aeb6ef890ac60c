"""Gives the meaning of a complete expression, from its days, times and periods.

"next week" → in_period(its days); "friday, 9am" → on_day(day, time).
Here an unsure hour is settled, a bare time gets its day, and what only looks like a date is let go.
"""

from __future__ import annotations

from datetime import date, timedelta

from sayso.engine.dates import stretches
from sayso.engine.dates.clock import settle
from sayso.engine.dates.days import day_and_month, day_of_month, weekday_and_day
from sayso.engine.dates.offsets import so_much_later
from sayso.engine.values.when import NIGHT_ENDS, Clock, Context, Day, Meant, Period, Shift, Strength, When

_WEAK, _STRONG = Strength.WEAK, Strength.STRONG
_MINUTES = 59


def on_day(  # noqa: PLR0913  each is a slot of the rules
    context: Context,
    day: Day,
    time: Clock | None = None,
    bare: Clock | None = None,
    time2: Clock | None = None,
    bare2: Clock | None = None,
    spoken: Clock | None = None,
    figured: Clock | None = None,
) -> Meant:
    """A day, with the time on it if one was said; of a time span its beginning."""
    clock = _beginning(time or bare or spoken or figured, time2 or bare2)
    if clock is None:
        return Meant(When(day=day.day, time=day.time, name=day.name, later=day.later), day.strength)
    at, after_midnight = settle(clock, day.part, context)
    if day.strength == Strength.MAYBE and clock.strength == Strength.BARE:  # "one on one"
        return Meant(When(day=day.day, time=at), Strength.MAYBE)
    begun = day.day == context.today and context.now.hour < NIGHT_ENDS  # the night that is named is not over yet
    found = day.day + timedelta(days=1) if after_midnight and not begun else day.day
    if day.today_if_ahead and at > (context.now.hour, context.now.minute):
        found = context.today
    return Meant(When(day=found, time=at), _STRONG)


def at_time(
    context: Context,
    time: Clock | None = None,
    bare: Clock | None = None,
    time2: Clock | None = None,
    bare2: Clock | None = None,
    spoken: Clock | None = None,
) -> Meant | None:
    """A bare time: today, or tomorrow once it is past."""
    clock = _beginning(time or bare or spoken, time2 or bare2)
    if clock is None:
        return None
    at, _ = settle(clock, None, context)
    ahead = at > (context.now.hour, context.now.minute)
    found = context.today if ahead else context.today + timedelta(days=1)
    return Meant(When(day=found, time=at, day_said=False, guessed=not clock.sure), clock.strength)


def later_on(context: Context, length: Shift) -> Meant | None:
    """As in "two hours after", where nothing follows."""
    found = so_much_later(context, length)
    return on_day(context, found) if found else None


def earlier_on(context: Context, length: Shift) -> Meant | None:
    return later_on(context, length.back())


def at_moment(_: Context, date_time: tuple[date, tuple[int, int]]) -> Meant:
    """As in "2026-05-01T15:00"."""
    return Meant(When(day=date_time[0], time=date_time[1]), _STRONG)


def on_weekday_number(context: Context, weekday: int, mday: int) -> Meant | None:
    """As in "sunday 31" at the end of what is said."""
    found = weekday_and_day(context, weekday, mday)
    return on_day(context, found) if found else None


def on_nth(context: Context, nth: int, time: Clock) -> Meant | None:
    """As in "15th at 8:00"."""
    found = day_of_month(context, nth=nth)
    return on_day(context, found, time) if found else None


def on_short_year(
    context: Context, month: int, yy: int, mday: int | None = None, nth: int | None = None
) -> Meant | None:
    """As in "22 april 27", where nothing follows that the figure could count."""
    found = day_and_month(context, month, mday, nth, year=yy)
    return on_day(context, found) if found else None


def in_short_year(context: Context, month: int, yy: int) -> Meant | None:
    """As in "august 99", which is neither a day nor a time."""
    found = stretches.month(context, month, yy=yy)
    return Meant(When(period=(found.first, found.last)), _STRONG) if yy % 100 > _MINUTES else None


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
