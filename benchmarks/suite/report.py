"""The report: a page with every figure against its goal, and a JSON file with the tables of each measure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from os.path import relpath
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.suite.values import Contender, Section, Table

INTRO = """# Evaluation

Written by `python -m benchmarks suite`; do not edit. `--measure NAME` runs one measure. Nothing is tuned on a test
split of public data, and no row of one is shown here. The columns beside Sayso are keyword matching, and a program
that always decides `none`.
"""
PEERS = "Speed, compared with other libraries: [benchmarks](benchmarks.md)."

SESSIONS = Path(__file__).with_name("sessions.md")  # the suite does not run them


class Run(NamedTuple):
    """What a report must say of its run."""

    day: date
    version: str
    quick: bool


def write(file: Path, sections: list[Section], contenders: list[Contender], run: Run, tables: Path) -> None:
    """The page, its pictures in a folder of the page's name, and the file of all tables."""
    pictures = file.parent / file.stem
    file.parent.mkdir(parents=True, exist_ok=True)
    for name, drawing in (picture for section in sections for picture in section.pictures):
        pictures.mkdir(exist_ok=True)
        (pictures / name).write_text(drawing, encoding="utf-8")
    kept = kept_of(sections, contenders, run)
    tables.parent.mkdir(parents=True, exist_ok=True)
    tables.write_text(json.dumps(kept, indent=0, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    file.write_text(markdown(kept, file, tables), encoding="utf-8")


def kept_of(sections: list[Section], contenders: list[Contender], run: Run) -> dict[str, Any]:
    """All that a run found, as the file of all tables has it."""
    return {
        "version": run.version,
        "date": f"{run.day:%Y-%m-%d}",
        "quick": run.quick,
        "contenders": [one.name for one in contenders],
        "measures": [
            {
                "name": one.name,
                "title": one.title,
                "data": one.split,
                "brief": one.brief,
                "text": one.text,
                "figures": [figure._asdict() for figure in one.figures],
                "tables": [{"head": table.head, "rows": table.rows} for table in one.tables],
                "pictures": [name for name, _ in one.pictures],
            }
            for one in sections
        ],
    }


def markdown(kept: dict[str, Any], file: Path, tables: Path) -> str:
    """The page, from the file of all tables."""
    day, quick = kept["date"], kept["quick"]
    parts = [INTRO, f"{kept['version']}, {day}{', a sample of the rows only' if quick else ''}.", ""]
    head = ("figure", "goal", "met", *kept["contenders"])
    figures = [
        (one["name"], one["goal"], _met(one["met"]), *one["values"])
        for measure in kept["measures"]
        for one in measure["figures"]
    ]
    parts += [*_table(Table(head, tuple(figures))), ""]
    parts += [f"All tables: [{tables.name}]({relpath(tables, file.parent)}).", ""]
    parts += [PEERS, ""] if (file.parent / "benchmarks.md").exists() else []
    for one in kept["measures"]:
        parts += [f"## {one['title']}", "", one["brief"].strip(), ""]
        parts += [f"Measure: `{one['name']}`. Data: {one['data']}.", ""]
        for name in one["pictures"]:
            parts += [f"![{one['title']}]({file.stem}/{name})", ""]
    parts.append(SESSIONS.read_text(encoding="utf-8"))
    return "\n".join(parts).rstrip() + "\n"


def summary(sections: Iterable[Section], contenders: list[Contender]) -> Table:
    """All figures of the run in one table."""
    rows = tuple(
        (figure.name, figure.goal, _met(figure.met), *figure.values)
        for section in sections
        for figure in section.figures
    )
    return Table(("figure", "goal", "met", *(one.name for one in contenders)), rows)


def _met(met: bool | None) -> str:
    return {True: "yes", False: "no", None: ""}[met]


def _table(table: Table) -> list[str]:
    return [f"|{'|'.join(cells)}|" for cells in (table.head, ["---"] * len(table.head), *table.rows)]
