"""What `sayso mcp` and `sayso token` do. Loaded only by them: it needs the packages of the `server` extra."""

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
from sayso.serving.serve import fastest_loop
from sayso.settings import database_url, read_settings
from sayso.tasks.serve import serve_http, serve_stdio


def serve_tasks(*, over_http: bool, host: str, port: int, sessions: bool) -> None:
    settings = read_settings()
    url = database_url(settings)
    findings = check(url, in_production=not settings.in_development)
    if findings:
        problem, remedy = findings[0]
        raise NotReady(f"the database: {problem}. {remedy} (`sayso db check` has the whole list.)")
    logging.basicConfig(level=logging.WARNING)
    if not over_http:
        _run(serve_stdio(settings, url))
        return
    if not settings.state_keys:
        typer.echo(
            "SAYSO_STATE_KEYS is not set: a question asked by one replica cannot be answered at another.", err=True
        )
    _run(serve_http(settings, url, host=host, port=port, sessions=sessions))


def _run(serving: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(serving)


def issue_token(user: str, zone: str | None, hours: float) -> None:
    if not 0 < len(user) <= LONGEST_ID:
        raise typer.BadParameter(f"a user has a name of 1 to {LONGEST_ID} letters", param_hint="--user")
    if zone is not None and known_zone(zone) is None:
        raise typer.BadParameter(f"there is no time zone {zone}; one is Europe/Rome", param_hint="--zone")
    typer.echo(issue(read_settings(), user, zone=zone, hours=hours))
