"""Gives the meaning of a complete expression, from its days, times and periods, or counted from now or from a day.

"next week" → in_period(its days); "friday, 9am" → on_day(day, time).
This module settles an unsure hour, gives a bare time its day, and drops expressions that only look like dates.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from sayso.engine.dates import stretches
from sayso.engine.dates.clock import amount, settle
from sayso.engine.dates.days import coming, day_and_month, day_of_month, weekday_and_day
from sayso.engine.values.specs import Unit
from sayso.engine.values.when import NIGHT_ENDS, Clock, Context, Day, Meant, Period, Shift, Strength, When, monday_of

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
    """A day, with the time on it if one was said. A time span counts from its beginning."""
    clock = _beginning(time or bare or spoken or figured, time2 or bare2)
    if clock is None:
        return Meant(When(day=day.day, time=day.time, name=day.name, later=day.later, part=day.part), day.strength)
    at, after_midnight = settle(clock, day.part, context)
    if day.strength == Strength.MAYBE and clock.strength == Strength.BARE:  # "one on one"
        return Meant(When(day=day.day, time=at), Strength.MAYBE)
    if day.today_if_ahead and at > (context.now.hour, context.now.minute):
        return Meant(When(day=context.today, time=at), _STRONG)
    found = _next_day(context, day) if after_midnight else day.day
    return Meant(When(day=found, time=at), _STRONG)


def _next_day(context: Context, day: Day) -> date:
    """The day on which a night ends; the same day if that night is not over yet."""
    begun = day.day == context.today and context.now.hour < NIGHT_ENDS
    return day.day if begun else day.day + timedelta(days=1)


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
    """As in "two hours after", if nothing follows."""
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
    """As in "22 april 27", if nothing follows that the figure could count."""
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
    """An expression that only looks like a date: "every monday at 9", "black friday"."""
    return Meant(None, _STRONG)


def no_such_day(_: Context, **_said: object) -> Meant:
    """As in "30 february": a day that does not exist must not be read as the rest of it, "february"."""
    return Meant(None, _STRONG)


def _beginning(first: Clock | None, second: Clock | None) -> Clock | None:
    """As in "3:30 to 6 pm": an unsure beginning is in the half of the day that puts it before the end."""
    if first is None or second is None or first.sure or not second.sure:
        return first
    later = first.hour % 12 + 12
    hour = later if (later, first.minute) < (second.hour, second.minute) else first.hour % 12
    return Clock(hour, first.minute, True, second.strength)


_SATURDAY = 5
_ROUND_MINUTES = (5, 10, 15, 20, 30, 45)  # numbers that need no unit after "in"
_MOST = 300  # working days


def from_now(context: Context, length: Shift | None = None, short: Shift | None = None) -> Day | None:
    """As in "in three days", "fra mezz'ora": from now, to the minute if minutes were said."""
    length = length or short or Shift()
    found = length.after(context.today) if any(length) else None  # nobody plans "in 0 days"
    if found is None or not length.minutes:
        return Day(found) if found else None
    moment = datetime(found.year, found.month, found.day, context.now.hour, context.now.minute)
    moment += timedelta(minutes=length.minutes)
    return Day(moment.date(), time=(moment.hour, moment.minute))


def minutes_from_now(context: Context, count: float) -> Day | None:
    """As in "again in 5"."""
    found = from_now(context, Shift(minutes=int(count))) if count in _ROUND_MINUTES else None
    return found and found._replace(strength=Strength.MAYBE)


def ago(context: Context, length: Shift | None = None, short: Shift | None = None) -> Day | None:
    return from_now(context, (length or short or Shift()).back())


def so_much_later(context: Context, length: Shift | None = None, short: Shift | None = None) -> Day | None:
    """As in "two hours later": than the date of the thing that is mentioned, or than now."""
    said = length or short or Shift()
    found = from_now(context, said)
    return found and found._replace(later=said)


def so_much_earlier(context: Context, length: Shift | None = None, short: Shift | None = None) -> Day | None:
    return so_much_later(context, (length or short or Shift()).back())


def later(_: Context, length: Shift, date: Day) -> Day | None:
    """As in "a week from tomorrow", "a week on friday"."""
    found = length.after(date.day)
    return Day(found) if found and not length.minutes else None


def day_after(context: Context, date: Day) -> Day | None:
    """As in "the day after christmas"."""
    return later(context, Shift(days=1), date)


def day_before(context: Context, date: Day) -> Day | None:
    return earlier(context, Shift(days=1), date)


def later_than_word(context: Context, length: Shift, day_word: int) -> Day | None:
    """As in "a week today"."""
    return later(context, length, Day(context.today + timedelta(days=day_word)))


def earlier_than_word(context: Context, length: Shift, day_word: int) -> Day | None:
    """As in "a year ago today"."""
    return later_than_word(context, length.back(), day_word)


def earlier(_: Context, length: Shift, date: Day) -> Day | None:
    """As in "two days before christmas"."""
    found = length.back().after(date.day)
    return Day(found) if found and not length.minutes else None


def working_days_on(context: Context, count: float, unit: Unit) -> Day | None:
    """As in "in 5 working days": weekends do not count, and holidays are not known."""
    left, at = int(count), context.today
    if unit != "day" or left != count or not 0 < left <= _MOST:
        return None
    while left:
        at += timedelta(days=1)
        left -= at.weekday() < _SATURDAY
    return Day(at)


def unit_passed(context: Context, unit: Unit, count: float = 1) -> Day | None:
    """As in "within the next 2 hours": until then. Days and longer are periods, not this."""
    return from_now(context, length) if (length := amount(context, count, unit)) and length.minutes else None


def unit_past(context: Context, unit: Unit, count: float = 1) -> Day | None:
    """As in "the last 2 hours": since then."""
    return unit_passed(context, unit, -count)


def same_time(context: Context, date: Day) -> Day:
    """As in "this time tomorrow"."""
    return date._replace(time=(context.now.hour, context.now.minute), name=None)


def weekday_after_length(context: Context, length: Shift, weekday: int) -> Day | None:
    """As in "in two weeks on tuesday": of that week; after days or months the first such day from then on."""
    found = length.after(context.today)
    if found is None or length.minutes:
        return None
    if length.days % 7 == 0 and not length.months:
        return Day(monday_of(found) + timedelta(days=weekday))
    return Day(coming(found - timedelta(days=1), weekday))
