"""Actions of `sayso gateway inbox`, `pair` and `notify`; they need the `gateway` extra."""

from __future__ import annotations

import asyncio
import io
import logging
import socket
from pathlib import Path

import segno
import typer
import uvicorn

from sayso.errors import BadSetting
from sayso.gateway.config import Config, read_config
from sayso.gateway.inbox.desk import Desk, open_desk
from sayso.gateway.inbox.html import ROOT
from sayso.gateway.inbox.notify import open_notifier
from sayso.gateway.inbox.serve import inbox_base, is_encrypted_or_local, origin, serve_inbox
from sayso.gateway.serve import open_sealed
from sayso.gateway.trail.stores import open_keeping, user_here
from sayso.ledger.chain import Event
from sayso.settings import Settings, read_settings

_NO_ADDRESS = (
    "is not set: your phone must reach the inbox. Put a proxy with TLS in front of `sayso gateway inbox`, set this to "
    "its address, https://HOST, and start the inbox with the same setting"
)


def inbox(file: Path, host: str, port: int) -> None:
    """Serve until told to stop."""
    logging.basicConfig(level=logging.WARNING)
    settings, config = read_settings(), read_config(file)
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        inbox_base(settings, host, port)  # an error before anything listens
        _bind(listening, host, port)
        base = inbox_base(settings, host, listening.getsockname()[1])
        typer.echo(f"The inbox: {base}{ROOT}\nTo pair a browser, run: sayso gateway pair")
        with asyncio.Runner(loop_factory=uvicorn.Config("").get_loop_factory()) as runner:
            runner.run(_serve(config, file, settings, base, listening))


def _bind(listening: socket.socket, host: str, port: int) -> None:
    try:
        listening.bind((host, port))
    except OSError as problem:
        raise typer.BadParameter(f"{host}:{port} cannot be used ({problem.strerror})", param_hint="--port") from None


async def _serve(config: Config, file: Path, settings: Settings, base: str, listening: socket.socket) -> None:
    async with open_keeping(config, file, settings) as keeping:
        desk = open_desk(config, file, settings, open_sealed(config, file, settings), keeping)
        await serve_inbox(desk, base, listening)


def pair(file: Path, user: str | None, *, forget: bool, phone: bool) -> None:
    """Print a code for one browser, or unpair all."""
    settings, config = read_settings(), read_config(file)
    sealed = open_sealed(config, file, settings)
    whose, browsers = user or user_here(settings), sealed.browsers
    if forget:
        typer.echo(f"Unpaired: {browsers.forget(whose)}")
        return
    base = _phone_base(settings, sealed.pages.address) if phone else ""
    asyncio.run(_note(config, file, settings, whose))
    code = browsers.issue(whose)
    if phone:
        link = f"{base}{ROOT}/pair#{code}"  # what follows # is not sent to any server
        typer.echo(f"{_drawn(link)}\nScan this with your phone, or open {base}{ROOT}/pair there and enter the code.")
    typer.echo(f"{code}\nEnter this code on a page of the gateway within ten minutes.")


def _phone_base(settings: Settings, running: str | None) -> str:
    """The address for the phone: that of the setting, or of the inbox that runs."""
    base = origin(settings.public_url) if settings.public_url is not None else running
    if base is None or not base.startswith("https://"):
        if base is not None and not is_encrypted_or_local(base):
            raise BadSetting("SAYSO_PUBLIC_URL", "is not encrypted: write https://HOST")
        raise BadSetting("SAYSO_PUBLIC_URL", _NO_ADDRESS)
    return base


def _drawn(link: str) -> str:
    """A QR code in characters, which any terminal shows."""
    out = io.StringIO()
    segno.make_qr(link, error="l").terminal(out, compact=True)
    return out.getvalue()


async def _note(config: Config, file: Path, settings: Settings, user: str) -> None:
    async with open_keeping(config, file, settings) as keeping:
        await keeping.trail.add(user, [Event("pairing", {"for": user})])


def notify(file: Path, user: str | None, *, attempt: bool) -> None:
    """List the channels; with `attempt`, send a test to each. Exits with 1 if one did not arrive."""
    settings, config = read_settings(), read_config(file)
    sealed = open_sealed(config, file, settings)
    desk = open_desk(config, file, settings, sealed, None)
    if not asyncio.run(_notify(config, file, settings, desk, user or user_here(settings), attempt=attempt)):
        raise typer.Exit(1)


async def _notify(config: Config, file: Path, settings: Settings, desk: Desk, user: str, *, attempt: bool) -> bool:
    notifier = open_notifier(config, file, settings, desk.subscriptions, desk.browsers)
    channels = notifier.channels(user) if notifier is not None else []
    if notifier is None or not channels:
        typer.echo(
            'No channel is configured. Add "notify" to `sayso` in the gateway\'s file, or turn on notifications on a '
            "paired device."
        )
        return not attempt
    try:
        if not attempt:
            typer.echo("\n".join(channel.name for channel in channels))
            return True
        inbox = f"{origin(settings.public_url) if settings.public_url else desk.pages.address or ''}{ROOT}"
        results = await notifier.attempt(user, inbox)
    finally:
        await notifier.close()
    typer.echo("\n".join(f"{name}  {sent.outcome} {sent.detail}".rstrip() for name, sent in results))
    return all(sent.outcome == "sent" for _, sent in results)
