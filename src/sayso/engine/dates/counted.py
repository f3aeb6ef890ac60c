"""Gives the meaning of the rules that count days and weekdays, and of the days of the year that have a name.

"the first monday of next month" → nth_weekday(ordinal=1, weekday=0, stretch=next month) → that day.
A rule in dates.yaml names a function of this module and fills its parameters with slots.
"""

from __future__ import annotations

from datetime import date, timedelta

from sayso.engine.dates.days import coming, day_of_month, nth_weekday, number_of
from sayso.engine.values.when import Context, Day, Period, Strength, calendar_day, days_in

_SATURDAY = 5
_MOST = 60  # of anything that is counted one by one


def weekdays_from_now(context: Context, count: float, weekdays: int) -> Day | None:
    """As in "two sundays from now"."""
    if count != int(count) or not 0 < count < 100:
        return None
    return Day(coming(context.today, weekdays) + timedelta(weeks=int(count) - 1))


def day_in(
    context: Context, stretch: Period, mday: int | None = None, nth: int | None = None, ordinal: int | None = None
) -> Day | None:
    """As in "the 20th of next month", "the last day of october": counted from either end of the stretch."""
    number = number_of(mday, nth, ordinal)
    found = stretch.first + timedelta(days=number - 1) if number > 0 else stretch.last + timedelta(days=number + 1)
    if not number or not stretch.first <= found <= stretch.last:
        return None
    if stretch.strength == Strength.NEVER and found < context.today and 27 <= (stretch.last - stretch.first).days <= 30:
        coming_one = day_of_month(context, found.day)  # "the first of the month"
        return coming_one and coming_one._replace(strength=Strength.STRONG)
    return Day(found)


def day_from_end(context: Context, ordinal: int, stretch: Period) -> Day | None:
    """As in "the fifth last day of may"."""
    return day_in(context, stretch, ordinal=-ordinal) if ordinal > 0 else None


def weekday_from_end(context: Context, ordinal: int, weekday: int, stretch: Period) -> Day | None:
    return nth_weekday(context, -ordinal, weekday, stretch) if ordinal > 0 else None


def working_day(_: Context, ordinal: int, stretch: Period) -> Day | None:
    """As in "the last working day of the month"."""
    step, at = (1, stretch.first) if ordinal > 0 else (-1, stretch.last)
    left = abs(ordinal)
    while stretch.first <= at <= stretch.last and 0 < left <= _MOST:
        left -= at.weekday() < _SATURDAY
        if not left:
            return Day(at)
        at += timedelta(days=step)
    return None


def weekday_after(_: Context, weekday: int, date: Day, ordinal: int = 1) -> Day | None:
    """As in "the third tuesday after christmas"."""
    if not 0 < ordinal <= _MOST:
        return None
    return Day(coming(date.day, weekday) + timedelta(weeks=ordinal - 1))


def weekday_before(_: Context, weekday: int, date: Day, ordinal: int = 1) -> Day | None:
    if not 0 < ordinal <= _MOST:
        return None
    return Day(coming(date.day - timedelta(days=8), weekday) - timedelta(weeks=ordinal - 1))


def weekday_after_next(context: Context, weekday: int, weekday2: int | None = None) -> Day | None:
    """As in "the friday after next", "not this friday, the one after"."""
    if weekday2 not in (None, weekday):
        return None
    return Day(coming(context.today, weekday) + timedelta(weeks=1))


def nearest_weekday(_: Context, weekday: int, date: Day, ordinal: int = 1) -> Day | None:
    """As in "the second closest monday to october 5th", that day itself being the closest of all."""
    if not 0 < ordinal <= _MOST:
        return None
    first = coming(date.day - timedelta(days=1), weekday)
    near = (first + timedelta(weeks=weeks) for weeks in range(-ordinal, ordinal))
    return Day(sorted(near, key=lambda day: abs(day - date.day))[ordinal - 1])


Feast = tuple[int, ...]  # days from Easter; month and day; or month, weekday, which of them, and days after it


def holiday(context: Context, holiday: Feast, year: int | None = None, yy: int | None = None) -> Day | None:
    """This year's, or next year's once it is over."""
    said = year or yy
    if said is not None:
        found = _in_year(context, holiday, said)
        return Day(found) if found else None
    return _coming(context, holiday)


def holiday_coming(context: Context, holiday: Feast) -> Day | None:
    """As in "this easter"."""
    found = _coming(context, holiday)
    return found and found._replace(strength=Strength.WEAK)


def holiday_next_year(context: Context, holiday: Feast) -> Day | None:
    return _found(_in_year(context, holiday, context.today.year + 1))


def holiday_last(context: Context, holiday: Feast) -> Day | None:
    """As in "last christmas"."""
    this = _in_year(context, holiday, context.today.year)
    return _found(this if this and this < context.today else _in_year(context, holiday, context.today.year - 1))


def _coming(context: Context, feast: Feast) -> Day | None:
    for ahead in range(9):  # 29 February may be years away
        found = _in_year(context, feast, context.today.year + ahead)
        if found and found >= context.today:
            return Day(found, Strength.HINT)
    return None


def _found(day: date | None) -> Day | None:
    return Day(day) if day else None


def _in_year(context: Context, feast: Feast, year: int) -> date | None:
    if len(feast) == 1:
        return _easter(year) + timedelta(days=feast[0])
    if len(feast) == 2:
        return calendar_day(year, *feast)
    month, weekday, which, after = feast
    stretch = Period(date(year, month, 1), date(year, month, days_in(year, month)))
    found = nth_weekday(context, which, weekday, stretch)
    return found.day + timedelta(days=after) if found else None


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher."""
    century, rest = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (year % 19 + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * late + 114, 31)
    return date(year, month, day + 1)
