"""The tools of the MCP servers, as a client lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import mcp_types as types
import msgspec

from docsite.reference.comments import comments
from docsite.reference.markdown import code, codes, link, page, sentence, table
from docsite.reference.shapes import fields, results
from sayso.devices import definitions as device_definitions
from sayso.devices import service as device_service
from sayso.devices import values as device_values
from sayso.tasks import definitions as task_definitions
from sayso.tasks import service as task_service
from sayso.tasks import values as task_values

ABOUT = """The tools of `sayso mcp tasks` and `sayso mcp devices`, as an MCP client lists them. How to run the servers:
[the task service](../tasks.md) and [devices](../devices.md). A result leaves out fields without a value."""
HINTS = {"read_only_hint": "read-only", "destructive_hint": "destructive", "idempotent_hint": "idempotent"}


class Served(NamedTuple):
    """A server: what it lists, what its tools give, and the values in that."""

    name: str
    tools: Callable[[], list[types.Tool]]
    gives: dict[str, type[msgspec.Struct]]
    result: type[msgspec.Struct]
    values: Any


SERVERS = (
    Served(
        "tasks",
        task_definitions.tools,
        {name: tool.gives for name, tool in task_service.TOOLS.items()},
        task_values.Result,
        task_values,
    ),
    Served(
        "devices",
        device_definitions.tools,
        {name: tool.gives for name, tool in device_service.TOOLS.items()},
        device_values.Result,
        device_values,
    ),
)


def all_tools() -> Iterator[types.Tool]:
    for server in SERVERS:
        yield from server.tools()


def markdown() -> str:
    return page("MCP tools", ABOUT, *(part for server in SERVERS for part in _server(server)))


def _server(server: Served) -> Iterator[str]:
    listed = server.tools()
    yield f"## The server {server.name}"
    if server.name == "tasks":
        yield _resources()
    shapes: dict[str, Any] = {}
    returned: dict[str, Any] = {}
    meanings = dict(comments(server.result))
    for one in listed:
        given = one.output_schema or {}
        shapes |= given.get("$defs", {})
        returned |= given["properties"]
        meanings = comments(server.gives[one.name]) | meanings
        yield f"### {one.name}\n\n{_told(one)}"
        if one.input_schema["properties"]:
            yield fields(one.input_schema)
        own = [name for name in given["properties"] if name not in server.result.__struct_fields__]
        yield f"Returns {codes(own)}."
    yield f"### Results of {server.name}\n\nEvery result has `status`. The other fields depend on the tool."
    yield results({"properties": returned}, link, meanings)
    for name in sorted(shapes):
        yield f"### {name}\n\n{sentence(shapes[name].get('description', ''))}"
        yield results(shapes[name], link, comments(getattr(server.values, name)))


def _told(tool: types.Tool) -> str:
    hints = _hints(tool)
    return f"{sentence(tool.description or '')}{f' Hints: {hints}.' if hints else ''}"


def _hints(tool: types.Tool) -> str:
    told = tool.annotations.model_dump() if tool.annotations else {}
    return ", ".join(words for hint, words in HINTS.items() if told.get(hint))


def _resources() -> str:
    rows = [(code(one.uri), sentence(one.description or "")) for one in task_definitions.resources()]
    template = task_definitions.template()
    rows.append((code(template.uri_template), sentence(template.description or "")))
    return table(("resource", "holds"), rows)
