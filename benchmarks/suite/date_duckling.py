"""Rows of Duckling's corpora of times and durations. What our policy leaves open is excluded, with its reason."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.json import decode

from benchmarks.suite.date_policy import LONGEST_PERIOD, left_open, moments
from benchmarks.suite.date_rows import Excluded, Row, Rows, fits_day, fits_length, fits_moments, fits_period, in_half


def duckling(data: Path, lang: str, half: str) -> Rows:
    for line in (data / "duckling" / f"time_{lang}.jsonl").read_text("utf-8").splitlines():
        row = decode(line)
        if in_half(row["text"], half):
            yield duckling_row(row)
    durations = data / "duckling" / f"duration_{lang}.jsonl"
    for line in durations.read_text("utf-8").splitlines() if durations.exists() else ():
        row = decode(line)
        if in_half(row["text"], half):
            yield duckling_duration(row)


def duckling_row(row: dict[str, Any]) -> Row | Excluded:
    text, value = row["text"], row["value"]
    now = datetime.fromisoformat(row["reference"]).replace(tzinfo=None)
    if value is None:
        return Row(text, now, None, "nothing")
    if value.get("holiday"):
        return Excluded("holiday")
    if row["locale"] == "GB":
        return Excluded("other locale")
    if re.search(left_open().zones, text.lower()):
        return Excluded("time zone")
    if re.search(left_open().second_of_two, text):
        return Excluded("convention: the second of two")
    start, grain = duckling_time(value["start"]), value.get("grain")
    end = duckling_time(value["end"]) if value.get("end") else None
    if start is None:
        return Excluded("far year")
    return duckling_fit(text, now, value["kind"], grain, start, end)


def duckling_fit(
    text: str, now: datetime, kind: str, grain: str, start: datetime, end: datetime | None
) -> Row | Excluded:
    if kind == "interval" and end is not None:
        return duckling_interval(text, now, grain, start, end)
    if grain == "second" and (start.second or start == now):
        return Excluded("now or seconds")
    if grain == "day" or (grain == "hour" and start.hour == now.hour and start.date() != now.date()):  # "in 7 days"
        return Row(text, now, fits_day(start.date()), f"{start:%F}")
    if grain in ("hour", "minute", "second"):
        return Row(text, now, fits_moments(*moments(text, start)), f"{start:%F %H:%M}")
    if grain in ("week", "month"):
        end = start + timedelta(days=7) if grain == "week" else (start + timedelta(days=31)).replace(day=1)
        return Row(text, now, fits_period(start.date(), end.date()), f"{grain} of {start:%F}")
    return Excluded("long period")


def duckling_interval(text: str, now: datetime, grain: str, start: datetime, end: datetime) -> Row | Excluded:
    if start == now and end.time() == datetime.min.time():  # "by the end of the month"
        return Row(text, now, fits_day(end.date() - timedelta(days=1)), f"until {end:%F}")
    if (start.weekday(), start.hour) == (4, 18) and end - start == timedelta(hours=54):
        return Row(text, now, fits_period(start.date() + timedelta(days=1), end.date()), "weekend")
    if grain in ("hour", "minute", "second"):
        part = grain == "hour" and start.minute == 0 and not any(c.isdigit() for c in text)
        if part and (end - start) > timedelta(hours=3):
            return Row(text, now, fits_day(start.date()), f"part of {start:%F}")
        return Excluded("time range")
    if (end - start).days > LONGEST_PERIOD:
        return Excluded("long period")
    return Row(text, now, fits_period(start.date(), end.date()), f"{start:%F}..{end:%F}")


def duckling_time(written: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(written.replace("-00T", "-01T").replace("-00-", "-01-"))
    except ValueError:
        return None
    return found if 1900 <= found.year <= 2199 else None


def duckling_duration(row: dict[str, Any]) -> Row | Excluded:
    minutes = {"Minute": 1, "Hour": 60, "Day": 1440, "Week": 10080, "Month": 43200, "Year": 525600}
    if not row["value"]:
        return Row(row["text"], datetime(2013, 2, 12, 4, 30), None, "nothing")
    _, count, unit = row["value"].split()
    if unit not in minutes:
        return Excluded("seconds or quarters")
    total = int(count) * minutes[unit]
    return Row(row["text"], datetime(2013, 2, 12, 4, 30), fits_length(total), f"{count} {unit}")
