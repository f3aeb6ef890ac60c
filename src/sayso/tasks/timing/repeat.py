"""Repeats: RFC 5545 rules without a start, on the user's own clock. `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH`.

The start of a rule is the due date of the task, so a rule always describes the rest of the series: its COUNT includes
the occurrence that is due now. Times are wall clock times and stay the same when daylight saving time begins or ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Literal, get_args

from dateutil import rrule

from sayso.tasks.timing.due import Due

LONGEST_RULE = 300
LARGEST_NUMBER = 999  # of INTERVAL and COUNT
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
Frequency = Literal["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
_PARTS = ("FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "UNTIL", "COUNT")  # in canonical order
_DAY = re.compile(rf"([+-]?\d{{1,2}})?({'|'.join(WEEKDAYS)})", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,3}", re.ASCII)
_UNTIL = re.compile(r"\d{8}(T\d{6}Z?)?", re.ASCII)
_FREQUENCIES = {
    "DAILY": rrule.DAILY,
    "WEEKLY": rrule.WEEKLY,
    "MONTHLY": rrule.MONTHLY,
    "YEARLY": rrule.YEARLY,
}
_MOST_WEEKS = {"MONTHLY": 5, "YEARLY": 53}  # the highest number of a weekday: the fifth Monday of the month
_LONG_OVERDUE = timedelta(days=400)


@dataclass(frozen=True, kw_only=True)
class Repeat:
    """A rule. A day is a pair of a number and a weekday: (-1, 4) is the last Friday, (0, 4) every Friday."""

    freq: Frequency
    interval: int = 1
    days: tuple[tuple[int, int], ...] = ()
    month_days: tuple[int, ...] = ()
    until: date | None = None  # a datetime if a time was given; a date includes the whole day
    count: int | None = None

    def __str__(self) -> str:
        """The rule in canonical form: parts and days in a fixed order, without default values."""
        parts = {
            "FREQ": self.freq,
            "INTERVAL": str(self.interval) if self.interval > 1 else "",
            "BYDAY": ",".join(f"{number or ''}{WEEKDAYS[day]}" for number, day in self.days),
            "BYMONTHDAY": ",".join(map(str, self.month_days)),
            "UNTIL": _written(self.until) if self.until else "",
            "COUNT": str(self.count) if self.count else "",
        }
        return ";".join(f"{name}={parts[name]}" for name in _PARTS if parts[name])

    def first(self, today: date) -> Due:
        """The first day of a series that starts today; an empty Due if the series is already over."""
        found = next(self._dates(datetime.combine(today, time.min)), None)
        return Due(day=found.date() if found else None)

    def following(self, due: Due, now: datetime) -> tuple[Due, Repeat] | None:
        """The next date after `due` that has not passed, and the rule from that date on. None if the series ends.

        `now` is the user's wall clock. A day without a time passes only when it ends, so today counts.
        """
        start = datetime.combine(due.day or now.date(), due.time or time.min)
        passed = 0
        for moment in self._dates(start, self._near(start, now)):
            if moment <= start:
                continue
            passed += 1
            if self.count is not None and passed >= self.count:
                return None
            if moment > now if due.time else moment.date() >= now.date():
                left = None if self.count is None else self.count - passed
                return Due(day=moment.date(), time=due.time), replace(self, count=left)
        return None

    def _dates(self, start: datetime, near: datetime | None = None) -> Iterator[datetime]:
        """The dates of the series that begins at `start`, from there or from `near` on, up to UNTIL."""
        until = self.until
        if until is not None and not isinstance(until, datetime):
            until = datetime.combine(until, time.max)
        rule: Iterator[datetime] = iter(
            rrule.rrule(
                _FREQUENCIES[self.freq],
                dtstart=near or start,
                interval=self.interval,
                wkst=rrule.MO,
                until=until,
                **self._implied(start),
            )
        )
        return rule

    def _implied(self, start: datetime) -> dict[str, Any]:
        """The days of the rule; if it names none, the days that follow from the start."""
        if self.days or self.month_days:
            weekdays = [rrule.weekday(day, number or None) for number, day in self.days]
            return {"byweekday": weekdays or None, "bymonthday": self.month_days or None}
        match self.freq:
            case "MONTHLY":
                return {"bymonthday": start.day}
            case "YEARLY":
                return {"bymonth": start.month, "bymonthday": start.day}
            case _:
                return {}

    def _near(self, start: datetime, now: datetime) -> datetime:
        """The start of the series. If the series began long ago, a later day that gives the same dates.

        The library computes every date from the start on, which takes seconds for a start in the year 1.
        """
        if self.count is not None or now - start < _LONG_OVERDUE:
            return start
        if self.freq in ("MONTHLY", "YEARLY"):
            length = 1 if self.freq == "MONTHLY" else 12
            first = start.year * 12 + (start.month - 1 if self.freq == "MONTHLY" else 0)
            periods = (now.year * 12 + now.month - 1 - first) // length
            at = first + max(0, periods // self.interval - 1) * self.interval * length
            return max(start, datetime.combine(date(at // 12, at % 12 + 1, 1), start.time()))
        step = timedelta(days=self.interval * (7 if self.freq == "WEEKLY" else 1))
        return start + ((now - start) // step - 1) * step


def read_repeat(text: str | None, zone: tzinfo) -> Repeat | None:
    """The rule; None for an empty text. An UNTIL in UTC is converted to the user's time zone. ValueError for anything
    else."""
    if text is None or not text.strip():
        return None
    if len(text) > LONGEST_RULE:
        raise ValueError("too long for a rule")
    pairs = [part.partition("=") for part in "".join(text.upper().split()).removeprefix("RRULE:").split(";") if part]
    parts = {name: value for name, _, value in pairs}
    if len(parts) < len(pairs) or not parts.keys() <= set(_PARTS):
        raise ValueError(f"parts that are unknown or given twice: {text}")
    freq: Any = parts.get("FREQ")
    if freq not in get_args(Frequency):
        raise ValueError(f"no frequency: {text}")
    until, count = parts.get("UNTIL"), parts.get("COUNT")
    rule = Repeat(
        freq=freq,
        interval=_number(parts.get("INTERVAL", "1"), 1, LARGEST_NUMBER),
        days=_days(parts["BYDAY"]) if "BYDAY" in parts else (),
        month_days=_month_days(parts["BYMONTHDAY"]) if "BYMONTHDAY" in parts else (),
        until=None if until is None else _until(until, zone),
        count=None if count is None else _number(count, 1, LARGEST_NUMBER),
    )
    _check(rule)
    return rule


def following(text: str | None, due: Due, now: datetime, zone: tzinfo) -> tuple[Due, str] | None:
    """The next date of a task with this rule, and the rule from that date on; None if the task has no next date."""
    try:
        rule = read_repeat(text, zone)
    except ValueError:  # users may edit a task file by hand
        return None
    found = rule.following(due, now) if rule else None
    return (found[0], str(found[1])) if found else None


def _check(rule: Repeat) -> None:
    """Raise ValueError for a combination that RFC 5545 forbids, or that may never give a date."""
    furthest = max((abs(number) for number, _ in rule.days), default=0)
    if furthest > _MOST_WEEKS.get(rule.freq, 0):
        raise ValueError(f"{rule.freq} has no day with this number")
    if furthest and rule.month_days:
        raise ValueError("a numbered weekday and a day of the month")
    if rule.month_days and rule.freq == "WEEKLY":
        raise ValueError("a week has no days of the month")
    if rule.freq == "DAILY" and rule.interval > 1 and (rule.days or rule.month_days):
        raise ValueError("every few days, and on certain days")
    if rule.until and rule.count:
        raise ValueError("UNTIL and COUNT exclude each other")


def _number(text: str, least: int, most: int) -> int:
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise ValueError(f"no number from {least} to {most}: {text}")
    return int(text)


def _days(text: str) -> tuple[tuple[int, int], ...]:
    found = [_DAY.fullmatch(each) for each in text.split(",")]
    days = {(int(day[1] or 0), WEEKDAYS.index(day[2])) for day in found if day and day[1] not in ("0", "00")}
    if not days or not all(found):
        raise ValueError(f"no days of the week: {text}")
    return tuple(sorted(days, key=lambda day: (_from_the_end(day[0]), day[1])))


def _month_days(text: str) -> tuple[int, ...]:
    days = {_number(each, -31, 31) for each in text.split(",")}
    if 0 in days:
        raise ValueError("no day 0 of the month")
    return tuple(sorted(days, key=_from_the_end))


def _from_the_end(number: int) -> tuple[bool, int]:
    """A sort key that puts days counted from the end after days counted from the beginning."""
    return number < 0, number


def _until(text: str, zone: tzinfo) -> date:
    if not _UNTIL.fullmatch(text):
        raise ValueError(f"no date of the calendar: {text}")
    moment = datetime.fromisoformat(text)
    if len(text) == 8:
        return moment.date()
    try:
        return moment.astimezone(zone).replace(tzinfo=None) if moment.tzinfo else moment
    except OverflowError as problem:
        raise ValueError(f"no date of the calendar: {text}") from problem


def _written(until: date) -> str:
    return f"{until.year:04}{until:%m%dT%H%M%S}" if isinstance(until, datetime) else f"{until.year:04}{until:%m%d}"
