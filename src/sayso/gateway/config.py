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
from typing import Annotated, Any, Literal

import msgspec

from sayso.engine.grammar.pack import Risk
from sayso.errors import BadData
from sayso.gateway.limits.rate import PATTERN, Limit
from sayso.gateway.rules.rule import Rule

_VARIABLE = re.compile(r"\$\{(\w+)\}")
JOINT = "__"  # separates a server's name from a tool's, if there are several servers
_NAMES = "Choose another name: these characters separate the names of servers and tools."
_REMEDY = "See docs/reference/gateway.md for the schema."


Most = Literal["once", "task", "hour", "always"]


class GrantSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far one yes may reach. Destructive calls are always confirmed one by one."""

    # the widest answer that a question offers: this call, this task, one hour, or always in a folder or with a value
    most: Most = "once"


class DiffSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a question shows what a call would overwrite: the tool that reads it, and the arguments that matter."""

    tool: str | None = None  # the tool that reads the current content; without it no changes are shown
    path: str = "path"  # the argument that both tools take
    content: str = "content"  # the argument with the new content


class ToolSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Your settings for one tool."""

    risk: Risk | None = None  # overrides the annotations
    # where the user confirms: in the client, or on a page of the gateway
    confirm: Literal["client", "browser"] = "client"
    rules: tuple[Rule, ...] = ()  # rules for calls to this tool
    hidden: bool = False  # neither listed nor run
    # how often each user may call it: `20/minute`; also `second`, `hour` and `day`
    limit: Annotated[str, msgspec.Meta(pattern=PATTERN)] | None = None
    grants: GrantSettings | None = None  # how far one yes may reach; the server's setting if not given
    # show changes in the question; detected automatically if `read_text_file` or `read_file` takes the same `path`
    diff: DiffSettings | None = None


class EntitySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tool that lists the user's items of a kind, and where its result has them."""

    tool: str  # the tool that lists them
    items: str  # the field of its result that contains them
    arguments: dict[str, Any] = {}  # the arguments of that call
    id: str = "id"  # the field with the id that tools take


class OAuthSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How `sayso gateway login` signs in, if the server does not register clients itself."""

    client_id: str | None = None  # the client that you registered
    client_secret: str | None = None  # its secret, if it has one
    # the port of http://127.0.0.1:PORT/callback, if you registered one; any free port by default
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Your settings for one server."""

    pack: str | None = None  # the pack for its domain: installed, or a folder next to the file
    trusted: bool = False  # accept its annotations, also if they lower a risk
    model_words: bool = False  # the model's words (`sayso_words`) can forward a write
    tools: dict[str, ToolSettings] = {}  # by tool name
    entities: dict[str, EntitySettings] = {}  # by kind, as the pack names it
    users: dict[str, dict[str, str]] = {}  # headers by user, instead of `headers`
    rules: tuple[Rule, ...] = ()  # rules for calls to all of its tools
    shadow: bool = False  # judge and record its calls, but forward them all
    oauth: OAuthSettings = msgspec.field(default_factory=OAuthSettings)  # how `sayso gateway login` signs in
    deadline: float = 30.0  # seconds to wait for a result; the user has ten minutes to answer a question
    # how far one yes may reach
    grants: GrantSettings = msgspec.field(default_factory=GrantSettings)

    @property
    def risks(self) -> dict[str, Risk]:
        """The operator's risk settings, by tool name."""
        return {name: told.risk for name, told in self.tools.items() if told.risk is not None}

    def limit(self, tool: str) -> Limit | None:
        """How often each user may call a tool."""
        told = self.tools.get(tool)
        return None if told is None or told.limit is None else Limit.parse(told.limit)

    def most(self, tool: str) -> Most:
        """How far one yes to a call of this tool may reach."""
        told = self.tools.get(tool)
        return (told.grants if told is not None and told.grants is not None else self.grants).most


class Upstream(msgspec.Struct, frozen=True, kw_only=True):
    """A server: a command, or an address."""

    command: str | None = None  # a program that speaks MCP over standard input and output
    args: tuple[str, ...] = ()  # its arguments
    env: dict[str, str] = {}  # its environment variables
    cwd: str | None = None  # its working directory
    url: str | None = None  # or the address of an HTTP server
    headers: dict[str, str] = {}  # sent with every request
    disabled: bool = False  # ignore this server
    # settings of Sayso for it
    sayso: ServerSettings = msgspec.field(default_factory=ServerSettings)


class RedactionSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How secrets are removed from the trail."""

    on: bool = True  # replace secrets by placeholders
    # further secrets by kind, as regular expressions; the group `secret` is removed, or else the whole match
    patterns: dict[Annotated[str, msgspec.Meta(pattern="^[a-z_]{1,30}$")], str] = {}
    parameters: tuple[str, ...] = ()  # further parameters whose values are secret

    def __post_init__(self) -> None:
        for kind, pattern in self.patterns.items():
            try:
                re.compile(pattern)
            except re.error as problem:
                raise ValueError(f"the pattern {kind} is not a regular expression: {problem}") from problem


class HookSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Your rules for the client's own tools and other servers, which its hooks apply. `*` stands for any characters."""

    deny: tuple[str, ...] = ()  # tools that never run, as the client names them
    ask: tuple[str, ...] = ()  # tools that require confirmation; a client that cannot ask from a hook denies them


class GatewaySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings for all servers."""

    # the folder for pins, trail, used answers, open pages and paired browsers; `NAME.sayso` next to the file by default
    state: str | None = None
    trail: Literal["file", "ledger"] | None = None  # `ledger` is PostgreSQL, the default if `SAYSO_DATABASE_URL` is set
    hooks: HookSettings = msgspec.field(default_factory=HookSettings)  # rules for tools that the gateway does not see
    lang: str | None = None  # language of questions, `en` or `it`; that of the words if not given
    rules: tuple[Rule, ...] = ()  # rules for calls to all servers
    shadow: bool = False  # judge and record all calls, but forward them all
    # how secrets are removed from the trail
    redaction: RedactionSettings = msgspec.field(default_factory=RedactionSettings)
    # addresses at which you are told about new questions, as Apprise writes them: `ntfys://ntfy.sh/TOPIC`
    notify: tuple[str, ...] = ()


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file."""

    schema: str | None = msgspec.field(name="$schema", default=None)  # the JSON Schema of this file, for editors
    servers: dict[str, Upstream] = msgspec.field(name="mcpServers")  # the servers by name, as in desktop clients
    # settings for all of them
    sayso: GatewaySettings = msgspec.field(default_factory=GatewaySettings)


def read_config(path: Path, environment: Mapping[str, str] = os.environ) -> Config:
    """The file, with its variables replaced. Raises BadData if something is wrong with it."""
    try:
        raw = msgspec.json.decode(path.read_bytes())
    except OSError as problem:
        remedy = "Name a file with `mcpServers`, or make one: sayso gateway init."
        raise BadData(str(path), "(file)", f"cannot be read ({problem.strerror})", remedy) from problem
    except msgspec.DecodeError as problem:
        raise BadData(str(path), "(file)", f"is not valid JSON ({problem})", _REMEDY) from problem
    try:
        config = msgspec.convert(_filled(raw, environment, str(path)), Config)
    except msgspec.ValidationError as problem:
        raise BadData(str(path), "mcpServers", str(problem), _REMEDY) from problem
    for name, server in config.servers.items():
        if (server.command is None) == (server.url is None):
            raise BadData(str(path), f"mcpServers.{name}", "requires either a command or a url", _REMEDY)
        if len(config.servers) > 1 and (
            JOINT in name or name.endswith(JOINT[0])
        ):  # its tools could pass for another server's
            raise BadData(str(path), f"mcpServers.{name}", f'has "{JOINT}" in it, or "{JOINT[0]}" at its end', _NAMES)
    if not any(not server.disabled for server in config.servers.values()):
        raise BadData(str(path), "mcpServers", "names no server", _REMEDY)
    return config


def state_folder(config: Config, path: Path) -> Path:
    """The folder for the gateway's state."""
    return path.parent / (config.sayso.state or f"{path.stem}.sayso")


def _filled(value: Any, environment: Mapping[str, str], file: str, key: str = "") -> Any:
    """The value with the variables replaced in every text."""
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
