"""Measures everything on the labelled cases and on public data, prints the figures and writes docs/evaluation.md.

python -m benchmarks suite
python -m benchmarks suite --measure dates --quick
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table as Shown
from rich.text import Text

from benchmarks import ROOT
from benchmarks.suite import report
from benchmarks.suite.decisions import Files
from benchmarks.suite.report import Run
from benchmarks.suite.run import MEASURES, Plan, measure, team
from benchmarks.suite.values import Section, T, Table
from sayso.cli.version import TEXT
from sayso.decider import Decider
from sayso.evals.dataset import files_in
from sayso.evals.training.sources import Split

ROUNDS = ROOT / "benchmarks" / "decisions"
REPORT = ROOT / "docs" / "evaluation.md"
TABLES = ROOT / "benchmarks" / "results" / "evaluation.json"


class Wanted(NamedTuple):
    """The options."""

    bench: Path | None
    data: Path | None
    report: Path | None
    split: Split
    measures: tuple[str, ...]
    quick: bool
    misses: int
    keep: bool


app = typer.Typer(add_completion=False)


@app.command()
def main(  # noqa: PLR0913  a command has as many parameters as options
    bench: Annotated[
        Path | None,
        typer.Option("--bench", envvar="SAYSO_BENCH", metavar="DIR", file_okay=False, help="Labelled cases."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", envvar="SAYSO_DATA", metavar="DIR", file_okay=False, help="Public data."),
    ] = None,
    written: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", dir_okay=False, help="The file to write."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A sample of the rows, for a first look.")] = False,
    measures: Annotated[
        list[str] | None,
        typer.Option("--measure", metavar="NAME", help="Only this measure; may be repeated."),
    ] = None,
    split: Annotated[
        Split,
        typer.Option("--split", help="The split of public data; --misses shows only rows of dev."),
    ] = "test",
    keep: Annotated[bool, typer.Option("--update-misses", help="Save the misses of this run as known.")] = False,
    misses: Annotated[int, typer.Option("--misses", metavar="N", min=0, help="Show the first N misses.")] = 0,
) -> None:
    """Run every measure and write the report."""
    run(Wanted(bench, data, written, split, tuple(measures or ()), quick, misses, keep))


def run(wanted: Wanted) -> None:
    """Measure, print, write."""
    console = Console(highlight=False)
    names = _names(wanted.measures)
    data = wanted.data if wanted.data and wanted.data.is_dir() else None
    plan = Plan(_files(wanted), data, wanted.split, wanted.quick)
    who = team(Decider.installed())
    sections = list(measure(plan, who, names, _watch))
    if not sections:
        raise typer.BadParameter("no data here; name their folders with --bench and --data", param_hint="--data")
    console.print(_table(report.summary(sections, who.contenders)))
    for section in sections:
        _print_misses(console, section, wanted.misses)
    file = _report(wanted)
    if file is not None:
        tables = file.with_suffix(".json") if wanted.report else TABLES
        run_of = Run(date.today(), TEXT, wanted.quick)  # noqa: DTZ011  the day here
        report.write(file, sections, who.contenders, run_of, tables)
        console.print(f"report: {file}, all tables: {tables}")


def _names(chosen: tuple[str, ...]) -> tuple[str, ...]:
    for name in chosen:
        if name not in MEASURES:
            raise typer.BadParameter(f"{name}; one of: {', '.join(MEASURES)}", param_hint="--measure")
    return tuple(name for name in MEASURES if not chosen or name in chosen)


def _files(wanted: Wanted) -> Files:
    cases = tuple(file for folder in (wanted.bench, ROUNDS) if folder and folder.is_dir() for file in files_in(folder))
    return Files(cases, ROUNDS / "misses.json", wanted.keep)


def _report(wanted: Wanted) -> Path | None:
    """A part of the suite, a sample or a development split goes into no report unless one is named."""
    if wanted.report:
        return wanted.report
    whole = not wanted.measures and not wanted.quick and wanted.split == "test"
    return REPORT if whole else None


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


if __name__ == "__main__":
    app()
