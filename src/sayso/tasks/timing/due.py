"""Due dates: a day, or a day and a time, on the user's own clock. `2026-03-12`, `2026-03-12T17:00`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

# Python also accepts weeks (2026-W10-3) and days without dashes, which users would not recognise as dates.
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?![\d-])", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Due:
    """A day, and optionally a time, of the wall clock."""

    day: date | None = None
    time: time | None = None

    def __str__(self) -> str:
        if self.day is None:
            return ""
        return self.day.isoformat() if self.time is None else f"{self.day.isoformat()}T{self.time.strftime('%H:%M')}"


def read_due(text: str | None, zone: tzinfo) -> Due:
    """The due date. A moment with an offset is converted to the user's time zone. ValueError for anything else."""
    if text is None or not text.strip():
        return Due()
    text = text.strip()
    if not _DAY.match(text):
        raise ValueError(f"no day of the calendar: {text}")
    if len(text) == 10:
        return Due(day=date.fromisoformat(text))
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None:
        try:
            moment = moment.astimezone(zone)
        except OverflowError as problem:
            raise ValueError(f"no day of the calendar: {text}") from problem
    return Due(day=moment.date(), time=moment.time().replace(second=0, microsecond=0, tzinfo=None))


def read_days(text: str | None, today: date) -> tuple[date | None, date | None]:
    """The first and the last day of a `due` filter. Weeks begin on Monday. ValueError for anything else."""
    monday = today - timedelta(days=today.weekday())
    match text.strip() if text else None:
        case None | "":
            return None, None
        case "today":
            return today, today
        case "tomorrow":
            return today + timedelta(days=1), today + timedelta(days=1)
        case "this_week":
            return monday, monday + timedelta(days=6)
        case "next_week":
            return monday + timedelta(days=7), monday + timedelta(days=13)
        case day if _DAY.fullmatch(day):
            return date.fromisoformat(day), date.fromisoformat(day)
        case other:
            raise ValueError(f"no day of the calendar: {other}")
