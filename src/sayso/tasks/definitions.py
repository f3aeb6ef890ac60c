"""What a client is shown: tools with their schemas and annotations, and resources. The words are in tools.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import mcp_types as types
import msgspec

from sayso.datafile import read
from sayso.tasks.service import TOOLS


class _ToolWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    description: str
    annotations: dict[str, bool]
    parameters: dict[str, str]


class _ResourceWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    title: str
    description: str


class _TemplateWords(_ResourceWords, frozen=True, forbid_unknown_fields=True, kw_only=True):
    uri: str


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    instructions: str
    tools: dict[str, _ToolWords]
    resources: dict[str, _ResourceWords]
    template: _TemplateWords


@cache
def _words() -> _Words:
    return read(Path(__file__).with_name("tools.yaml"), _Words)


def instructions() -> str:
    return _words().instructions


@cache
def tools() -> list[types.Tool]:
    """The six tools, in the order of the service."""
    return [_tool(name, _words().tools[name]) for name in TOOLS]


def _tool(name: str, words: _ToolWords) -> types.Tool:
    takes = schema(TOOLS[name].takes)
    for parameter, described in words.parameters.items():
        takes["properties"][parameter]["description"] = described
    return types.Tool(
        name=name,
        title=words.title,
        description=words.description,
        input_schema=takes,
        output_schema=schema(TOOLS[name].gives),
        annotations=types.ToolAnnotations(title=words.title, **words.annotations),
    )


def schema(shape: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of a value, an object at its root as clients need it."""
    whole = msgspec.json.schema(shape, ref_template="#/$defs/{name}")
    others = dict(whole["$defs"])
    root: dict[str, Any] = others.pop(shape.__name__)
    root = {name: value for name, value in root.items() if name not in ("title", "description")}
    root.setdefault("required", [])
    return root | ({"$defs": others} if others else {})


def resources() -> list[types.Resource]:
    return [
        types.Resource(uri=uri, name=words.name, title=words.title, description=words.description, mime_type=JSON)
        for uri, words in _words().resources.items()
    ]


def template() -> types.ResourceTemplate:
    words = _words().template
    return types.ResourceTemplate(
        uri_template=words.uri, name=words.name, title=words.title, description=words.description, mime_type=JSON
    )


JSON = "application/json"
