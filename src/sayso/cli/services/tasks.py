"""Actions of `sayso mcp tasks` and `sayso token`; they need the `server` extra."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import typer

from sayso.database.check import check
from sayso.errors import NotReady
from sayso.identity.development import issue
from sayso.identity.principal import LONGEST_ID, known_zone
from sayso.reminders.push_keys import new_key
from sayso.serving.serve import fastest_loop
from sayso.settings import Settings, database_url, read_settings
from sayso.tasks.serve import serve_http, serve_stdio


def serve_tasks(*, over_http: bool, host: str, port: int, sessions: bool) -> None:
    settings, url = prepared(over_http=over_http)
    run(serve_http(settings, url, host=host, port=port, sessions=sessions) if over_http else serve_stdio(settings, url))


def prepared(*, over_http: bool) -> tuple[Settings, str]:
    """The settings and the database of a server that can start; else what to do."""
    settings = read_settings()
    url = database_url(settings)
    findings = check(url, in_production=not settings.in_development)
    if findings:
        problem, remedy = findings[0]
        raise NotReady(f"the database: {problem}. {remedy} (`sayso db check` has the whole list.)")
    logging.basicConfig(level=logging.WARNING)
    if over_http and not settings.state_keys:
        typer.echo(
            "SAYSO_STATE_KEYS is not set: a question asked by one replica cannot be answered at another.", err=True
        )
    return settings, url


def run(serving: Coroutine[Any, Any, None]) -> None:
    """Run it in the fastest event loop."""
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(serving)


def issue_token(user: str, zone: str | None, hours: float) -> None:
    if not 0 < len(user) <= LONGEST_ID:
        raise typer.BadParameter(f"a user's id has 1 to {LONGEST_ID} characters", param_hint="--user")
    if zone is not None and known_zone(zone) is None:
        raise typer.BadParameter(f"unknown time zone {zone}: write one like Europe/Rome", param_hint="--zone")
    typer.echo(issue(read_settings(), user, zone=zone, hours=hours))


def print_push_key() -> None:
    """A private key for web push, alone on a line: for a file or a variable."""
    typer.echo(new_key())
