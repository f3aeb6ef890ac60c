"""Asking the person through the client, in its era; and passing on what a server upstream asks.

Since 2026-07-28 a question is a result, and the client calls again with the answer. Before that it is sent over the
open connection.
"""

from __future__ import annotations

from typing import Any

import mcp_types as types
import msgspec
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from sayso.decision import Clarify
from sayso.gateway.messages import say
from sayso.gateway.values import Question, labels

PATIENCE = 600  # seconds that a person has to answer
ANSWER = "answer"

Context = ServerRequestContext[Any, Any]


def is_modern(ctx: Context) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def can_ask(ctx: Context) -> bool:
    """Whether the client can put a form to the person."""
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return False
    return is_modern(ctx) or ctx.session.can_send_request


def can_open(ctx: Context) -> bool:
    """Whether the client can send the person to a page."""
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None or elicitation.url is None:
        return False
    return is_modern(ctx) or ctx.session.can_send_request


def form(question: Question, lang: str | None) -> types.ElicitRequestFormParams:
    """A question as a form: a box that is ticked, so that accepting is the yes; options to choose from; or a line."""
    asks = question.asks
    field: dict[str, Any] = {"type": "boolean", "title": say(lang, "yes"), "default": True}
    if isinstance(asks, Clarify):
        field = {"type": "string", "title": say(lang, "choose")}
        field |= {"enum": labels(asks)} if asks.options else {"maxLength": 500}
    schema: dict[str, Any] = {"type": "object", "properties": {ANSWER: field}, "required": [ANSWER]}
    return types.ElicitRequestFormParams(message=asks.question, requested_schema=schema)


def given(answer: types.ElicitResult) -> str | bool | None:
    """What the person answered; None where they did not. A form that comes back empty is no yes."""
    value = (answer.content or {}).get(ANSWER) if answer.action == "accept" else None
    return value if isinstance(value, str | bool) else None


async def elicit(ctx: Context, params: types.ElicitRequestParams) -> types.ElicitResult | None:
    """Ask over the open connection; None where that fails."""
    try:
        return await ctx.session.send_request(
            types.ElicitRequest(params=params),
            types.ElicitResult,
            request_read_timeout_seconds=PATIENCE,
            metadata=ServerMessageMetadata(related_request_id=ctx.request_id),
        )
    except MCPError:
        return None


def refusal(status: str, message: str, **more: Any) -> types.CallToolResult:
    """A result that says why nothing was run; marked as an error, since it is not what the tool gives."""
    content = {"status": status, "message": message, **more}
    return types.CallToolResult(
        content=[types.TextContent(text=message)], structured_content=msgspec.to_builtins(content), is_error=True
    )
