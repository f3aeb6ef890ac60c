"""A sentence with a date, and whether a reading of it is the right one.

"remind me in 30 minutes", read at 11:37, fits when the reading is 12:07 today.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple, TypeAlias

from sayso.engine.dates.dates import Dates
from sayso.engine.text.tokens import normalise
from sayso.engine.values.when import When

LANGUAGES = {"en": "English", "it": "Italian"}

Fits: TypeAlias = Callable[[When], bool]


class Row(NamedTuple):
    """One sentence; `fits` says whether a reading is right, None that there must be no reading.

    `lengths` is False where the corpus knows no lengths of time: "for 5 minutes" is then no date to it.
    """

    text: str
    now: datetime
    fits: Fits | None
    expected: str
    span: tuple[int, int] | None = None
    lengths: bool = True


class Excluded(NamedTuple):
    """A sentence outside of our policy, with the reason."""

    reason: str


Rows: TypeAlias = Iterator[Row | Excluded]
Reading: TypeAlias = tuple[int, int, When, bool]


def read(dates: Dates, row: Row) -> list[Reading]:
    tokens = normalise(row.text).tokens
    spans = dates.find([token.low for token in tokens], row.now)
    return [(tokens[s.lead].start, tokens[s.end - 1].end, s.when, s.strong) for s in spans]


def right(row: Row, spans: list[Reading]) -> bool:
    """A negative must have no sure reading; a positive exactly one where it stands, and that one fitting."""
    if row.fits is None:
        return not any(strong and (row.lengths or when.shift is None) for _, _, when, strong in spans)
    if row.span is not None:
        start, end = row.span
        spans = [one for one in spans if one[0] < end and start < one[1]]
    return len(spans) == 1 and row.fits(spans[0][2])


def shown(spans: list[Reading]) -> str:
    return "; ".join(str({k: str(v) for k, v in when._asdict().items() if v}) for _, _, when, _ in spans) or "nothing"


def fits_day(day: date) -> Fits:
    return lambda when: when.day == day and when.time is None


def fits_moments(*moments: datetime) -> Fits:
    return lambda when: (
        when.day is not None
        and when.time is not None
        and any(when.day == one.date() and when.time == (one.hour, one.minute) for one in moments)
    )


def fits_times(*times: str) -> Fits:
    return lambda when: when.time is not None and f"{when.time[0]:02}:{when.time[1]:02}" in {t[:5] for t in times}


def fits_period(first: date, end: date) -> Fits:
    """`end` may be the last day or the one after. "The end of May" is for us its last day, the start its first."""
    lasts = (end, end - timedelta(days=1))
    return lambda when: (
        (when.period is not None and when.period[0] == first and when.period[1] in lasts)
        or (when.day in (first, *lasts) and when.time is None)
    )


def fits_length(minutes: float) -> Fits:
    def fits(when: When) -> bool:
        if when.shift is None:
            return False
        months, days, rest = when.shift
        return abs((months // 12 * 365 + months % 12 * 30 + days) * 1440 + rest - minutes) <= minutes * 0.02

    return fits


def in_half(text: str, half: str) -> bool:
    """A corpus without a split of its own is halved by a hash of the text."""
    return (hashlib.sha256(text.encode()).digest()[0] % 2 == 0) == (half == "dev")
