"""The tools that an MCP server lists, as frozen values.

The input may be `{"tools": [...]}`, only the list, or the whole JSON-RPC answer. Servers write schemas with references,
unions and nulls; the parameters here have them resolved.
"""

from __future__ import annotations

from textwrap import shorten
from typing import Any, NamedTuple

import msgspec

from sayso.errors import BadData

_LONGEST = 300  # characters of a description
_DEEPEST = 8  # references in references
_NUMBERS = ("minimum", "maximum", "minLength", "maxLength")
_HOW = "Save the server's tools/list result and pass that file."

_ALL = "Ask for the next pages as well, and put the tools of all of them into one list."


class Listed(NamedTuple):
    """A parameter as the server lists it."""

    name: str
    schema: dict[str, Any]  # the keywords that a pack's schema may have
    required: bool
    default: Any  # None if the server gives none
    description: str

    @property
    def types(self) -> frozenset[str]:
        given = self.schema.get("type", ())
        return frozenset([given] if isinstance(given, str) else given) - {"null"}


class ListedTool(NamedTuple):
    """A tool as the server lists it."""

    name: str
    description: str
    params: tuple[Listed, ...]
    gives: tuple[str, ...]  # the fields of its result, if the server lists them
    reads: bool | None  # readOnlyHint; None: the server does not say
    destroys: bool | None  # destructiveHint; None: the server does not say


def read_catalogue(data: bytes | str, source: str) -> tuple[ListedTool, ...]:
    """The tools of a `tools/list` answer, or BadData that says what to do."""
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadData(source, "(file)", f"not valid JSON: {problem}", _HOW) from problem
    tools = _tools_in(found)
    if tools is None:
        raise BadData(source, "(top)", "no list of tools found", _HOW)
    if isinstance(found, dict) and _object(found.get("result", found)).get("nextCursor"):
        raise BadData(source, "nextCursor", "the server has more tools than these", _ALL)
    listed: dict[str, ListedTool] = {}
    for number, tool in enumerate(tools):
        if not isinstance(tool, dict) or not isinstance(tool.get("name"), str) or not tool["name"].strip():
            raise BadData(source, f"tools[{number}]", "the tool has no name", _HOW)
        listed[tool["name"]] = _tool(tool)
    if not listed:
        remedy = "Run tools/list again; sign in first if the server requires it."
        raise BadData(source, "tools", "the list is empty", remedy)
    return tuple(listed.values())


def _tools_in(found: Any) -> list[Any] | None:
    if isinstance(found, dict):
        inner = found.get("tools", found.get("result"))
        return _tools_in(inner) if isinstance(inner, dict) else inner if isinstance(inner, list) else None
    return found if isinstance(found, list) else None


def _tool(tool: dict[str, Any]) -> ListedTool:
    hints = _object(tool.get("annotations"))
    reads, destroys = hints.get("readOnlyHint"), hints.get("destructiveHint")
    return ListedTool(
        name=tool["name"],
        description=shorten(_described(tool, hints), _LONGEST, placeholder=" …"),
        params=_params(_object(tool.get("inputSchema"))),
        gives=tuple(_fields(_object(tool.get("outputSchema")))),
        reads=reads if isinstance(reads, bool) else None,
        destroys=destroys if isinstance(destroys, bool) else None,
    )


def _described(tool: dict[str, Any], hints: dict[str, Any]) -> str:
    return _text(tool.get("description")) or _text(tool.get("title")) or _text(hints.get("title"))


def _params(root: dict[str, Any]) -> tuple[Listed, ...]:
    required = root.get("required")
    named = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    return tuple(_param(name, _object(schema), root, name in named) for name, schema in _properties(root).items())


def _param(name: str, schema: dict[str, Any], root: dict[str, Any], required: bool) -> Listed:
    plain = resolved(schema, root)
    default = schema.get("default", plain.get("default"))
    description = _text(schema.get("description")) or _text(plain.get("description"))
    return Listed(name, _kept(plain, root), required and default is None, default, description)


def _kept(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """The valid keywords that a pack's schema may have."""
    kept: dict[str, Any] = {}
    types = schema.get("type")
    if isinstance(types, str) or (isinstance(types, list) and all(isinstance(one, str) for one in types)):
        kept["type"] = types
    if isinstance(schema.get("enum"), list):
        kept["enum"] = schema["enum"]
    if isinstance(schema.get("format"), str):
        kept["format"] = schema["format"]
    for key in _NUMBERS:
        limit = schema.get(key)
        if isinstance(limit, (int, float)) and not isinstance(limit, bool):
            kept[key] = limit
    items = resolved(_object(schema.get("items")), root).get("type")
    if isinstance(items, str):
        kept["items"] = {"type": items}
    return kept


def resolved(schema: dict[str, Any], root: dict[str, Any], depth: int = 0) -> dict[str, Any]:
    """A schema without references and unions. A union becomes one schema with the types and values of all its
    members."""
    if depth > _DEEPEST:
        return {}
    if isinstance(schema.get("$ref"), str):
        inner = resolved(_pointed_at(schema["$ref"], root), root, depth + 1)
        return {**inner, **{key: value for key, value in schema.items() if key != "$ref"}}
    if "const" in schema:
        return {**schema, "enum": [schema["const"]]}
    for union in ("anyOf", "oneOf", "allOf"):
        members = schema.get(union)
        if isinstance(members, list) and members:
            ways = [resolved(_object(member), root, depth + 1) for member in members]
            rest = {key: value for key, value in schema.items() if key != union}
            return {**_joined(ways), **rest}
    return schema


def _joined(ways: list[dict[str, Any]]) -> dict[str, Any]:
    types: list[str] = []
    values: list[Any] = []
    for way in ways:
        given = way.get("type", ())
        types.extend([given] if isinstance(given, str) else given)
        values.extend(way.get("enum", ()) if isinstance(way.get("enum"), list) else ())
    merged: dict[str, Any] = {}
    for way in reversed([way for way in ways if way.get("type") != "null"]):
        merged |= way
    said = list(dict.fromkeys(types))
    if said:
        merged["type"] = said if len(said) > 1 else said[0]
    if values:
        merged["enum"] = [*values, *([None] if "null" in said and None not in values else [])]
    return merged


def _pointed_at(reference: str, root: dict[str, Any]) -> dict[str, Any]:
    found: Any = root
    for step in reference.removeprefix("#").strip("/").split("/"):
        found = _object(found).get(step)
    return _object(found)


def _fields(root: dict[str, Any]) -> list[str]:
    """The fields of the result; if the result is a list, the fields of its entries."""
    properties = _properties(root)
    for inner in (resolved(_object(schema), root) for schema in properties.values()):
        entry = resolved(_object(inner.get("items")), root)
        if _properties(entry):
            return [*_properties(entry)]
    return [*properties]


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in _object(schema.get("properties")).items()}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
