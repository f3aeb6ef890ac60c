"""`sayso eval --ablate`: switches off each rule of the engine in turn and prints its value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from sayso.evals.ablation import Load, Switches, Worth, ablate


def run(load: Load, out: Path | None) -> None:
    """Measure every rule on these cases or sessions and print them, those that cost nothing first."""
    with Switches() as switches:
        worths = ablate(load, switches)
        shown = track(worths, "switching off", total=len(switches.names), console=Console(stderr=True), transient=True)
        found = sorted(shown, key=lambda one: (one.lost - one.gained, one.writes, one.rule))
    Console(highlight=False).print(_table(found))
    if out:
        out.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


def _table(found: Sequence[Worth]) -> Table:
    never = sum(not one.cases for one in found)
    idle = sum(one.idle for one in found) - never
    caption = f"{len(found)} rules: {never} are never true on these cases, {idle} others can be removed without loss"
    table = Table(box=None, pad_edge=False, caption=caption)
    for title in ("rule", "true in", "tried", "lost", "gained", "wrong writes"):
        table.add_column(title, justify="left" if title == "rule" else "right")
    for one in found:
        table.add_row(one.rule, *map(str, (one.cases, one.tried, one.lost, one.gained, one.writes)))
    return table
