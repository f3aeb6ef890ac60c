"""Actions of `sayso gateway`; they need the `gateway` extra."""

from __future__ import annotations

import asyncio
import difflib
import logging
from pathlib import Path
from typing import Any

import msgspec
import typer
import uvicorn
from rich.console import Console
from rich.markup import escape

from sayso.cli.gateway.risks import legend, risks
from sayso.cli.gateway.rules import show_findings
from sayso.cli.lazy import load_with
from sayso.cli.show import visible
from sayso.errors import BadData
from sayso.gateway.config import Config, read_config, state_folder
from sayso.gateway.guarded import Guarded
from sayso.gateway.init import NEAR, find_client, make_config
from sayso.gateway.login.tokens import Logins
from sayso.gateway.rules.rulebook import make_rulebook
from sayso.gateway.seals.pins import Definition, Difference, Pins, Unsealed, differences, fingerprint
from sayso.gateway.serve import open_sealed, serve_http, serve_stdio
from sayso.gateway.trail.stores import is_in_ledger, open_keeping, user_here
from sayso.gateway.upstream.server import Unreachable, decline, list_definitions
from sayso.ledger.chain import Event
from sayso.settings import Settings, read_settings


def serve(file: Path, *, over_http: bool, host: str, port: int, sessions: bool) -> None:
    """Serve until told to stop."""
    logging.basicConfig(level=logging.WARNING)
    settings = read_settings()
    if is_in_ledger(read_config(file), settings):
        load_with("server", "services.tasks").prepared(over_http=over_http)
    with asyncio.Runner(loop_factory=uvicorn.Config("").get_loop_factory()) as runner:  # uvloop's, where it is there
        if over_http:
            runner.run(serve_http(settings, file, host=host, port=port, sessions=sessions))
        else:
            runner.run(serve_stdio(settings, file))


def initialise(client: Path | None, output: Path) -> None:
    """Write the file, and say what to change."""
    found = client or find_client(Path.cwd(), Path.home())
    if found is None:
        raise typer.BadParameter(
            f"no client's configuration found here ({', '.join(NEAR)}) or at home: name the file", param_hint="FILE"
        )
    made = make_config(found, output)
    console = Console(soft_wrap=True)
    console.print(f"Wrote {escape(str(made.file))}. Guarding {len(made.servers)}: {escape(', '.join(made.servers))}.")
    console.print(f"In {escape(str(found))}, replace the servers with this:", style="dim")
    typer.echo(f'  "mcpServers": {made.entry}')
    console.print("To accept a server's annotations, set sayso.trusted.", style="dim")


async def _note(config: Config, file: Path, settings: Settings, user: str, event: Event) -> None:
    """Add to the trail what the operator does."""
    async with open_keeping(config, file, settings) as keeping:
        await keeping.trail.add(user, [event])


def review(file: Path, approve: list[str]) -> None:
    """Show what is pinned and what has changed; pin what is approved."""
    settings, config = read_settings(), read_config(file)
    console, pins = Console(soft_wrap=True), open_sealed(config, file, settings).pins
    rules = make_rulebook(config, file)
    held, found = 0, asyncio.run(_listed(config, file, settings, console))
    shown: dict[str, str] = {}
    _refuse_unknown(approve, found, _pinned(pins, console))
    for name, listed in found.items():
        named = _approved(name, listed, approve)
        if named:
            approval = {
                "server": name,
                "tools": {tool: fingerprint(each) if each else None for tool, each in named.items()},
            }
            asyncio.run(_note(config, file, settings, user_here(settings), Event("approval", approval)))
            pins.restart(config.servers)
            pins.approve(name, listed, None if name in approve else named)
        pinned = pins.meet(name, listed)
        changed = differences(name, pinned, listed)
        held += len(changed)
        console.print(f"[bold]{escape(name)}[/bold]: {len(pinned)} pinned, {len(changed)} held back or gone")
        told = risks(config, file, name, pins, listed)
        shown |= dict.fromkeys(pinned, "") | told
        for tool in sorted(set(pinned) - {each.tool for each in changed}):
            console.print(f"  [green]=[/green] {_headed(tool, told)}")
            _describe(console, pinned[tool])
        for each in changed:
            _show(console, each, told)
    wrong = show_findings(config, file, rules, pins, found)
    console.print(legend(" ".join(shown.values()), shown), style="dim", markup=False)
    if held:
        console.print("Approve with: sayso gateway review --approve SERVER or SERVER.TOOL", style="dim")
    if held or wrong:
        raise typer.Exit(1)


