"""`sayso gateway demo`: shows attacks on a small server, and how the gateway stops them."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from sayso.cli.show import visible
from sayso.gateway.demo.play import Outcome, Play, Said, Scene

_INTRODUCTION = """\
A gateway in front of a small MCP server that keeps notes. The gateway and the server are real processes.
The user and the model are a script: no language model, no network."""
_TONES = {"good": "green", "ask": "yellow", "stop": "bold red", "change": "red"}
_INDENT = 12


def demo() -> None:
    """Play the script; exit with 1 if a scene did not end as it must."""
    console = Console(soft_wrap=True, highlight=False)
    console.print(_INTRODUCTION)
    with tempfile.TemporaryDirectory(prefix="sayso-demo-") as folder:
        play = Play(Path(folder))
        asyncio.run(_show(console, play))
        outcome = play.outcome()
    _conclude(console, outcome)
    if not outcome.is_good:
        raise typer.Exit(1)


async def _show(console: Console, play: Play) -> None:
    number = 0
    async for each in play.run():
        if isinstance(each, Scene):
            number += 1
            console.print(f"\n[bold]{number}  {each.title}[/bold]")
        else:
            console.print(_line(each))


def _line(said: Said) -> Text:
    """One speaker and what they say; further lines below the first."""
    first, *more = [visible(line) for line in said.text.splitlines()]
    mark = "STOPPED  " if said.tone == "stop" else "asks: " if said.tone == "ask" else ""
    tone = _TONES.get(said.tone, "")
    text = Text().append(f"   {said.who:<{_INDENT - 3}}", style="dim").append(mark + first, style=tone)
    for line in more:
        text.append("\n" + " " * _INDENT + line, style=tone)
    return text


def _conclude(console: Console, outcome: Outcome) -> None:
    console.print(f"\nThe server ran: {', '.join(outcome.ran)}.")
    state = "intact" if outcome.intact else "NOT INTACT"
    console.print(f"The trail of these calls has {outcome.entries} entries and is {state}.")
    if outcome.is_good:
        console.print(f"[green]{outcome.scenes - 1} attacks, none of them ran.[/green]")
    else:
        console.print(f"[bold red]{outcome.as_expected} of {outcome.scenes} scenes ended as they must.[/bold red]")
    console.print("\nTry it on your own servers: [bold]sayso gateway init[/bold]")
