"""Gives the meaning of the rules about several days in a row.

"from monday to thursday" → between(monday, thursday); "the weekend after next" → its Saturday and Sunday.
A rule in dates.yaml names a function of this module and fills its parameters with slots.
"""

from __future__ import annotations

from datetime import date, timedelta

from sayso.engine.dates import days
from sayso.engine.dates.days import Figures, day_and_month, day_of_month, nth_weekday, weekday_in
from sayso.engine.dates.stretches import stretch_this
from sayso.engine.values.specs import Unit
from sayso.engine.values.when import MONTHS, Context, Day, Period, Shift, Strength, add_months, calendar_day, monday_of

_SATURDAY = 5


def period(_: Context, stretch: Period) -> Period:
    return stretch


def in_stretch(_: Context, stretch: Period) -> Period:
    """As in "in week 31": the preposition is enough."""
    unsure = stretch.strength in (Strength.HINT, Strength.MAYBE)
    return stretch._replace(strength=Strength.STRONG) if unsure else stretch


def weekend(context: Context) -> Period:
    """This one, of which today may be the last day."""
    return _weekend(context, 0)


def weekend_bare(context: Context) -> Period:
    """As in "weekend plans", which may be of any."""
    return _weekend(context, 0)._replace(strength=Strength.WEAK)


def weekend_next(context: Context) -> Period:
    return _weekend(context, 1)


def weekend_last(context: Context) -> Period:
    return _weekend(context, -1)


def weekend_after_next(context: Context) -> Period:
    return _weekend(context, 2)


def weekend_before_last(context: Context) -> Period:
    return _weekend(context, -2)


def weekend_of(_: Context, date: Day) -> Period:
    """As in "the weekend of the 12th"."""
    saturday = monday_of(date.day) + timedelta(days=_SATURDAY)
    return Period(saturday, saturday + timedelta(days=1))


def weekend_in(context: Context, ordinal: int, stretch: Period) -> Period | None:
    """As in "the last weekend of october": by its Saturday."""
    found = nth_weekday(context, ordinal, _SATURDAY, stretch)
    return Period(found.day, found.day + timedelta(days=1)) if found else None


def first_units(_: Context, ordinal: int, count: float, unit: Unit, stretch: Period) -> Period | None:
    """As in "the first two weeks of may", "the last three days of the month"."""
    number = int(count)
    if number != count or not 0 < number < 100 or unit in MONTHS:
        return None
    if unit == "week" and ordinal == 1:
        start = monday_of(stretch.first + timedelta(days=6))
        return Period(start, start + timedelta(days=7 * number - 1))
    days = timedelta(days=number * (7 if unit == "week" else 1) - 1)
    if abs(ordinal) != 1 or unit not in ("day", "week"):
        return None
    return Period(stretch.first, stretch.first + days) if ordinal == 1 else Period(stretch.last - days, stretch.last)


def week_from_end(context: Context, ordinal: int, stretch: Period) -> Period | None:
    """As in "the third last week of 2018"."""
    return nth_week(context, -ordinal, stretch) if ordinal > 0 else None


def between_weeks(_: Context, stretch: Period, stretch2: Period) -> Period | None:
    """As in "from week 31 to week 35", "from may to june"."""
    return Period(stretch.first, stretch2.last) if stretch.last < stretch2.first else None


def between_weekdays_in(context: Context, stretch: Period, weekday: int, weekday2: int) -> Period | None:
    """As in "next week between wednesday and friday"."""
    first, last = weekday_in(context, weekday, stretch), weekday_in(context, weekday2, stretch)
    return Period(first.day, last.day) if first and last and first.day < last.day else None


def between_figures(_: Context, figures: Figures, figures2: Figures, year: int) -> Period | None:
    """As in "5/1-5/7, 2020"."""
    first, last = (calendar_day(year, month, day) for day, month, _year in (figures, figures2))
    return Period(first, last) if first and last and first < last else None


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
    elif last < first:  # "nov 18 to dec 19, 2015": the year is that of both
        first = add_months(first, 12 * (last.year - first.year)) or first
        first = first if first < last else add_months(first, -12) or first
    return Period(first, last) if first < last < first + timedelta(days=366) else None


def and_next(_: Context, date: Day) -> Period:
    """As in "tomorrow and the day after"."""
    return Period(date.day, date.day + timedelta(days=1))


def between_bare_figures(context: Context, figures: Figures, figures2: Figures) -> Period | None:
    """As in "4/5-6/7", which may be two fractions."""
    first, last = days.figures(context, figures), days.figures(context, figures2)
    found = between(context, first, last) if first and last else None
    return found and found._replace(strength=Strength.WEAK if figures[2] is None else Strength.STRONG)


def between_then_year(
    _: Context, date: Day, month: int, year: int, mday: int | None = None, nth: int | None = None
) -> Period | None:
    """As in "from april 22 to may 3, 2027": the year is that of both."""
    last, first = calendar_day(year, month, mday or nth or 0), add_months(date.day, 12 * (year - date.day.year))
    return Period(first, last) if first and last and first < last else None


def first_half(_: Context, stretch: Period) -> Period:
    """As in "the first half of may": to the 15th."""
    return Period(stretch.first, stretch.first + timedelta(days=_half(stretch) - 1))


def second_half(_: Context, stretch: Period) -> Period:
    return Period(stretch.first + timedelta(days=_half(stretch)), stretch.last)


def _half(stretch: Period) -> int:
    return ((stretch.last - stretch.first).days + 1) // 2


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
