"""The report in Markdown: a summary against the goals, then a section for each measure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from sayso.evals.suite.values import Contender, Section, Table

INTRO = """# Evaluation

Written by `sayso eval --suite`; do not edit. Public data keeps its own split: nothing is tuned on a test split, and no
row of one is shown here. Goals are set for Sayso. The two columns beside it are the keyword algorithm that the project
began with, and one that always decides `none`.
"""
PEERS = "Speed, compared with other libraries: [benchmarks](benchmarks.md)."

SESSIONS = Path(__file__).with_name("sessions.md")  # how they are written and scored; the suite runs none


class Run(NamedTuple):
    """What a report must say of its run."""

    day: date
    version: str
    quick: bool


def write(file: Path, sections: list[Section], contenders: list[Contender], run: Run) -> None:
    """The report, and its pictures in a folder of the report's name."""
    pictures = file.parent / file.stem
    file.parent.mkdir(parents=True, exist_ok=True)
    for name, drawing in (picture for section in sections for picture in section.pictures):
        pictures.mkdir(exist_ok=True)
        (pictures / name).write_text(drawing, encoding="utf-8")
    peers = (file.parent / "benchmarks.md").exists()
    file.write_text(markdown(sections, contenders, run, pictures.name, peers=peers), encoding="utf-8")


def markdown(
    sections: list[Section], contenders: list[Contender], run: Run, pictures: str, *, peers: bool = False
) -> str:
    """The text of the report."""
    parts = [INTRO, f"{run.version}, {run.day:%Y-%m-%d}{', a sample of the rows only' if run.quick else ''}.", ""]
    parts += [*_table(summary(sections, contenders)), ""]
    parts += [PEERS, ""] if peers else []
    for section in sections:
        parts += [f"## {section.title}", "", section.text.strip(), ""]
        command = f"sayso eval --suite --measure {section.name}{' --quick' if run.quick else ''}"
        parts += [f"Data: {section.split}. Command: `{command}`. Date: {run.day:%Y-%m-%d}.", ""]
        for name, _ in section.pictures:
            parts += [f"![{section.title}]({pictures}/{name})", ""]
        for table in section.tables:
            parts += [*_table(table), ""]
    parts.append(SESSIONS.read_text(encoding="utf-8"))
    return "\n".join(parts).rstrip() + "\n"


def summary(sections: Iterable[Section], contenders: list[Contender]) -> Table:
    """All figures of the run in one table."""
    rows = tuple(
        (figure.name, figure.goal, {True: "yes", False: "no", None: ""}[figure.met], *figure.values)
        for section in sections
        for figure in section.figures
    )
    return Table(("figure", "goal", "met", *(one.name for one in contenders)), rows)


def _table(table: Table) -> list[str]:
    head = f"| {' | '.join(table.head)} |"
    rule = f"|{'|'.join('---' for _ in table.head)}|"
    return [head, rule, *(f"| {' | '.join(row)} |" for row in table.rows)]
