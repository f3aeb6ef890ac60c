"""Known misses, kept as data: the result of each case that is still wrong. A run names new and fixed ones."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from sayso.evals.score import Verdict

Known = dict[str, str]


class Change(NamedTuple):
    """How the misses of a run differ from those that were known."""

    still: tuple[str, ...]
    new: tuple[str, ...]
    mended: tuple[str, ...]


def read(file: Path) -> Known:
    """The known misses; none where there is no file yet."""
    return msgspec.json.decode(file.read_bytes(), type=Known) if file.exists() else {}


def write(file: Path, verdicts: Iterable[Verdict]) -> None:
    """Keep the misses of this run."""
    misses = {one.id: came_out(one) for one in sorted(verdicts, key=lambda one: one.id) if not one.right}
    file.write_bytes(msgspec.json.format(msgspec.json.encode(misses), indent=1) + b"\n")


def came_out(verdict: Verdict) -> str:
    """What a case came to, on one line."""
    return "; ".join(
        f"{one['kind']} {one['tool'] or '?'} {msgspec.json.encode(one.get('arguments', {})).decode()}"
        if one.get("tool") or one["kind"] == "clarify"
        else f"{one['kind']} {one.get('reason', '')}".strip()
        for one in verdict.got
    )


def compare(before: Known, verdicts: Iterable[Verdict], cases: frozenset[str]) -> Change:
    """Against what was known; a case that was not run is neither mended nor new."""
    now = {one.id for one in verdicts if not one.right}
    return Change(
        still=tuple(sorted(now & before.keys())),
        new=tuple(sorted(now - before.keys())),
        mended=tuple(sorted((before.keys() & cases) - now)),
    )


def words(change: Change) -> str:
    """The change in words, for the report."""
    return f"Known misses: {len(change.still)}. New: {len(change.new)}. Fixed: {len(change.mended)}."
