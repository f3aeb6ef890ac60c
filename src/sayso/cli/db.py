"""`sayso db migrate`, `sayso db check`: the schema, and whether it guards what it should."""

from __future__ import annotations

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(name="db", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)


@app.callback()
def db() -> None:
    """Make the schema in PostgreSQL, and check it."""


@app.command()
def migrate() -> None:
    """Make the roles and the tables, or bring them up to date. Repeating it changes nothing."""
    load_with("server", "schema").migrate_database()


@app.command()
def check() -> None:
    """Check roles, row security, policies and version, and say what to mend."""
    load_with("server", "schema").check_database()
