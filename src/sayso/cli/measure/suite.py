"""`sayso eval --suite`: runs every measure, prints the figures and writes the report."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table as Shown
from rich.text import Text

from sayso.cli.version import TEXT
from sayso.decider import Decider
from sayso.evals.dataset import files_in
from sayso.evals.suite import report
from sayso.evals.suite.decisions import Files
from sayso.evals.suite.report import Run
from sayso.evals.suite.run import MEASURES, Plan, measure, team
from sayso.evals.suite.values import Section, Split, T, Table

ROUNDS = Path("benchmarks", "decisions")
REPORT = Path("docs", "evaluation.md")
TABLES = Path("benchmarks", "results", "evaluation.json")
BESIDE = Path("..", "shared")


class Wanted(NamedTuple):
    """The options of the suite."""

    bench: Path | None
    data: Path | None
    report: Path | None
    split: Split
    measures: tuple[str, ...]
    quick: bool
    misses: int
    keep: bool


def run(wanted: Wanted) -> None:
    """Measure, print, write."""
    console = Console(highlight=False)
    names = _names(wanted.measures)
    root = _root()
    plan = Plan(_files(wanted, root), _folder(wanted.data, "data", root), wanted.split, wanted.quick)
    who = team(Decider.installed())
    sections = list(measure(plan, who, names, _watch))
    if not sections:
        raise typer.BadParameter("no data here; name their folders with --bench and --data", param_hint="--suite")
    console.print(_table(report.summary(sections, who.contenders)))
    for section in sections:
        _print_misses(console, section, wanted.misses)
    file = _report(wanted, root)
    if file is not None:
        tables = file.with_suffix(".json") if wanted.report or root is None else root / TABLES
        run_of = Run(date.today(), TEXT, wanted.quick)  # noqa: DTZ011  the day here
        report.write(file, sections, who.contenders, run_of, tables)
        console.print(f"report: {file}, all tables: {tables}")


def _names(chosen: tuple[str, ...]) -> tuple[str, ...]:
    for name in chosen:
        if name not in MEASURES:
            raise typer.BadParameter(f"{name}; one of: {', '.join(MEASURES)}", param_hint="--measure")
    return tuple(name for name in MEASURES if not chosen or name in chosen)


def _root() -> Path | None:
    """The checkout that this is run in, if it is one."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ROUNDS).is_dir()), None)


def _files(wanted: Wanted, root: Path | None) -> Files:
    folders = [_folder(wanted.bench, "bench", root), root / ROUNDS if root else None]
    cases = tuple(file for folder in folders if folder for file in files_in(folder))
    return Files(cases, root / ROUNDS / "misses.json" if root else None, wanted.keep)


def _folder(given: Path | None, name: str, root: Path | None) -> Path | None:
    """The folder that is named, by option or variable, else the one beside the checkout."""
    named = os.environ.get(f"SAYSO_{name.upper()}")
    if given or named:
        return given or Path(str(named))
    beside = root / BESIDE / name if root else None
    return beside if beside and beside.is_dir() else None


def _report(wanted: Wanted, root: Path | None) -> Path | None:
    """A part of the suite, a sample or a development split goes into no report unless one is named."""
    if wanted.report:
        return wanted.report
    whole = not wanted.measures and not wanted.quick and wanted.split == "test"
    return root / REPORT if root and whole else None


def _watch(items: Sequence[T], label: str) -> Iterable[T]:
    return track(items, label, console=Console(stderr=True), transient=True)


def _table(table: Table) -> Shown:
    shown = Shown(box=None, pad_edge=False, header_style="dim")
    for number, name in enumerate(table.head):
        shown.add_column(name, justify="right" if number > 2 else "left")
    for row in table.rows:
        shown.add_row(*(Text(cell, "red" if cell == "no" else "") for cell in row))
    return shown


def _print_misses(console: Console, section: Section, most: int) -> None:
    """Measures hand over the misses of development rows only."""
    for miss in section.misses[:most]:
        console.print(Text("✗ ", "red").append(f"{section.name} · {miss.what}", "bold"), soft_wrap=True)
        console.print(Text(f"  {miss.text}  → ", "default").append(miss.got, "dim"), soft_wrap=True)
