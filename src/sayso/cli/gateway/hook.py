"""`sayso hook`: what the hooks of a client run. `cli/start.py` takes a shorter way to the same program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.gateway.hooks.program import run

app = typer.Typer(name="hook", rich_markup_mode="rich", add_completion=False)


@app.command()
def hook(
    client: Annotated[str, typer.Argument(metavar="CLIENT", help="claude-code, vscode, cursor, codex or gemini.")],
    config: Annotated[
        Path | None, typer.Option("--config", "-c", metavar="FILE", help="The gateway's file, if it has `sayso.hooks`.")
    ] = None,
) -> None:
    """Keep the user's words for the gateway. Hooks of a client run this; see `sayso hooks`."""
    raise typer.Exit(run([client, *(["--config", str(config)] if config else [])]))
