"""Formats repeat rules for people: `FREQ=WEEKLY;BYDAY=MO,TH` is "every Monday and Thursday".

The words come from an answers file. A rule that cannot be read is shown unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_RULE = re.compile(r"[A-Z]+=[^;=]+(;[A-Z]+=[^;=]+)*")
_DAY = re.compile(rf"([+-]?\d*)({'|'.join(_WEEKDAYS)})")


class RepeatWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words for repeats in one language. Numbers are keys as strings; "*" is any other number."""

    weekdays: tuple[str, ...]  # Monday first
    joined: tuple[str, str]  # the separator, and the one in front of the last name
    every: dict[str, str]  # by frequency; "DAILY.2" for every two, "DAILY.*" for every {number} of them
    weekly: str  # every week on {days}
    sets: dict[str, str]  # the same for sets of days that have a name, by their codes
    on: str  # anything else: {every} on {days}
    weekday: dict[str, str]  # {day} by its number: "0" for any, "-1" for the last, "-1.SU" for the last Sunday
    month_day: dict[str, str]  # {number} of the month; "-*" counted from the end
    until: str  # {repeat} until {date}
    count: dict[str, str]  # {repeat}, {number} times


def say_repeat(words: RepeatWords, rule: str, day: Callable[[str], str]) -> str:
    """A rule in words. `day` formats a date."""
    if not _RULE.fullmatch(rule):
        return rule
    parts = dict(part.split("=") for part in rule.split(";"))
    try:
        said = _days_said(words, parts)
        if until := parts.get("UNTIL"):
            date = f"{until[:4]}-{until[4:6]}-{until[6:8]}"
            return words.until.format(repeat=said, date=day(date))
        if count := parts.get("COUNT"):
            return _numbered(words.count, count).format(repeat=said, number=count)
    except (KeyError, ValueError):
        return rule
    return said


def _days_said(words: RepeatWords, parts: Mapping[str, str]) -> str:
    frequency, number, by_day = parts["FREQ"], parts.get("INTERVAL", "1"), parts.get("BYDAY")
    month_days = parts.get("BYMONTHDAY")
    if by_day and number == "1" and frequency in ("DAILY", "WEEKLY") and not month_days:
        names = [words.weekdays[_WEEKDAYS.index(day)] for day in by_day.split(",")]
        return words.sets.get(by_day) or words.weekly.format(days=_joined(words, names))
    forms = words.every
    every = forms[frequency] if number == "1" else forms.get(f"{frequency}.{number}") or forms[f"{frequency}.*"]
    every = every.format(number=number)
    days = [_weekday(words, day) for day in by_day.split(",")] if by_day else []
    dates = [_month_day(words, date) for date in month_days.split(",")] if month_days else []
    on = " ".join(_joined(words, names) for names in (days, dates) if names)
    return words.on.format(every=every, days=on) if on else every


def _weekday(words: RepeatWords, day: str) -> str:
    found = _DAY.fullmatch(day)
    if found is None:
        raise ValueError(f"no day of the week: {day}")
    number, code = str(int(found[1] or "0")), found[2]
    form = words.weekday.get(f"{number}.{code}") or _numbered(words.weekday, number)
    return form.format(day=words.weekdays[_WEEKDAYS.index(code)], number=number.lstrip("-"))


def _month_day(words: RepeatWords, date: str) -> str:
    return _numbered(words.month_day, date).format(number=date.lstrip("-"))


def _numbered(forms: Mapping[str, str], number: str) -> str:
    return forms.get(number) or forms["-*" if number.startswith("-") and "-*" in forms else "*"]


def _joined(words: RepeatWords, names: list[str]) -> str:
    between, last = words.joined
    return last.join([between.join(names[:-1]), names[-1]] if len(names) > 1 else names)
