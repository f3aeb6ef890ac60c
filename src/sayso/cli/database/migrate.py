"""Actions of `sayso db migrate` and `sayso db check`; they need the `server` extra."""

from __future__ import annotations

import typer

from sayso.database.check import check
from sayso.database.migrate import migrate, partitioned
from sayso.settings import database_url, read_settings


def migrate_database() -> None:
    url = database_url(read_settings())
    before, after = migrate(url)
    typer.echo(f"the schema is up to date at {after}." if before == after else f"the schema is now at {after}.")
    if left := partitioned(url):
        typer.echo(
            f"{len(left)} tables still have hash partitions: docs/operate/run.md, Upgrade, says how to copy them."
        )


def check_database() -> None:
    settings = read_settings()
    findings = check(database_url(settings), in_production=not settings.in_development)
    for finding in findings:
        typer.secho(finding.problem, bold=True)
        typer.echo(f"  → {finding.remedy}\n")
    if findings:
        raise typer.Exit(1)
    typer.echo("the database: no problems found.")
