"""Tool and resource definitions for clients. The texts are in tools.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mcp_types as types
import msgspec

from sayso.files.datafile import read
from sayso.serving.definitions import ToolWords, tool
from sayso.tasks.service import TOOLS


class _ResourceWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    title: str
    description: str


class _TemplateWords(_ResourceWords, frozen=True, forbid_unknown_fields=True, kw_only=True):
    uri: str


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    instructions: str
    tools: dict[str, ToolWords]
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
    return [tool(name, _words().tools[name], shape.takes, shape.gives) for name, shape in TOOLS.items()]


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
