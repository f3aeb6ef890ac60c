"""`sayso mcp tasks`, `sayso mcp devices`: the MCP servers."""

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


TransportOption = Annotated[Transport, typer.Option(help="How clients reach it.")]
HostOption = Annotated[str, typer.Option(help="With http: the address to listen on.")]
PortOption = Annotated[int, typer.Option(help="With http: the port to listen on.", min=1, max=65535)]
SessionsOption = Annotated[
    bool,
    typer.Option(
        "--sessions",
        help="With http: keep sessions, for clients with a protocol version before 2026-07-28. Needs a sticky "
        "load balancer.",
    ),
]


@app.command()
def tasks(
    transport: TransportOption = Transport.stdio,
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    sessions: SessionsOption = False,
) -> None:
    """Serve a user's tasks: over stdio for SAYSO_STDIO_USER, over HTTP for the user of each token."""
    serving = load_with("server", "services.tasks")
    serving.serve_tasks(over_http=transport is Transport.http, host=host, port=port, sessions=sessions)


@app.command()
def devices(
    transport: TransportOption = Transport.stdio,
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    sessions: SessionsOption = False,
) -> None:
    """Serve a user's machines over MQTT: over stdio for SAYSO_STDIO_USER, over HTTP for the user of each token."""
    serving = load_with("devices", "services.devices")
    serving.serve_devices(over_http=transport is Transport.http, host=host, port=port, sessions=sessions)
