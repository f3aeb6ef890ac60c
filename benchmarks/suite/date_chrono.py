"""Rows of chrono's tests. What our policy leaves open is excluded, with its reason."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.json import decode

from benchmarks.suite.date_policy import contradicted, moments
from benchmarks.suite.date_rows import Excluded, Fits, Row, Rows, fits_day, fits_moments
from sayso.engine.values.when import When


def chrono(data: Path, lang: str, _half: str) -> Rows:
    for line in (data / "chrono" / f"{lang}.jsonl").read_text("utf-8").splitlines():
        yield chrono_row(decode(line))


def chrono_row(row: dict[str, Any]) -> Row | Excluded:
    now = datetime.fromisoformat(row["reference"]).replace(tzinfo=None) if row["reference"] else datetime(2020, 7, 6, 9)
    expected = row["expected"]
    if expected is None:
        # Strict mode lets go of dates that are said casually: that it finds none says nothing.
        if row["mode"] != "casual" or contradicted(row["text"]):
            return Excluded("negative of one mode only")
        return Row(row["text"], now, None, "nothing", lengths=False)
    moment = chrono_moment(row, now)
    if isinstance(moment, Excluded):
        return moment
    at = row["text"].find(expected.get("matched_text", ""))
    span = (at, at + len(expected["matched_text"])) if expected.get("matched_text") and at >= 0 else None
    return Row(row["text"], now, chrono_fit(row["text"], moment, now), str(moment), span)


def chrono_moment(row: dict[str, Any], now: datetime) -> datetime | Excluded:
    start = row["expected"]["start"]
    if row["mode"] == "GB" or "timezoneOffset" in start:
        return Excluded("other locale or time zone")
    if "end" in row["expected"]:
        return Excluded("range")
    if "datetime" in start:
        moment = datetime.fromisoformat(start["datetime"]).replace(tzinfo=None)
    elif {"year", "month", "day"} <= start.keys() and start["year"] >= 1900:
        moment = datetime(start["year"], start["month"], start["day"], start.get("hour", 12), start.get("minute", 0))
    else:
        return Excluded("no single value")
    if moment.second or moment == now:
        return Excluded("now or seconds")
    if moment.date() < now.date() and not any(word.isdigit() and len(word) == 4 for word in row["text"].split()):
        return Excluded("convention: nearest, past or future")
    return moment


def chrono_fit(text: str, moment: datetime, now: datetime) -> Fits:
    """What was not said gets a value of chrono's own: an hour on the clock or that of now, a day in a week or month.

    Chrono has no kind for a length of time: it is counted from now.
    """
    day, at = fits_day(moment.date()), fits_moments(*moments(text, moment))

    def fits(when: When) -> bool:
        if when.period is not None:
            return when.period[0] <= moment.date() <= when.period[1]
        if when.shift is not None:
            moved = when.shift.after(now.date())
            later = timedelta(minutes=when.shift.minutes)
            return moved is not None and datetime.combine(moved, now.time()) + later == moment
        return at(when) or ((moment.minute == 0 or moment.time() == now.time()) and day(when))

    return fits
