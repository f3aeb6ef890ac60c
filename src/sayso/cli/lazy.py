"""Loads each command when it is used, so that `sayso decide` does not wait for what `sayso eval` needs."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from sayso.errors import MissingExtra, SaysoError


def load(name: str) -> ModuleType:
    """A module of this package, imported now. The only place where an import is not at the top of a file."""
    return import_module(f"sayso.cli.{name}")


def load_with(extra: str, name: str) -> ModuleType:
    """The same for a module that needs the packages of an extra; without them, a SaysoError that says so."""
    try:
        return load(name)
    except ModuleNotFoundError as missing:
        raise MissingExtra(extra, missing.name or "a package") from missing


class LazyGroup(TyperGroup):
    """A group whose commands are modules of `sayso.cli`, each with a Typer `app`.

    `places` gives the module of each command and the panel of the help that shows it.
    """

    places: ClassVar[dict[str, tuple[str, str]]] = {
        "decide": ("decisions.decide", "Decide"),
        "explain": ("decisions.explain", "Decide"),
        "chat": ("assistant.chat", "Decide"),
        "add": ("assistant.add", "Decide"),
        "remind": ("assistant.remind", "Decide"),
        "examples": ("examples", "Measure and extend"),
        "eval": ("measure.eval", "Measure and extend"),
        "pack": ("packs.pack", "Measure and extend"),
        "db": ("database.commands", "Run services"),
        "devices": ("machines.commands", "Run services"),
        "gateway": ("gateway.commands", "Run services"),
        "hook": ("gateway.hook", "Run services"),
        "hooks": ("gateway.hooks", "Run services"),
        "mcp": ("services.mcp", "Run services"),
        "push-key": ("services.push_key", "Run services"),
        "serve": ("services.serve", "Run services"),
        "doctor": ("doctor", "Run services"),
        "token": ("services.token", "Run services"),
        "trail": ("trail.commands", "Run services"),
    }

    rare: ClassVar[frozenset[str]] = frozenset(
        {"hook", "push-key"}
    )  # for programs or needed once: documented, and left out of the help

    def list_commands(self, ctx: Any) -> list[str]:
        return [*self.places, *super().list_commands(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.places:
            return super().get_command(ctx, cmd_name)
        module, panel = self.places[cmd_name]
        command: Any = typer.main.get_command(load(module).app)
        command.rich_help_panel, command.hidden = panel, cmd_name in self.rare
        return command

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SaysoError as problem:
            typer.echo(f"sayso: {problem}", err=True)
            raise typer.Exit(2) from problem
