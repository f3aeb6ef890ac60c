"""Formats days, times and numbers for people: "tomorrow at 5 pm", "il 12 marzo alle 17:00"."""

from __future__ import annotations

from datetime import date, datetime, time
from functools import cache
from typing import Any

import msgspec

from sayso.files import datafile
from sayso.languages.load import HOME, installed_language

_WEEK = 7


class SpokenSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """spoken.yaml: how a language words dates, times and numbers."""

    capitals: bool
    days: dict[str, str]  # by their distance from today
    weekday: str
    date: dict[str, str]  # by the day of the month; "*" for any
    with_year: str
    with_time: str
    half_days: tuple[str, ...]  # empty for a 24-hour clock
    decimal: str


class Spoken:
    """Words dates, times and numbers in one language."""

    def __init__(self, spec: SpokenSpec, weekdays: tuple[str, ...], months: tuple[str, ...]) -> None:
        self._spec = spec
        self._weekdays = weekdays
        self._months = months

    def when(self, text: str, now: datetime) -> str:
        """A day, or a day and a time, relative to `now`. Any other text is returned unchanged."""
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return text
        if moment.tzinfo is not None and now.tzinfo is not None:
            moment = moment.astimezone(now.tzinfo)
        day = self.day(moment.date(), now.date())
        if "T" not in text:
            return day
        return self._spec.with_time.format(date=day, time=self.time(moment.time()))

    def clock(self, text: str) -> str:
        """The time of day of a moment."""
        try:
            return self.time(datetime.fromisoformat(text).time())
        except ValueError:
            return text

    def day(self, day: date, today: date) -> str:
        away = (day - today).days
        if str(away) in self._spec.days:
            return self._spec.days[str(away)]
        if 0 < away < _WEEK:
            return self._spec.weekday.format(weekday=self._weekdays[day.weekday()])
        form = self._spec.date.get(str(day.day), self._spec.date["*"])
        said = form.format(day=day.day, month=self._months[day.month - 1])
        return said if day.year == today.year else self._spec.with_year.format(date=said, year=day.year)

    def time(self, at: time) -> str:
        if not self._spec.half_days:
            return f"{at.hour:02}:{at.minute:02}"
        minutes = f":{at.minute:02}" if at.minute else ""
        return f"{(at.hour - 1) % 12 + 1}{minutes} {self._spec.half_days[at.hour // 12]}"

    def number(self, number: Any) -> str:
        return str(number).replace(".", self._spec.decimal)


@cache
def spoken(tag: str) -> Spoken:
    """The wording of a language that comes with Sayso."""
    spec = datafile.read(HOME / tag / "spoken.yaml", SpokenSpec)
    dates = installed_language(tag).dates
    return Spoken(spec, _names(dates.weekdays, spec), _names(dates.months, spec))


def _names(groups: tuple[tuple[str, ...], ...], spec: SpokenSpec) -> tuple[str, ...]:
    """The full names of weekdays or months: the first name of each group."""
    return tuple(names[0].capitalize() if spec.capitals else names[0] for names in groups)
