"""What `sayso trail` does, over a gateway's file or a user's rows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.console import Console
from rich.markup import escape

from sayso.cli.lazy import load_with
from sayso.cli.show import visible
from sayso.gateway.config import read_config
from sayso.gateway.replay import replayed
from sayso.gateway.serve import pins_of, trail_of
from sayso.ledger.chain import Entry, Verified

_LONGEST = 160


def show(config: Path | None, user: str | None, after: int, limit: int) -> None:
    """One line an entry."""
    console = Console(soft_wrap=True, highlight=False)
    shown = 0
    for entry in _entries(config, user, after):
        if shown == limit:
            console.print(f"There are more: --after {entry.number - 1}", style="dim")
            return
        text = entry.body if entry.body is not None else "–"
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        at = entry.at.isoformat(sep=" ", timespec="seconds")
        console.print(f"[dim]{entry.number:>6} {at}[/dim] {entry.kind:<9} {escape(visible(short))}")
        shown += 1
    if not shown:
        console.print("There are no entries.", style="dim")


def explain(config: Path | None, user: str | None, number: int) -> None:
    """All that an entry says."""
    entry = next((each for each in _entries(config, user, number - 1) if each.number == number), None)
    if entry is None:
        raise typer.BadParameter(f"there is no entry {number}", param_hint="NUMBER")
    typer.echo(f"entry {entry.number}, {entry.kind}, {entry.at.isoformat()}")
    typer.echo(f"hash {entry.hash.hex()}")
    body = "erased" if entry.body is None else msgspec.json.format(entry.body, indent=2)
    typer.echo("\n".join(visible(line) for line in body.split("\n")))


def verify(config: Path | None, user: str | None) -> None:
    """Exit with 1 where the chain does not hold."""
    found = _verified(config, user)
    if found.intact:
        typer.echo(f"intact: {found.entries} entries, the last one is {found.head}")
        return
    typer.echo(f"NOT intact: {found.problem} (after {found.entries} entries that are)")
    raise typer.Exit(1)


def replay(config: Path | None) -> None:
    """Exit with 1 where a call would be judged otherwise."""
    file = _named(config)
    read = read_config(file)
    same, others = 0, 0
    for number, before, now in replayed(read, file, pins_of(read, file), trail_of(read, file).read()):
        if before == now:
            same += 1
            continue
        others += 1
        typer.echo(f"entry {number}: was {_short(before)}, would be {_short(now)}")
    typer.echo(f"{same} calls are judged as they were, {others} otherwise")
    if others:
        raise typer.Exit(1)


def _short(verdict: dict[str, Any]) -> str:
    return visible(msgspec.json.encode(verdict).decode())[:_LONGEST]


def _entries(config: Path | None, user: str | None, after: int) -> Iterator[Entry]:
    if user is not None:
        yield from load_with("server", "stored").entries(user, after)
        return
    file = _named(config)
    yield from (each for each in trail_of(read_config(file), file).read() if each.number > after)


def _verified(config: Path | None, user: str | None) -> Verified:
    if user is not None:
        found: Verified = asyncio.run(load_with("server", "stored").verified(user))
        return found
    file = _named(config)
    return trail_of(read_config(file), file).verify()


def _named(config: Path | None) -> Path:
    if config is None:
        raise typer.BadParameter("name the gateway's file with --config, or a user with --user")
    return config
