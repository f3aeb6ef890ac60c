"""A small MCP server with the tools of a file server, over stdio."""

from __future__ import annotations

import asyncio
from pathlib import Path

import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server

TEXT = {"type": "string"}
TAKES = {
    "read_text_file": (["path"], types.ToolAnnotations(read_only_hint=True)),
    "write_file": (["path", "content"], types.ToolAnnotations(destructive_hint=True)),
    "create_directory": (["path"], types.ToolAnnotations(destructive_hint=False)),
}


def tool(name):
    names, hints = TAKES[name]
    schema = {"type": "object", "properties": dict.fromkeys(names, TEXT), "required": names}
    return types.Tool(name=name, description=f"The tool {name}.", input_schema=schema, annotations=hints)


async def list_tools(_ctx, _params):
    return types.ListToolsResult(tools=[tool(name) for name in TAKES])


async def call_tool(_ctx, params):
    return run(params.name, params.arguments or {})


def run(name, given):
    path = Path(given["path"])
    try:
        if name == "read_text_file":
            return result(path.read_bytes().decode())
        if name == "write_file":
            path.write_bytes(given["content"].encode())
        else:
            path.mkdir(exist_ok=True)
    except OSError as problem:
        return result(str(problem), is_error=True)
    return result("done")


def result(text, *, is_error=False):
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=is_error)


async def main():
    server = Server("files", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
