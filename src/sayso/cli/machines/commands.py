"""`sayso devices`: machines into the registry, machines to try it on, and what a broker should allow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(name="devices", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)

UserOption = Annotated[
    str | None, typer.Option("--user", help="The owner of the machines. Default: SAYSO_STDIO_USER.", show_default=False)
]
LanguageOption = Annotated[str, typer.Option("--language", help="The language of names: en or it.")]


@app.callback()
def devices() -> None:
    """Import, discover and simulate machines."""


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A YAML or CSV file of machines.", show_default=False)],
    user: UserOption = None,
) -> None:
    """Import machines from a file. Running it again updates them."""
    load_with("devices", "machines.actions").import_file(file, user)


@app.command()
def discover(
    user: UserOption = None,
    seconds: Annotated[float, typer.Option(help="How long to listen.", min=0.2, max=600)] = 3,
    language: LanguageOption = "en",
) -> None:
    """Import the machines that announce themselves over MQTT for Home Assistant."""
    load_with("devices", "machines.actions").discover_machines(user, seconds, language)


@app.command("list")
def list_(user: UserOption = None) -> None:
    """List the machines in the registry."""
    load_with("devices", "machines.actions").list_machines(user)


@app.command()
def simulate(
    machines: Annotated[int, typer.Option(help="How many machines.", min=1, max=10_000)] = 12,
    user: UserOption = None,
    language: LanguageOption = "en",
    every: Annotated[float, typer.Option(help="Seconds between two readings of a machine.", min=0.1)] = 5,
    speed: Annotated[
        float, typer.Option(help="Speed of simulated time; 2 is twice as fast as real time.", min=0.1)
    ] = 1,
    seconds: Annotated[
        float | None, typer.Option(help="How long to run. Default: until you stop it.", min=1, show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random fleet.")] = 1,
) -> None:
    """Simulate fridges, ovens, lamps and pumps over the broker, and add them to the registry."""
    load_with("devices", "machines.actions").simulate_fleet(machines, user, language, every, speed, seconds, seed)


@app.command()
def acl(
    link: Annotated[str, typer.Option(help="The user name that Sayso logs in with.")] = "sayso",
    user: Annotated[
        str | None, typer.Option(help="Print only the user name of this user's machines.", show_default=False)
    ] = None,
) -> None:
    """Print the broker's ACL file: a machine may publish only for its owner's machines."""
    load_with("devices", "machines.actions").print_acl(link, user)
