"""Actions of `sayso trail`, over a gateway's file or a user's rows in the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sayso.cli.lazy import load_with
from sayso.cli.show import visible
from sayso.gateway.config import read_config
from sayso.gateway.serve import open_sealed
from sayso.gateway.trail.record import FileTrail
from sayso.gateway.trail.replay import replayed
from sayso.gateway.trail.rows import Reader, Row
from sayso.gateway.trail.stores import is_in_ledger, trail_of, user_here
from sayso.ledger.chain import Entry, Receipt, Verified
from sayso.settings import read_settings

_BEFORE = 1_000  # entries within which the question of an answer is looked for
_LONGEST = 160
_WIDE = 200  # columns, where nobody says how wide it is


def show(config: Path, user: str | None, after: int, limit: int, *, as_json: bool) -> None:
    """Print one line per entry. Earlier entries are read too, because an answer refers to its question."""
    console = Console(soft_wrap=True, highlight=False)
    shown: list[tuple[Entry, Row]] = []
    reader = Reader()
    for entry in entries_of(config, user, max(0, after - _BEFORE)):
        row = reader.read(entry)
        if entry.number <= after:
            continue
        if len(shown) == limit:
            console.print(f"There are more: --after {entry.number - 1}", style="dim")
            break
        shown.append((entry, row))
    if as_json:
        for entry, _ in shown:
            typer.echo(msgspec.json.encode(entry).decode())
    elif shown:
        Console(width=None if console.is_terminal else _WIDE, highlight=False).print(_table(shown))
    else:
        console.print("There are no entries.", style="dim")


def _table(shown: list[tuple[Entry, Row]]) -> Table:
    """The rows as a table; the trail of a service names no server, and has no column for it."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("no.", justify="right", no_wrap=True)
    table.add_column("when (UTC)", no_wrap=True)
    first = 0 if any(row.server for _, row in shown) else 1
    for name in ("server", "tool", "result", "words")[first:]:
        table.add_column(name, overflow="fold")
    for entry, row in shown:
        when = entry.at.strftime("%Y-%m-%d %H:%M:%S")
        table.add_row(str(entry.number), when, *(Text(visible(part)) for part in row[first:]))
    return table


def explain(config: Path, user: str | None, number: int) -> None:
    """Show everything in an entry."""
    entry = next((each for each in entries_of(config, user, number - 1) if each.number == number), None)
    if entry is None:
        raise typer.BadParameter(f"there is no entry {number}", param_hint="NUMBER")
    typer.echo(f"entry {entry.number}, {entry.kind}, {entry.at.isoformat()}")
    typer.echo(f"hash {entry.hash.hex()}")
    body = "erased" if entry.body is None else msgspec.json.format(entry.body, indent=2)
    typer.echo("\n".join(visible(line) for line in body.split("\n")))


def verify(config: Path, user: str | None) -> None:
    """Exit with 1 where the chain does not hold."""
    found = _verified(config, user)
    if found.intact:
        erased = f", {found.erased} of them erased" if found.erased else ""
        typer.echo(f"intact: {found.entries} entries{erased}, the last one is {found.head}")
        return
    typer.echo(f"NOT intact: {found.problem} (after {found.entries} entries that are)")
    raise typer.Exit(1)


def erase(config: Path, user: str | None, numbers: list[int]) -> None:
    """Exit with 1 where none of the entries says anything."""
    whose = _whose(config, user)
    receipt: Receipt | None
    if isinstance(whose, str):
        receipt = load_with("server", "database.erase").erase_entries(whose, numbers)
    else:
        receipt = whose.erase(numbers)
        whose.close()
    if receipt is None:
        typer.echo("Nothing was erased: these entries have no content that can be erased.", err=True)
        raise typer.Exit(1)
    typer.echo(f"erased: {', '.join(map(str, receipt.numbers))}")


def replay(config: Path, user: str | None) -> None:
    """Exit with 1 where a call would be judged otherwise."""
    read = read_config(config)
    same, others = 0, 0
    settings = read_settings()
    pins, owner = open_sealed(read, config, settings).pins, user or user_here(settings)
    for number, before, now in replayed(read, config, pins, entries_of(config, user, 0), owner):
        if before == now:
            same += 1
            continue
        others += 1
        typer.echo(f"entry {number}: was {_short(before)}, would be {_short(now)}")
    typer.echo(f"{same} calls are decided the same, {others} differently")
    if others:
        raise typer.Exit(1)


def _short(verdict: dict[str, Any]) -> str:
    return visible(msgspec.json.encode(verdict).decode())[:_LONGEST]


def entries_of(config: Path, user: str | None, after: int = 0) -> Iterator[Entry]:
    """The entries after a number: of the gateway's file, or of this user in the ledger."""
    whose = _whose(config, user)
    if isinstance(whose, str):
        yield from load_with("server", "trail.stored").entries(whose, after)
        return
    yield from (each for each in whose.read() if each.number > after)


def _verified(config: Path, user: str | None) -> Verified:
    whose = _whose(config, user)
    if isinstance(whose, str):
        found: Verified = asyncio.run(load_with("server", "trail.stored").verified(whose))
        return found
    return whose.verify()


def _whose(config: Path, user: str | None) -> str | FileTrail:
    """The user whose trail is in the ledger: the named one, or the local user if the gateway stores its trail there.
    Otherwise the trail in the file next to the gateway's file."""
    if user is not None:
        return user
    if not config.exists():
        raise typer.BadParameter(
            f"no gateway file at {config}: name it with -c, or add --user NAME for a user of the chat service",
            param_hint="--config",
        )
    read, settings = read_config(config), read_settings()
    return user_here(settings) if is_in_ledger(read, settings) else trail_of(read, config)
