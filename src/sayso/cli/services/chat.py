"""Actions of `sayso serve`; they need the `server` extra."""

from __future__ import annotations

import typer

from sayso.chat.serve import check_settings, serve
from sayso.database.check import check
from sayso.errors import NotReady
from sayso.settings import check_listening, database_url, read_settings


def serve_chat(*, host: str, port: int, workers: int) -> None:
    settings = read_settings()
    check_listening(settings, host)
    check_settings(settings)
    findings = check(database_url(settings), in_production=not settings.in_development)
    if findings:
        problem, remedy = findings[0]
        raise NotReady(f"the database: {problem}. {remedy} (`sayso db check` has the whole list.)")
    if settings.redis_url is None:
        typer.echo("SAYSO_REDIS_URL is not set: each process counts requests for itself.", err=True)
    serve(host=host, port=port, workers=workers)
