"""Action of `sayso db move`; it needs the `server` extra."""

from __future__ import annotations

import re

import typer

from sayso.database.moving import move
from sayso.identity.principal import is_reserved
from sayso.settings import database_url, read_settings


def move_user(user: str, cell: str, url: str) -> None:
    if is_reserved(user):
        raise typer.BadParameter("this id belongs to Sayso itself, and not to a user", param_hint="USER")
    if not re.fullmatch(r"[a-z0-9_]{1,32}", cell):
        raise typer.BadParameter("a cell has lower-case letters, digits and _, at most 32", param_hint="--to")
    rows = move(database_url(read_settings()), url, user, cell)
    typer.echo(f"{user} lives in {cell} now; {rows:,} rows were moved." if rows else f"{user} lives in {cell} now.")
