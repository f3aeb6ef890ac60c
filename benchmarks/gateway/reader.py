"""A small MCP server for the gateway to proxy: a read, and as many tools as are wanted.

python reader.py PORT [TOOLS]
"""

from __future__ import annotations

import sys
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server import Server

READ = types.ToolAnnotations(read_only_hint=True)


def main() -> None:
    port, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"name": {"type": "string", "description": "What to look for."}, "limit": {"type": "integer"}},
        "required": ["name"],
    }
    tools = [
        types.Tool(
            name=f"read_{number}", description=f"Look up a thing {number}.", input_schema=schema, annotations=READ
        )
        for number in range(count)
    ]

    async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(_ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(text=f"found {params.arguments}")])

    server: Server[Any] = Server("upstream", on_list_tools=list_tools, on_call_tool=call_tool)
    app = server.streamable_http_app(stateless_http=True, json_response=True)
    uvicorn.run(app, host="127.0.0.1", port=port, http="h11", log_level="error")


if __name__ == "__main__":
    main()
