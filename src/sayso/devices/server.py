"""The MCP server `devices`: four tools over the registry and the link."""

from __future__ import annotations

import logging
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from sayso.database.pool import Unavailable
from sayso.devices.ask import PATIENCE, Commanding
from sayso.devices.definitions import instructions, tools
from sayso.devices.messages import say
from sayso.devices.service import TOOLS, DeviceService
from sayso.devices.values import ExecuteCommand, Result
from sayso.protocol import Context, seal
from sayso.serving.arguments import Unusable, check_texts, idempotency_key, one_line, shaped
from sayso.serving.asking import call_with_confirmation
from sayso.serving.server import Identify, signed_in, structured

NAME = "devices"

_log = logging.getLogger(__name__)


def make_server(
    service: DeviceService, identify: Identify, *, version: str, state_keys: tuple[str, ...] = ()
) -> Server[Any]:
    """The server. Replicas must share `state_keys`. Without keys, only this process can continue a question that it
    asked."""
    handlers = _Handlers(service, identify)
    server: Server[Any] = Server(
        NAME,
        version=version,
        title="Sayso devices",
        instructions=instructions(),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        get_tool_input_schema=handlers.input_schema,
    )
    seal(server, f"sayso {NAME}", state_keys, patience=PATIENCE)
    return server


class _Handlers:
    def __init__(self, service: DeviceService, identify: Identify) -> None:
        self._service, self._identify = service, identify

    def input_schema(self, name: str) -> dict[str, Any] | None:
        return next((each.input_schema for each in tools() if each.name == name), None)

    async def list_tools(self, _ctx: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools())

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        who = signed_in(self._identify)
        shape = TOOLS.get(params.name)
        if shape is None:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {params.name}")
        try:
            arguments = {name: one_line(value) for name, value in (params.arguments or {}).items()}
            check_texts(arguments, who.language)
            given = shaped(shape.takes, arguments, who.language)
            key = idempotency_key(ctx.meta, who.language)
            if isinstance(given, ExecuteCommand):
                outcome = await call_with_confirmation(Commanding(self._service, who, given, key), ctx, params)
                return outcome if isinstance(outcome, types.InputRequiredResult) else _result(outcome)
            return _result(await self._service.call(who, params.name, given))
        except Unusable as problem:
            return _result(shape.gives(status="error", reason="invalid", error_message=str(problem)))
        except Unavailable as problem:
            _log.warning("the database does not answer: %s", problem)
            message = say(who.language, "unavailable")
            return _result(shape.gives(status="error", reason="unavailable", error_message=message))


def _result(outcome: Result) -> types.CallToolResult:
    return structured(outcome, is_error=outcome.status == "error")
