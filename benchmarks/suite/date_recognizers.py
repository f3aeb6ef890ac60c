"""Rows of the specs of Recognizers-Text. What our policy leaves open is excluded, with its reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.json import decode

from benchmarks.suite.date_policy import LONGEST_PERIOD, left_open, turned_back
from benchmarks.suite.date_rows import (
    LANGUAGES,
    Excluded,
    Fits,
    Row,
    Rows,
    fits_day,
    fits_length,
    fits_moments,
    fits_period,
    fits_times,
    in_half,
)
from sayso.engine.values.when import FIRST_YEAR, LAST_YEAR

RECOGNIZERS = (
    "DateTimeModel",
    "DateTimeModelTasksMode",
    "DateParser",
    "TimeParser",
    "DateTimeParser",
    "DatePeriodParser",
    "DurationParser",
)
_WEEKDAY = "XXXX-WXX-"  # TIMEX of a weekday and no more


def recognizers(data: Path, lang: str, half: str) -> Rows:
    seen: set[str] = set()
    for name in RECOGNIZERS:
        path = data / "recognizers-text" / "DateTime" / LANGUAGES[lang] / f"{name}.json"
        for row in decode(path.read_text("utf-8")) if path.exists() else ():
            if in_half(row["Input"], half) and row["Input"] not in seen:
                seen.add(row["Input"])
                yield recognizers_row(row, name)


def recognizers_row(row: dict[str, Any], source: str) -> Row | Excluded:
    written = row.get("Context", {}).get("ReferenceDateTime", "2016-11-07T00:00:00")
    now = datetime.fromisoformat(written[:19])
    if not row["Results"]:
        return recognizers_negative(row, now, source)
    if len(row["Results"]) > 1:
        return Excluded("several in one")
    result = row["Results"][0]
    kind, values = recognizers_values(result)
    if (reason := outside(row["Input"], kind, values, now)) is not None:
        return Excluded(reason)
    fits = recognizers_fit(kind, values)
    if isinstance(fits, Excluded):
        return fits
    start = result["Start"]
    if start and row["Input"][start - 1] in "-_/." and row["Input"][max(0, start - 2)].isalnum():
        return Excluded("inside a word")
    span = (start, start + result.get("Length", result.get("End", start) - start + 1))
    return Row(row["Input"], now, fits, f"{kind} {values[-1]}", span)


def outside(text: str, kind: str, values: list[dict[str, str]], now: datetime) -> str | None:
    """Why a row is outside of our policy, if it is."""
    if kind not in RECOGNIZERS_FITS:
        return {"set": "recurrence"}.get(kind, "time range" if "range" in kind else kind)
    if values[-1].get("value", "").startswith(("0001", now.strftime("%Y-%m-%d %H:%M:%S"))):
        return "now or seconds"
    day = day_of(values) if kind == "date" else None
    if day is None:
        return None
    if turned_back(text, day, now):
        return "convention: nearest, past or future"
    if day == now.date() and values[-1].get("timex", "").startswith(_WEEKDAY):
        return "convention: a weekday is after today"
    return None if FIRST_YEAR <= day.year <= LAST_YEAR else "far year"


def recognizers_negative(row: dict[str, Any], now: datetime, source: str) -> Row | Excluded:
    """A parser of one kind finds nothing where there is only another kind: a date is not a period."""
    if not source.startswith("DateTimeModel"):
        return Excluded("negative of one kind only")
    if left_open().other_mode in row.get("Comment", ""):
        return Excluded("negative of one mode only")
    return Row(row["Input"], now, None, "nothing")


def recognizers_values(result: dict[str, Any]) -> tuple[str, list[dict[str, str]]]:
    if "TypeName" in result:
        resolution = result.get("Resolution") or {}
        return result["TypeName"].rpartition(".")[2], resolution.get("values") or [{}]
    value = dict((result.get("Value") or {}).get("FutureResolution") or {})
    timex = (result.get("Value") or {}).get("Timex", "")
    one = {"timex": timex, "value": next(iter(value.values()), "")}
    one |= {"start": value.get("startDate", ""), "end": value.get("endDate", "")}
    return result["Type"], [one]


def day_of(values: list[dict[str, str]]) -> date | None:
    try:
        return date.fromisoformat(values[-1].get("value", ""))
    except ValueError:
        return None


def recognizers_fit(kind: str, values: list[dict[str, str]]) -> Fits | Excluded:
    if any("Mod" in value or "mod" in value for value in values):
        return Excluded("open range")
    try:
        return RECOGNIZERS_FITS[kind](values)
    except (KeyError, ValueError):
        return Excluded("no single value")


def date_fit(values: list[dict[str, str]]) -> Fits | Excluded:
    return fits_day(date.fromisoformat(values[-1]["value"]))


def time_fit(values: list[dict[str, str]]) -> Fits | Excluded:
    return clock_fit([value["value"] for value in values], fits_times)


def datetime_fit(values: list[dict[str, str]]) -> Fits | Excluded:
    moments = [datetime.fromisoformat(value["value"]) for value in values]
    if any(moment.second for moment in moments):
        return Excluded("now or seconds")
    half = timedelta(hours=12)
    late = [m for m in moments if m >= max(moments) - half]
    return fits_moments(*late, *(m + half for m in late if 1 <= m.hour < 12 and len(values) == 1))


def duration_fit(values: list[dict[str, str]]) -> Fits | Excluded:
    minutes = float(values[-1]["value"]) / 60
    return fits_length(minutes) if minutes >= 1 and minutes == int(minutes) else Excluded("now or seconds")


def daterange_fit(values: list[dict[str, str]]) -> Fits | Excluded:
    future = values[-1]
    first, end = date.fromisoformat(future["start"]), date.fromisoformat(future["end"])
    if "W" in future["timex"] and future["timex"][0] != "(" and (end - first).days not in (2, 7):
        return Excluded("vague part of a week")
    return fits_period(first, end) if (end - first).days <= LONGEST_PERIOD else Excluded("long period")


RECOGNIZERS_FITS = {
    "date": date_fit,
    "time": time_fit,
    "datetime": datetime_fit,
    "duration": duration_fit,
    "daterange": daterange_fit,
}


def clock_fit(written: list[str], fits: Callable[..., Fits]) -> Fits | Excluded:
    """Both halves of the day are given where the words leave it open; which of them is our policy, not a mistake."""
    if any(one[6:8] not in ("", "00") for one in written):
        return Excluded("now or seconds")
    if len(written) == 1 and 1 <= int(written[0][:2]) <= 12:
        other = (int(written[0][:2]) + 12) % 24
        written = [*written, f"{other:02}{written[0][2:]}"] if other else written
    return fits(*written)
