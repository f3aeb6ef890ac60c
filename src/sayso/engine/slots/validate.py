"""Validates arguments against the tool's JSON Schema, for the keywords that packs use."""

from __future__ import annotations

import re
from typing import Any, Literal

from sayso.engine.grammar.pack import Tool

Fault = Literal["invalid", "missing"]

_FLAGS = {"true": True, "false": False}
_WHOLE = re.compile(r"-?[0-9]{1,15}")

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
    "null": (type(None),),
}


def faults(tool: Tool, arguments: dict[str, Any]) -> dict[str, Fault]:
    """What is wrong, by parameter: missing, or not what the schema allows."""
    found: dict[str, Fault] = {}
    for name, param in tool.params.items():
        if name not in arguments:
            if param.required:
                found[name] = "missing"
        elif not fits(arguments[name], param.schema):
            found[name] = "invalid"
    if tool.at_least_one and not any(name in arguments for name in tool.at_least_one):
        found.update(dict.fromkeys(tool.at_least_one, "missing"))
    return found


def suited(value: Any, schema: dict[str, Any]) -> Any:
    """What was said, in the type that the schema wants: "42" as 42, "true" as true, one text as a list of one."""
    wanted = schema.get("type")
    names = [wanted] if isinstance(wanted, str) else wanted or []
    if not isinstance(value, str) or "string" in names:
        return value
    if value in _FLAGS and "boolean" in names:
        return _FLAGS[value]
    if _WHOLE.fullmatch(value) and not {"integer", "number"}.isdisjoint(names):
        return int(value)
    return [suited(value, schema.get("items", {}))] if "array" in names else value


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is allowed by a schema."""
    return (
        _fits_type(value, schema.get("type"))
        and ("enum" not in schema or value in schema["enum"])
        and _fits_length(value, schema)
        and _fits_range(value, schema)
    )


def _fits_type(value: Any, wanted: str | list[str] | None) -> bool:
    if wanted is None:
        return True
    names = [wanted] if isinstance(wanted, str) else wanted
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, _TYPES[name]) for name in names if name in _TYPES)


def _fits_length(value: Any, schema: dict[str, Any]) -> bool:
    if not isinstance(value, str):
        return True
    return int(schema.get("minLength", 0)) <= len(value) <= int(schema.get("maxLength", 1_000_000))


def _fits_range(value: Any, schema: dict[str, Any]) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return True
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
