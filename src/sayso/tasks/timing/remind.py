"""Reminders: how long before a task is due, as an ISO 8601 duration. `PT0S`, `PT10M`, `P1D`."""

from __future__ import annotations

import re
from datetime import timedelta

LONGEST_LEAD = timedelta(days=366)
_DURATION = re.compile(
    r"P(?=[\dT])(?:(?P<weeks>\d{1,5})W)?(?:(?P<days>\d{1,5})D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d{1,5})H)?(?:(?P<minutes>\d{1,6})M)?(?:(?P<seconds>\d{1,8})S)?)?",
    re.ASCII,
)


def read_remind(text: str | None) -> str | None:
    """The duration in capitals; None for an empty text. ValueError for anything else, including months and years."""
    if text is None or not text.strip():
        return None
    duration = text.strip().upper()
    found = _DURATION.fullmatch(duration)
    if found is None:
        raise ValueError(f"no duration: {text}")
    lead = timedelta(**{name: int(number) for name, number in found.groupdict(default="0").items()})
    if lead > LONGEST_LEAD:
        raise ValueError(f"longer than a year: {text}")
    return duration if lead else "PT0S"
