"""Writes the hooks of a client into its configuration, and removes exactly those again.

The format of each client is a row of `CLIENTS`. The original content of a file is kept: if nobody changed the file
since, it is restored byte for byte.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sayso.errors import BadData
from sayso.files.data_folder import data_folder
from sayso.gateway.hooks.jsonc import Malformed, add, drop, parse

Scope = Literal["user", "project"]
_SECONDS = 10


class Event(NamedTuple):
    """An event that is hooked; `matcher` names the tools of servers, `everything` all tools."""

    name: str
    matcher: str | None = None
    everything: str | None = None
    only_with_rules: bool = False


class Client(NamedTuple):
    """Where a client keeps its hooks, and how."""

    name: str
    user: tuple[str, str | None, str]  # the folder at home, the variable that names another, the file
    project: str
    events: tuple[Event, ...]
    grouped: bool = True  # hooks are in groups with a matcher
    timeout: int = _SECONDS
    fixed: Mapping[str, Any] = {}  # further content of a new file
    note: str = ""


CLIENTS = {
    each.name: each
    for each in (
        Client(
            "claude-code",
            (".claude", "CLAUDE_CONFIG_DIR", "settings.json"),
            ".claude/settings.local.json",
            (Event("UserPromptSubmit"), Event("PreToolUse", "mcp__.*", "*")),
        ),
        Client(
            "vscode",
            (".copilot/hooks", None, "sayso.json"),
            ".github/hooks/sayso.json",
            (Event("UserPromptSubmit"), Event("PreToolUse")),
            grouped=False,
            fixed={"version": 1},
        ),
        Client(
            "cursor",
            (".cursor", None, "hooks.json"),
            ".cursor/hooks.json",
            (Event("beforeSubmitPrompt"), Event("beforeMCPExecution"), Event("preToolUse", only_with_rules=True)),
            grouped=False,
            fixed={"version": 1},
        ),
        Client(
            "codex",
            (".codex", "CODEX_HOME", "hooks.json"),
            ".codex/hooks.json",
            (Event("UserPromptSubmit"), Event("PreToolUse", "mcp__.*", ".*")),
            note="Codex runs a hook only after you trust it: start codex and enter /hooks.",
        ),
        Client(
            "gemini",
            (".gemini", None, "settings.json"),
            ".gemini/settings.json",
            (Event("BeforeAgent"), Event("BeforeTool", "mcp_.*", ".*")),
            timeout=_SECONDS * 1000,
        ),
    )
}


class Plan(NamedTuple):
    """A file, its current content, and its new content. `None` means that there is no file."""

    file: Path
    before: str | None
    after: str | None

    @property
    def changes(self) -> bool:
        return self.before != self.after


def file_of(client: Client, scope: Scope, here: Path, environment: Mapping[str, str]) -> Path:
    """The file with a client's hooks."""
    if scope == "project":
        return here / client.project
    folder, variable, name = client.user
    told = environment.get(variable) if variable else None
    home = Path(environment.get("HOME") or Path.home())
    return (Path(told) if told else home / folder) / name


def plan_install(client: Client, file: Path, command: str, config: Path | None) -> Plan:
    """The file with our hooks in it, once. `config` is the operator's file, if it has rules for tools."""
    before = _read(file)
    line = shlex.join([command, "hook", client.name, *(["--config", str(config)] if config else [])])
    events = [each for each in client.events if config or not each.only_with_rules]
    wanted = [(each, _entry(client, each, line, everything=config is not None)) for each in events]
    if before is not None and _ours(client, before) == {each.name: [entry] for each, entry in wanted}:
        return Plan(file, before, before)
    try:
        text = _dropped(client, before or "")
        if not text.strip() and client.fixed:
            text = json.dumps(client.fixed, indent=2) + "\n"
        for event, entry in wanted:
            text = add(text, ("hooks", event.name), entry)
    except Malformed as problem:
        raise _unreadable(file, problem) from problem
    return Plan(file, before, text)


def plan_remove(client: Client, file: Path, environment: Mapping[str, str] = os.environ) -> Plan:
    """The file without our hooks: as it was before, if nobody changed it since."""
    now = _read(file)
    if now is None or not _ours(client, now):
        return Plan(file, now, now)
    known = _known(file, environment)
    if known is not None and known["after"] == _hash(now):
        return Plan(file, now, _decoded(known["before"]))
    try:
        text = _dropped(client, now)
    except Malformed as problem:
        raise _unreadable(file, problem) from problem
    is_new = known is not None and known["before"] is None
    return Plan(file, now, None if is_new and parse(text).value in ({}, client.fixed) else text)


