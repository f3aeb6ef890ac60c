"""`sayso pack check PATH`: checks a pack and names the file, the key and what to do.

`sayso pack draft TOOLS FOLDER`: a first pack for the tools that an MCP server lists.
`sayso pack train NAME`: trains the gate that separates the pack's messages from those for other assistants.
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
    """Draft, validate and train your own packs."""


@app.command()
def check(path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder with pack.yaml.")]) -> None:
    """Validate a pack and list the problems."""
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
    typer.echo(f"{path}: no problems found.")


@app.command()
def draft(
    tools: Annotated[
        str, typer.Argument(metavar="TOOLS", help="A file with the server's tools/list result; - reads standard input.")
    ],
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder to write; its name is the name of the pack.")
    ],
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Trust the server: its hints may lower a tool's risk.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
) -> None:
    """Draft a pack from an MCP server's tools and list what is left to decide."""
    load("packs.draft").run(tools, folder, trusted=trusted, force=force)


@app.command()
def train(
    name: Annotated[str, typer.Argument(metavar="NAME", help="An installed pack.")],
    data: Annotated[Path, typer.Option(help="The folder with the public data.", exists=True, file_okay=False)],
    cases: Annotated[
        list[Path], typer.Option(help="Labelled cases: a file, or a folder of them. You can repeat it.", exists=True)
    ],
    titles: Annotated[
        Path,
        typer.Option(help="A folder with titles of tasks, one per line, in LANGUAGE.txt.", exists=True),
    ],
    first: Annotated[
        Path | None, typer.Option(help="Results of first runs, to calibrate the confidence.", exists=True)
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write. Default: next to the pack.")] = None,
) -> None:
    """Train the pack's gate, which finds messages that are not for the pack."""
    load("packs.train").run(name, data, cases, titles, first, out)
