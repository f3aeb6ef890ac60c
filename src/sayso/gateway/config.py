"""The gateway's file: `mcpServers` as desktop clients have it, with Sayso's settings for each server.

{
  "mcpServers": {
    "files": {"command": "mcp-server-files", "args": ["/srv/files"], "env": {"KEY": "${FILES_KEY}"},
              "sayso": {"trusted": true, "tools": {"move_file": {"risk": "destructive"}}}},
    "tasks": {"url": "https://tasks.example.org/mcp", "headers": {"Authorization": "Bearer ${TASKS_TOKEN}"},
              "sayso": {"pack": "tasks"}}
  }
}

`${NAME}` stands for a variable of the environment: secrets need not be in the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from sayso.engine.grammar.pack import Risk
from sayso.errors import BadData

_VARIABLE = re.compile(r"\$\{(\w+)\}")
JOINT = "__"  # between a server's name and a tool's, where there are several servers
_NAMES = "Call it otherwise: that is what stands between a server's name and a tool's."
_REMEDY = "See docs/gateway.md for what may stand there."


class ToolSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the operator says of a tool."""

    risk: Risk | None = None  # instead of what its annotations say
    confirm: Literal["client", "browser"] = "client"  # where a person says yes
    hidden: bool = False  # not offered at all


class EntitySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tool lists the person's own things of a kind, and where in its result they are."""

    tool: str  # the tool that lists them
    items: str  # the field of its result that holds them
    arguments: dict[str, Any] = {}  # the arguments that it is called with
    id: str = "id"  # the field that names one to the tools


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the operator says of a server."""

    pack: str | None = None  # an installed pack, or a folder beside the file; none: what the tools themselves tell
    trusted: bool = False  # only then do its annotations lower a risk
    model_words: bool = False  # words that only a model relays (`sayso_words`) may spare the question before a write
    tools: dict[str, ToolSettings] = {}  # by name
    entities: dict[str, EntitySettings] = {}  # by kind, as the pack calls it
    users: dict[str, dict[str, str]] = {}  # headers for one user, instead of those for all
    deadline: float = 30.0  # seconds

    @property
    def risks(self) -> dict[str, Risk]:
        """What the operator says that tools may cost, by name."""
        return {name: told.risk for name, told in self.tools.items() if told.risk is not None}


class Upstream(msgspec.Struct, frozen=True, kw_only=True):
    """A server to stand before: a command, or an address."""

    command: str | None = None  # a program to start, which speaks over its standard input and output
    args: tuple[str, ...] = ()  # what it is started with
    env: dict[str, str] = {}  # its variables
    cwd: str | None = None  # the folder it is started in
    url: str | None = None  # or the address of a server over HTTP
    headers: dict[str, str] = {}  # sent there with every request
    disabled: bool = False  # left out
    # what Sayso should know of it
    sayso: ServerSettings = msgspec.field(default_factory=ServerSettings)


class GatewaySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for all servers."""

    state: str | None = None  # the folder of pins, trail and used answers; beside the file if not given
    trail: Literal["file", "ledger"] | None = None  # the ledger where a database is named, if not given
    lang: str | None = None  # the language of questions and messages; that of the words, if not given


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file."""

    servers: dict[str, Upstream] = msgspec.field(name="mcpServers")  # by name, as desktop clients have them
    # what holds for all of them
    sayso: GatewaySettings = msgspec.field(default_factory=GatewaySettings)


def read_config(path: Path, environment: Mapping[str, str] = os.environ) -> Config:
    """The file, with the variables put in; BadData for what is wrong with it."""
    try:
        raw = msgspec.json.decode(path.read_bytes())
    except OSError as problem:
        remedy = "Name a file with `mcpServers`, or make one: sayso gateway init."
        raise BadData(str(path), "(file)", f"cannot be read ({problem.strerror})", remedy) from problem
    except msgspec.DecodeError as problem:
        raise BadData(str(path), "(file)", f"is no JSON ({problem})", _REMEDY) from problem
    try:
        config = msgspec.convert(_filled(raw, environment, str(path)), Config)
    except msgspec.ValidationError as problem:
        raise BadData(str(path), "mcpServers", str(problem), _REMEDY) from problem
    for name, server in config.servers.items():
        if (server.command is None) == (server.url is None):
            raise BadData(str(path), f"mcpServers.{name}", "needs a command or a url, and not both", _REMEDY)
        if len(config.servers) > 1 and (
            JOINT in name or name.endswith(JOINT[0])
        ):  # its tools could pass for another server's
            raise BadData(str(path), f"mcpServers.{name}", f'has "{JOINT}" in it, or "{JOINT[0]}" at its end', _NAMES)
    if not any(not server.disabled for server in config.servers.values()):
        raise BadData(str(path), "mcpServers", "names no server", _REMEDY)
    return config


def state_folder(config: Config, path: Path) -> Path:
    """Where the gateway keeps what it must remember."""
    return path.parent / (config.sayso.state or f"{path.stem}.sayso")


def _filled(value: Any, environment: Mapping[str, str], file: str, key: str = "") -> Any:
    """With variables put in, wherever a text stands."""
    match value:
        case dict():
            inside = {name: f"{key}.{name}".strip(".") for name in value}
            return {name: _filled(inner, environment, file, inside[name]) for name, inner in value.items()}
        case list():
            return [_filled(inner, environment, file, key) for inner in value]
        case str():
            return _VARIABLE.sub(lambda found: _variable(found[1], environment, file, key), value)
        case _:
            return value


def _variable(name: str, environment: Mapping[str, str], file: str, key: str) -> str:
    if name not in environment:
        raise BadData(file, key, f"${{{name}}} is not set", f"Set the variable {name}, or write the value itself.")
    return environment[name]
