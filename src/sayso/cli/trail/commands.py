"""`sayso trail`: shows what was said, decided and done."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(name="trail", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)

DEFAULT = Path("sayso.json")
ConfigFile = Annotated[
    Path, typer.Option("--config", "-c", metavar="FILE", help="The trail of the gateway with this file.")
]
User = Annotated[str | None, typer.Option("--user", metavar="NAME", help="The trail of this user in the ledger.")]


@app.callback()
def trail() -> None:
    """Read, explain, replay, verify and erase what was recorded."""


@app.command(name="list")
def list_entries(
    config: ConfigFile = DEFAULT,
    user: User = None,
    after: Annotated[int, typer.Option(help="Only entries after this number.", min=0)] = 0,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=10_000)] = 100,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print each entry as stored, one JSON object per line.")
    ] = False,
) -> None:
    """List entries: time, server, tool, result and message."""
    load_with("gateway", "trail.actions").show(config, user, after, limit, as_json=as_json)


@app.command()
def explain(
    number: Annotated[int, typer.Argument(help="The entry.", min=1)], config: ConfigFile = DEFAULT, user: User = None
) -> None:
    """Show everything in an entry."""
    load_with("gateway", "trail.actions").explain(config, user, number)


@app.command()
def verify(config: ConfigFile = DEFAULT, user: User = None) -> None:
    """Verify that no entry was changed, blanked, removed, reordered or cut off."""
    load_with("gateway", "trail.actions").verify(config, user)


@app.command()
def replay(config: ConfigFile = DEFAULT, user: User = None) -> None:
    """Decide every recorded gateway call again and show the differences."""
    load_with("gateway", "trail.actions").replay(config, user)


@app.command()
def erase(
    numbers: Annotated[list[int], typer.Argument(metavar="NUMBER...", help="The entries.", min=1)],
    config: ConfigFile = DEFAULT,
    user: User = None,
) -> None:
    """Erase what these entries say, for good; a receipt in the trail names them, and the chain still verifies."""
    load_with("gateway", "trail.actions").erase(config, user, numbers)
