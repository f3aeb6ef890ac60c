"""Answers whether a value was said: numbers, dates, texts and lists, whatever their schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cached_property
from math import isclose
from typing import Any

from sayso.engine.grammar.grammar import Grammar
from sayso.engine.text.similarity import is_within
from sayso.engine.text.tokens import MARK, bare, normalise
from sayso.engine.values.when import DateSpan

_ENOUGH = 0.5  # the share of a text's words that must have been said
_SAME = 5  # letters by which two long words are one: "translate", "translation"
_SCALES = (1, 60, 3_600, 24, 7, 12, 100, 1_000, 1_000_000)
_DEEPEST = 6
_MOMENT = re.compile(r"(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})?[T ]*(?:(\d{1,2}):(\d{2})(?::\d{2})?)?[Z+\-:.\d]*")
_FIGURE = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_TWELVE = re.compile(r"(?<!\d)(\d{1,2})(?:[:.](\d{2}))?\s?([ap])\.?m\b")
_RANGE = re.compile(r"(?<![\w.,:/-])(\d{1,2})(?:[:.](\d{2}))?\s?[-–]\s?(\d{1,2})(?:[:.](\d{2}))?(?![\w/-]|[.,:]\d)")
_ALONE = re.compile(r"(?<![\w.,:/#-])\d{1,2}(?![\w:/%-]|[.,]\d)")
_YEARS = range(1900, 2200)
_LONGEST = 4_000  # characters of all that was said


class Telling:
    """The user's words, in a form that many values can be compared with."""

    def __init__(self, grammar: Grammar, texts: Sequence[str], now: datetime, *, exact: bool = False) -> None:
        self._grammar, self._now, self._exact = grammar, now, exact
        self._text = "\n".join(texts)[-_LONGEST:]
        self._texts = list(texts)

    @cached_property
    def _lows(self) -> list[str]:
        tokens = normalise(self._text).tokens
        return [part for token in tokens for part in _parts(token.low)] if tokens else []

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(bare(low) for low in self._lows if any(letter.isalnum() for letter in low))

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(self._grammar.stems.stem(word) for word in self._words)

    @cached_property
    def _initials(self) -> str:
        return "".join(word[0] for word in re.findall(r"\b[A-Z][a-z]+", self._text))

    @cached_property
    def _numbers(self) -> frozenset[float]:
        figures = (float(one.replace(",", "")) for one in _FIGURE.findall(self._text) if len(one) < 30)
        months = (day.month for day in self._moments[0])
        return frozenset(map(float, (*figures, *months, *self._spoken_numbers(self._lows))))

    def has_numbers_of(self, text: str) -> bool:
        """Whether every number that a text has in words was said. "one" and "first" do not count."""
        words = [part for token in normalise(text).tokens for part in _parts(token.low) if not part[:1].isdecimal()]
        return all(number in self._numbers or abs(number) <= 1 for number in self._spoken_numbers(words))

    def _spoken_numbers(self, said: Sequence[str]) -> Iterator[float]:
        """The numbers that words mean."""
        lows = [word for low in said for word in (low.split("-") if not low[:1].isdecimal() else [low])]
        for read in (self._grammar.numbers.read, self._grammar.numbers.read_ordinal):
            yield from (found[0] for at in range(len(lows)) if (found := read(lows, at)) is not None)

    @cached_property
    def _moments(self) -> tuple[frozenset[date], frozenset[tuple[int, int]]]:
        """The days and the times that were said. If values must be exact, only the latest days count: an earlier day
        was about something else."""
        if not self._exact:
            spans = self._spans(self._text)
            return _days(spans), _times(spans)
        found = [self._spans(text[-_LONGEST:]) for text in reversed(self._texts)]
        said = next(filter(None, (_days(span for span in spans if span.when.day_said) for spans in found)), frozenset())
        here = _days(found[0]) if found else frozenset()
        return said | here, frozenset[tuple[int, int]]().union(*map(_times, found))

    def _spans(self, text: str) -> list[DateSpan]:
        return list(self._grammar.dates.find([token.low for token in normalise(text).tokens], self._now))

    def supports(self, value: Any, about: str, depth: int = 0) -> bool:
        """Whether there is evidence for a value; `about` is the name of its parameter."""
        if depth > _DEEPEST:
            return False
        if value is None or value == "":
            return True  # an empty value
        if isinstance(value, dict):
            return all(self.supports(one, key, depth + 1) for key, one in value.items())
        if isinstance(value, (list, tuple)):
            return all(self.supports(one, about, depth + 1) for one in value)
        return self._supports_single(value, about)

    def _supports_single(self, value: Any, about: str) -> bool:
        """The same for a value that contains no others."""
        if isinstance(value, bool):
            return self._share(about) > 0
        if isinstance(value, (int, float)):
            return self._has_number(float(value))
        return isinstance(value, str) and self._has_text(value, about)

    def _has_number(self, value: float) -> bool:
        if self._exact:
            return value in self._numbers
        near = (value * scale for scale in _SCALES)
        far = (value / scale for scale in _SCALES)
        wanted = [*near, *far]
        return any(isclose(one, said, rel_tol=1e-6, abs_tol=1e-9) for one in wanted for said in self._numbers)

    def _has_text(self, value: str, about: str) -> bool:
        text = value.strip()
        if text.casefold() in ("true", "false"):
            return self._share(about) > 0
        figure = re.fullmatch(r"[-+]?\d+(?:\.\d+)?", text)
        if figure and self._has_number(float(text)):
            return True
        if self._low.find(text.casefold()) >= 0:
            return True
        if re.search(r"\d", text) and _MOMENT.fullmatch(text):
            return self._has_moment(text)
        if text.isupper() and 1 < len(text) <= 4 and text in self._initials:
            return True
        return self._share(text) >= _ENOUGH

    def _has_moment(self, text: str) -> bool:
        """A date or a time in figures: its day and month, and its hour, were said; its year, or none."""
        day, _, _ = text.partition("T")[0].strip().partition(" ")
        figures = [int(one) for one in re.split(r"[-/.]", day) if one.isdecimal()] if ":" not in day else []
        return self._has_day(figures) and self._has_hour(text)

    def _has_day(self, figures: Sequence[int]) -> bool:
        """Whether a day in figures was said, in any order; with its year only if one was said."""
        days, _ = self._moments
        if self._exact and len(figures) == 3 and figures[0] in _YEARS:
            return any([one.year, one.month, one.day] == list(figures) for one in days)
        year = next((one for one in figures if one in _YEARS), None)
        if figures and not self._has_day_and_month([one for one in figures if one != year]):
            return False
        return year is None or self._allows_year(year)

    def _has_day_and_month(self, figures: Sequence[int]) -> bool:
        return any(sorted((one.day, one.month)) == sorted(figures) for one in self._moments[0])

    def _allows_year(self, year: int) -> bool:
        said = year in self._numbers or any(one.year == year for one in self._moments[0])
        return said or not self._says_year

    def _has_hour(self, text: str) -> bool:
        """Whether the hour of a time in figures was said. The first and the last minute of a day do not count."""
        times = self._moments[1] | self._clocks | self._ranges
        clock = re.search(r"(\d{1,2}):(\d{2})", text)
        at = (int(clock[1]), int(clock[2])) if clock else (0, 0)
        if self._exact and (times or at[1]):
            return at in ((0, 0), (23, 59)) or at in times
        if self._exact:
            return at in ((0, 0), (23, 59)) or any(int(one) in (at[0], at[0] % 12 or 12) for one in self._alone)
        return at in ((0, 0), (23, 59)) or at in times or float(at[0] % 12 or 12) in self._numbers

    @cached_property
    def _alone(self) -> list[str]:
        """The short numbers that are separate words, unlike the one in "Q1"."""
        return _ALONE.findall(self._low)

    @cached_property
    def _clocks(self) -> frozenset[tuple[int, int]]:
        """The times in figures with "am" or "pm"."""
        found = _TWELVE.findall(self._low)
        return frozenset((int(hour) % 12 + 12 * (half == "p"), int(minute or 0)) for hour, minute, half in found)

    @cached_property
    def _ranges(self) -> frozenset[tuple[int, int]]:
        """The times of a span in figures: "9-9:15"."""
        found = _RANGE.findall(self._low) if self._exact else ()
        times = ((int(hour), int(minute or 0)) for one in found for hour, minute in (one[:2], one[2:]))
        return frozenset(time for time in times if time[0] < 24 and time[1] < 60)

    @cached_property
    def _says_year(self) -> bool:
        return any(one in _YEARS for one in self._numbers)

    @cached_property
    def _low(self) -> str:
        return self._text.casefold()

    def _share(self, text: str) -> float:
        """The share of a text's telling words that were said."""
        words = [bare(part) for part in _spelled(text)]
        telling = [word for word in words if self._grammar.stems.stem(word) not in self._grammar.little] or words
        return sum(self.has_word(word) for word in telling) / len(telling) if telling else 0.0

    def has_word(self, word: str) -> bool:
        """Whether a word was said, in any form."""
        if word in self._words or self._grammar.stems.stem(word) in self._stems:
            return True
        if self._exact or not word.isalpha() or len(word) < _SAME:
            return False
        return any(
            said[:_SAME] == word[:_SAME] or (len(word) > _SAME and is_within(1, word, said))
            for said in self._words
            if len(said) >= _SAME
        )


def _days(spans: Iterable[DateSpan]) -> frozenset[date]:
    days = (day for span in spans for day in (span.when.day, *(span.when.period or ())))
    return frozenset(day for day in days if day is not None)


def _times(spans: Iterable[DateSpan]) -> frozenset[tuple[int, int]]:
    return frozenset(span.when.time for span in spans if span.when.time is not None)


def _parts(low: str) -> Iterator[str]:
    """A quotation is several words."""
    yield from low.split() if " " in low else (low,)


def _spelled(text: str) -> Iterator[str]:
    """The words of a text or of a name in code: "numberOfAdults", "six_months"."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", text[:400])
    for token in normalise(spaced).tokens:
        if token.kind != MARK:
            yield from (part for part in re.split(r"[\s'/.-]+", token.low) if part)
