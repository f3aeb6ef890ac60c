"""`sayso pack check PATH`: is a pack well-formed, and if not, which file, which key, and what to do.

`sayso pack draft TOOLS FOLDER`: a first pack for the tools that an MCP server lists.
`sayso pack train NAME`: what sets its messages apart from all that people say to other assistants.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.lazy import load
from sayso.packs.load import check_pack

app = typer.Typer(name="pack", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)


@app.callback()
def pack() -> None:
    """Work on packs of your own: draft them, check them, train them."""


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


@app.command()
def draft(
    tools: Annotated[
        str, typer.Argument(metavar="TOOLS", help="A file with what the server answers to tools/list; - reads it in.")
    ],
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where the pack goes; it is called like the folder.")
    ],
    trusted: Annotated[
        bool, typer.Option("--trusted", help="You vouch for the server: its hints may lower a tool's risk.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over the files that are there.")] = False,
) -> None:
    """Draft a pack from the tools that an MCP server lists, and say what is left to decide."""
    load("draft").run(tools, folder, trusted=trusted, force=force)


@app.command()
def train(
    name: Annotated[str, typer.Argument(metavar="NAME", help="An installed pack.")],
    data: Annotated[Path, typer.Option(help="The folder with the public data.", exists=True, file_okay=False)],
    cases: Annotated[
        list[Path], typer.Option(help="Labelled cases: a file, or a folder of them. May be given again.", exists=True)
    ],
    titles: Annotated[
        Path,
        typer.Option(help="A folder with what people have on their lists, one a line, in LANGUAGE.txt.", exists=True),
    ],
    first: Annotated[
        Path | None, typer.Option(help="What the calls of first runs came to, for the confidence.", exists=True)
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write; else beside the pack.")] = None,
) -> None:
    """Train the pack's gate: which messages are for it at all."""
    load("train").run(name, data, cases, titles, first, out)
