"""`sayso eval --sessions`: plays conversations, prints the figures and the misses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from sayso.assistant.converse import Assistant
from sayso.cli.context import decider_for
from sayso.cli.measure import ablate
from sayso.cli.show import visible
from sayso.evals.ablation import trials_of_sessions
from sayso.evals.play import Figures, Played, SessionReport, play_all, report_sessions
from sayso.evals.rows import Row
from sayso.evals.sessions import Fields, Session, alternatives, load_sessions
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder

PACK = "tasks"
MEASURES: Mapping[str, Callable[[Figures], str]] = {
    "sessions": lambda figures: str(figures.sessions),
    "turns": lambda figures: str(figures.turns),
    "right": lambda figures: str(figures.right),
    "right, rate": lambda figures: f"{figures.rate(figures.right):.3f}",
    "asked first": lambda figures: str(figures.asked_first),
    "refused": lambda figures: str(figures.refused),
    "misasked": lambda figures: str(figures.misasked),
    "misread": lambda figures: str(figures.misread),
    "wrong": lambda figures: str(figures.wrong),
    "questions a turn": lambda figures: f"{figures.rate(figures.questions):.2f}",
}
_DEFAULTS = msgspec.structs.asdict(Fields(title="-"))


class Wanted(NamedTuple):
    """The options that apply to sessions."""

    files: Sequence[Path]
    only: str | None
    lang: str | None
    misses: int
    minimum: float | None
    max_wrong: float | None
    out: Path | None
    ablated: bool


def run(wanted: Wanted) -> None:
    """Play, print, and exit with 1 where a limit is missed."""
    sessions = [one for one in load_sessions(wanted.files) if _is_wanted(one, wanted)]
    if wanted.ablated:
        ablate.run(lambda: trials_of_sessions(sessions, _assistant()), wanted.out)
        return
    assistant = _assistant()
    turns = sum(len(session.turns) for session in sessions)
    played = track(play_all(sessions, assistant), "talking", total=turns, console=Console(stderr=True), transient=True)
    result = report_sessions(played)
    _print(Console(highlight=False), result, wanted.misses)
    if wanted.out:
        wanted.out.write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    too_low = wanted.minimum is not None and result.accuracy < wanted.minimum
    too_wrong = wanted.max_wrong is not None and result.wrong_rate > wanted.max_wrong
    if too_low or too_wrong:
        raise typer.Exit(1)


def _assistant() -> Assistant:
    return Assistant(decider_for(None), load_answers(pack_folder(PACK)))


def _is_wanted(session: Session, wanted: Wanted) -> bool:
    spoken = wanted.lang is None or session.lang.split("-")[0] == wanted.lang
    return spoken and session.id.startswith(wanted.only or "")


def _print(console: Console, result: SessionReport, misses: int) -> None:
    console.print(_table(result))
    for played in result.misses[:misses]:
        _print_miss(console, played)
    total = result.total
    console.print(
        f"wrong {total.wrong} ({result.wrong_rate:.2%}) · refused {total.refused} · "
        f"questions a turn {result.questions_a_turn:.2f}"
    )
    console.print(Text(f"turns right {total.right}/{total.turns} = {result.accuracy:.3f}", "bold"))


def _table(result: SessionReport) -> Table:
    """A column for each file, so that the measures can have their full names."""
    columns = {**result.groups, "all": result.total}
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right", overflow="fold")
    for name, cell in MEASURES.items():
        table.add_row(name, *(cell(figures) for figures in columns.values()))
    table.add_section()
    return table


def _print_miss(console: Console, played: Played) -> None:
    title = Text("✗ ", "red").append(f"{played.kind} {played.id}", "bold").append(f"  {played.say}", "default")
    console.print(title, soft_wrap=True)
    rows: list[tuple[str, str]] = []
    if played.list:
        rows += [("want", _rows(played.list.expected)), ("got", _rows(played.list.found))]
    if played.unasked:
        rows.append(("note", "done without a question"))
    if played.lacks:
        rows.append(("lacks", ", ".join(played.lacks)))
    if played.surplus:
        rows.append(("has", ", ".join(played.surplus)))
    rows.append(("reply", " | ".join(" ⏎ ".join(text.split("\n")) for text in played.replies)))
    for label, value in rows:
        console.print(Text(f"  {label:<5}  ", "dim").append(visible(value), "not dim"), soft_wrap=True)


def _rows(rows: Sequence[Row]) -> str:
    """The tasks on one line, with the fields that are not at their default."""
    return " · ".join(_row(row) for row in rows) or "nothing"


def _row(row: Row) -> str:
    others = {name: value for name, value in row.items() if name != "title" and value != _DEFAULTS[name]}
    fields = ", ".join(f"{name} {_value(value)}" for name, value in others.items())
    return _value(row["title"]) + (f" ({fields})" if fields else "")


def _value(value: object) -> str:
    return " / ".join("none" if one is None else str(one) for one in alternatives(value))
