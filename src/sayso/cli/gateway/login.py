"""`sayso gateway login` and `logout`: OAuth for servers over HTTP."""

from __future__ import annotations

import asyncio
import webbrowser
from pathlib import Path

import httpx2
import typer
from mcp.client.auth import OAuthFlowError
from mcp.shared.exceptions import MCPError

from sayso.cli.show import visible
from sayso.errors import BadData
from sayso.gateway.config import Config, read_config, state_folder
from sayso.gateway.login.flow import sign_in
from sayso.gateway.login.tokens import Login, Logins
from sayso.gateway.serve import open_sealed
from sayso.gateway.trail.stores import user_here
from sayso.settings import read_settings

_FAILED = (OAuthFlowError, MCPError, OSError, TimeoutError, httpx2.HTTPError)


def login(file: Path, server: str, user: str | None, *, browser: bool) -> None:
    """Open the server's authorization page, wait for the answer, and save the tokens."""
    config = read_config(file)
    url, saved = _of(config, file, server, user)

    def show(page: str) -> None:
        typer.echo(f"Sign in here:\n{visible(page)}")
        if browser:
            webbrowser.open(page)

    try:
        needed = asyncio.run(sign_in(url, saved, config.servers[server].sayso.oauth, config.sayso.lang, show))
    except (*_FAILED, ExceptionGroup) as problem:
        saved.remove()
        told = visible(str(_innermost(problem)) or type(problem).__name__)
        raise BadData(str(file), f"mcpServers.{server}", f"signing in failed ({told})", "Try again.") from problem
    typer.echo(f"Signed in to {server}." if needed else f"{server} does not require you to sign in.")


def logout(file: Path, server: str, user: str | None) -> None:
    """Delete the saved tokens."""
    _url, saved = _of(read_config(file), file, server, user)
    typer.echo(f"Signed out of {server}." if saved.remove() else f"You were not signed in to {server}.")


def _of(config: Config, file: Path, server: str, user: str | None) -> tuple[str, Login]:
    """The address of a server, and the user's tokens for it."""
    over_http = {name: each.url for name, each in config.servers.items() if each.url is not None}
    if server not in over_http:
        known = ", ".join(over_http) or "none"
        raise typer.BadParameter(f"{server} is not a server with a url; choose from: {known}", param_hint="SERVER")
    settings = read_settings()
    key = open_sealed(config, file, settings).key
    logins = Logins(state_folder(config, file) / "logins", key)
    return over_http[server], logins.of(server, over_http[server], user or user_here(settings))


def _innermost(problem: BaseException) -> BaseException:
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem
