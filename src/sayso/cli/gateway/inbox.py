"""`sayso gateway inbox`, `pair` and `notify`: questions that you answer outside of the client."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.lazy import load_with

ConfigFile = Annotated[
    Path, typer.Option("--config", "-c", metavar="FILE", help="The file with `mcpServers`, as desktop clients have it.")
]
User = Annotated[str | None, typer.Option("--user", metavar="NAME", help="The user, if the gateway serves several.")]
_DEFAULT = Path("sayso.json")


def inbox(
    config: ConfigFile = _DEFAULT,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=0, max=65535)] = 8081,
) -> None:
    """Serve the inbox: open questions, the trail and your devices, on a page.

    Gateways of the same file link to it while it runs.

    For your phone, set SAYSO_PUBLIC_URL to the https:// address of a proxy in front of it, then run
    `sayso gateway pair --phone`.
    """
    load_with("gateway", "gateway.inbox_actions").inbox(config, host, port)


def pair(
    config: ConfigFile = _DEFAULT,
    user: User = None,
    forget: Annotated[bool, typer.Option("--forget", help="Unpair all browsers of this user instead.")] = False,
    phone: Annotated[bool, typer.Option("--phone", help="Print a QR code that opens the inbox on a phone.")] = False,
) -> None:
    """Print a code that pairs a browser or a phone with the gateway, to confirm there."""
    load_with("gateway", "gateway.inbox_actions").pair(config, user, forget=forget, phone=phone)


def notify(
    config: ConfigFile = _DEFAULT,
    user: User = None,
    attempt: Annotated[bool, typer.Option("--try", help="Send a test to each of them.")] = False,
) -> None:
    """List where you are told about new questions: addresses in the file, and devices with notifications."""
    load_with("gateway", "gateway.inbox_actions").notify(config, user, attempt=attempt)


def add_to(app: typer.Typer) -> None:
    """Add the commands to `sayso gateway`."""
    for command in (inbox, pair, notify):
        app.command()(command)
