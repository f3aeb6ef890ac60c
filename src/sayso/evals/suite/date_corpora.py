"""The public corpora of dates, turned into rows: Duckling, Recognizers-Text, chrono. What our policy leaves open is
excluded, with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.json import decode

from sayso.datafile import read
from sayso.engine.readers.dates import When
from sayso.evals.suite.date_rows import (
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

LANGUAGES = {"en": "English", "it": "Italian"}
RECOGNIZERS = (
    "DateTimeModel",
    "DateTimeModelTasksMode",
    "DateParser",
    "TimeParser",
    "DateTimeParser",
    "DatePeriodParser",
    "DurationParser",
)
LONGEST_PERIOD = 31  # days: our policy knows weeks, weekends and months


class LeftOpen(msgspec.Struct, frozen=True):
    """dates.yaml."""

    zones: str
    second_of_two: str
    other_mode: str


@cache
def left_open() -> LeftOpen:
    """What our policy does not settle."""
    return read(Path(__file__).parent / "dates.yaml", LeftOpen)


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
        return Row(text, now, fits_moments(start), f"{start:%F %H:%M}")
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
    if kind not in RECOGNIZERS_FITS:
        return Excluded({"set": "recurrence"}.get(kind, "time range" if "range" in kind else kind))
    if values[-1].get("value", "").startswith(("0001", now.strftime("%Y-%m-%d %H:%M:%S"))):
        return Excluded("now or seconds")
    fits = recognizers_fit(kind, values)
    if isinstance(fits, Excluded):
        return fits
    start = result["Start"]
    if start and row["Input"][start - 1] in "-_/." and row["Input"][max(0, start - 2)].isalnum():
        return Excluded("inside a word")
    span = (start, start + result.get("Length", result.get("End", start) - start + 1))
    return Row(row["Input"], now, fits, f"{kind} {values[-1]}", span)


def recognizers_negative(row: dict[str, Any], now: datetime, source: str) -> Row | Excluded:
    """A parser of one kind finds nothing where there is only another kind: a date is no period."""
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


def chrono(data: Path, lang: str, _half: str) -> Rows:
    for line in (data / "chrono" / f"{lang}.jsonl").read_text("utf-8").splitlines():
        yield chrono_row(decode(line))


def chrono_row(row: dict[str, Any]) -> Row | Excluded:
    now = datetime.fromisoformat(row["reference"]).replace(tzinfo=None) if row["reference"] else datetime(2020, 7, 6, 9)
    expected = row["expected"]
    if expected is None:
        # Strict mode lets go of dates that are said casually: that it finds none says nothing.
        return (
            Excluded("negative of one mode only") if row["mode"] != "casual" else Row(row["text"], now, None, "nothing")
        )
    moment = chrono_moment(row, now)
    if isinstance(moment, Excluded):
        return moment
    at = row["text"].find(expected.get("matched_text", ""))
    span = (at, at + len(expected["matched_text"])) if expected.get("matched_text") and at >= 0 else None
    return Row(row["text"], now, chrono_fit(moment, now), str(moment), span)


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


def chrono_fit(moment: datetime, now: datetime) -> Fits:
    """What was not said gets a value of chrono's own: an hour on the clock or that of now, a day in a week or month."""
    day, moments = fits_day(moment.date()), fits_moments(moment)

    def fits(when: When) -> bool:
        if when.period is not None:
            return when.period[0] <= moment.date() <= when.period[1]
        return moments(when) or ((moment.minute == 0 or moment.time() == now.time()) and day(when))

    return fits


CORPORA: dict[str, Callable[[Path, str, str], Rows]] = {
    "duckling": duckling,
    "recognizers-text": recognizers,
    "chrono": chrono,
}
