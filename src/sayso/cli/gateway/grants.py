"""Actions of `sayso gateway grants`; they need the `gateway` extra."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sayso.cli.show import visible
from sayso.gateway.config import read_config
from sayso.gateway.grants.grant import Grant, is_open
from sayso.gateway.grants.granting import revocation
from sayso.gateway.grants.store import FileGrants, Grants
from sayso.gateway.serve import open_sealed
from sayso.gateway.trail.stores import open_keeping, user_here
from sayso.settings import read_settings

ALL = "all"
_SCOPES = {"task": "every call for one task", "hour": "every call for one hour"}


def grants(file: Path, user: str | None, revoke: list[str]) -> None:
    """List the grants that count now, or revoke some."""
    asyncio.run(_grants(file, user, revoke))


async def _grants(file: Path, user: str | None, revoke: list[str]) -> None:
    settings, config = read_settings(), read_config(file)
    key = open_sealed(config, file, settings).key
    async with open_keeping(config, file, settings) as keeping:
        store = keeping.grants(key)
        found = await _open(store, user, user_here(settings))
        if not revoke:
            await _show(store, found)
            return
        for grant in _named(found, revoke):
            await keeping.trail.add(grant.user, [revocation(grant)])
            await store.revoke(grant)
            typer.echo(f"Revoked {grant.id}: {visible(f'{grant.server}.{grant.tool}')}")


async def _open(store: Grants, user: str | None, here: str) -> list[Grant]:
    """In a file those of all users, unless one is named; in PostgreSQL a user's own."""
    everybody = user is None and isinstance(store, FileGrants)
    found = store.all() if everybody and isinstance(store, FileGrants) else await store.of(user or here)
    now = datetime.now().astimezone()
    return sorted((grant for grant in found if is_open(grant, now)), key=lambda grant: grant.made)


def _named(found: list[Grant], names: list[str]) -> list[Grant]:
    """The grants of these ids, or of ids that begin so."""
    if ALL in names:
        return found
    named: dict[str, Grant] = {}
    for name in names:
        matching = [grant for grant in found if name and grant.id.startswith(name)]
        if len(matching) != 1:
            problem = "is not the id of a grant" if not matching else "is the beginning of several ids"
            raise typer.BadParameter(f"{name} {problem}; list them: sayso gateway grants", param_hint="--revoke")
        named[matching[0].id] = matching[0]
    return list(named.values())


async def _show(store: Grants, found: list[Grant]) -> None:
    if not found:
        typer.echo("There are no grants: the user is asked about each call that requires confirmation.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("id", "user", "tool", "covers", "until", "uses"):
        table.add_column(title, overflow="fold")
    for grant in found:
        until = f"{grant.until.astimezone():%Y-%m-%d %H:%M}" if grant.until else "revoked"
        cells = (grant.id, grant.user, f"{grant.server}.{grant.tool}", covered(grant), until)
        table.add_row(*(escape(visible(cell)) for cell in cells), str(await store.uses(grant)))
    Console(soft_wrap=False).print(table)


def covered(grant: Grant) -> str:
    """What a grant covers, in a few words."""
    if grant.scope in _SCOPES:
        return _SCOPES[grant.scope]
    same = [f"{name}: {msgspec.json.encode(value).decode()}" for name, value in grant.same.items()]
    return ", ".join([f"paths in {grant.folder}", *same] if grant.folder else same)
