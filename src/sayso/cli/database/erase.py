"""Actions of `sayso db erase`, `sayso db erased` and `sayso trail erase --user`; they need the `server` extra."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeVar

import msgspec
import psycopg
import typer

from sayso.chat.guards.limits import forget
from sayso.database.pool import Database, Unavailable
from sayso.errors import NotReady
from sayso.ledger import erasure
from sayso.ledger.chain import Receipt
from sayso.ledger.erasure import ERASURES, erase, erased_at, kept
from sayso.settings import database_url, read_settings

T = TypeVar("T")


def erase_user(user: str, *, yes: bool) -> None:
    if user == ERASURES:
        raise typer.BadParameter("this id belongs to the trail of erasures: name a user", param_hint="USER")
    held = _on_database(lambda on: kept(on, user))
    if not held:
        typer.echo(f"no data of {user} found. Use the id from the identity provider (`sub`).", err=True)
        raise typer.Exit(1)
    typer.echo(f"Data of {user}: {', '.join(f'{count} {name}' for name, count in held.items())}.", err=True)
    if not yes and typer.prompt("This erases all of it permanently. Type the id again to continue", err=True) != user:
        typer.echo("Nothing was erased.", err=True)
        raise typer.Exit(1)
    erased = _on_database(lambda on: erase(on, user, datetime.now(UTC)))
    redis = read_settings().redis_url
    if redis is not None:
        asyncio.run(forget(redis, user))
    typer.echo(msgspec.json.encode(erased).decode())
    if again := _on_database(lambda on: kept(on, user)):
        said = ", ".join(f"{count} {name}" for name, count in again.items())
        typer.echo(
            f"New data was written during the erasure: {said}. Sign {user} out, then run the command again.", err=True
        )
        raise typer.Exit(1)


def erase_entries(user: str, numbers: list[int]) -> Receipt | None:
    if user == ERASURES:
        raise typer.BadParameter("the trail of erasures is kept for good", param_hint="--user")
    return _on_database(lambda on: erasure.erase_entries(on, user, numbers, datetime.now(UTC)))


def prove_erased(user: str, receipt: str) -> None:
    at = _on_database(lambda on: erased_at(on, user, receipt))
    if at is None:
        typer.echo("No erasure has this id and this receipt.", err=True)
        raise typer.Exit(1)
    held = _on_database(lambda on: kept(on, user))
    typer.echo(f"erased on {at.astimezone(UTC):%Y-%m-%d at %H:%M} UTC; rows written since then: {sum(held.values())}.")


def _on_database(do: Callable[[Database], Awaitable[T]]) -> T:
    async def run() -> T:
        async with Database(database_url(read_settings()), connections=1) as database:
            return await do(database)

    try:
        return asyncio.run(run())
    except psycopg.errors.InsufficientPrivilege as problem:
        raise NotReady(
            "this role may not erase: set SAYSO_DATABASE_URL to the role that migrates, a member of sayso_owner"
        ) from problem
    except Unavailable as problem:
        raise NotReady(
            f"the database does not answer: {problem}. Is PostgreSQL running, and SAYSO_DATABASE_URL right? Run it "
            "again then: what was erased stays erased."
        ) from problem
