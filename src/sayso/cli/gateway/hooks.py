"""`sayso hooks`: sends the user's words from a client's hooks to the gateway."""

from __future__ import annotations

import difflib
import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.lazy import load
from sayso.cli.show import visible

app = typer.Typer(name="hooks", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class ClientName(StrEnum):
    """The clients whose hooks we can write."""

    claude_code = "claude-code"
    vscode = "vscode"
    cursor = "cursor"
    codex = "codex"
    gemini = "gemini"


Named = Annotated[ClientName, typer.Argument(metavar="CLIENT", help="Your client.")]
InProject = Annotated[
    bool, typer.Option("--project/--user", help="In this folder, or for all of your projects (the default).")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the change, and write nothing.")]


@app.callback()
def hooks() -> None:
    """Send the user's words to the gateway, from hooks of your client."""


@app.command()
def install(
    client: Named,
    project: InProject = False,
    config: Annotated[
        Path | None, typer.Option("--config", "-c", metavar="FILE", help="The gateway's file, if it has `sayso.hooks`.")
    ] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> None:
    """Add the hooks to your client's configuration."""
    load("gateway.hook_files").install(client.value, project=project, config=config, ask=not yes, write=not dry_run)


@app.command()
def remove(client: Named, project: InProject = False, yes: Yes = False, dry_run: DryRun = False) -> None:
    """Remove the hooks from your client's configuration, and nothing else."""
    load("gateway.hook_files").remove(client.value, project=project, ask=not yes, write=not dry_run)


@app.command()
def status() -> None:
    """Show which clients have the hooks, and how many sessions have words now."""
    load("gateway.hook_files").status()


def show_change(file: Path, before: str | None, after: str | None) -> None:
    """Print what changes in a file."""
    lines = difflib.unified_diff(
        (before or "").splitlines(),
        (after or "").splitlines(),
        _name(file, before),
        _name(file, after),
        lineterm="",
        n=1,
    )
    for line in lines:
        typer.secho(visible(line), fg=_COLOURS.get(line[:1]))


def _name(file: Path, text: str | None) -> str:
    return os.devnull if text is None else str(file)
