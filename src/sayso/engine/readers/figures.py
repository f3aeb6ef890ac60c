"""Figures: what a token with digits may be, before any grammar: a clock, a date, a measure.

"5pm", "7:30", "17h", "8h30" → a clock; "16/05", "2026-05-01" → a date; "30min" → a measure. "22mm", "v2.1" and "204"
are nothing.
Only shapes are known here; suffixes such as "pm" and "min" come from the language's YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sayso.engine.readers.when import Clock, Strength, Unit, calendar_day

_CLOCK = re.compile(r"(\d{1,2})(?:([:.h])(\d{2}))(?::\d{2})?([^\W\d_][\w.]*)?")
_SUFFIXED = re.compile(r"(\d{1,4}(?:[.,]\d{1,2})?)([^\W\d_][\w.]*)")
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:t(\d{1,2}):(\d{2})(?::\d{2})?z?)?")
_DATE = re.compile(r"(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}|\d{2}))?")
_MONTH = re.compile(r"(\d{1,2})[-/.](\d{4})|(\d{4})[-/.](\d{1,2})")
_RANGE = re.compile(r"(\d[\d:./]*[^\W\d_]*)[-–](\d[\d:.h/]*[^\W\d_.]*)")
_PIVOT = 50  # "74" is 1974, "26" is 2026: a two-digit year this far ahead belongs to the last century

Atom = tuple[str, object]  # the slot it can fill, and with what

CLOCK, DOTTED, RUN_TOGETHER, MEASURE = "{digital}", "{dotted}", "{hhmm}", "{measure}"
DATE, DATE_TIME, MONTH = "{figures}", "{date_time}", "{month_figures}"

_MARKS = {"": RUN_TOGETHER, ".": DOTTED}


class Figures:
    """Reads tokens with digits for one language."""

    def __init__(self, am: frozenset[str], pm: frozenset[str], units: Mapping[str, Unit], month_first: bool) -> None:
        self._am, self._pm, self._units, self._month_first = am, pm, units, month_first

    def atoms(self, word: str, this_year: int) -> Iterator[Atom]:
        """Everything the token may be by its shape."""
        if (match := _CLOCK.fullmatch(word)) is not None:
            yield from self._clock(*match.groups())
        elif (match := _SUFFIXED.fullmatch(word)) is not None:
            yield from self._suffixed(*match.groups())
        if (match := _ISO.fullmatch(word)) is not None:
            yield from _iso(*match.groups())
        elif (match := _DATE.fullmatch(word)) is not None:
            day = self._date(this_year, *match.groups())
            if day is not None:
                yield DATE, day
        elif (match := _MONTH.fullmatch(word)) is not None:
            month, year, year_first, month_last = match.groups()
            yield from _month(int(month or month_last), int(year or year_first))
        elif word.isdecimal() and (len(word) == 4 or (len(word) == 3 and word[0] != "0")):
            yield from self._clock(word[:-2], "", word[-2:], None)

    def _clock(self, hour: str, mark: str, minute: str, suffix: str | None) -> Iterator[Atom]:
        h, m = int(hour), int(minute)
        if m > 59 or h > 24:
            return
        if suffix is None:
            sure = h > 12 or h == 0 or hour[0] == "0" or mark == "h"
            strength = Strength.STRONG if mark else Strength.BARE
            yield _MARKS.get(mark, CLOCK), Clock(h % 24, m, sure, strength, figures=bool(mark))
        elif (clock := self._meridiem(h, m, suffix)) is not None:
            yield CLOCK, clock

    def _suffixed(self, figure: str, suffix: str) -> Iterator[Atom]:
        if figure.isdecimal() and suffix != "h":
            clock = self._meridiem(*_hour_and_minute(figure), suffix)
            if clock is not None:
                yield CLOCK, clock
        unit = self._units.get(suffix)
        if unit is not None:
            yield MEASURE, (float(figure.replace(",", ".")), unit)
        # "17h" is a clock, "2h" a length: below eight nobody writes the clock so.
        if suffix == "h" and figure.isdecimal() and 8 <= int(figure) <= 24:
            yield CLOCK, Clock(int(figure) % 24, 0, True, Strength.WEAK)

    def _meridiem(self, hour: int, minute: int, suffix: str) -> Clock | None:
        if not 1 <= hour <= 12 or minute > 59:
            return None
        if suffix in self._am:
            return Clock(hour % 12, minute, True)
        return Clock(hour % 12 + 12, minute, True) if suffix in self._pm else None

    def _date(self, this_year: int, first: str, mark: str, second: str, year: str | None) -> object | None:
        if year is None and mark != "/":
            return None  # "2.5" and "3-4" are amounts and ranges
        a, b = int(first), int(second)
        full = _full_year(year, this_year) if year else None
        for day, month in ((b, a), (a, b)) if self._month_first else ((a, b), (b, a)):
            # 2024 is a leap year: without a year any day that some year has will do.
            if calendar_day(full or 2024, month, day) is not None:
                return day, month, full
        return None


def split_range(word: str) -> tuple[str, str, str] | None:
    """As in "13-15" → 13, -, 15; not for a date such as 2026-05-01."""
    if _ISO.fullmatch(word) or _MONTH.fullmatch(word) or (_DATE.fullmatch(word) and word.count("-") == 2):
        return None
    match = _RANGE.fullmatch(word)
    return (match.group(1), "-", match.group(2)) if match else None


def _month(month: int, year: int) -> Iterator[Atom]:
    if calendar_day(year, month, 1) is not None:
        yield MONTH, (month, year)


def _iso(year: str, month: str, day: str, hour: str | None, minute: str | None) -> Iterator[Atom]:
    found = calendar_day(int(year), int(month), int(day))
    if found is None:
        return
    yield DATE, (found.day, found.month, found.year)
    if hour is not None and minute is not None and int(hour) < 24 and int(minute) < 60:
        yield DATE_TIME, (found, (int(hour), int(minute)))


def _hour_and_minute(figure: str) -> tuple[int, int]:
    """As in "5" and "530" before "pm"."""
    return (int(figure), 0) if len(figure) <= 2 else (int(figure[:-2]), int(figure[-2:]))


def _full_year(year: str, this_year: int) -> int:
    if len(year) == 4:
        return int(year)
    near = this_year // 100 * 100 + int(year)
    return near - 100 if near > this_year + _PIVOT else near
