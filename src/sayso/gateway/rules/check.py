"""Checks that the names in a gateway's file exist: servers, tools and arguments, against the pinned definitions.

A misspelt name would make a rule that never applies, or always. Names of a server that was never pinned cannot be
checked yet: the gateway warns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from sayso.errors import BadData
from sayso.gateway.config import Config
from sayso.gateway.rules.expression import Named
from sayso.gateway.rules.rulebook import Ready, Rulebook
from sayso.gateway.seals.instructions import only_tools
from sayso.gateway.seals.pins import Pinned, Pins, Unsealed

_FIX = "Correct the name, or remove it."
_SOURCES = ("hook", "client", "model", "none")
_RISKS = ("read", "write", "destructive")

Risks = Callable[[str, str], str]  # of a tool, by server and name


class Finding(NamedTuple):
    """What is wrong with a name: its place in the file, the problem, and whether the file can be used all the same."""

    key: str
    problem: str
    remedy: str = _FIX
    is_error: bool = True


def check_rules(config: Config, file: Path, rulebook: Rulebook, pinned: Pinned, risk: Risks) -> list[str]:
    """The warnings; BadData for the first error."""
    warnings = []
    for found in findings(config, rulebook, pinned, risk):
        if found.is_error:
            raise BadData(str(file), found.key, found.problem, found.remedy)
        warnings.append(f"{file}: {found.key}: {found.problem}. {found.remedy}")
    return warnings


def findings(config: Config, rulebook: Rulebook, pinned: Pinned, risk: Risks) -> Iterator[Finding]:
    """Everything that is wrong with the names, and rules that have no effect."""
    seen = {name: tools for name, tools in pinned.items() if name in config.servers and tools}
    for name, server in config.servers.items():
        told = server.sayso.tools
        if name in seen:
            for tool in told.keys() - seen[name].keys():
                key = f"mcpServers.{name}.sayso.tools.{tool}"
                problem = f"{name} has no tool {tool}{near(tool, seen[name])}"
                yield Finding(key, problem, is_error=bool(told[tool].rules))
        elif not server.disabled and (server.sayso.rules or any(each.rules for each in told.values())):
            problem = f"{name} has no pinned tools yet, so the names in its rules were not checked"
            yield Finding(f"mcpServers.{name}", problem, "Run sayso gateway review.", is_error=False)
    for ready in rulebook.rules:
        yield from _of_rule(config, ready, seen)
    yield from _without_effect(rulebook, pinned, risk)


def pinned_or_none(pins: Pins) -> Pinned:
    """The pins; empty if the file is not ours, so that every tool is held back."""
    try:
        return {name: dict(only_tools(pinned)) for name, pinned in pins.read().items()}
    except Unsealed:
        return {}


def _of_rule(config: Config, ready: Ready, seen: Pinned) -> Iterator[Finding]:
    key, expression = f"{ready.placed.key}.when", ready.expression
    for named, known in expression.unknown():
        yield _unknown(key, named, "is not a variable or function", known)
    for variable, values in (("risk", _RISKS), ("server", tuple(config.servers)), ("words.source", _SOURCES)):
        for named in expression.compared(variable):
            if named.name not in values:
                yield _unknown(key, named, f"is not a value of {variable}", values)
    tools = _tools(ready, seen)
    if tools is None:
        return
    named_tools = expression.compared("tool")
    for named in named_tools:
        if named.name not in tools:
            yield _unknown(key, named, "is not a tool", tuple(tools))
    yield from _of_arguments(key, ready, tools, {each.name for each in named_tools})


def _without_effect(rulebook: Rulebook, pinned: Pinned, risk: Risks) -> Iterator[Finding]:
    """Rules that allow a tool that requires confirmation anyway."""
    for key, rule, server, tool in (ready.placed for ready in rulebook.rules):
        is_known = server is not None and tool is not None and tool in pinned.get(server, {})
        if is_known and rule.effect == "allow" and risk(str(server), str(tool)) == "destructive":
            problem = f"allow has no effect, because {tool} is destructive"
            remedy = 'If it is not, declare "risk": "write" for the tool.'
            yield Finding(key, problem, remedy, is_error=False)


def _of_arguments(key: str, ready: Ready, tools: Mapping[str, Any], named_tools: set[str]) -> Iterator[Finding]:
    """Arguments that no tool has; for rules that stop calls, also those that only some tools have."""
    expression, place = ready.expression, ready.placed
    mine = {name: tools[name] for name in (named_tools & set(tools) or set(tools))}
    takes = {name: _arguments(definition) for name, definition in mine.items()}
    known = sorted({each for names in takes.values() for each in names or ()})
    is_open = any(names is None for names in takes.values())
    for named in expression.members("args"):
        if named.name not in known and not is_open:
            yield _unknown(key, named, "is not an argument", known)
        without = [name for name, names in takes.items() if names is not None and named.name not in names]
        if place.rule.effect == "allow" or place.tool or named_tools or named.name in expression.guarded():
            continue
        if named.name in known and without:
            problem = f"{place.rule.effect} applies to every call of {', '.join(without)}, without {named.name}"
            remedy = f"Test has(args.{named.name}) first, or move the rule under a tool."
            yield Finding(key, problem, remedy, is_error=False)


def _tools(ready: Ready, seen: Pinned) -> dict[str, Any] | None:
    """The tools that a rule can be about; `None` if a server among them was never pinned."""
    place = ready.placed
    if place.server is not None:
        tools = seen.get(place.server)
        if tools is None:
            return None
        return dict(tools) if place.tool is None else {name: tools[name] for name in tools if name == place.tool}
    return {name: tool for tools in seen.values() for name, tool in tools.items()} if seen else None


def _arguments(definition: Mapping[str, Any]) -> set[str] | None:
    """The arguments that a tool takes; `None` if it takes any."""
    schema = definition.get("inputSchema") or {}
    is_open = schema.get("additionalProperties") or schema.get("patternProperties")
    is_open = is_open or any(key in schema for key in ("allOf", "anyOf", "oneOf", "$ref"))
    return None if is_open or "properties" not in schema else set(schema["properties"])


def _unknown(key: str, named: Named, problem: str, known: Iterable[str]) -> Finding:
    return Finding(key, f'column {named.column}: "{named.name}" {problem}{near(named.name, known)}')


def near(name: str, known: Iterable[str]) -> str:
    """A suggestion, or the names that there are."""
    names = list(known)
    found = get_close_matches(name, names, n=1)
    if found:
        return f'; did you mean "{found[0]}"?'
    return f" (there are: {', '.join(names[:10])}{', …' if len(names) > 10 else ''})" if names else ""
