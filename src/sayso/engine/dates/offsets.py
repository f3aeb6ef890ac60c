"""Gives the meaning of the rules that count from now or from a day.

"in three days" → from_now(length=3 days); "a week on friday" → later(length=7 days, date=Friday).
A rule in dates.yaml names a function of this module and fills its parameters with slots.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sayso.engine.dates.clock import amount
from sayso.engine.dates.days import coming
from sayso.engine.dates.stretches import monday_of
from sayso.engine.values.when import Context, Day, Shift, Unit

_SATURDAY = 5
_MOST = 300  # working days


def from_now(context: Context, length: Shift | None = None, short: Shift | None = None) -> Day | None:
    """As in "in three days", "fra mezz'ora": from now, to the minute if minutes were said."""
    length = length or short or Shift()
    found = length.after(context.today) if any(length) else None  # "in 0 days" is nobody's plan
    if found is None or not length.minutes:
        return Day(found) if found else None
    moment = datetime(found.year, found.month, found.day, context.now.hour, context.now.minute)
    moment += timedelta(minutes=length.minutes)
    return Day(moment.date(), time=(moment.hour, moment.minute))


def ago(context: Context, length: Shift | None = None, short: Shift | None = None) -> Day | None:
    return from_now(context, (length or short or Shift()).back())


def so_much_later(context: Context, length: Shift | None = None, short: Shift | None = None) -> Day | None:
    """As in "two hours later": than the date of the thing that is spoken of, or than now."""
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
    """As in "in 5 working days": weekends are not counted, and of feasts nothing is known."""
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
