"""Gives the meaning of the rules of repeats.yaml.

"every other monday" → every_other_days(days=(0,)) → Repeat(WEEKLY, interval=2, days=((0, 0),)).
A rule names a function of this module and fills its parameters with slots. None means that no RFC 5545 rule with a
daily, weekly, monthly or yearly frequency can express it ("every 20 minutes"); the words are then no repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sayso.engine.dates.clock import settle
from sayso.engine.repeats.recurrence import Frequency, Lead, Repeat
from sayso.engine.values.specs import Part, Unit
from sayso.engine.values.when import Clock, Context, Day, Period, Shift, days_in

_STEPS: dict[Unit, tuple[Frequency, int]] = {
    "day": ("DAILY", 1),
    "week": ("WEEKLY", 1),
    "fortnight": ("WEEKLY", 2),
    "month": ("MONTHLY", 1),
    "quarter": ("MONTHLY", 3),
    "year": ("YEARLY", 1),
}
_MOST = 400  # largest interval
_LAST_OF_MONTH = 31
_LEAP_YEAR = 2024
_MONTH = 30  # days that count as a month in a lead time
_LONGEST_LEAD = 366  # days
_MORNING = (9, 0)  # when something without a time rings

_ROUND_MINUTES = (5, 10, 15, 20, 30, 45)  # numbers that need no unit beside "before"

Days = tuple[int, ...]


# Sets of weekdays


def one_day(_: Context, weekday: int | None = None, weekdays: int | None = None) -> Days:
    return (weekdays or 0,) if weekday is None else (weekday,)


def several_days(
    _: Context,
    weekday: int,
    weekday2: int,
    weekday3: int | None = None,
    weekday4: int | None = None,
    weekday5: int | None = None,
    weekday6: int | None = None,
) -> Days | None:
    """As in "monday, wednesday and friday"."""
    said = [one for one in (weekday, weekday2, weekday3, weekday4, weekday5, weekday6) if one is not None]
    return tuple(sorted(said)) if len(set(said)) == len(said) else None


def plural_days(
    context: Context,
    weekdays: int,
    weekdays2: int | None = None,
    weekdays3: int | None = None,
    weekdays4: int | None = None,
) -> Days | None:
    """As in "tuesdays and thursdays"."""
    if weekdays2 is None:
        return (weekdays,)
    return several_days(context, weekdays, weekdays2, weekdays3, weekdays4)


def day_range(_: Context, weekday: int, weekday2: int) -> Days | None:
    """As in "monday to friday", "friday to sunday"."""
    length = (weekday2 - weekday) % 7 + 1
    return tuple(sorted((weekday + step) % 7 for step in range(length))) if length > 1 else None


def day_set(_: Context, day_set: Days | None = None, plural_day_set: Days = ()) -> Days:
    """As in "weekdays"."""
    return day_set or plural_day_set


# Cycles


def every_unit(context: Context, unit: Unit) -> Repeat | None:
    return every_count(context, 1, unit)


def every_count(_: Context, count: float, unit: Unit) -> Repeat | None:
    """As in "every two weeks"."""
    if unit not in _STEPS or count != int(count) or not 1 <= count <= _MOST:
        return None
    frequency, step = _STEPS[unit]
    return Repeat(frequency, step * int(count))


def every_nth_unit(context: Context, ordinal: int, unit: Unit) -> Repeat | None:
    """As in "every third day"."""
    return every_count(context, ordinal, unit) if ordinal > 1 else None


def every_other_unit(context: Context, unit: Unit) -> Repeat | None:
    return every_count(context, 2, unit)


def frequency(
    context: Context, frequency: tuple[int, Unit] | None = None, adjective: tuple[int, Unit] | None = None
) -> Repeat | None:
    """As in "weekly"."""
    said = frequency or adjective
    return every_count(context, *said) if said else None


def part_frequency(_: Context, part_frequency: Part) -> Repeat:
    """As in "nightly"."""
    return Repeat("DAILY", part=part_frequency)


def every_part(_: Context, part: Part) -> Repeat:
    """As in "each morning"."""
    return Repeat("DAILY", part=part)


def every_other_part(_: Context, part: Part) -> Repeat:
    """As in "every other morning"."""
    return Repeat("DAILY", 2, part=part)


def every_days(_: Context, days: Days = (), plurals: Days = (), usual: Days = ()) -> Repeat:
    return Repeat("WEEKLY", days=_each(days or plurals or usual))


def days_in_parts(_: Context, days: Days, part_frequency: Part) -> Repeat:
    """As in "monday mornings"."""
    return Repeat("WEEKLY", days=_each(days), part=part_frequency)


def every_nth_days(_: Context, ordinal: int, days: Days) -> Repeat | None:
    """As in "every second tuesday", meaning every other one. "every first monday" is the first of each month."""
    if ordinal > 1:
        return Repeat("WEEKLY", ordinal, days=_each(days)) if ordinal <= _MOST else None
    return Repeat("MONTHLY", days=((ordinal, days[0]),)) if len(days) == 1 and ordinal in (1, -1) else None


def every_other_days(context: Context, days: Days = (), plurals: Days = ()) -> Repeat | None:
    return every_nth_days(context, 2, days or plurals)


def unit_on_days(context: Context, unit: Unit, days: Days = (), plurals: Days = (), count: float = 1) -> Repeat | None:
    """As in "every two weeks on wednesday"."""
    days = days or plurals
    found = every_count(context, count, unit)
    if found is None or found.frequency not in ("WEEKLY", "DAILY") or (found.frequency == "DAILY" and count > 1):
        return None
    return Repeat("WEEKLY", found.interval, days=_each(days))


def nth_unit_on_days(context: Context, ordinal: int, unit: Unit, days: Days = (), plurals: Days = ()) -> Repeat | None:
    """As in "every third week on monday"."""
    return unit_on_days(context, unit, days, plurals, ordinal) if ordinal > 1 else None


def other_unit_on_days(context: Context, unit: Unit, days: Days = (), plurals: Days = ()) -> Repeat | None:
    return unit_on_days(context, unit, days, plurals, 2)


def frequency_on_days(
    context: Context, frequency: tuple[int, Unit], days: Days = (), plurals: Days = ()
) -> Repeat | None:
    """As in "weekly on sundays"."""
    count, unit = frequency
    return unit_on_days(context, unit, days, plurals, count)


def all_but(_: Context, days: Days = (), plurals: Days = ()) -> Repeat | None:
    """As in "every day except sunday"."""
    days = days or plurals
    rest = tuple(day for day in range(7) if day not in days)
    return Repeat("WEEKLY", days=_each(rest)) if rest else None


def days_of_month(context: Context, unit: Unit = "month", count: float = 1, **numbers: int) -> Repeat | None:
    """As in "on the 1st and 15th of every month". `numbers` are all slots that hold a day."""
    said = set(numbers.values())
    found = every_count(context, count, unit)
    within = all(1 <= one <= _LAST_OF_MONTH or one == -1 for one in said)
    if found is None or found.frequency != "MONTHLY" or not within or len(said) != len(numbers):
        return None
    return found._replace(month_days=tuple(sorted(said, key=lambda one: one % 32)))


def days_of_other_month(context: Context, unit: Unit, **numbers: int) -> Repeat | None:
    """As in "every other month on the 3rd"."""
    return days_of_month(context, unit, 2, **numbers)


def frequency_on_day(context: Context, frequency: tuple[int, Unit], **numbers: int) -> Repeat | None:
    """As in "monthly on the 5th"."""
    count, unit = frequency
    return days_of_month(context, unit, count, **numbers)


def nth_of_month(
    context: Context, ordinal: int, weekday: int, unit: Unit = "month", count: float = 1, ordinal2: int | None = None
) -> Repeat | None:
    """As in "the first monday of every month", "the last friday of each month"."""
    found = every_count(context, count, unit)
    which = [ordinal] if ordinal2 is None else [ordinal, ordinal2]
    if found is None or found.frequency != "MONTHLY" or any(not (1 <= one <= 5 or one == -1) for one in which):
        return None
    return found._replace(days=tuple((one, weekday) for one in which))


def nth_of_other_month(context: Context, ordinal: int, weekday: int, unit: Unit) -> Repeat | None:
    """As in "every other month on the first monday"."""
    return nth_of_month(context, ordinal, weekday, unit, 2)


def frequency_nth_weekday(context: Context, frequency: tuple[int, Unit], ordinal: int, weekday: int) -> Repeat | None:
    """As in "monthly on the first monday"."""
    count, unit = frequency
    return nth_of_month(context, ordinal, weekday, unit, count)


def frequency_on_date(context: Context, frequency: tuple[int, Unit], date: Day) -> Repeat | None:
    """As in "yearly on 3 may"."""
    count, unit = frequency
    return yearly_on(context, date) if (count, unit) == (1, "year") else None


def nth_of_the_month(context: Context, ordinal: int, weekday: int, unit: Unit = "month") -> Repeat | None:
    """As in "the first monday of the month", which may also mean the next one only."""
    found = nth_of_month(context, ordinal, weekday, unit)
    return found and found._replace(sure=False)


def end_of_month(context: Context, unit: Unit = "month", count: float = 1) -> Repeat | None:
    """As in "at the end of every month". The end of a week is its last working day."""
    if unit == "week":
        return unit_on_days(context, unit, (context.habits.week_work_ends,), count=count)
    return days_of_month(context, unit, count, mday=-1)


def start_of_month(context: Context, unit: Unit = "month") -> Repeat | None:
    """As in "at the start of every month". A week starts on Monday."""
    return Repeat("WEEKLY", days=((0, 0),)) if unit == "week" else days_of_month(context, unit, mday=1)


def yearly_on(_: Context, date: Day) -> Repeat:
    """As in "every year on 3 may"."""
    return Repeat("YEARLY", anchor=(date.day.month, date.day.day))


def yearly_day(
    _: Context, month: int, mday: int | None = None, nth: int | None = None, ordinal: int | None = None
) -> Repeat | None:
    """As in "every 25 december"."""
    number = mday or nth or ordinal or 0
    return Repeat("YEARLY", anchor=(month, number)) if 1 <= number <= days_in(_LEAP_YEAR, month) else None


def every_holiday(_: Context, holiday: Sequence[int]) -> Repeat | None:
    """As in "every christmas". Movable feasts cannot be expressed."""
    return Repeat("YEARLY", anchor=(holiday[0], holiday[1])) if len(holiday) == 2 else None


def every_month_named(_: Context, month: int) -> Repeat:
    """As in "every june": the first day of that month."""
    return Repeat("YEARLY", anchor=(month, 1))


# With the part of the day, the time and the end


def same(
    _: Context,
    cycle: Repeat | None = None,
    rhythm: Repeat | None = None,
    timed: Repeat | None = None,
    bounded: Repeat | None = None,
    repeat: Repeat | None = None,
) -> Repeat | None:
    return cycle or rhythm or timed or bounded or repeat


def in_part(_: Context, cycle: Repeat, part: Part) -> Repeat:
    """As in "every monday morning"."""
    return cycle._replace(part=part)


def at_time(
    context: Context,
    rhythm: Repeat,
    time: Clock | None = None,
    bare: Clock | None = None,
    time2: Clock | None = None,
    bare2: Clock | None = None,
    figured: Clock | None = None,
) -> Repeat | None:
    """As in "every night at 9", which is 21:00. Of a time span the start counts."""
    clock = time or bare or figured
    if clock is None:
        return None
    end = time2 or bare2
    if end is not None and end.sure and not clock.sure and rhythm.part is None:
        later = clock.hour % 12 + 12
        clock = Clock(later if later < end.hour else clock.hour % 12, clock.minute, True)
    return rhythm._replace(time=settle(clock, rhythm.part, context)[0])


def until(context: Context, timed: Repeat, date: Day | None = None, stretch: Period | None = None) -> Repeat | None:
    """As in "until friday", inclusive. "until june" ends on 1 June, or on 30 June if the month has already begun."""
    last = date.day if date is not None else None
    if stretch is not None:
        last = stretch.first if stretch.first > context.today else stretch.last
    return timed._replace(until=last) if last is not None and last >= context.today and timed.until is None else None


def through(context: Context, timed: Repeat, stretch: Period) -> Repeat | None:
    """As in "until the end of june", "through june"."""
    return timed._replace(until=stretch.last) if stretch.last >= context.today else None


def for_length(context: Context, timed: Repeat, length: Shift) -> Repeat | None:
    """As in "for 5 weeks": a count if the length is a multiple of the interval, else an end date."""
    times = _times(timed, length)
    if times is not None:
        return timed._replace(times=times) if 0 < times <= _MOST * 7 else None
    last = length.after(context.today)
    return timed._replace(until=last - timedelta(days=1)) if last is not None and not length.minutes else None


def times(_: Context, timed: Repeat, count: float) -> Repeat | None:
    """As in "ten times"."""
    return timed._replace(times=int(count)) if count == int(count) and 0 < count <= _MOST * 7 else None


def starting(_: Context, bounded: Repeat, date: Day | None = None, stretch: Period | None = None) -> Repeat | None:
    """As in "starting next monday"."""
    first = date.day if date is not None else stretch.first if stretch is not None else None
    return bounded._replace(start=first) if first is not None else None


def sign(_: Context, **_said: object) -> bool:
    """Words about a repeat of any kind: "every time it rains", "twice a week"."""
    return True


# Lead times


def ahead(_: Context, length: Shift | None = None, short: Shift | None = None) -> Lead | None:
    """As in "10 minutes before"."""
    said = length or short or Shift()
    days = said.days + said.months * _MONTH
    if min(said) < 0 or not any(said) or days > _LONGEST_LEAD:
        return None
    more, minutes = divmod(said.minutes, 24 * 60)
    # "24 hours before" stays 24 hours, which is not a day when the clock changes
    return Lead(days, said.minutes) if not days else Lead(days + more, minutes)


def minutes_ahead(context: Context, count: float) -> Lead | None:
    """As in "remind me 15 before"."""
    return ahead(context, Shift(minutes=int(count))) if count in _ROUND_MINUTES else None


def same_lead(_: Context, lead: Lead) -> Lead:
    return lead


def unit_ahead(context: Context, unit: Unit) -> Lead | None:
    """As in "the day before"."""
    days: dict[Unit, int] = {"day": 1, "week": 7, "fortnight": 14}
    lengths = {"hour": Shift(minutes=60)} | {one: Shift(days=count) for one, count in days.items()}
    return ahead(context, lengths[unit]) if unit in lengths else None


def day_ahead_at(
    context: Context, time: Clock | None = None, bare: Clock | None = None, part: Part | None = None
) -> Lead | None:
    """As in "the evening before at 8"."""
    same = same_day_at(context, time, bare, part)
    return same and same._replace(days=1)


def same_day_at(
    context: Context, time: Clock | None = None, bare: Clock | None = None, part: Part | None = None
) -> Lead | None:
    """As in "at 9 that morning"."""
    clock = time or bare
    return Lead(at=settle(clock, part, context)[0]) if clock is not None else None


def same_morning(_: Context) -> Lead:
    """As in "that morning", without an hour."""
    return Lead(at=_MORNING)


def on_time(_: Context) -> Lead:
    """As in "at the time itself"."""
    return Lead()


def _each(days: Days) -> tuple[tuple[int, int], ...]:
    return tuple((0, day) for day in days)


def _times(repeat: Repeat, length: Shift) -> int | None:
    """The number of occurrences in a length of time, or None if it is not a whole number of intervals."""
    if length.minutes:
        return None
    steps = {"DAILY": (length.days, 0), "WEEKLY": (length.days, 7)}
    if repeat.frequency in steps:
        whole, size = length.days, steps[repeat.frequency][1] or 1
        rest: int = length.months
    else:
        whole, size = length.months, 12 if repeat.frequency == "YEARLY" else 1
        rest = length.days
    each = len(repeat.days) or len(repeat.month_days) or 1
    if rest or not whole or whole % (size * repeat.interval):
        return None
    return whole // (size * repeat.interval) * each
