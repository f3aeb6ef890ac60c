"""`sayso gateway init`: writes the gateway's file from a client's existing configuration."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sayso.errors import BadData

# Where clients keep their servers, relative to the working folder and to the home folder.
NEAR = (".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json")
AT_HOME = (
    ".config/Claude/claude_desktop_config.json",
    "Library/Application Support/Claude/claude_desktop_config.json",
    "AppData/Roaming/Claude/claude_desktop_config.json",
    ".cursor/mcp.json",
)
NAME = "sayso"
_KEYS = ("mcpServers", "servers")


class Made(NamedTuple):
    """A new file, and the entry that replaces the client's servers."""

    file: Path
    servers: tuple[str, ...]
    entry: str


def find_client(here: Path, home: Path) -> Path | None:
    """The configuration of the first client that has one."""
    places = [*(here / name for name in NEAR), *(home / name for name in AT_HOME)]
    return next((place for place in places if place.is_file()), None)


def make_config(client: Path, file: Path) -> Made:
    """Writes the gateway's file. Raises BadData if the client has no servers, or if the file exists already."""
    servers, place = _servers(client), _project(client)
    config = {
        "mcpServers": {
            name: (place if "command" in server else {}) | server | {"sayso": server.get("sayso", {})}
            for name, server in servers.items()
        }
    }
    text = msgspec.json.format(msgspec.json.encode(config), indent=2) + b"\n"
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # it may contain secrets
    except FileExistsError as problem:
        remedy = "Name another with --output, or remove it."
        raise BadData(str(file), "(file)", "is there already", remedy) from problem
    with os.fdopen(descriptor, "wb") as out:
        out.write(text)
    arguments = ["gateway", "--config", str(file.resolve())]
    entry = msgspec.json.encode({NAME: {"command": _command(), "args": arguments}}).decode()
    return Made(file, tuple(servers), entry)


def _project(client: Path) -> dict[str, str]:
    """The folder in which a project's servers start, wherever the gateway is. Other servers get no folder."""
    found = client.resolve()
    folder = next((found.parents[name.count("/")] for name in NEAR if found.match(f"*/{name}")), None)
    return {} if folder is None else {"cwd": str(folder)}


def _command() -> str:
    """The full path of our command: a client may not know the environment in which it is installed."""
    ours = Path(sys.executable).with_name(NAME)
    return str(ours) if ours.exists() else NAME


def _servers(client: Path) -> dict[str, dict[str, Any]]:
    remedy = 'A client\'s configuration has {"mcpServers": {"name": {"command": …}}}.'
    try:
        found = msgspec.json.decode(client.read_bytes())
    except (OSError, msgspec.DecodeError) as problem:
        raise BadData(str(client), "(file)", f"cannot be read ({problem})", remedy) from problem
    for key in _KEYS:
        servers = found.get(key) if isinstance(found, dict) else None
        if isinstance(servers, dict) and all(isinstance(server, dict) for server in servers.values()):
            ours = {name: server for name, server in servers.items() if name != NAME}
            if ours:
                return ours
    raise BadData(str(client), "mcpServers", "names no server", remedy)
