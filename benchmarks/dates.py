"""How well and how fast the date reader reads, against public corpora.

    python benchmarks/dates.py --data DIR [--half dev|test] [--misses en:duckling] [--peer]

DIR holds the folders duckling, recognizers-text and chrono (JSON as their README says). duckling and recognizers-text
are halved by a hash of the text: `dev` is what we looked at while writing the rules, `test` is what we did not.
chrono is held out as a whole, and its misses cannot be shown. What is outside of our policy is left out and counted.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from msgspec import convert

import sayso.languages
from sayso.engine.normalise import normalise
from sayso.engine.readers.dates import Dates, DateSpec, When
from sayso.engine.readers.numbers import Numbers, NumberSpec

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
ZONES = {"gmt", "utc", "cet", "pst", "est", "ist", "bst", "cst", "cest", "edt", "pdt", "mst"}
LONGEST_PERIOD = 31  # days: our policy knows weeks, weekends and months


class Row(NamedTuple):
    """One sentence; `fits` says whether a reading is right, None that there must be no reading."""

    text: str
    now: datetime
    fits: Callable[[When], bool] | None
    expected: str
    span: tuple[int, int] | None = None


class Excluded(NamedTuple):
    reason: str


Rows = Iterator[Row | Excluded]


def main() -> None:
    options = arguments()
    for lang in LANGUAGES:
        dates = load(lang)
        for source in ("duckling", "recognizers-text", "chrono"):
            rows = list(READERS[source](options.data, lang, options.half))
            report(lang, source, options.half if source != "chrono" else "held out", rows, dates, options)
        print(f"{lang} speed  {speed(dates, lang)}\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--half", choices=("dev", "test"), default="dev")
    parser.add_argument("--misses", default="", help="language:source to list misses of, dev half only")
    parser.add_argument("--peer", action="store_true", help="also score dateparser, if it is installed")
    return parser.parse_args()


def load(lang: str) -> Dates:
    folder = Path(sayso.languages.__file__).parent / lang
    numbers, dates = (yaml.safe_load((folder / f"{name}.yaml").read_text("utf-8")) for name in ("numbers", "dates"))
    return Dates(convert(dates, DateSpec), Numbers(convert(numbers, NumberSpec)))


def report(
    lang: str, source: str, half: str, rows: list[Row | Excluded], dates: Dates, options: argparse.Namespace
) -> None:
    cases = [row for row in rows if isinstance(row, Row)]
    positives = [row for row in cases if row.fits]
    negatives = [row for row in cases if not row.fits]
    wrong = [(row, spans) for row in cases if not right(row, spans := read(dates, row))]
    missed = {row.text for row, _ in wrong if row.fits}
    silent = sum(not row.fits for row, _ in wrong)
    good = len(positives) - sum(bool(row.fits) for row, _ in wrong)
    left_out = Counter(row.reason for row in rows if isinstance(row, Excluded))
    print(f"{lang} {source} ({half}): {good}/{len(positives)} = {100 * good / max(1, len(positives)):.1f} %", end="")
    print(f"; silent on {len(negatives) - silent}/{len(negatives)} negatives; left out {dict(left_out)}")
    if options.peer:
        print(f"   dateparser: {peer(lang, positives)}")
    if options.misses == f"{lang}:{source}" and source != "chrono" and options.half == "dev":
        for row, spans in wrong:
            if row.text in missed or not row.fits:
                print(f"   {row.text!r} at {row.now:%a %F %H:%M}: expected {row.expected}, read {shown(spans)}")


# ---------------------------------------------------------------- reading and judging

Reading = tuple[int, int, When, bool]


def read(dates: Dates, row: Row) -> list[Reading]:
    tokens = normalise(row.text).tokens
    spans = dates.find([token.low for token in tokens], row.now)
    return [(tokens[s.lead].start, tokens[s.end - 1].end, s.when, s.strong) for s in spans]


def right(row: Row, spans: list[Reading]) -> bool:
    """A negative must have no sure reading; a positive exactly one where it stands, and that one fitting."""
    if row.fits is None:
        return not any(strong for _, _, _, strong in spans)
    if row.span is not None:
        start, end = row.span
        spans = [one for one in spans if one[0] < end and start < one[1]]
    return len(spans) == 1 and row.fits(spans[0][2])


def shown(spans: list[Reading]) -> str:
    return "; ".join(str({k: str(v) for k, v in when._asdict().items() if v}) for _, _, when, _ in spans) or "nothing"


def fits_day(day: date) -> Callable[[When], bool]:
    return lambda when: when.day == day and when.time is None


def fits_moments(*moments: datetime) -> Callable[[When], bool]:
    return lambda when: (
        when.day is not None
        and when.time is not None
        and any(when.day == one.date() and when.time == (one.hour, one.minute) for one in moments)
    )


def fits_times(*times: str) -> Callable[[When], bool]:
    return lambda when: when.time is not None and f"{when.time[0]:02}:{when.time[1]:02}" in {t[:5] for t in times}


def fits_period(first: date, end: date) -> Callable[[When], bool]:
    """`end` may be the last day or the one after. "The end of May" is for us its last day, the start its first."""
    lasts = (end, end - timedelta(days=1))
    return lambda when: (
        (when.period is not None and when.period[0] == first and when.period[1] in lasts)
        or (when.day in (first, *lasts) and when.time is None)
    )


def fits_length(minutes: float) -> Callable[[When], bool]:
    def fits(when: When) -> bool:
        if when.shift is None:
            return False
        months, days, rest = when.shift
        return abs((months // 12 * 365 + months % 12 * 30 + days) * 1440 + rest - minutes) <= minutes * 0.02

    return fits


# ---------------------------------------------------------------- corpora


def in_half(text: str, half: str) -> bool:
    return (hashlib.sha256(text.encode()).digest()[0] % 2 == 0) == (half == "dev")


def duckling(data: Path, lang: str, half: str) -> Rows:
    for line in (data / "duckling" / f"time_{lang}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if in_half(row["text"], half):
            yield duckling_row(row)
    durations = data / "duckling" / f"duration_{lang}.jsonl"
    for line in durations.read_text("utf-8").splitlines() if durations.exists() else ():
        row = json.loads(line)
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
    if ZONES & set(text.lower().replace("(", " ").replace(")", " ").split()):
        return Excluded("time zone")
    if "upcoming" in text and " two " in f" {text} ".replace("2", "two"):
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
        for row in json.loads(path.read_text("utf-8")) if path.exists() else ():
            if in_half(row["Input"], half) and row["Input"] not in seen:
                seen.add(row["Input"])
                yield recognizers_row(row)


def recognizers_row(row: dict[str, Any]) -> Row | Excluded:
    written = row.get("Context", {}).get("ReferenceDateTime", "2016-11-07T00:00:00")
    now = datetime.fromisoformat(written[:19])
    if not row["Results"]:
        return Row(row["Input"], now, None, "nothing")
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


def recognizers_values(result: dict[str, Any]) -> tuple[str, list[dict[str, str]]]:
    if "TypeName" in result:
        resolution = result.get("Resolution") or {}
        return result["TypeName"].rpartition(".")[2], resolution.get("values") or [{}]
    value = dict((result.get("Value") or {}).get("FutureResolution") or {})
    timex = (result.get("Value") or {}).get("Timex", "")
    one = {"timex": timex, "value": next(iter(value.values()), "")}
    one |= {"start": value.get("startDate", ""), "end": value.get("endDate", "")}
    return result["Type"], [one]


def recognizers_fit(kind: str, values: list[dict[str, str]]) -> Callable[[When], bool] | Excluded:
    if any("Mod" in value or "mod" in value for value in values):
        return Excluded("open range")
    try:
        return RECOGNIZERS_FITS[kind](values)
    except (KeyError, ValueError):
        return Excluded("no single value")


def date_fit(values: list[dict[str, str]]) -> Callable[[When], bool] | Excluded:
    return fits_day(date.fromisoformat(values[-1]["value"]))


def time_fit(values: list[dict[str, str]]) -> Callable[[When], bool] | Excluded:
    return clock_fit([value["value"] for value in values], fits_times)


def datetime_fit(values: list[dict[str, str]]) -> Callable[[When], bool] | Excluded:
    moments = [datetime.fromisoformat(value["value"]) for value in values]
    if any(moment.second for moment in moments):
        return Excluded("now or seconds")
    half = timedelta(hours=12)
    late = [m for m in moments if m >= max(moments) - half]
    return fits_moments(*late, *(m + half for m in late if 1 <= m.hour < 12 and len(values) == 1))


def duration_fit(values: list[dict[str, str]]) -> Callable[[When], bool] | Excluded:
    minutes = float(values[-1]["value"]) / 60
    return fits_length(minutes) if minutes >= 1 and minutes == int(minutes) else Excluded("now or seconds")


def daterange_fit(values: list[dict[str, str]]) -> Callable[[When], bool] | Excluded:
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


def clock_fit(written: list[str], fits: Callable[..., Callable[[When], bool]]) -> Callable[[When], bool] | Excluded:
    """Both halves of the day are given where the words leave it open; which of them is our policy, not a mistake."""
    if any(one[6:8] not in ("", "00") for one in written):
        return Excluded("now or seconds")
    if len(written) == 1 and 1 <= int(written[0][:2]) <= 12:
        other = (int(written[0][:2]) + 12) % 24
        written = [*written, f"{other:02}{written[0][2:]}"] if other else written
    return fits(*written)


def chrono(data: Path, lang: str, _half: str) -> Rows:
    for line in (data / "chrono" / f"{lang}.jsonl").read_text("utf-8").splitlines():
        yield chrono_row(json.loads(line))


def chrono_row(row: dict[str, Any]) -> Row | Excluded:
    now = datetime.fromisoformat(row["reference"]).replace(tzinfo=None) if row["reference"] else datetime(2020, 7, 6, 9)
    expected = row["expected"]
    if expected is None:
        return Row(row["text"], now, None, "nothing")
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


def chrono_fit(moment: datetime, now: datetime) -> Callable[[When], bool]:
    """What was not said gets a value of chrono's own: an hour on the clock or that of now, a day in a week or month."""
    day, moments = fits_day(moment.date()), fits_moments(moment)

    def fits(when: When) -> bool:
        if when.period is not None:
            return when.period[0] <= moment.date() <= when.period[1]
        return moments(when) or ((moment.minute == 0 or moment.time() == now.time()) and day(when))

    return fits


