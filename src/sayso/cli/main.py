"""The `sayso` command: help, version and subcommands."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from sayso.cli.lazy import LazyGroup, load

EXAMPLES = {
    'sayso decide "add a task to buy groceries"': "what should happen, and why",
    'sayso add "call mum tomorrow at 5pm"': "a task, in one line",
    "sayso pack draft tools.json my-pack/": "a pack from an MCP server's tools",
}
EPILOG = "\n".join(
    ["[bold]Examples[/bold]", *(f"  [cyan]{line:<44}[/cyan] [dim]{what}[/dim]" for line, what in EXAMPLES.items())]
)

app = typer.Typer(
    cls=LazyGroup,
    epilog=EPILOG,
    rich_markup_mode="rich",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(load("version").TEXT)
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Turns words into checked tool calls. Without a command it starts the chat."""
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        load("assistant.chat").start()
    else:
        typer.echo(context.get_help())
        raise typer.Exit(2)
