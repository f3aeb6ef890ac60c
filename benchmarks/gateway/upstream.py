"""A server for the gateway's proofs to stand before: tasks and notes in memory, which count what is done to them."""

from __future__ import annotations

import asyncio
import threading
import time
from types import TracebackType
from typing import Any, Self

import mcp_types as types
import uvicorn
from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool

TEXT = {"type": "string"}
TOOLS: dict[str, dict[str, Any]] = {
    "add_task": {"title": TEXT, "description": TEXT, "priority": TEXT, "due": TEXT},
    "list_tasks": {"limit": {"type": "integer"}},
    "complete_task": {"task_identifier": TEXT},
    "delete_task": {"task_identifier": TEXT},
    "show_note": {"name": TEXT},
    "write_note": {"name": TEXT, "text": TEXT},
    "delete_note": {"name": TEXT},
}
TITLES = ("Call mom", "Call the bank", "Buy milk", "Water the plants")


class Upstream:
    """What it lists and answers can be poisoned; what it is told to do is counted."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.description, self.text, self.title, self.error = "", "", "", ""
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    async def list_tools(self, _ctx: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[self._tool(name) for name in TOOLS])

    async def call_tool(self, _ctx: Any, params: types.CallToolRequestParams) -> CallToolResult:
        if params.name == "show_note" and self.error:
            raise MCPError(code=types.INTERNAL_ERROR, message=self.error)
        if params.name != "list_tasks":
            self.ran.append((params.name, params.arguments or {}))
        titles = (*TITLES, self.title) if self.title else TITLES
        tasks = [{"id": f"t{number}", "title": title, "status": "pending"} for number, title in enumerate(titles, 1)]
        content = {"said": self.text, "tasks": tasks if params.name == "list_tasks" else []}
        return CallToolResult(content=[TextContent(text=self.text or "done")], structured_content=content)

    def _tool(self, name: str) -> Tool:
        schema = {"type": "object", "properties": TOOLS[name]}
        return Tool(name=name, description=f"{name}. {self.description}", input_schema=schema)

    @property
    def url(self) -> str:
        if self._server is None:
            raise RuntimeError("it is not served")
        return f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}/mcp"

    def __enter__(self) -> Self:
        server: Server[Any] = Server("upstream", on_list_tools=self.list_tools, on_call_tool=self.call_tool)
        app = server.streamable_http_app(stateless_http=True, json_response=True)
        self._server = uvicorn.Server(uvicorn.Config(app, port=0, http="h11", log_level="error"))
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    async def _serve(self) -> None:
        if self._server is not None:
            await self._server.serve()

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(10)
