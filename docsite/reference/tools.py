"""The tools of the MCP servers, as a client lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import mcp_types as types
import msgspec

from docsite.reference.comments import comments
from docsite.reference.markdown import code, link, page, sentence, table
from docsite.reference.shapes import fields, results
from sayso.devices import definitions as device_definitions
from sayso.devices import service as device_service
from sayso.devices import values as device_values
from sayso.tasks import definitions as task_definitions
from sayso.tasks import service as task_service
from sayso.tasks import values as task_values

ABOUT = """What `sayso mcp tasks` and `sayso mcp devices` offer to an MCP client: the schemas and hints are those that
it lists. More of both stands in [the task service](../tasks.md) and [the devices](../devices.md)."""
HINTS = {"read_only_hint": "reads only", "destructive_hint": "destroys", "idempotent_hint": "again changes nothing"}


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
    rows = ((link(one.name, code(one.name)), sentence(one.description or ""), _hints(one)) for one in listed)
    yield f"## The server {server.name}"
    yield table(("tool", "does", "hints"), rows)
    if server.name == "tasks":
        yield _resources()
    yield "Every result has:"
    shapes: dict[str, Any] = {}
    for one in listed:
        shapes |= (one.output_schema or {}).get("$defs", {})
    common = server.result.__struct_fields__
    yield results(_only(listed[0].output_schema or {}, common), link, comments(server.result))
    for one in listed:
        yield f"### {one.name}\n\n{sentence(one.description or '')}\n\nIt takes:"
        yield fields(one.input_schema)
        given = one.output_schema or {}
        yield "It gives, beside what every result has:"
        own = [name for name in given["properties"] if name not in common]
        yield results(_only(given, own), link, comments(server.gives[one.name]))
    for name in sorted(shapes):
        shape = getattr(server.values, name)
        yield f"### {name}\n\n{sentence(shapes[name].get('description', ''))}"
        yield results(shapes[name], link, comments(shape))


def _only(schema: dict[str, Any], names: Any) -> dict[str, Any]:
    """A schema with some of its fields alone."""
    kept = {name: field for name, field in schema["properties"].items() if name in names}
    return {**schema, "properties": kept}


def _hints(tool: types.Tool) -> str:
    told = tool.annotations.model_dump() if tool.annotations else {}
    return ", ".join(words for hint, words in HINTS.items() if told.get(hint))


def _resources() -> str:
    rows = [(code(one.uri), sentence(one.description or "")) for one in task_definitions.resources()]
    template = task_definitions.template()
    rows.append((code(template.uri_template), sentence(template.description or "")))
    return table(("resource", "holds"), rows)
