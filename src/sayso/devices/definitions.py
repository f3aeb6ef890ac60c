"""Tool definitions for clients and models: texts from tools.yaml, schemas from the values."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mcp_types as types
import msgspec

from sayso.devices.service import TOOLS
from sayso.files.datafile import read
from sayso.serving.definitions import ToolWords, tool


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    instructions: str
    tools: dict[str, ToolWords]


@cache
def _words() -> _Words:
    return read(Path(__file__).with_name("tools.yaml"), _Words)


def instructions() -> str:
    return _words().instructions


@cache
def tools() -> list[types.Tool]:
    """The four tools, in the order of the service."""
    return [tool(name, _words().tools[name], shape.takes, shape.gives) for name, shape in TOOLS.items()]
