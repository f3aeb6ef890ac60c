"""Finds what a token with digits may be: a time, a date, a measure.

"5pm", "7:30", "17h", "8h30" → a clock; "16/05", "2026-05-01" → a date; "30min", "1h30m" → a measure. "22mm", "v2.1"
and "204" are nothing.
Only shapes are known here; suffixes such as "pm" and "min" come from the language's YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sayso.engine.values.specs import Unit
from sayso.engine.values.when import Clock, Strength, calendar_day, full_year

_CLOCK = re.compile(r"(\d{1,2})(?:([:.h])(\d{2}))(?::\d{2})?([^\W\d_][\w.]*)?")
_SUFFIXED = re.compile(r"(\d{1,4}(?:[.,]\d{1,2})?)([^\W\d_][\w.]*)")
_MEASURES = re.compile(r"(?:\d{1,4}(?:[.,]\d{1,2})?[^\W\d_]+){1,4}")
_MEASURE = re.compile(r"(\d{1,4}(?:[.,]\d{1,2})?)([^\W\d_]+)")
_FRACTION = re.compile(r"([1-9])[/⁄]([2-9])([^\W\d_]+)")
_ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:t(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d{1,6})?)?(?:z|[+-]\d{2}:?\d{2})?)?"
)
_DATE = re.compile(r"(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}|\d{2}))?")
_COMPACT = re.compile(r"((?:19|20)\d{2})(\d{2})(\d{2})")
_MONTH = re.compile(r"(\d{1,2})[-/.](\d{4})|(\d{4})[-/.](\d{1,2})")
_RUN = re.compile(r"\d{4}|[^\D0]\d{2}")  # an hour and minutes without a mark
_RANGE = re.compile(r"(\d[\d:./]*[^\W\d_]*)[-–](\d[\d:.h/]*[^\W\d_.]*)")

Atom = tuple[str, object]  # the slot it can fill, and with what
Units = Mapping[str, Unit]
Suffixes = Mapping[str, frozenset[str]]  # what may follow a clock in figures, by half of the day

CLOCK, DOTTED, RUN_TOGETHER, MEASURE = "{digital}", "{dotted}", "{hhmm}", "{measure}"
DATE, DATE_TIME, MONTH, DOTTED_DATE = "{figures}", "{date_time}", "{month_figures}", "{dotted_date}"
COMPACT, BRIEF, DAY_YEAR = "{compact}", "{brief}", "{day_year}"

_MARKS = {"": RUN_TOGETHER, ".": DOTTED}


class Figures:
    """Reads tokens with digits for one language. `short` follow a clock with minutes only: "3:18a"."""

    def __init__(self, full: Suffixes, short: Suffixes, units: Units, short_units: Units, month_first: bool) -> None:
        self._full, self._short, self._month_first = full, short, month_first
        self._units, self._all_units = units, {**units, **short_units}

    def atoms(self, word: str, this_year: int) -> Iterator[Atom]:
        """Everything the token may be by its shape."""
        if (match := _CLOCK.fullmatch(word)) is not None:
            yield from self._clock(*match.groups())
        elif (match := _SUFFIXED.fullmatch(word)) is not None:
            yield from self._suffixed(*match.groups())
        yield from self._measures(word)
        if (match := _ISO.fullmatch(word)) is not None:
            yield from _iso(*match.groups())
        elif (match := _COMPACT.fullmatch(word)) is not None:
            yield from ((COMPACT, day) for _, day in _iso(*match.groups()))
        elif (match := _DATE.fullmatch(word)) is not None:
            yield from self._date(this_year, *match.groups())
        elif (match := _MONTH.fullmatch(word)) is not None:
            yield from _month_and_year(*match.groups())
        elif _RUN.fullmatch(word) is not None:
            yield from self._clock(word[:-2], "", word[-2:], None)

    def _clock(self, hour: str, mark: str, minute: str, suffix: str | None) -> Iterator[Atom]:
        h, m = int(hour), int(minute)
        if m > 59 or h > 24 or (h == 24 and m):
            return
        if suffix is None:
            sure = h > 12 or h == 0 or hour[0] == "0" or mark == "h"
            strength = Strength.BARE if mark in ("", ".") else Strength.STRONG
            yield _MARKS.get(mark, CLOCK), Clock(h % 24, m, sure, strength, figures=bool(mark))
            if mark == "h":
                yield MEASURE, ((h, "hour"), (m, "minute"))  # "in 1h30"
        elif (clock := _meridiem(h, m, suffix, self._full) or _meridiem(h, m, suffix, self._short)) is not None:
            yield CLOCK, clock

    def _suffixed(self, figure: str, suffix: str) -> Iterator[Atom]:
        if figure.isdecimal() and suffix != "h":
            clock = _meridiem(*_hour_and_minute(figure), suffix, self._full)
            if clock is not None:
                yield CLOCK, clock
        # "17h" is a clock, "2h" a length: below eight nobody writes the clock so.
        if suffix == "h" and figure.isdecimal() and 8 <= int(figure) <= 24:
            yield CLOCK, Clock(int(figure) % 24, 0, True, Strength.WEAK)

    def _measures(self, word: str) -> Iterator[Atom]:
        """As in "30min", "1h30m", "1/2h"; every unit must be known."""
        if _MEASURES.fullmatch(word) is not None:
            pieces = [(float(count.replace(",", ".")), suffix) for count, suffix in _MEASURE.findall(word)]
        elif (match := _FRACTION.fullmatch(word)) is not None:
            pieces = [(int(match[1]) / int(match[2]), match[3])]
        else:
            return
        measure = tuple((count, self._all_units[suffix]) for count, suffix in pieces if suffix in self._all_units)
        if len(measure) == len(pieces):
            # "5m" may be metres, "1h30m" cannot.
            yield (MEASURE if len(pieces) > 1 or pieces[0][1] in self._units else BRIEF), measure

    def _date(self, this_year: int, first: str, mark: str, second: str, year: str | None) -> Iterator[Atom]:
        full = None if year is None else _in_full(year, this_year)
        found = in_order(int(first), int(second), full, self._month_first)
        turned = found is not None and found[0] != int(second if self._month_first else first)
        if found is None or (turned and mark == "." and year is None):  # "10.30" is a time where the day comes first
            return
        if mark == "." and (year is None or len(year) == 2):
            yield DOTTED_DATE, found  # "2.5" is an amount, "1.10.30" may be a version
        elif year is not None or mark == "/":
            yield DATE, found  # "3-4" is a range


def _in_full(year: str, this_year: int) -> int:
    return int(year) if len(year) == 4 else full_year(int(year), this_year)


def in_order(first: int, second: int, year: int | None, month_first: bool) -> tuple[int, int, int | None] | None:
    """Day, month and year of two figures, in the order of the language, or in the other if only that exists."""
    ways = ((second, first), (first, second)) if month_first else ((first, second), (second, first))
    for day, month in ways:
        # 2024 is a leap year: without a year any day that some year has will do.
        if calendar_day(year or 2024, month, day) is not None:
            return day, month, year
    return None


def split_range(word: str) -> Sequence[str] | None:
    """As in "13-15" → 13, -, 15; not for a date such as 2026-05-01."""
    if _ISO.fullmatch(word) or _MONTH.fullmatch(word) or (_DATE.fullmatch(word) and word.count("-") == 2):
        return None
    match = _RANGE.fullmatch(word)
    return (match.group(1), "-", match.group(2)) if match else None


def _month_and_year(month: str | None, year: str, year_first: str, month_last: str) -> Iterator[Atom]:
    """As in "3/2026" and "2026-03"."""
    found = (int(month or month_last), int(year or year_first))
    if calendar_day(found[1], found[0], 1) is not None:
        yield MONTH, found
    if month:
        yield DAY_YEAR, found  # as in "mar/22/2026"


def _iso(year: str, month: str, day: str, hour: str | None = None, minute: str | None = None) -> Iterator[Atom]:
    found = calendar_day(int(year), int(month), int(day))
    if found is None:
        return
    yield DATE, (found.day, found.month, found.year)
    if hour is not None and minute is not None and int(hour) < 24 and int(minute) < 60:
        yield DATE_TIME, (found, (int(hour), int(minute)))


def _meridiem(hour: int, minute: int, suffix: str, suffixes: Suffixes) -> Clock | None:
    if not 1 <= hour <= 12 or minute > 59:
        return None
    if suffix in suffixes["am"]:
        return Clock(hour % 12, minute, True)
    return Clock(hour % 12 + 12, minute, True) if suffix in suffixes["pm"] else None


def _hour_and_minute(figure: str) -> tuple[int, int]:
    """As in "5" and "530" before "pm"."""
    return (int(figure), 0) if len(figure) <= 2 else (int(figure[:-2]), int(figure[-2:]))
