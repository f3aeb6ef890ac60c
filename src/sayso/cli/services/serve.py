"""`sayso serve`: the chat service."""

from __future__ import annotations

from typing import Annotated

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command(name="serve")
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8080,
    workers: Annotated[int, typer.Option(help="Number of processes; one per core is enough.", min=1, max=64)] = 1,
    trying: Annotated[
        bool, typer.Option("--try", help="Create a separate database in the local PostgreSQL, and let anyone sign in.")
    ] = False,
) -> None:
    """Serve conversations and the web page over HTTP."""
    if trying:
        load_with("server", "services.trial").prepare_trial(host=host, port=port)
    load_with("server", "services.chat").serve_chat(host=host, port=port, workers=workers)
