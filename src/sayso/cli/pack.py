"""`sayso pack check PATH`: is a pack well-formed, and if not, which file, which key, and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.packs.load import check_pack

app = typer.Typer(name="pack", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)


@app.callback()
def pack() -> None:
    """Work on packs of your own: check them."""


@app.command()
def check(path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder with pack.yaml.")]) -> None:
    """Check a pack's files, and say what to mend."""
    problems = check_pack(path)
    for problem in problems:
        typer.secho(problem.file, bold=True, nl=False)
        typer.secho(f"  {problem.key}", fg="cyan")
        typer.echo(f"  {problem.problem}")
        typer.echo(f"  → {problem.remedy}\n")
    if problems:
        count = "one problem" if len(problems) == 1 else f"{len(problems)} problems"
        typer.echo(f"{path}: {count}.")
        raise typer.Exit(1)
    typer.echo(f"{path}: all is well.")
