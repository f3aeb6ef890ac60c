"""A server of fastmcp's for the gateway to proxy; run by fastmcp_sides.py in fastmcp's own environment.

python fastmcp_server.py stdio | http PORT | old PORT
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import Any

from fastmcp import Context, FastMCP
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.middleware import Middleware

server = FastMCP("peer")
ran: list[list[Any]] = []
TITLES = ("Call mom", "Call the bank", "Buy milk")
SEATS = {"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]}


@dataclass
class Booking:
    """What is asked about a table."""

    seats: int


@server.tool(annotations={"readOnlyHint": True})
def list_tasks(limit: int = 50) -> dict[str, Any]:
    """List the tasks."""
    tasks = [{"id": f"t{number}", "title": title, "status": "pending"} for number, title in enumerate(TITLES, 1)]
    return {"tasks": tasks[:limit]}


@server.tool
def add_task(title: str, priority: str = "medium", due: str | None = None) -> dict[str, Any]:
    """Add a task."""
    return note("add_task", title, priority, due)


@server.tool
def complete_task(task_identifier: str) -> dict[str, Any]:
    """Complete a task."""
    return note("complete_task", task_identifier)


@server.tool
def delete_task(task_identifier: str) -> dict[str, Any]:
    """Delete a task."""
    return note("delete_task", task_identifier)


@server.tool(annotations={"readOnlyHint": True})
def list_ran() -> dict[str, Any]:
    """What ran since it was last asked."""
    told = list(ran)
    ran.clear()
    return {"ran": told}


@server.tool
async def book_table(ctx: Context) -> Any:
    """Book a table; asks for how many, in the way of the client's era."""
    if ctx.request_context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        answer = await ctx.elicit("For how many?", Booking)
        return note("book_table", answer.data.seats if answer.action == "accept" else answer.action)
    given = (ctx.input_responses or {}).get("seats")
    if isinstance(given, ElicitResult):
        return note("book_table", (given.content or {}).get("seats", given.action))
    form = ElicitRequestFormParams(message="For how many?", requested_schema=SEATS)
    return InputRequiredResult(request_state="booking", input_requests={"seats": ElicitRequest(params=form)})


def note(*what: Any) -> dict[str, Any]:
    ran.append(list(what))
    return {"did": list(what)}


class BeforeToday:
    """A server of before 2026-07-28 knows no header of today's revision."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            kept = [(name, value) for name, value in scope["headers"] if value.decode() not in MODERN_PROTOCOL_VERSIONS]
            scope = scope | {"headers": kept}
        await self._app(scope, receive, send)


async def main(how: str, port: str = "0") -> None:
    if how == "stdio":
        await server.run_stdio_async(show_banner=False, log_level="error")
    else:
        before = [Middleware(BeforeToday)] if how == "old" else []
        await server.run_http_async(show_banner=False, port=int(port), log_level="error", middleware=before)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
