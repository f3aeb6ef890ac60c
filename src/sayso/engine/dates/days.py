"""Gives the meaning of the rules about calendar days.

"the first monday of next month" → nth_weekday(ordinal=1, weekday=0, stretch=next month) → that day.
A rule in dates.yaml names a function of this module and fills its parameters with slots; None says that the calendar
has no such thing (30 February), and the words are then no date.
"""

from __future__ import annotations

from datetime import date, timedelta

from sayso.engine.values.figures import in_order
from sayso.engine.values.specs import Part
from sayso.engine.values.when import Context, Day, Period, Strength, add_months, calendar_day, days_in, monday_of

_BARE, _WEAK, _STRONG = Strength.BARE, Strength.WEAK, Strength.STRONG
_PART_ENDS: dict[Part, int] = {"morning": 12, "afternoon": 18, "evening": 24, "night": 24}
_RECENT = timedelta(days=31)
_NAMED = {0: "today", 1: "tomorrow"}

Figures = tuple[int, int, int | None]  # day, month, year


def day_word(context: Context, day_word: int) -> Day:
    return Day(context.today + timedelta(days=day_word), name=_NAMED.get(day_word))


def weekday(context: Context, weekday: int) -> Day:
    """The next one strictly after today."""
    return Day(coming(context.today, weekday), _WEAK)


def weekday_coming(context: Context, weekday: int) -> Day:
    """The same, said outright: "this friday", "mercoledì prossimo"."""
    return Day(coming(context.today, weekday))


def weekday_next_week(context: Context, weekday: int) -> Day:
    """English "next monday"."""
    return Day(monday_of(context.today) + timedelta(days=7 + weekday))


def weekday_last(context: Context, weekday: int) -> Day:
    return Day(context.today - timedelta(days=(context.today.weekday() - weekday - 1) % 7 + 1))


def weekday_and_week(context: Context, weekday: int) -> Day:
    """As in "friday week"."""
    return Day(coming(context.today, weekday) + timedelta(days=7))


def weekday_in(_: Context, weekday: int, stretch: Period) -> Day | None:
    """As in "wednesday of next week"."""
    if (stretch.last - stretch.first).days != 6:
        return None
    return Day(stretch.first + timedelta(days=weekday))


def day_of_month(
    context: Context, mday: int | None = None, nth: int | None = None, ordinal: int | None = None
) -> Day | None:
    """As in "the 15th": the next one. On a 15th it is next month's, unless a time still ahead is said with it."""
    number = mday or nth or ordinal
    if number is None or not 1 <= number <= 31:
        return None
    start = context.today.replace(day=1)
    for ahead in range(4):
        first = add_months(start, ahead)
        found = first and calendar_day(first.year, first.month, number)
        if found and found > context.today:
            return Day(found, _BARE, today_if_ahead=number == context.today.day)
    return None


def number_of(mday: int | None, nth: int | None, ordinal: int | None) -> int:
    """The number of a day, in whichever way it was said; 0 if none was."""
    return mday or nth or ordinal or 0


def weekday_and_day(
    context: Context, weekday: int, mday: int | None = None, nth: int | None = None, ordinal: int | None = None
) -> Day | None:
    """As in "venerdì 16": the next 16th that is a Friday, today included.

    Far off it is unsure, for a mere number may count something: "lunedì 3 ospiti".
    """
    number = number_of(mday, nth, ordinal)
    start = context.today.replace(day=1)
    for ahead in range(14 if mday else 48):
        first = add_months(start, ahead)
        found = first and calendar_day(first.year, first.month, number)
        if found and found >= context.today and found.weekday() == weekday:
            return Day(found, _WEAK if mday and ahead > 2 else _STRONG)
    return None


def day_and_month(
    context: Context,
    month: int,
    mday: int | None = None,
    nth: int | None = None,
    ordinal: int | None = None,
    weekday: int | None = None,
    year: int | None = None,
) -> Day | None:
    """As in "28 august": this year's, or next year's once it is over. A weekday that fits only a day of the last
    weeks means that one; where it fits neither, nothing is sure.
    """
    number = number_of(mday, nth, ordinal)
    found = next_such(context.today, month, number) if year is None else calendar_day(year, month, number)
    if found is None or weekday in (None, found.weekday()):
        return Day(found) if found else None
    passed = calendar_day(context.today.year, month, number) if year is None else None
    recent = passed is not None and timedelta(0) < context.today - passed <= _RECENT
    return Day(passed) if passed and recent and passed.weekday() == weekday else Day(found, _WEAK)


def figures_apart(
    context: Context, mday: int, mday2: int, year: int | None = None, weekday: int | None = None
) -> Day | None:
    """As in "5 / 12 / 2026"; "on 4-22", which may be a range, is never sure."""
    read = in_order(mday, mday2, year, context.habits.month_first)
    found = read and figures(context, read, weekday=weekday)
    return found and found._replace(strength=_STRONG if year else Strength.MAYBE)


