"""`sayso db`: the schema, whether it guards what it should, and erasing a person."""

from __future__ import annotations

from typing import Annotated

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(name="db", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)


@app.callback()
def db() -> None:
    """Make and check the schema; erase a person."""


@app.command()
def migrate() -> None:
    """Make the roles and the tables, or bring them up to date. Repeating it changes nothing."""
    load_with("server", "schema").migrate_database()


@app.command()
def check() -> None:
    """Check roles, row security, policies and version, and say what to mend."""
    load_with("server", "schema").check_database()


UserArgument = Annotated[str, typer.Argument(help="Their id, as the identity provider has it (`sub`).")]


@app.command()
def erase(
    user: UserArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Erase everything that is kept of a person, and print a receipt. As the role that migrates."""
    load_with("server", "erasing").erase_user(user, yes=yes)


@app.command()
def erased(
    user: UserArgument,
    receipt: Annotated[str, typer.Argument(help="What `sayso db erase` printed.", show_default=False)],
) -> None:
    """Show by the receipt that a person was erased, and when."""
    load_with("server", "erasing").prove_erased(user, receipt)
