"""Translates a model's proposal into the names and types of the pack's tools.

{"deviceName": "Oven", "value": "180°C", "force": true} → device_id "Oven", value 180; no parameter takes `force`.
This module trusts nothing: `support` decides whether a value may be used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from sayso.case import Proposal
from sayso.engine.grammar.pack import Pack, Param, Tool
from sayso.engine.text.similarity import is_within

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NUMBER = re.compile(r"[-\u2212+]?\d{1,15}(?:[.,]\d{1,15})?")
_WRAPPERS = frozenset({"arguments", "args", "parameters", "params", "input"})
_DEEPEST = 3  # texts of JSON within texts of JSON
_LONGEST_NAME = 100


class Offer(NamedTuple):
    """A proposed call that names one of our tools. `unknown` are the keys that belong to none of its parameters, and
    `contrary` the parameters whose values contradict the words."""

    tool: str
    arguments: dict[str, Any]
    unknown: tuple[str, ...]
    contrary: tuple[str, ...] = ()


def sanitise(proposal: Proposal, pack: Pack) -> Offer | None:
    """The proposal in our terms, or `None` if it names none of our tools."""
    name = _tool(proposal.tool, pack)
    if name is None:
        return None
    tool = pack.tools[name]
    found: dict[str, Any] = {}
    unknown: list[str] = []
    for key, value in _entries(proposal.arguments, tool):
        param = _param(key, tool)
        if param is None:
            unknown.append(key)
        elif param not in found or key == param:  # the exact name takes precedence over a similar one
            found[param] = in_type(value, tool.params[param])
    return Offer(name, {key: value for key, value in found.items() if value is not UNFIT}, tuple(unknown))


def _tool(said: str, pack: Pack) -> str | None:
    """The tool with this name or intent, in upper or lower case, and with a possible typo."""
    if said in pack.tools:
        return said
    wanted = "_".join(_words(said))
    names = {
        "_".join(_words(alias)): name for name, tool in pack.tools.items() for alias in (tool.intent, name) if alias
    }
    if wanted in names:
        return names[wanted]
    close = {name for alias, name in names.items() if is_within(1, wanted, alias)}
    return close.pop() if len(close) == 1 and len(wanted) > 5 else None


def _entries(arguments: Any, tool: Tool) -> Iterable[tuple[str, Any]]:
    """The keys with their values; an object in a text, or in a wrapper, is unpacked."""
    for _ in range(_DEEPEST):
        if isinstance(arguments, str):
            arguments = from_json(arguments)
        if not isinstance(arguments, dict):
            return ()
        inner = next(iter(arguments)) if len(arguments) == 1 else ""
        if inner in tool.params or not isinstance(inner, str) or inner.casefold() not in _WRAPPERS:
            break
        arguments = arguments[inner]
    return [(key, value) for key, value in arguments.items() if isinstance(key, str)]


def from_json(text: str) -> Any:
    """The JSON in a text, or None."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _words(name: str) -> tuple[str, ...]:
    """ "taskTitle", "task-title", "Task Title" → task, title."""
    spaced = _HUMPS.sub(" ", name[:_LONGEST_NAME])
    return tuple(re.split(r"[\W_]+", spaced.casefold().strip(" _-.")))


def _param(key: str, tool: Tool) -> str | None:
    """The parameter that a key means: by its name, one of its other names, or the only one that shares its words."""
    if key in tool.params:
        return key
    said = _words(key)
    for name, param in tool.params.items():
        if said in map(_words, (name, *param.also)):
            return name
    near = [name for name in tool.params if _has_all_of(set(said), set(_words(name)))]
    return near[0] if len(near) == 1 else None


def _has_all_of(some: set[str], others: set[str]) -> bool:
    """Whether one of two sets of words has all words of the other."""
    return some <= others or others <= some


class _Unfit:
    """Not a value: the proposed one does not have the parameter's type."""


UNFIT = _Unfit()


def in_type(value: Any, param: Param) -> Any:
    """A value in the type of the parameter's schema, or UNFIT."""
    types = _types(param)
    if value is None:
        return None if "null" in types else UNFIT
    if "array" in types:
        return _listed(value)
    if isinstance(value, (list, tuple)):
        return in_type(value[0], param) if len(value) == 1 else UNFIT
    if isinstance(value, dict):
        return value if "object" in types or not types else UNFIT
    return _plain(value, types)


def _types(param: Param) -> frozenset[str]:
    wanted = param.schema.get("type")
    return frozenset([wanted] if isinstance(wanted, str) else wanted or ())


def _plain(value: Any, types: frozenset[str]) -> Any:
    """A text, a number or a truth value in one of these types, or UNFIT."""
    if types & {"number", "integer"} and "string" not in types:
        return _number(value, whole="number" not in types)
    if "boolean" in types:
        return _truth(value)
    if "string" in types:
        return str(value) if not isinstance(value, bool) else UNFIT
    return value


def _listed(value: Any) -> Any:
    if isinstance(value, str):
        read = from_json(value)
        value = read if isinstance(read, list) else [part.strip() for part in value.split(",") if part.strip()]
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _number(value: Any, *, whole: bool) -> Any:
    """ "-16 gradi", "4,5" and 7.0 as numbers."""
    if isinstance(value, str):
        found = _NUMBER.findall(value)
        if len(found) != 1:
            return value if not found else UNFIT  # a number in words may still be read later
        value = float(found[0].replace(",", ".").replace("\u2212", "-"))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return UNFIT
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return UNFIT if whole and isinstance(value, float) else value


def _truth(value: Any) -> Any:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().casefold(), UNFIT)
    return value if isinstance(value, bool) else UNFIT