READERS: dict[str, Callable[[Path, str, str], Rows]] = {
    "duckling": duckling,
    "recognizers-text": recognizers,
    "chrono": chrono,
}


# ---------------------------------------------------------------- peers and speed


def peer(lang: str, rows: list[Row]) -> str:
    try:
        search_dates = importlib.import_module("dateparser.search").search_dates
    except ImportError:
        return "not installed"
    good, started = 0, time.perf_counter()
    for row in rows:
        settings = {"RELATIVE_BASE": row.now, "PREFER_DATES_FROM": "future"}
        try:
            found = search_dates(row.text, languages=[lang], settings=settings) or []
        except Exception:  # noqa: BLE001 - the peer may raise anything on odd input; that is a miss, not our failure
            found = []
        good += len(found) == 1 and row.fits is not None and any(map(row.fits, peer_readings(found[0][1])))
    each = (time.perf_counter() - started) / max(1, len(rows)) * 1e6
    return f"{good}/{len(rows)} = {100 * good / max(1, len(rows)):.1f} %, {each:,.0f} µs each"


def peer_readings(found: datetime) -> Iterator[When]:
    """A datetime alone does not say whether a day or a moment is meant: either is accepted."""
    yield When(day=found.date(), time=(found.hour, found.minute))
    yield When(day=found.date())


SPEED = {
    "en": ("remind me to water the plants on friday at 9am", "please put the new boots on my list of things to get"),
    "it": (
        "ricordami di innaffiare le piante venerdì alle 9",
        "per favore metti gli stivali nuovi tra le cose da comprare",
    ),
}
HOSTILE = 400  # tokens


def speed(dates: Dates, lang: str) -> str:
    now = datetime(2026, 2, 4, 11, 37)
    with_date, without = (median(dates, [token.low for token in normalise(text).tokens], now) for text in SPEED[lang])
    hostile = (*sorted(dates.vocabulary), "5", "7:30", "2-3")
    worst, word = max((median(dates, [word] * HOSTILE, now, 5), word) for word in hostile)
    usual = f"with a date {with_date:.1f} µs, without {without:.1f} µs"
    return f"{usual}; worst {HOSTILE} tokens {worst / 1000:.1f} ms ({word})"


def median(dates: Dates, words: list[str], now: datetime, repeats: int = 500) -> float:
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        dates.find(words, now)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1e6


if __name__ == "__main__":
    main()
