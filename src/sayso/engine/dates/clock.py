"""Gives the meaning of the rules about lengths of time and hours of the day.

"half past eight in the morning" → time_with_part(clock=past(hour=8, fraction=0.5), part="morning") → 08:30.
A rule in dates.yaml names a function of this module and fills its parameters with slots. An hour said without its half
of the day stays unsure until `settle` knows the day part and the habits of the language.
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.engine.values.specs import Part, Unit
from sayso.engine.values.when import MONTHS, Clock, Context, Shift, Strength

_BARE, _WEAK, _STRONG = Strength.BARE, Strength.WEAK, Strength.STRONG
_MINUTES: dict[Unit, int] = {"minute": 1, "hour": 60}
_DAYS: dict[Unit, int] = {"day": 1, "week": 7, "fortnight": 14}
_NONE = Shift()
_YEAR_LIKE = (19, 20, 21)
_NIGHT_ENDS = 5
_MOST, _MOST_WEEKS = 10_000, 1_000  # of days and less, of weeks and more; nobody plans further ahead


def amount(_: Context, count: float, unit: Unit) -> Shift | None:
    """As in "two weeks", "1.5 hours". A fraction of a month is counted in days, a fraction of a day in minutes."""
    if count > (_MOST if unit in ("minute", "hour", "day") else _MOST_WEEKS):
        return None
    if unit in _MINUTES:
        return Shift(minutes=round(count * _MINUTES[unit]))
    if unit in _DAYS:
        days, rest = divmod(count * _DAYS[unit], 1)
        return Shift(days=int(days), minutes=round(rest * 1440))
    months, rest = divmod(count * MONTHS[unit], 1)
    return Shift(months=int(months), days=round(rest * 30))


def amount_and_fraction(context: Context, count: float, unit: Unit, fraction: float) -> Shift | None:
    return amount(context, count + fraction, unit)


def fraction_of(context: Context, fraction: float, unit: Unit) -> Shift | None:
    return amount(context, fraction, unit)


def measure(context: Context, measure: Sequence[tuple[float, Unit]]) -> Shift | None:
    """As in "30min", "1h30m"."""
    found = Shift()
    for count, unit in measure:
        piece = amount(context, count, unit)
        if piece is None:
            return None
        found = found.plus(piece)
    return found


def brief(context: Context, brief: Sequence[tuple[float, Unit]]) -> Shift | None:
    """As in "5m", if a word beside it says that it is a time."""
    return measure(context, brief)


def amount_and_minutes(context: Context, count: float, unit: Unit, minute: int) -> Shift | None:
    """As in "1 hour thirty"."""
    found = amount(context, count, unit)
    return found.plus(Shift(minutes=minute)) if found and unit == "hour" else None


def amount_of_two(context: Context, count: float, count2: float, unit: Unit) -> Shift | None:
    """As in "2 to 3 days": the longer."""
    return amount(context, count2, unit) if count < count2 else None


def length(_: Context, piece: Shift, piece2: Shift = _NONE, piece3: Shift = _NONE, piece4: Shift = _NONE) -> Shift:
    """As in "2 hours 30 minutes", "1 mese, 2 giorni e 3 ore"."""
    return piece.plus(piece2).plus(piece3).plus(piece4)


def hour(_: Context, hour: int) -> Clock:
    return Clock(hour % 24, 0, hour > 12 or hour == 0, _BARE)


def hour_and_minute(_: Context, hour: int, minute: int) -> Clock:
    return Clock(hour % 24, minute, hour > 12 or hour == 0, _BARE)


def hour_and_tens(_: Context, hour: int, minute: int) -> Clock | None:
    """As in "ten thirty" without other words of time; "ten three" is two numbers."""
    return hour_and_minute(_, hour, minute) if minute >= 10 else None


def hour_and_minute_run_together(_: Context, hhmm: Clock) -> Clock | None:
    """As in "by 730". People who write so use round minutes: "at 101" is a place, "by 2030" a year."""
    return None if hhmm.minute % 5 or hhmm.hour in _YEAR_LIKE else hhmm


def run_together_said(_: Context, hhmm: Clock) -> Clock | None:
    """As in "at 2030", if the word before it says that it is a time."""
    return None if hhmm.minute % 5 else hhmm


def run_together_unsure(_: Context, hhmm: Clock) -> Clock | None:
    """As in "tonight 745"; alone it may be any number."""
    return None if hhmm.minute % 5 else hhmm._replace(strength=Strength.MAYBE)


def military(_: Context, hhmm: Clock | None = None, hundred: int | None = None) -> Clock:
    """As in "1500 hours", "fifteen hundred hours"."""
    return hhmm._replace(sure=True, strength=_STRONG) if hhmm else Clock((hundred or 0) % 24, 0, True)


def half_past(_: Context, fraction: float, hour: int) -> Clock | None:
    """As in British "half seven"."""
    return Clock(hour % 24, 30, hour > 12 or hour == 0, _WEAK) if fraction == 0.5 else None


def clock_face(_: Context, digital: Clock) -> Clock:
    return digital


def clock_said(_: Context, dotted: Clock) -> Clock:
    """As in "ore 15.30", if a word says that it is a time."""
    return dotted._replace(strength=_STRONG)


def dotted_clock(_: Context, dotted: Clock) -> Clock:
    return dotted


def exactly(_: Context | None, hour: int) -> Clock:
    """As in "nine o'clock"."""
    return Clock(hour % 24, 0, hour > 12 or hour == 0)


def named_time(_: Context, named_time: int) -> Clock:
    """As in "at noon", "all'una"; without the preposition it may belong to something else: "a midnight snack"."""
    return _start(None, None, named_time)._replace(strength=_WEAK)


def past(
    _: Context,
    hour: int | None = None,
    digital: Clock | None = None,
    named_time: int | None = None,
    fraction: float = 0,
    minute: int = 0,
) -> Clock:
    """As in "half past eight", "nove e mezza", "ten past 3pm"."""
    start = _start(hour, digital, named_time)
    strength = _STRONG if fraction or digital else _WEAK
    return Clock(start.hour, start.minute + minute + round(fraction * 60), start.sure, strength)


def before(
    _: Context,
    hour: int | None = None,
    digital: Clock | None = None,
    named_time: int | None = None,
    fraction: float = 0,
    minute: int = 0,
) -> Clock | None:
    """As in "quarter to six", "le sei meno un quarto"; "halb acht" in languages that count towards the hour."""
    start = _start(hour, digital, named_time)
    less = minute + round(fraction * 60)
    total = start.hour * 60 + start.minute - less
    if not 0 < less < 60:
        return None
    if not start.sure and start.hour == 1:
        total += 12 * 60  # a quarter to one is 12:45
    strength = _STRONG if fraction or digital else _WEAK
    return Clock(total // 60 % 24, total % 60, start.sure, strength)


def round_past(
    context: Context, minute: int, hour: int | None = None, digital: Clock | None = None, named_time: int | None = None
) -> Clock | None:
    """As in "ten past six", without the word for minutes, which people omit only for round minutes."""
    return past(context, hour, digital, named_time, minute=minute) if minute % 5 == 0 else None


def round_before(
    context: Context, minute: int, hour: int | None = None, digital: Clock | None = None, named_time: int | None = None
) -> Clock | None:
    """As in "ten to six"; "2 to 3" is a range."""
    return before(context, hour, digital, named_time, minute=minute) if minute % 5 == 0 else None


def _start(hour: int | None, digital: Clock | None, named_time: int | None) -> Clock:
    if digital is not None:
        return digital
    if named_time is not None:
        return Clock(named_time % 24, 0, named_time in (0, 12, 24))
    return exactly(None, hour or 0)


def time(
    _: Context, clock: Clock | None = None, bare: Clock | None = None, spoken: Clock | None = None
) -> Clock | None:
    return clock or bare or spoken


def time_with_meridiem(
    _: Context, meridiem: str, clock: Clock | None = None, bare: Clock | None = None, spoken: Clock | None = None
) -> Clock | None:
    """As in "three thirty pm"; "15:00 pm" counts as its figures say."""
    said = clock or bare or spoken
    if said is None:
        return None
    if said.hour > 12:
        return said if meridiem == "pm" and said.strength == _STRONG else None
    if said.hour == 0 and said.sure:
        return None
    return Clock(said.hour % 12 + (12 if meridiem == "pm" else 0), said.minute, True)


def time_with_part(
    context: Context, part: Part, clock: Clock | None = None, bare: Clock | None = None, spoken: Clock | None = None
) -> Clock | None:
    """As in "half past eight in the morning"."""
    said = clock or bare or spoken
    if said is None:
        return None
    (h, m), _ = settle(said, part, context)
    return Clock(h, m, True)


def moved_on(_: Context, length: Shift, plain: Clock) -> Clock | None:
    """As in "two hours after noon"."""
    minutes = plain.hour * 60 + plain.minute + length.minutes
    if length.days or length.months:
        return None
    return plain._replace(hour=minutes // 60 % 24, minute=minutes % 60, strength=_STRONG)


def moved_back(context: Context, length: Shift, plain: Clock) -> Clock | None:
    return moved_on(context, length.back(), plain)


def unmoved(_: Context, plain: Clock) -> Clock:
    return plain


def settle(clock: Clock, part: Part | None, context: Context) -> tuple[tuple[int, int], bool]:
    """The time meant, and whether it falls after midnight of the night that was named ("tonight at 1")."""
    h, m = clock.hour, clock.minute
    late = part in ("evening", "night")
    if clock.sure:
        return (h, m), late and h < 5
    if part is None:
        return (h + 12 if _is_afternoon(clock, context) else h, m), False
    if part == "morning":
        return (h % 12, m), False
    if late and (h == 12 or (part == "night" and h < 5)):
        return (h % 12, m), True
    return (h % 12 + 12, m), False


def _is_afternoon(clock: Clock, context: Context) -> bool:
    """Whether an hour without a part of the day is after noon."""
    takes_24h = clock.figures and context.habits.clock_is_24h
    return 1 <= clock.hour <= context.habits.afternoon_until and not takes_24h


def in_half(time: tuple[int, int], part: Part | None) -> tuple[int, int]:
    """Move a time to the half of the day that a part of the day implies: 9 in the evening is 21:00."""
    hour, minute = time
    if part in ("evening", "afternoon") or (part == "night" and hour >= _NIGHT_ENDS):
        return hour % 12 + 12, minute
    return (hour % 12 if part == "morning" else hour), minute
