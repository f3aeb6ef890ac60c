"""The MCP server `tasks`: six tools, resources and completions."""

from __future__ import annotations

import logging
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from sayso.database.pool import Unavailable
from sayso.identity.principal import Principal
from sayso.protocol import Context, seal
from sayso.serving.arguments import Unusable, idempotency_key
from sayso.serving.asking import call_with_confirmation
from sayso.serving.server import Identify, signed_in, structured
from sayso.tasks import definitions
from sayso.tasks.arguments import read_arguments
from sayso.tasks.ask import Deleting
from sayso.tasks.messages import say
from sayso.tasks.resources import Resources
from sayso.tasks.service import TOOLS, TaskService
from sayso.tasks.values import DeleteTask, Result

NAME = "tasks"

_log = logging.getLogger(__name__)


def make_server(
    service: TaskService, identify: Identify, *, version: str, state_keys: tuple[str, ...] = ()
) -> Server[Any]:
    """The server. Replicas must share `state_keys`. Without keys, only this process can continue a question that it
    asked."""
    handlers = _Handlers(service, identify)
    resources = Resources(service, handlers.who)
    server: Server[Any] = Server(
        NAME,
        version=version,
        title="Sayso tasks",
        instructions=definitions.instructions(),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
        on_completion=resources.complete,
        get_tool_input_schema=handlers.input_schema,
    )
    seal(server, f"sayso {NAME}", state_keys)
    return server


class _Handlers:
    def __init__(self, service: TaskService, identify: Identify) -> None:
        self._service, self._identify = service, identify

    def who(self) -> Principal:
        return signed_in(self._identify)

    def input_schema(self, name: str) -> dict[str, Any] | None:
        return next((tool.input_schema for tool in definitions.tools() if tool.name == name), None)

    async def list_tools(self, _ctx: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=definitions.tools())

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        who = self.who()
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {params.name}")
        try:
            given = read_arguments(tool.takes, params.arguments or {}, who.language)
            key = idempotency_key(ctx.meta, who.language)
            if isinstance(given, DeleteTask):
                outcome = await call_with_confirmation(Deleting(self._service, who, given, key), ctx, params)
                return outcome if isinstance(outcome, types.InputRequiredResult) else _result(outcome)
            return _result(await self._service.call(who, params.name, given, key))
        except Unusable as problem:
            return _result(tool.gives(status="error", reason="invalid", error_message=str(problem)))
        except Unavailable as problem:
            _log.warning("the database does not answer: %s", problem)
            message = say(who.language, "unavailable")
            return _result(tool.gives(status="error", reason="unavailable", error_message=message))


def _result(outcome: Result) -> types.CallToolResult:
    return structured(outcome, is_error=outcome.status == "error")
