"""`sayso devices`: machines into the registry, machines to try it on, and what a broker should allow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.lazy import load_with

app = typer.Typer(name="devices", no_args_is_help=True, rich_markup_mode="rich", add_completion=False)

UserOption = Annotated[
    str | None, typer.Option("--user", help="Whose machines they are; by default SAYSO_STDIO_USER.", show_default=False)
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
    """Take the machines of a file into the registry. Repeating it describes them anew."""
    load_with("devices", "fleet").import_file(file, user)


@app.command()
def discover(
    user: UserOption = None,
    seconds: Annotated[float, typer.Option(help="How long to listen.", min=0.2, max=600)] = 3,
    language: LanguageOption = "en",
) -> None:
    """Take the machines that announce themselves over MQTT, as for Home Assistant, into the registry."""
    load_with("devices", "fleet").discover_machines(user, seconds, language)


@app.command("list")
def list_(user: UserOption = None) -> None:
    """List the machines of the registry."""
    load_with("devices", "fleet").list_machines(user)


@app.command()
def simulate(
    machines: Annotated[int, typer.Option(help="How many machines.", min=1, max=10_000)] = 12,
    user: UserOption = None,
    language: LanguageOption = "en",
    every: Annotated[float, typer.Option(help="Seconds between two readings of a machine.", min=0.1)] = 5,
    speed: Annotated[float, typer.Option(help="How much faster than ours their time goes.", min=0.1)] = 1,
    seconds: Annotated[
        float | None, typer.Option(help="How long; by default until stopped.", min=1, show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Another number, another fleet.")] = 1,
) -> None:
    """Run simulated fridges, ovens, lamps and pumps over the broker, and put them into the registry."""
    load_with("devices", "fleet").simulate_fleet(machines, user, language, every, speed, seconds, seed)


@app.command()
def acl(
    link: Annotated[str, typer.Option(help="The user name with which Sayso itself logs in.")] = "sayso",
    user: Annotated[
        str | None, typer.Option(help="Print the user name of this person's machines instead.", show_default=False)
    ] = None,
) -> None:
    """Print the broker's ACL file: every machine speaks for its owner's machines alone."""
    load_with("devices", "fleet").print_acl(link, user)
