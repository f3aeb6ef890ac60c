"""Actions on the rules of the gateway's file: checking them, proposing them, and the file's schema."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

import typer
from rich.console import Console
from rich.markup import escape

from sayso.cli.show import visible
from sayso.cli.trail.actions import entries_of
from sayso.errors import BadData
from sayso.gateway.config import Config, read_config
from sayso.gateway.guarded import Guarded
from sayso.gateway.rules.check import findings, pinned_or_none
from sayso.gateway.rules.rulebook import Rulebook
from sayso.gateway.rules.tune import asked_calls, merged, pasted, proposals, summaries
from sayso.gateway.seals.instructions import only_tools
from sayso.gateway.seals.pins import Definition, Pins
from sayso.gateway.serve import open_sealed
from sayso.gateway.trail.stores import user_here
from sayso.settings import read_settings


def show_findings(config: Config, file: Path, rules: Rulebook, pins: Pins, listed: dict[str, list[Definition]]) -> int:
    """Print what is wrong with the names in the file; how many of these are errors."""
    pinned, console, errors = pinned_or_none(pins), Console(soft_wrap=True, highlight=False), 0
    known = {
        name: pinned.get(name, {}) | only_tools({str(each["name"]): each for each in listed.get(name, ())})
        for name in {*pinned, *listed}
    }
    risk = _risks(config, file, pins)
    for found in findings(config, rules, known, risk):
        errors += found.is_error
        colour, what = ("red", "error") if found.is_error else ("yellow", "warning")
        told = escape(visible(f"{file}: {found.key}: {found.problem}. {found.remedy}"))
        console.print(f"[{colour}]{what}[/{colour}] {told}")
    return errors


def _risks(config: Config, file: Path, pins: Pins) -> Callable[[str, str], str]:
    """What pinned tools may cost. Others count as destructive."""
    pinned = pinned_or_none(pins)
    servers = {name: Guarded(name, each, pins, file.parent, config.sayso.lang) for name, each in config.servers.items()}

    def risk(server: str, tool: str) -> str:
        is_known = server in servers and tool in pinned.get(server, {})
        return servers[server].pinned_risk(tool) if is_known else "destructive"

    return risk


def print_schema() -> None:
    """Print the JSON Schema of the gateway's file."""
    typer.echo(files("sayso.schemas").joinpath("sayso.schema.json").read_text("utf-8"), nl=False)


def tune(file: Path, user: str | None, *, least: int, write: bool, agreed: bool) -> None:
    """Propose rules from the trail; with `write`, add them to the file."""
    settings, config = read_settings(), read_config(file)
    risk = _risks(config, file, open_sealed(config, file, settings).pins)
    calls = asked_calls(entries_of(file, user), user or user_here(settings))
    found = proposals(calls, risk, least)
    console = Console(soft_wrap=True, highlight=False)
    if not found:
        console.print(f"No rule to propose: {len(calls)} questions were asked about calls that a rule could allow.")
        return
    for line in summaries(found):
        console.print(escape(visible(line)))
    if not write:
        console.print("To add these rules, merge this into the file, or run the command with --write:", style="dim")
        typer.echo(json.dumps(pasted(found), indent=2, ensure_ascii=False))
        return
    before = file.read_text("utf-8")
    after = json.dumps(merged(json.loads(before), found), indent=2, ensure_ascii=False) + "\n"
    for line in difflib.unified_diff(before.splitlines(), after.splitlines(), str(file), str(file), lineterm=""):
        typer.echo(visible(line))
    if not agreed and not typer.confirm("Write this?"):
        raise typer.Exit(1)
    _replace(file, before, after)
    console.print(f"Wrote {escape(str(file))}. A running gateway applies the rules within two seconds.")


def _replace(file: Path, before: str, after: str) -> None:
    """Replace the file as a whole, with its mode. BadData if it changed since it was read."""
    if file.read_text("utf-8") != before:
        raise BadData(str(file), "(file)", "changed in the meantime", "Run the command again.")
    fresh = file.with_name(f".{uuid4()}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, file.stat().st_mode & 0o777)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(after)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
