"""`sayso eval FILES…`: how often decisions are right, and how bad the wrong ones are.

`--sessions`: whole conversations instead of single decisions. `--ablate`: what each rule is worth.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from sayso.cli.context import decider_for, folder_of, name_of
from sayso.cli.measure import ablate, sessions
from sayso.engine.grammar.pack import Pack
from sayso.evals.ablation import trials_of_cases
from sayso.evals.dataset import Labelled, load
from sayso.evals.facts import facts_of_all
from sayso.evals.score import Report, Tally, Verdict, judge_all, report
from sayso.files.datafile import read
from sayso.packs.load import installed_packs, pack_folder

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command(name="eval")
def evaluate(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILES…", exists=True, dir_okay=False, help="Labelled cases or sessions, one JSON object per line."
        ),
    ],
    talks: Annotated[
        bool,
        typer.Option(
            "--sessions", help="The files contain sessions: play whole conversations and check the resulting list."
        ),
    ] = False,
    misses: Annotated[int, typer.Option("--misses", metavar="N", min=0, help="Show the first N misses.")] = 0,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="TAG", help="Only cases with this tag, or sessions whose id starts with it."),
    ] = None,
    pack: Annotated[
        str | None, typer.Option("--pack", help="Only cases of this pack, or of the pack in this folder.")
    ] = None,
    lang: Annotated[
        str | None, typer.Option("--lang", help="Only cases in this language: by their hint, or as detected.")
    ] = None,
    without_proposed: Annotated[
        bool, typer.Option("--without-proposed", help="Only cases without a proposed call.")
    ] = False,
    minimum: Annotated[
        float | None, typer.Option("--min", metavar="RATE", help="Exit with 1 below this accuracy.")
    ] = None,
    max_wrong: Annotated[
        float | None,
        typer.Option("--max-wrong", metavar="RATE", help="Exit with 1 above this rate of wrong writes or wrong turns."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--json", metavar="OUT", dir_okay=False, help="Write the result as JSON.")
    ] = None,
    ablated: Annotated[
        bool, typer.Option("--ablate", help="Switch off each rule of the engine in turn, and print what it is worth.")
    ] = False,
) -> None:
    """Score decisions or conversations against what was expected.

    Exits with 1 below --min and above --max-wrong; for cases also after any delete that nobody confirmed.
    """
    if talks:
        if pack is not None or without_proposed:
            raise typer.BadParameter("--pack and --without-proposed apply to cases only", param_hint="--sessions")
        sessions.run(sessions.Wanted(files, only, lang, misses, minimum, max_wrong, out, ablated))
        return
    console = Console(highlight=False)
    name = name_of(pack)
    cases = [one for one in load(files) if _wanted(one, only, name, without_proposed)]
    tools = facts_of_all(_packs(pack))
    if ablated:
        ablate.run(lambda: trials_of_cases(cases, decider_for(pack).decide, tools), out)
        return
    verdicts = judge_all(cases, decider_for(pack).decide, tools)
    shown = track(verdicts, "deciding", total=len(cases), console=Console(stderr=True), transient=True)
    result = report(verdict for verdict in shown if lang is None or verdict.lang.split("-")[0] == lang)
    _print(console, result, misses)
    if out:
        out.write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    if _failed(result, minimum, max_wrong):
        raise typer.Exit(1)


def _packs(pack: str | None) -> list[Pack]:
    """The installed packs, and the one in the folder that `--pack` names."""
    own = folder_of(pack)
    folders = [pack_folder(name) for name in installed_packs()] + ([own] if own else [])
    return [read(folder / "pack.yaml", Pack) for folder in folders]


def _wanted(one: Labelled, only: str | None, pack: str | None, without_proposed: bool) -> bool:
    return (
        (only is None or only in one.tags)
        and (pack is None or one.case.pack == pack)
        and not (without_proposed and one.case.proposed)
    )


def _failed(result: Report, minimum: float | None, max_wrong: float | None) -> bool:
    too_low = minimum is not None and result.accuracy < minimum
    too_wrong = max_wrong is not None and result.wrong_write_rate > max_wrong
    return too_low or too_wrong or bool(result.unconfirmed_deletes)


def _print(console: Console, result: Report, misses: int) -> None:
    console.print(_table("file", result.groups))
    console.print(_table("tag", result.tags))
    for verdict in result.misses[:misses]:
        _print_miss(console, verdict)
    console.print(
        f"wrong writes {len(result.wrong_writes)} ({result.wrong_write_rate:.2%}) · "
        f"unconfirmed deletes {len(result.unconfirmed_deletes)} · ECE {result.ece:.3f} over {result.calls} calls"
    )
    console.print(Text(f"accuracy {result.total.right}/{result.total.of} = {result.accuracy:.3f}", "bold"))


def _table(what: str, tallies: dict[str, Tally]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(what)
    table.add_column("right", justify="right")
    table.add_column("of", justify="right")
    table.add_column("rate", justify="right")
    for name, tally in tallies.items():
        table.add_row(name, str(tally.right), str(tally.of), f"{tally.rate:.3f}")
    table.add_section()
    return table


def _print_miss(console: Console, verdict: Verdict) -> None:
    title = Text("✗ ", "red").append(verdict.id, "bold").append(f"  {verdict.message}", "default")
    console.print(title, soft_wrap=True)
    for label, value in (("want", verdict.expect), ("got ", verdict.got)):
        console.print(
            Text(f"  {label}  ", "dim").append(msgspec.json.encode(value).decode(), "not dim"), soft_wrap=True
        )
