"""`sayso eval --ablate`: switches off each rule of the engine in turn and prints its value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from sayso.decider import Decider
from sayso.evals.ablation import Switches, Worth, ablate
from sayso.evals.compare import Tools
from sayso.evals.dataset import Labelled


def run(cases: Sequence[Labelled], decider: Decider, tools: Tools, out: Path | None) -> None:
    """Measure every rule on these cases and print them, those that cost nothing first."""
    with Switches() as switches:
        worths = ablate(cases, decider.decide, tools, switches)
        shown = track(worths, "switching off", total=len(switches.names), console=Console(stderr=True), transient=True)
        found = sorted(shown, key=lambda one: (one.lost - one.gained, one.writes, one.rule))
    Console(highlight=False).print(_table(found))
    if out:
        out.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


def _table(found: Sequence[Worth]) -> Table:
    idle = sum(one.idle for one in found)
    table = Table(box=None, pad_edge=False, caption=f"{idle} of {len(found)} rules cost nothing on these cases")
    for title in ("rule", "true in", "tried", "lost", "gained", "wrong writes"):
        table.add_column(title, justify="left" if title == "rule" else "right")
    for one in found:
        table.add_row(one.rule, *map(str, (one.cases, one.tried, one.lost, one.gained, one.writes)))
    return table
