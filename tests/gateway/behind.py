"""A small MCP server for the gateway to proxy in tests: of either era, over stdio or HTTP.

It writes down what it is called with and changes nothing, so that many tests can share one.

    python behind.py ERA LOG
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from pathlib import Path

import mcp_types as types
import uvicorn
from mcp.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

NEW, OLD = "2026-07-28", "2025-11-25"
HINTS = {
    "add_task": types.ToolAnnotations(destructive_hint=False),
    "list_tasks": types.ToolAnnotations(read_only_hint=True),
    "complete_task": types.ToolAnnotations(destructive_hint=False),
    "delete_task": types.ToolAnnotations(destructive_hint=True),
    "book_table": types.ToolAnnotations(read_only_hint=True),
    "wait": types.ToolAnnotations(read_only_hint=True),
}
TEXT = {"type": "string"}
TAKES = {
    "add_task": ({"title": TEXT, "description": TEXT, "priority": TEXT, "due": TEXT}, ["title"]),
    "list_tasks": ({"filter": TEXT, "limit": {"type": "integer"}}, []),
    "complete_task": ({"task_identifier": TEXT}, ["task_identifier"]),
    "delete_task": ({"task_identifier": TEXT}, ["task_identifier"]),
    "book_table": ({"place": TEXT}, ["place"]),
    "wait": ({"seconds": {"type": "number"}}, []),
}
TITLES = ("Call mom", "Call the bank", "Buy milk")
TASKS = [{"id": f"t{number}", "title": title, "status": "pending"} for number, title in enumerate(TITLES, 1)]
SEATS = {"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]}
SEATS_ASKED = "For how many?"


class Behind:
    """The handlers."""

    def __init__(self, era, log, name="behind"):
        self._era, self._log, self._name = era, log, name

    def server(self):
        server = Server(
            "behind",
            version="1",
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
            on_completion=self.complete,
        )
        server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience="behind"))
        return server

    async def list_tools(self, _ctx, _params):
        return types.ListToolsResult(tools=[tool(name) for name in TAKES])

    async def call_tool(self, ctx, params):
        if params.name not in TAKES:
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool: {params.name}")
        given = params.arguments or {}
        if params.name == "book_table":
            answer = await self.seats(ctx, params)
            if isinstance(answer, types.InputRequiredResult):
                return answer
            given = given | {"answer": answer.action, "seats": (answer.content or {}).get("seats")}
        if params.name == "wait":
            self.write("waiting", os.getpid())
            await asyncio.sleep(given.get("seconds", 60))
        self.write(params.name, given, *caller_of(ctx))
        content = {"tool": params.name, "given": given} | ({"tasks": TASKS} if params.name == "list_tasks" else {})
        return types.CallToolResult(content=[types.TextContent(text="ran")], structured_content=content)

    async def list_resources(self, _ctx, params):
        """Three, a page each."""
        number = int(params.cursor) if params and params.cursor else 1
        resource = types.Resource(uri=f"list://{self._name}/{number}", name=f"list {number}", mime_type="text/plain")
        return types.ListResourcesResult(resources=[resource], next_cursor=str(number + 1) if number < 3 else None)

    async def list_templates(self, _ctx, _params):
        template = types.ResourceTemplate(uri_template=f"task://{self._name}/{{id}}", name="task")
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, _ctx, params):
        if self._name not in params.uri:
            raise MCPError(code=types.INVALID_PARAMS, message=f"not mine: {params.uri}")
        contents = [types.TextResourceContents(uri=params.uri, text=f"{self._name} reads {params.uri}")]
        return types.ReadResourceResult(contents=contents)

    async def list_prompts(self, _ctx, _params):
        argument = types.PromptArgument(name="day", required=True)
        return types.ListPromptsResult(prompts=[types.Prompt(name="plan", title="Plan", arguments=[argument])])

    async def get_prompt(self, _ctx, params):
        text = types.TextContent(text=f"{self._name} plans {(params.arguments or {})['day']}")
        message = types.PromptMessage(role="user", content=text)
        return types.GetPromptResult(description="A plan", messages=[message])

    async def complete(self, _ctx, params):
        name = getattr(params.ref, "name", None) or params.ref.uri
        values = [f"{self._name} {name} {params.argument.name} {params.argument.value}"]
        return types.CompleteResult(completion=types.Completion(values=values, total=1))

    def write(self, *what):
        with self._log.open("a") as log:
            log.write(json.dumps(what) + "\n")

    async def seats(self, ctx, params):
        """Ask the person, in the way of our era."""
        if self._era == OLD:
            return await ctx.session.elicit_form(SEATS_ASKED, SEATS, ctx.request_id)
        answer = (params.input_responses or {}).get("seats")
        if isinstance(answer, types.ElicitResult) and params.request_state == "booking":
            return answer
        form = types.ElicitRequestFormParams(message=SEATS_ASKED, requested_schema=SEATS)
        return types.InputRequiredResult(
            request_state="booking", input_requests={"seats": types.ElicitRequest(params=form)}
        )


def caller_of(ctx):
    """What a header of the request says, if there is one."""
    told = ctx.request.headers.get("x-who") if ctx.request else None
    return [told] if told else []


def tool(name):
    properties, required = TAKES[name]
    schema = {"type": "object", "properties": properties, "required": required}
    return types.Tool(name=name, description=f"The tool {name}.", input_schema=schema, annotations=HINTS[name])


class BeforeToday:
    """A server of before 2026-07-28 knows no header of today's revision."""

    def __init__(self, app):
        self._app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            theirs = [(name, value) for name, value in scope["headers"] if value != NEW.encode()]
            scope = scope | {"headers": theirs}
        await self._app(scope, receive, send)


def http_app(era, log, name="behind"):
    app = Behind(era, log, name).server().streamable_http_app(stateless_http=era == NEW, json_response=era == NEW)
    return BeforeToday(app) if era == OLD else app


class Serving(threading.Thread):
    """An app on a port of its own, in a thread, while it is entered. A `forced` end does not wait for its lifespan."""

    def __init__(self, app, port=0, *, forced=False):
        super().__init__(daemon=True)
        self._forced = forced
        config = uvicorn.Config(app, port=port, log_level="error", timeout_graceful_shutdown=0, interface="asgi3")
        self._server = uvicorn.Server(config)
        self._loop = None

    def run(self):
        asyncio.run(self._serve())

    async def _serve(self):
        self._loop = asyncio.get_running_loop()
        await self._server.serve()

    @property
    def port(self):
        return self._server.servers[0].sockets[0].getsockname()[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/mcp"

    def __enter__(self):
        self.start()
        while not self._server.started:
            assert self.is_alive(), "the server ended"
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self._server.should_exit, self._server.force_exit = True, self._forced
        self.join(60)
        assert not self.is_alive(), f"the server does not stop:\n{self._stacks()}"

    def _stacks(self):
        """Where each task of the server waits, down to the innermost coroutine."""
        found = []
        for task in asyncio.all_tasks(self._loop):
            found.append(task.get_name())
            waits = task.get_coro()
            while waits is not None and getattr(waits, "cr_frame", None) is not None:
                found.append(f"  {waits.cr_code.co_filename}:{waits.cr_frame.f_lineno} {waits.cr_code.co_name}")
                waits = waits.cr_await
        return "\n".join(found)


async def serve_stdio(era, log):
    server = Behind(era, log).server()
    async with stdio_server() as (incoming, outgoing):
        if era == OLD:
            await serve_loop(server, incoming, outgoing, lifespan_state={})
        else:
            await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(serve_stdio(sys.argv[1], Path(sys.argv[2])))
