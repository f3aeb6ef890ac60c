"""Builds tool definitions for clients: schemas from our values, texts and annotations from a file."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import msgspec


class ToolWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entry of a tool in tools.yaml."""

    title: str
    description: str
    annotations: dict[str, bool]
    parameters: dict[str, str]


def tool(name: str, words: ToolWords, takes: type[msgspec.Struct], gives: type[msgspec.Struct]) -> types.Tool:
    """The tool as a client lists it."""
    given = schema(takes)
    for parameter, described in words.parameters.items():
        given["properties"][parameter]["description"] = described
    return types.Tool(
        name=name,
        title=words.title,
        description=words.description,
        input_schema=given,
        output_schema=schema(gives),
        annotations=types.ToolAnnotations(title=words.title, **words.annotations),
    )


def schema(shape: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of a value, with an object at its root, as clients require."""
    whole = msgspec.json.schema(shape, ref_template="#/$defs/{name}")
    others = dict(whole["$defs"])
    root: dict[str, Any] = others.pop(shape.__name__)
    root = {name: value for name, value in root.items() if name not in ("title", "description")}
    root.setdefault("required", [])
    return root | ({"$defs": others} if others else {})