def is_installed(client: Client, file: Path) -> bool:
    """Whether all events that we always hook are hooked."""
    text = _read(file)
    found = _ours(client, text) if text is not None else {}
    return all(each.name in found for each in client.events if not each.only_with_rules)


def apply(plan: Plan, environment: Mapping[str, str] = os.environ, *, remember: bool) -> None:
    """Writes the file, completely or not at all. `remember` keeps its original content."""
    aside = _aside(plan.file, environment)
    if remember and plan.changes and plan.after is not None:
        first = _known(plan.file, environment)
        before = first["before"] if first and first["after"] == _hash(plan.before or "") else _encoded(plan.before)
        aside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(aside, json.dumps({"file": str(plan.file), "before": before, "after": _hash(plan.after)}), 0o600)
    if plan.after is None:
        plan.file.unlink(missing_ok=True)
    elif plan.changes:
        plan.file.parent.mkdir(parents=True, exist_ok=True)
        mode = plan.file.stat().st_mode & 0o777 if plan.file.exists() else 0o600
        _replace(plan.file.resolve(), plan.after, mode)
    if not remember:
        aside.unlink(missing_ok=True)


def has_rules(config: Path) -> bool:
    """Whether the gateway's file has rules for the client's tools. Raises BadData if it cannot be read."""
    try:
        settings = json.loads(config.read_bytes()).get("sayso") or {}
        return bool(settings.get("hooks"))
    except (OSError, ValueError, AttributeError) as problem:
        remedy = "Name the gateway's file with --config, or make one: sayso gateway init."
        raise BadData(str(config), "(file)", f"cannot be read ({problem})", remedy) from problem


def _entry(client: Client, event: Event, line: str, *, everything: bool) -> dict[str, Any]:
    if client.name == "cursor":
        return {"command": line}
    hook: dict[str, Any] = {"type": "command", "command": line, "timeout": client.timeout}
    if client.name == "gemini":
        hook = {"name": "sayso", **hook}
    if not client.grouped:
        return hook
    matcher = event.everything if everything else event.matcher
    return ({"matcher": matcher} if matcher else {}) | {"hooks": [hook]}


def _ours(client: Client, text: str) -> dict[str, list[Any]]:
    """Our entries in a file, by event; empty for a file that cannot be read."""
    try:
        hooks = parse(text).value.get("hooks")
    except (Malformed, AttributeError):
        return {}
    found = hooks if isinstance(hooks, dict) else {}
    ours = {name: [each for each in entries if _is_ours(client, each)] for name, entries in _lists(found).items()}
    return {name: entries for name, entries in ours.items() if entries}


def _lists(hooks: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {name: entries for name, entries in hooks.items() if isinstance(entries, list)}


def _dropped(client: Client, text: str) -> str:
    for event in client.events:
        text = drop(text, ("hooks", event.name), lambda each: _is_ours(client, each))
    return text


def _is_ours(client: Client, entry: Any) -> bool:
    """Whether an entry runs only our program."""
    if not isinstance(entry, dict):
        return False
    hooks = entry.get("hooks") if client.grouped else [entry]
    commands = [each.get("command") for each in hooks if isinstance(each, dict)] if isinstance(hooks, list) else []
    return bool(commands) and all(isinstance(each, str) and _runs_us(each, client.name) for each in commands)


def _runs_us(command: str, name: str) -> bool:
    try:
        program, *rest = shlex.split(command)
    except ValueError:
        return False
    return Path(program).name in ("sayso", "sayso.exe") and rest[:2] == ["hook", name]


def _read(file: Path) -> str | None:
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as problem:
        raise _unreadable(file, problem) from problem


def _unreadable(file: Path, problem: Exception) -> BadData:
    return BadData(
        str(file), "hooks", f"cannot be changed ({problem})", "Correct the file, then run the command again."
    )


def _aside(file: Path, environment: Mapping[str, str]) -> Path:
    name = hashlib.sha256(os.fsencode(file.resolve())).hexdigest()[:32]
    return data_folder(environment) / "hook-files" / f"{name}.json"


def _known(file: Path, environment: Mapping[str, str]) -> dict[str, Any] | None:
    try:
        known = json.loads(_aside(file, environment).read_bytes())
    except (OSError, ValueError):
        return None
    return known if isinstance(known, dict) and known.keys() >= {"before", "after"} else None


def _encoded(text: str | None) -> str | None:
    return None if text is None else base64.b64encode(text.encode()).decode()


def _decoded(kept: str | None) -> str | None:
    return None if kept is None else base64.b64decode(kept).decode()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _replace(file: Path, text: str, mode: int) -> None:
    fresh = file.with_name(f".{file.name}.{os.getpid()}.new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
        out.write(text.encode())
    fresh.replace(file)
