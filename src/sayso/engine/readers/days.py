"""Days: what the rules about calendar days mean.

"the first monday of next month" → nth_weekday(ordinal=1, weekday=0, stretch=next month) → that day.
A rule in dates.yaml names a function of this module and fills its parameters with slots; None says that the calendar
has no such thing (30 February), and the words are then no date.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from sayso.engine.readers.stretches import monday_of
from sayso.engine.readers.when import Context, Day, Part, Period, Shift, Strength, add_months, calendar_day

_BARE, _WEAK, _STRONG = Strength.BARE, Strength.WEAK, Strength.STRONG
_PART_ENDS: dict[Part, int] = {"morning": 12, "afternoon": 18, "evening": 24, "night": 24}
_NAMED = {0: "today", 1: "tomorrow"}


def day_word(context: Context, day_word: int) -> Day:
    return Day(context.today + timedelta(days=day_word), name=_NAMED.get(day_word))


def weekday(context: Context, weekday: int) -> Day:
    """The next one strictly after today."""
    return Day(_coming(context.today, weekday), _WEAK)


def weekday_coming(context: Context, weekday: int) -> Day:
    """The same, said outright: "this friday", "mercoledì prossimo"."""
    return Day(_coming(context.today, weekday))


def weekday_next_week(context: Context, weekday: int) -> Day:
    """English "next monday"."""
    return Day(monday_of(context.today) + timedelta(days=7 + weekday))


def weekday_last(context: Context, weekday: int) -> Day:
    return Day(context.today - timedelta(days=(context.today.weekday() - weekday - 1) % 7 + 1))


def weekday_and_week(context: Context, weekday: int) -> Day:
    """As in "friday week"."""
    return Day(_coming(context.today, weekday) + timedelta(days=7))


def weekday_in(_: Context, weekday: int, stretch: Period) -> Day | None:
    """As in "wednesday of next week"."""
    if (stretch.last - stretch.first).days != 6:
        return None
    return Day(stretch.first + timedelta(days=weekday))


def weekdays_from_now(context: Context, count: float, weekday: int) -> Day | None:
    """As in "two sundays from now"."""
    if count != int(count) or not 0 < count < 100:
        return None
    return Day(_coming(context.today, weekday) + timedelta(weeks=int(count) - 1))


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


def weekday_and_day(
    context: Context, weekday: int, mday: int | None = None, nth: int | None = None, ordinal: int | None = None
) -> Day | None:
    """As in "venerdì 16": the next 16th that is a Friday, today included.

    Far off it is unsure, for a mere number may count something: "lunedì 3 ospiti".
    """
    number = mday or nth or ordinal or 0
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
    """As in "28 august": this year's, or next year's once it is over. Unsure where a weekday disagrees."""
    number = mday or nth or ordinal or 0
    found = _next_such(context.today, month, number) if year is None else calendar_day(year, month, number)
    return Day(found, _STRONG if weekday in (None, found.weekday()) else _WEAK) if found else None


def day_in(
    _: Context, stretch: Period, mday: int | None = None, nth: int | None = None, ordinal: int | None = None
) -> Day | None:
    """As in "the 20th of next month", "the last day of october": counted from either end of the stretch."""
    number = mday or nth or ordinal or 0
    found = stretch.first + timedelta(days=number - 1) if number > 0 else stretch.last + timedelta(days=number + 1)
    return Day(found) if number and stretch.first <= found <= stretch.last else None


def nth_weekday(_: Context, ordinal: int, weekday: int, stretch: Period) -> Day | None:
    """As in "the first monday of october"."""
    if ordinal > 0:
        start = stretch.first - timedelta(days=1)
        found = _coming(start, weekday) + timedelta(weeks=ordinal - 1)
    else:
        last = stretch.last - timedelta(days=(stretch.last.weekday() - weekday) % 7)
        found = last + timedelta(weeks=ordinal + 1)
    return Day(found) if stretch.first <= found <= stretch.last else None


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


def figures(context: Context, figures: tuple[int, int, int | None], weekday: int | None = None) -> Day | None:
    """As in "16/05", "2026-05-01"; without a year it may be a fraction or a score."""
    number, month, year = figures
    found = _next_such(context.today, month, number) if year is None else calendar_day(year, month, number)
    sure = year is not None or (found is not None and weekday == found.weekday())
    return Day(found, _STRONG if sure else _WEAK) if found else None


def holiday(context: Context, holiday: tuple[int, int], year: int | None = None) -> Day | None:
    """A feast on a fixed day: "christmas", "ferragosto"."""
    month, number = holiday
    found = calendar_day(year, month, number) if year else _next_such(context.today, month, number)
    return Day(found, _STRONG if year else _WEAK) if found else None


def from_now(context: Context, length: Shift) -> Day | None:
    """As in "in three days", "fra mezz'ora": from now, to the minute if minutes were said."""
    found = length.after(context.today)
    if found is None or not length.minutes:
        return Day(found) if found else None
    moment = datetime(found.year, found.month, found.day, context.now.hour, context.now.minute)
    moment += timedelta(minutes=length.minutes)
    return Day(moment.date(), time=(moment.hour, moment.minute))


def ago(context: Context, length: Shift) -> Day | None:
    return from_now(context, length.back())


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


def earlier(_: Context, length: Shift, date: Day) -> Day | None:
    """As in "two days before christmas"."""
    found = length.back().after(date.day)
    return Day(found) if found and not length.minutes else None


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


def part_coming(context: Context, part: Part) -> Day:
    """As in "in the morning": today's, or tomorrow's once it is over."""
    return Day(context.today + timedelta(days=context.now.hour >= _PART_ENDS[part]), _WEAK, part)


def _coming(day: date, weekday: int) -> date:
    return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)


def _next_such(today: date, month: int, day: int) -> date | None:
    """The next such day, today included; 29 February may be years away."""
    for year in range(today.year, today.year + 9):
        found = calendar_day(year, month, day)
        if found and found >= today:
            return found
    return None
