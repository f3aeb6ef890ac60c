"""Other readers of dates on the rows of the suite: dateparser in this process, chrono in a process of Node.

Both are told the language and to look ahead. A peer is right as Sayso is: one reading where the expression stands,
and that one fitting. What a peer's value leaves open counts in its favour: a moment is also tried as a day.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from sayso.engine.readers.dates import When
from sayso.evals.suite.date_rows import Row

HERE = Path(__file__).parent
LONGEST = 600  # seconds


class Said(NamedTuple):
    """One reading of a peer: where it stands, and what it may mean."""

    start: int
    end: int
    meanings: tuple[When, ...]


class Peer(NamedTuple):
    """How a peer came out on some rows."""

    name: str
    right: int
    positives: int
    spoken: int
    negatives: int
    microseconds: float

    def __str__(self) -> str:
        share = 100 * self.right / max(1, self.positives)
        return f"{self.right}/{self.positives} = {share:.1f} %, {self.microseconds:,.0f} µs each"


def score(name: str, rows: Sequence[Row], said: Sequence[Sequence[Said]], microseconds: float) -> Peer:
    """What a peer said of every row, judged."""
    pairs = list(zip(rows, said, strict=True))
    positives = [(row, each) for row, each in pairs if row.fits is not None]
    negatives = [each for row, each in pairs if row.fits is None]
    good = sum(_right(row, each) for row, each in positives)
    return Peer(name, good, len(positives), sum(map(bool, negatives)), len(negatives), microseconds)


def _right(row: Row, said: Sequence[Said]) -> bool:
    if row.span is not None:
        start, end = row.span
        said = [one for one in said if one.start < end and start < one.end]
    return len(said) == 1 and row.fits is not None and any(map(row.fits, said[0].meanings))


def dateparser(lang: str, rows: Sequence[Row]) -> Peer:
    """dateparser's search, pinned to the language."""
    search_dates = import_module("dateparser.search").search_dates
    said, started = [], time.perf_counter()
    for row in rows:
        settings = {"RELATIVE_BASE": row.now, "PREFER_DATES_FROM": "future"}
        try:
            found = search_dates(row.text, languages=[lang], settings=settings) or []
        except Exception:  # noqa: BLE001 - the peer may raise anything on odd input; that is a miss, not our failure
            found = []
        said.append([_placed(row.text, text, moment) for text, moment in found])
    each = (time.perf_counter() - started) / max(1, len(rows)) * 1e6
    return score(f"dateparser {version('dateparser')}", rows, said, each)


def _placed(text: str, part: str, moment: datetime) -> Said:
    at = max(0, text.find(part))
    return Said(at, at + len(part), tuple(_meanings(moment.date(), (moment.hour, moment.minute))))


def chrono(lang: str, rows: Sequence[Row], folder: Path) -> Peer:
    """chrono-node, which npm has put into that folder."""
    lines = [json.dumps({"text": row.text, "now": row.now.isoformat(), "lang": lang}) for row in rows]
    command = ["node", str(HERE / "peers_chrono.mjs"), str(folder)]
    ran = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True, timeout=LONGEST)
    *answers, last = [json.loads(line) for line in ran.stdout.splitlines()]
    said = [[_component(one) for one in answer["found"]] for answer in answers]
    return score(f"chrono-node {last['version']}", rows, said, last["microseconds"])


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
