"""`sayso db`: the schema, whether it guards what it should, and erasing or moving a user."""

from __future__ import annotations

from typing import Annotated

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(name="db", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)


@app.callback()
def db() -> None:
    """Create and validate the schema; erase or move a user."""


@app.command()
def migrate() -> None:
    """Create or upgrade the roles and tables. You can run it again safely."""
    load_with("server", "database.migrate").migrate_database()


@app.command()
def check() -> None:
    """Validate roles, row security, policies and version, and list the problems."""
    load_with("server", "database.migrate").check_database()


UserArgument = Annotated[str, typer.Argument(help="Their id, as the identity provider has it (`sub`).")]


@app.command()
def erase(
    user: UserArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Erase all data of a user and print a receipt. Run it as the role that migrates."""
    load_with("server", "database.erase").erase_user(user, yes=yes)


@app.command()
def erased(
    user: UserArgument,
    receipt: Annotated[str, typer.Argument(help="What `sayso db erase` printed.", show_default=False)],
) -> None:
    """Verify with the receipt that a user was erased, and when."""
    load_with("server", "database.erase").prove_erased(user, receipt)


@app.command()
def move(
    user: UserArgument,
    to: Annotated[str, typer.Option("--to", help="The name of the other cell.", show_default=False)],
    database: Annotated[str, typer.Option("--database", help="Its database, as the role that migrates.")],
) -> None:
    """Move a user to another cell. Run it as the role that migrates. You can run it again safely."""
    load_with("server", "database.move").move_user(user, to, database)
