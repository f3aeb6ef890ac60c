"""Actions of `sayso hooks`: plan a change of a client's file, show it, and write it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import get_args

import typer

from sayso.cli.gateway.hooks import show_change
from sayso.gateway.hooks.install import (
    CLIENTS,
    Plan,
    Scope,
    apply,
    file_of,
    has_rules,
    is_installed,
    plan_install,
    plan_remove,
)
from sayso.gateway.hooks.spool import now, open_spool


def install(name: str, *, project: bool, config: Path | None, ask: bool, write: bool) -> None:
    """Add our hooks to a client's file."""
    client = CLIENTS[name]
    rules = config.resolve() if config is not None and has_rules(config) else None
    plan = plan_install(client, _file(name, project=project), _command(), rules)
    if not plan.changes:
        typer.echo(f"{plan.file} has the hooks already.")
        return
    if _agreed(plan, ask=ask, write=write):
        apply(plan, remember=True)
        typer.echo(f"Wrote {plan.file}. Restart the client.")
        if client.note:
            typer.echo(client.note)


def remove(name: str, *, project: bool, ask: bool, write: bool) -> None:
    """Take our hooks out of a client's file."""
    plan = plan_remove(CLIENTS[name], _file(name, project=project))
    if not plan.changes:
        typer.echo(f"{plan.file} does not have the hooks.")
        return
    if _agreed(plan, ask=ask, write=write):
        apply(plan, remember=False)
        typer.echo(f"Removed the hooks from {plan.file}.")


def status() -> None:
    """Print where the hooks are."""
    for name, client in CLIENTS.items():
        for scope in get_args(Scope):
            file = file_of(client, scope, Path.cwd(), os.environ)
            told = "installed" if is_installed(client, file) else "not installed"
            typer.echo(f"{name:<12} {scope:<8} {told:<14} {file}")
    typer.echo(f"Sessions with words of the last 30 minutes: {open_spool().sessions(now())}")


def _agreed(plan: Plan, *, ask: bool, write: bool) -> bool:
    show_change(plan.file, plan.before, plan.after)
    if write and ask:
        typer.confirm(f"Write {plan.file}?", abort=True)
    return write


def _file(name: str, *, project: bool) -> Path:
    return file_of(CLIENTS[name], "project" if project else "user", Path.cwd(), os.environ)


def _command() -> str:
    """Our own command, in full: a client may not have it on its path."""
    ours = Path(sys.executable).with_name("sayso")
    return str(ours) if ours.exists() else "sayso"
