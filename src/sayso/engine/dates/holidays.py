"""Gives the meaning of the days of the year that have a name.

"christmas" is always the same day, "easter monday" is counted from Easter, "thanksgiving" is the fourth Thursday of
November. A present is bought for a feast as well, so a feast is read only where a preposition or a year says so.
"""

from __future__ import annotations

from datetime import date, timedelta

from sayso.engine.dates.counted import nth_weekday
from sayso.engine.values.when import Context, Day, Period, Strength, calendar_day, days_in

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
