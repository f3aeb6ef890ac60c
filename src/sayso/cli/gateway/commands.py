"""`sayso gateway`: guards any MCP server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.gateway import inbox
from sayso.cli.lazy import load_with
from sayso.cli.services.mcp import Transport

app = typer.Typer(name="gateway", rich_markup_mode="rich", add_completion=False)

ConfigFile = Annotated[
    Path, typer.Option("--config", "-c", metavar="FILE", help="The file with `mcpServers`, as desktop clients have it.")
]
DEFAULT = Path("sayso.json")


@app.callback(invoke_without_command=True)
def gateway(
    context: typer.Context,
    config: ConfigFile = DEFAULT,
    transport: Annotated[Transport, typer.Option(help="How clients reach it.")] = Transport.stdio,
    host: Annotated[str, typer.Option(help="With http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="With http: the port to listen on.", min=1, max=65535)] = 8080,
    sessions: Annotated[
        bool,
        typer.Option(
            "--sessions", help="With http: keep sessions, for clients with a protocol version before 2026-07-28."
        ),
    ] = False,
) -> None:
    """Guard MCP servers: run only calls that the user asked for or confirmed.

    Forwards a call if the user asked for it. Otherwise asks them to confirm.

    Blocks new and changed tools until you approve them. Records everything in the trail.
    """
    if context.invoked_subcommand is None:
        guarding = load_with("gateway", "gateway.actions")
        guarding.serve(config, over_http=transport is Transport.http, host=host, port=port, sessions=sessions)


@app.command()
def demo() -> None:
    """Show attacks on a small server and how the gateway stops them. Needs no configuration and no network."""
    load_with("gateway", "gateway.demo").demo()


@app.command()
def init(
    client: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="Your client's configuration. Looked for where clients keep it, if not given."
        ),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write.")] = DEFAULT,
) -> None:
    """Write the gateway's file from your client's configuration, and print the line to change there."""
    load_with("gateway", "gateway.actions").initialise(client, output)


@app.command()
def login(
    server: Annotated[str, typer.Argument(metavar="SERVER", help="The server, as the file names it.")],
    config: ConfigFile = DEFAULT,
    user: Annotated[str | None, typer.Option(metavar="NAME", help="The user, if the gateway serves several.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in your browser.")] = True,
) -> None:
    """Sign in to a server over HTTP by OAuth."""
    load_with("gateway", "gateway.login").login(config, server, user, browser=browser)


@app.command()
def logout(
    server: Annotated[str, typer.Argument(metavar="SERVER", help="The server, as the file names it.")],
    config: ConfigFile = DEFAULT,
    user: Annotated[str | None, typer.Option(metavar="NAME", help="The user, if the gateway serves several.")] = None,
) -> None:
    """Delete the tokens that you signed in for."""
    load_with("gateway", "gateway.login").logout(config, server, user)


@app.command()
def review(
    config: ConfigFile = DEFAULT,
    approve: Annotated[
        list[str] | None,
        typer.Option(metavar="SERVER[.TOOL]", help="Approve this as it is now. You can repeat it."),
    ] = None,
) -> None:
    """Show the pinned tools and what has changed since; approve changes."""
    load_with("gateway", "gateway.actions").review(config, approve or [])


@app.command()
def grants(
    config: ConfigFile = DEFAULT,
    user: Annotated[str | None, typer.Option(metavar="NAME", help="The user, if the gateway serves several.")] = None,
    revoke: Annotated[
        list[str] | None,
        typer.Option(metavar="ID|all", help="Revoke this grant, or all. May be given several times."),
    ] = None,
) -> None:
    """List the answers that cover later calls, such as "in the next hour"; revoke them."""
    load_with("gateway", "gateway.grants").grants(config, user, revoke or [])


@app.command()
def schema() -> None:
    """Print the JSON Schema of the gateway's file, for editors."""
    load_with("gateway", "gateway.rules").print_schema()


@app.command()
def tune(
    config: ConfigFile = DEFAULT,
    user: Annotated[str | None, typer.Option(metavar="NAME", help="Read the trail of this user in the ledger.")] = None,
    least: Annotated[int, typer.Option(help="Propose only rules that spare this many questions.", min=1)] = 2,
    write: Annotated[
        bool, typer.Option("--write", help="Add the rules to the file, after showing the change.")
    ] = False,
    agreed: Annotated[bool, typer.Option("--yes", help="With --write: do not ask.")] = False,
) -> None:
    """Propose rules that would have spared questions that were answered with yes."""
    load_with("gateway", "gateway.rules").tune(config, user, least=least, write=write, agreed=agreed)


inbox.add_to(app)