def _refuse_unknown(approve: list[str], found: dict[str, list[Definition]], pinned: dict[str, dict[str, Any]]) -> None:
    """An unknown name approves nothing, and must not look as if it did."""
    listed = {
        name: {str(tool["name"]) for tool in tools} | pinned.get(name, {}).keys() for name, tools in found.items()
    }
    names = [
        known for server, tools in listed.items() for known in (server, *(f"{server}.{each}" for each in sorted(tools)))
    ]
    unknown = [visible(name) for name in approve if name not in names]
    if unknown:
        known = ", ".join(visible(name) for name in names)
        raise typer.BadParameter(f"{', '.join(unknown)} is unknown; choose from: {known}", param_hint="--approve")


def _pinned(pins: Pins, console: Console) -> dict[str, dict[str, Any]]:
    """The pins; none, and a warning, where the file is not ours."""
    try:
        return pins.read()
    except Unsealed as problem:
        console.print(f"[red]{escape(str(problem))}[/red]")
        return {}


def _approved(name: str, listed: list[Definition], approve: list[str]) -> dict[str, Definition | None]:
    """The tools of a server that are approved as they are now; None for one that is gone."""
    now: dict[str, Definition | None] = {str(each["name"]): each for each in listed}
    named = [each.removeprefix(f"{name}.") for each in approve if each.startswith(f"{name}.")]
    return now if name in approve else {tool: now.get(tool) for tool in named}


def _headed(tool: str, told: dict[str, str]) -> str:
    return f"[bold]{escape(visible(tool))}[/bold]  {escape(told.get(tool, ''))}".rstrip()


def _describe(console: Console, definition: Definition) -> None:
    """All that a tool says of itself to a model, so that nothing hides below the first line."""
    for line in str(definition.get("description") or "(no description)").splitlines():
        console.print(f"      {escape(visible(line))}", highlight=False)


def _show(console: Console, each: Difference, told: dict[str, str]) -> None:
    signs = {"added": "[yellow]+[/yellow]", "changed": "[yellow]~[/yellow]", "gone": "[red]-[/red]"}
    console.print(f"  {signs[each.what]} {_headed(each.tool, told)} ({each.what})")
    before, after = (_lines(one) for one in (each.pinned, each.now))
    for line in list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]:
        colour = "green" if line.startswith("+") else "red" if line.startswith("-") else "dim"
        console.print(f"      [{colour}]{escape(visible(line))}[/{colour}]")


def _lines(definition: Definition | None) -> list[str]:
    if definition is None:
        return []
    return msgspec.json.format(msgspec.json.encode(definition, order="sorted"), indent=1).decode().split("\n")


async def _listed(config: Config, file: Path, settings: Settings, console: Console) -> dict[str, list[Definition]]:
    found = {}
    sealed, user = open_sealed(config, file, settings), user_here(settings)
    logins = Logins(state_folder(config, file) / "logins", sealed.key)
    for name, server in config.servers.items():
        if server.disabled:
            continue
        guarded = Guarded(name, server, sealed.pins, file.parent, config.sayso.lang, logins)
        connection = guarded.connection(user, decline)
        try:
            found[name] = await list_definitions(connection)
        except Unreachable as problem:
            console.print(f"[red]{escape(str(problem))}[/red]")
        finally:
            await connection.close()
    if not found:
        raise BadData("mcpServers", "(all)", "no server answers", "Start them, or look at their command or url.")
    return found
