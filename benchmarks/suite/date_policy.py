"""What our policy of dates says, and what it leaves open: the rows of public corpora that this settles are left out,
or either reading of them is right.
"""

from __future__ import annotations

import hashlib
import re
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path

import msgspec

from sayso.files.datafile import read

LONGEST_PERIOD = 31  # days: our policy knows weeks, weekends and months

_YEAR_SAID = re.compile(r"\b\d{4}\b|[-/]\d\d\b")


class LeftOpen(msgspec.Struct, frozen=True):
    """dates.yaml."""

    zones: str
    second_of_two: str
    other_mode: str
    points_back: str
    half_said: str
    contradicted: tuple[str, ...]


@cache
def left_open() -> LeftOpen:
    """What our policy does not settle."""
    return read(Path(__file__).parent / "dates.yaml", LeftOpen)


def contradicted(text: str) -> bool:
    """Whether a corpus takes back this negative itself."""
    return hashlib.sha256(text.encode()).hexdigest()[:12] in left_open().contradicted


def moments(text: str, moment: datetime) -> tuple[datetime, ...]:
    """What a time of day may be: either half of the day, unless the words say which. The choice is policy."""
    if moment.hour % 12 == 0 or re.search(left_open().half_said, text.lower()):
        return (moment,)
    half = timedelta(hours=12)
    return moment, moment - half, moment + half


def turned_back(text: str, found: date, now: datetime) -> bool:
    """Whether a day is in the past although neither a year nor a word points there: our policy takes the next one."""
    lately = timedelta(0) < now.date() - found < timedelta(days=366)
    return lately and not _YEAR_SAID.search(text) and not re.search(left_open().points_back, text.lower())
