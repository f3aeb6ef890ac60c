"""`sayso token --user NAME`: a bearer token for development."""

from __future__ import annotations

from typing import Annotated

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command(name="token")
def token(
    user: Annotated[str, typer.Option(help="The user of the token.")],
    zone: Annotated[str | None, typer.Option(help="The user's time zone, such as Europe/Rome.")] = None,
    hours: Annotated[float, typer.Option(help="Hours until it expires.", min=0.01, max=24 * 30)] = 12,
) -> None:
    """Print a bearer token. Only for development."""
    load_with("server", "services.tasks").issue_token(user, zone, hours)