def month_then_figures(_: Context, month: int, day_year: tuple[int, int]) -> Day | None:
    """As in "mar/5/2026", of which "5/2026" came as one."""
    number, year = day_year
    found = calendar_day(year, month, number)
    return Day(found) if found else None


def year_first(_: Context, year: int, mday: int, mday2: int) -> Day | None:
    """As in "2026 / 5 / 12"."""
    found = calendar_day(year, mday, mday2)
    return Day(found) if found else None


def compact(context: Context, compact: Figures) -> Day | None:
    """As in "20260512", which may be any number."""
    found = figures(context, compact)
    return found and found._replace(strength=Strength.HINT)


def dotted_with_year(context: Context, dotted_date: Figures) -> Day | None:
    """As in "1.10.26" in answer to "when?": elsewhere it may be a version, and without a year it is an amount."""
    found = figures(context, dotted_date) if dotted_date[2] else None
    return found and found._replace(strength=Strength.ALONE)


def start_of(_: Context, stretch: Period) -> Day:
    return Day(stretch.first)


def middle_of(_: Context, stretch: Period) -> Day:
    """The 15th of a month, Wednesday of a week."""
    days = (stretch.last - stretch.first).days
    return Day(stretch.first + timedelta(days=2 if days == 6 else 14 if days < 31 else days // 2))


def end_of(context: Context, stretch: Period) -> Day:
    """The last day; of a week the last working day, or Sunday once that is past."""
    if (stretch.last - stretch.first).days != 6:
        return Day(stretch.last)
    working = stretch.first + timedelta(days=context.habits.week_work_ends)
    return Day(working if working >= context.today else stretch.last)


def day_and_short_year(
    context: Context, month: int, yy: int, mday: int | None = None, nth: int | None = None, ordinal: int | None = None
) -> Day | None:
    """As in "31-oct-74", "15 april of 87"."""
    return day_and_month(context, month, mday, nth, ordinal, year=yy)


def figures(
    context: Context,
    figures: Figures | None = None,
    dotted_date: Figures | None = None,
    weekday: int | None = None,
    year: int | None = None,
) -> Day | None:
    """As in "16/05", "2026-05-01"; without a year it may be a fraction or a score."""
    number, month, written = figures or dotted_date or (0, 0, None)
    year = written or year
    found = next_such(context.today, month, number) if year is None else calendar_day(year, month, number)
    sure = year is not None or (found is not None and weekday == found.weekday())
    return Day(found, _STRONG if sure else _WEAK) if found else None


def day(_: Context, date: Day) -> Day:
    return date


def day_with_part(_: Context, date: Day, part: Part) -> Day:
    """As in "friday morning"."""
    return date._replace(part=part, name=None, strength=max(date.strength, _STRONG))


def part_word(context: Context, part_word: tuple[int, Part]) -> Day:
    """As in "tonight", "domattina"."""
    offset, part = part_word
    return Day(context.today + timedelta(days=offset), part=part)


def part_today(context: Context, part: Part) -> Day:
    """As in "this morning"."""
    return Day(context.today, part=part)


def day_number(context: Context, mday: int) -> Day | None:
    """As in "on 15", where a number may be anything."""
    found = day_of_month(context, mday)
    return found and found._replace(strength=Strength.MAYBE)


def part_alone(context: Context, part: Part) -> Day:
    """As in "morning", in answer to "when?"."""
    return part_coming(context, part)._replace(strength=Strength.ALONE)


def part_coming(context: Context, part: Part) -> Day:
    """As in "in the morning": today's, or tomorrow's once it is over."""
    return Day(context.today + timedelta(days=context.now.hour >= _PART_ENDS[part]), _WEAK, part)


def coming(day: date, weekday: int) -> date:
    return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)


def next_such(today: date, month: int, day: int) -> date | None:
    """The next such day, today included; 29 February may be years away."""
    for year in range(today.year, today.year + 9):
        found = calendar_day(year, month, day)
        if found and found >= today:
            return found
    return None


def nth_weekday(context: Context, ordinal: int, weekday: int, stretch: Period) -> Day | None:
    """As in "the first monday of october". "of the month" is the next such day, in this month or the next."""
    found = _nth_weekday(ordinal, weekday, stretch)
    if found is None or found.day >= context.today or stretch.strength != Strength.NEVER:
        return found
    first = stretch.last + timedelta(days=1)
    if stretch.first.day != 1 or stretch.last.month != stretch.first.month:
        return found
    return _nth_weekday(ordinal, weekday, Period(first, first.replace(day=days_in(first.year, first.month))))


def _nth_weekday(ordinal: int, weekday: int, stretch: Period) -> Day | None:
    if ordinal > 0:
        start = stretch.first - timedelta(days=1)
        found = coming(start, weekday) + timedelta(weeks=ordinal - 1)
    else:
        last = stretch.last - timedelta(days=(stretch.last.weekday() - weekday) % 7)
        found = last + timedelta(weeks=ordinal + 1)
    return Day(found) if stretch.first <= found <= stretch.last else None
