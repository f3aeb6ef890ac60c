"""What a run of the benchmarks found, as values that are kept as JSON: what the page is written from."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    """The median of the rounds' ratios, and between what the middle half of them lies."""

    median: float
    low: float
    high: float


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One contender: what it takes, or how many it does, and how that compares."""

    name: str
    value: float  # the median, in the unit of the part
    ratio: Ratio  # to whom the part compares with, at the same size
    size: int | None = None  # of how many it had to find one
    p99: float | None = None
    quality: dict[str, str] = {}  # how well it does it: "hit@1", "0.975"


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What a figure should be; without a limit it is only told."""

    what: str
    value: Ratio
    limit: float | None = None
    stretch: float | None = None
    better: Literal["less", "more"] = "less"
    also: bool = True  # whether what goes with it holds: no worse hit@1
    reason: str = ""  # where it falls short: why
    known: bool = False  # that it falls short

    @property
    def is_met(self) -> bool | None:
        return self._within(self.limit)

    @property
    def is_stretched(self) -> bool | None:
        return self._within(self.stretch)

    def _within(self, limit: float | None) -> bool | None:
        if limit is None:
            return None
        return self.also and (self.value.median <= limit if self.better == "less" else self.value.median >= limit)


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was measured: all its contenders, in one shuffled run."""

    name: str
    title: str
    method: str
    against: str  # the contender whose ratio is 1
    unit: str
    rounds: int
    rows: list[Row]
    targets: list[Target]
    note: str = ""  # what the figures do not say


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One run of all of them: when, of what, on which machine."""

    date: str
    commit: str
    seconds: int
    machine: dict[str, str]
    load_before: list[float]  # averages of 1, 5 and 15 minutes
    load_after: list[float]
    versions: dict[str, str]  # of the peers
    parts: list[Part]

    @classmethod
    def read(cls, file: Path) -> Run:
        return msgspec.json.decode(file.read_bytes(), type=cls)


def write(what: Run | list[Part], file: Path) -> None:
    """As JSON with a line for each value: what changes are the lines of the figures that do."""
    text = json.dumps(msgspec.to_builtins(what), indent=0, ensure_ascii=False, separators=(",", ":"))
    file.write_text(text + "\n", "utf-8")


def ratio_of(found: Sequence[float]) -> Ratio:
    """What the rounds say together."""
    low, median, high = statistics.quantiles(found, n=4) if len(found) > 1 else (found[0],) * 3
    return Ratio(median=short(median), low=short(low), high=short(high))


def short(value: float) -> float:
    """Four digits, as many as any of them means."""
    return float(f"{value:.4g}")


def plain(value: float) -> Ratio:
    """A figure that comes of all rounds together, and so has no spread of its own."""
    return ratio_of([value])


def few(rounds: int, share: float) -> int:
    """That share of the rounds, but no fewer than a median needs."""
    return max(3, round(rounds * share))
