"""Gives the meaning of the rules about weeks, months, quarters and years.

"next month" → stretch_next(unit="month") → its first and last day. Weeks begin on Monday, as in ISO 8601.
A rule in dates.yaml names a function of this module and fills its parameters with slots.
"""

from __future__ import annotations

from datetime import date, timedelta

from sayso.engine.values.specs import Unit
from sayso.engine.values.when import MONTHS, Context, Period, Shift, Strength, add_months, days_in, monday_of

_WEAK, _STRONG = Strength.WEAK, Strength.STRONG


def stretch_this(context: Context, unit: Unit) -> Period | None:
    return _stretch(context, unit, 0)


def stretch_next(context: Context, unit: Unit) -> Period | None:
    return _stretch(context, unit, 1)


def stretch_after_next(context: Context, unit: Unit, unit2: Unit | None = None) -> Period | None:
    """As in "the week after next", "the week after next week"."""
    return _stretch(context, unit, 2) if unit2 in (None, unit) else None


def stretch_last(context: Context, unit: Unit) -> Period | None:
    return _stretch(context, unit, -1)


def stretch_known(context: Context, unit: Unit) -> Period | None:
    """As in "the month" in "the end of the month"; alone it may mean any month."""
    stretch = _stretch(context, unit, 0)
    return stretch and stretch._replace(strength=Strength.NEVER, name=None)


def this_week(context: Context) -> Period | None:
    """For phrases that name no unit: "before the week is out"."""
    return _stretch(context, "week", 0)


def _stretch(context: Context, unit: Unit, number: int) -> Period | None:
    if unit == "week":
        monday = monday_of(context.today) + timedelta(weeks=number)
        name = {0: "this_week", 1: "next_week"}.get(number)
        return Period(monday, monday + timedelta(days=6), _STRONG, name)
    if unit not in MONTHS:
        return None
    length = MONTHS[unit]
    start = context.today.replace(day=1)
    start = start.replace(month=(start.month - 1) // length * length + 1)
    first, following = add_months(start, number * length), add_months(start, (number + 1) * length)
    return Period(first, following - timedelta(days=1)) if first and following else None


def stretch_before_last(context: Context, unit: Unit) -> Period | None:
    return _stretch(context, unit, -2)


def stretch_numbered(context: Context, count: float, unit: Unit, year: int | None = None) -> Period | None:
    """As in "week 31", "week 3 of 2027", with ISO 8601 numbers; it requires "in", because a course has a week 3 too."""
    number = int(count)
    if unit != "week" or number != count or not 1 <= number <= 53:
        return None
    try:
        monday = date.fromisocalendar(year or context.today.year, number, 1)
    except ValueError:
        return None
    return Period(monday, monday + timedelta(days=6), _STRONG if year else Strength.HINT)


def quarter(context: Context, quarter: int, year: int | None = None) -> Period:
    """As in "q3", "q3 2027": this year's, or next year's once it is over."""
    ended = quarter * 3 < context.today.month
    start = date(year or context.today.year + ended, quarter * 3 - 2, 1)
    last = start.replace(month=quarter * 3)
    return Period(start, last.replace(day=days_in(last.year, last.month)), _STRONG if year else Strength.HINT)


def month(context: Context, month: int, year: int | None = None, yy: int | None = None) -> Period:
    """As in "may": the current one or the next; alone it is often a name or another word."""
    if (said := year or yy) is not None:
        return _month(said, month)
    coming = context.today.year + (month < context.today.month)
    return _month(coming, month)._replace(strength=_WEAK)


def month_in_figures(_: Context, month_figures: tuple[int, int]) -> Period:
    """As in "3/2027", which may be a sum or a version: only "in" makes it sure."""
    number, year = month_figures
    return _month(year, number)._replace(strength=Strength.MAYBE)


def month_apart(_: Context, mday: int, year: int) -> Period | None:
    """As in "3 / 2027", which may be a division."""
    return _month(year, mday)._replace(strength=Strength.MAYBE) if mday <= 12 else None


def month_this_year(context: Context, month: int) -> Period:
    return _month(context.today.year, month)


def month_next_year(context: Context, month: int) -> Period:
    return _month(context.today.year + 1, month)


def month_after_next(context: Context, month: int) -> Period:
    """As in "march after next"."""
    return _month(context.today.year + 1 + (month <= context.today.month), month)


def month_from_now(context: Context, month: int, length: Shift) -> Period | None:
    """As in "march in a year"."""
    found = length.after(context.today)
    return _month(found.year, month) if found and length.months and length.months % 12 == 0 else None


def month_next(context: Context, month: int) -> Period:
    return _month(context.today.year + (month <= context.today.month), month)


def month_last(context: Context, month: int) -> Period:
    return _month(context.today.year - (month >= context.today.month), month)


def year(_: Context, year: int) -> Period:
    return Period(date(year, 1, 1), date(year, 12, 31), Strength.NEVER)


def _month(year: int, month: int) -> Period:
    return Period(date(year, month, 1), date(year, month, days_in(year, month)))
