"""`sayso mcp tasks`: the MCP servers."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(name="mcp", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)


class Transport(StrEnum):
    stdio = "stdio"
    http = "http"


@app.callback()
def mcp() -> None:
    """Serve tools over the Model Context Protocol."""


@app.command()
def tasks(
    transport: Annotated[Transport, typer.Option(help="How clients reach it.")] = Transport.stdio,
    host: Annotated[str, typer.Option(help="With http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="With http: the port to listen on.", min=1, max=65535)] = 8000,
    sessions: Annotated[
        bool,
        typer.Option(
            "--sessions",
            help="With http: keep sessions for clients that speak the protocol of before 2026-07-28, so that they can "
            "be asked before a delete. A load balancer must then send a session to the same replica.",
        ),
    ] = False,
) -> None:
    """Serve a person's tasks: over stdio for SAYSO_STDIO_USER, over http for every holder of a token."""
    serving = load_with("server", "serving")
    serving.serve_tasks(over_http=transport is Transport.http, host=host, port=port, sessions=sessions)
