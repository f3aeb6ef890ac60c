"""`sayso push-key`: a key pair for web push."""

from __future__ import annotations

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command(name="push-key")
def push_key() -> None:
    """Print a new private key for web push. Keep it secret, in SAYSO_PUSH_KEY.

    Browsers that subscribed with another key must subscribe again.
    """
    load_with("server", "services.tasks").print_push_key()
