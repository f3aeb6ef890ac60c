"""What `sayso gateway` does. Loaded only by it: it needs the packages of the `gateway` extra."""

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

from sayso.cli.lazy import load_with
from sayso.cli.show import visible
from sayso.errors import BadData
from sayso.gateway.config import Config, read_config
from sayso.gateway.init import NEAR, find_client, make_config
from sayso.gateway.keeping import is_in_ledger
from sayso.gateway.pins import Definition, Difference, Pins, differences
from sayso.gateway.serve import pins_of, serve_http, serve_stdio
from sayso.gateway.upstream import Connection, Unreachable, decline, list_definitions
from sayso.settings import read_settings


def serve(file: Path, *, over_http: bool, host: str, port: int, sessions: bool) -> None:
    """Serve until told to stop."""
    logging.basicConfig(level=logging.WARNING)
    settings = read_settings()
    if is_in_ledger(read_config(file), settings):
        load_with("server", "serving").prepared(over_http=over_http)
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


def review(file: Path, approve: list[str]) -> None:
    """Show what is pinned and what has changed; pin what is approved."""
    config = read_config(file)
    console, pins = Console(soft_wrap=True), pins_of(config, file)
    held, found = 0, asyncio.run(_listed(config, console))
    _refuse_unknown(approve, found, pins.read())
    for name, listed in found.items():
        _approve(pins_of(config, file), name, listed, approve)
        pinned = pins.meet(name, listed)
        changed = differences(name, pinned, listed)
        held += len(changed)
        console.print(f"[bold]{escape(name)}[/bold]: {len(pinned)} pinned, {len(changed)} held back or gone")
        for tool in sorted(set(pinned) - {each.tool for each in changed}):
            console.print(f"  [green]=[/green] {escape(visible(tool))}")
        for each in changed:
            _show(console, each)
    if held:
        console.print("Approve with: sayso gateway review --approve SERVER or SERVER.TOOL", style="dim")
        raise typer.Exit(1)


def _refuse_unknown(approve: list[str], found: dict[str, list[Definition]], pinned: dict[str, dict[str, Any]]) -> None:
    """A name that is none of theirs approves nothing, and must not look as if it did."""
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


def _approve(pins: Pins, name: str, listed: list[Definition], approve: list[str]) -> None:
    tools = [each.removeprefix(f"{name}.") for each in approve if each.startswith(f"{name}.")]
    if name in approve:
        pins.approve(name, listed)
    elif tools:
        pins.approve(name, listed, tools)


def _show(console: Console, each: Difference) -> None:
    signs = {"added": "[yellow]+[/yellow]", "changed": "[yellow]~[/yellow]", "gone": "[red]-[/red]"}
    console.print(f"  {signs[each.what]} {escape(visible(each.tool))} ({each.what})")
    before, after = (_lines(one) for one in (each.pinned, each.now))
    for line in list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]:
        colour = "green" if line.startswith("+") else "red" if line.startswith("-") else "dim"
        console.print(f"      [{colour}]{escape(visible(line))}[/{colour}]")


def _lines(definition: Definition | None) -> list[str]:
    if definition is None:
        return []
    return msgspec.json.format(msgspec.json.encode(definition, order="sorted"), indent=1).decode().split("\n")


async def _listed(config: Config, console: Console) -> dict[str, list[Definition]]:
    found = {}
    for name, server in config.servers.items():
        if server.disabled:
            continue
        connection = Connection(name, server, dict(server.headers), decline)
        try:
            found[name] = await list_definitions(connection)
        except Unreachable as problem:
            console.print(f"[red]{escape(str(problem))}[/red]")
        finally:
            await connection.close()
    if not found:
        raise BadData("mcpServers", "(all)", "no server answers", "Start them, or look at their command or url.")
    return found
