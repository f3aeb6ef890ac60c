"""Other readers of dates on the rows of the suite: dateparser in this process, chrono in a process of Node.

How well they read; how fast, public.py says. Both are told the language and to look ahead. A peer is right as
Sayso is: one reading where the expression stands, and that one fitting. What a peer's value leaves open counts in its
favour: a moment is also tried as a day.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from importlib import import_module
from typing import Any, NamedTuple

from benchmarks import ROOT
from benchmarks.suite.date_rows import Row
from sayso.engine.values.when import When

CHRONO = ROOT / "benchmarks" / "chrono"
LONGEST = 600  # seconds


class Said(NamedTuple):
    """One reading of a peer: where it stands, and what it may mean."""

    start: int
    end: int
    meanings: tuple[When, ...]


class Peer(NamedTuple):
    """How a peer came out on some rows."""

    right: int
    positives: int
    spoken: int  # of the negatives, in which there is nothing to read
    negatives: int

    def __add__(self, other: Peer) -> Peer:  # type: ignore[override]  # rows and rows, not fields and fields
        return Peer(*map(sum, zip(self, other, strict=True)))

    def __str__(self) -> str:
        return f"{self.right} of {self.positives}, {100 * self.right / max(1, self.positives):.1f} %"


def score(rows: Sequence[Row], said: Sequence[Sequence[Said]]) -> Peer:
    """What a peer said of every row, judged."""
    pairs = list(zip(rows, said, strict=True))
    positives = [(row, each) for row, each in pairs if row.fits is not None]
    negatives = [each for row, each in pairs if row.fits is None]
    return Peer(
        sum(_right(row, each) for row, each in positives), len(positives), sum(map(bool, negatives)), len(negatives)
    )


def _right(row: Row, said: Sequence[Said]) -> bool:
    if row.span is not None:
        start, end = row.span
        said = [one for one in said if one.start < end and start < one.end]
    return len(said) == 1 and row.fits is not None and any(map(row.fits, said[0].meanings))


def searched(text: str, now: datetime, languages: list[str] | None) -> list[tuple[str, datetime]]:
    """dateparser's search; without languages it finds out by itself."""
    settings = {"RELATIVE_BASE": now, "PREFER_DATES_FROM": "future"}
    try:
        found = import_module("dateparser.search").search_dates(text, languages=languages, settings=settings)
    except Exception:  # noqa: BLE001 - the peer may raise anything on odd input; that is a miss, not our failure
        return []
    return found or []


def dateparser(lang: str, rows: Sequence[Row]) -> Peer:
    """dateparser's search, pinned to the language."""
    found = (searched(row.text, row.now, [lang]) for row in rows)
    return score(rows, [[_placed(row.text, *one) for one in each] for row, each in zip(rows, found, strict=True)])


def _placed(text: str, part: str, moment: datetime) -> Said:
    at = max(0, text.find(part))
    return Said(at, at + len(part), tuple(_meanings(moment.date(), (moment.hour, moment.minute))))


def chrono(lang: str, rows: Sequence[Row]) -> Peer | None:
    """chrono-node, put beside its script by npm from the lock there; None without npm."""
    npm = shutil.which("npm")
    if npm is None:
        return None
    if not (CHRONO / "node_modules").is_dir():
        install = [npm, "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", CHRONO]
        subprocess.run(install, check=True, timeout=LONGEST)
    lines = [json.dumps({"text": row.text, "now": row.now.isoformat(), "lang": lang}) for row in rows]
    command = ["node", CHRONO / "read.mjs"]
    ran = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True, timeout=LONGEST)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    return score(rows, [[_component(one) for one in answer["found"]] for answer in answers])


def _component(one: dict[str, Any]) -> Said:
    day = date(*one["start"]["day"])
    clock = one["start"]["time"]
    meanings = list(_meanings(day, (clock[0], clock[1]) if clock else None))
    if one["end"] is not None:
        meanings.append(When(period=(day, date(*one["end"]["day"]))))
    # chrono counts characters as JavaScript does; outside of the basic plane, where there are no dates, that is more.
    return Said(one["at"], one["at"] + len(one["text"]), tuple(meanings))


def _meanings(day: date, clock: tuple[int, int] | None) -> Iterator[When]:
    if clock is not None:
        yield When(day=day, time=clock)
    yield When(day=day)
