"""Protocol support that all our MCP servers share, for both protocol versions.

Whether a client can ask its person, asking over the open connection, and the seal on what a client holds between a
question and its answer.
"""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from sayso.confirmation import PATIENCE

Context = ServerRequestContext[Any, Any]


def is_modern(ctx: Context) -> bool:
    """Whether a question is a result, since 2026-07-28; before that it goes over the open connection."""
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def can_ask(ctx: Context) -> bool:
    """Whether the client can put a form to the person."""
    elicitation = _elicitation(ctx)
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return False
    return is_modern(ctx) or ctx.session.can_send_request


def can_open(ctx: Context) -> bool:
    """Whether the client can send the person to a page."""
    elicitation = _elicitation(ctx)
    if elicitation is None or elicitation.url is None:
        return False
    return is_modern(ctx) or ctx.session.can_send_request


def _elicitation(ctx: Context) -> types.ElicitationCapability | None:
    capabilities = ctx.session.client_capabilities
    return capabilities.elicitation if capabilities else None


def client_name(ctx: Context) -> str:
    """What the client calls itself; empty if it does not say."""
    told = ctx.session.client_params
    return (told.client_info.title or told.client_info.name) if told is not None else ""


async def elicit(
    ctx: Context, params: types.ElicitRequestParams, *, patience: float = PATIENCE
) -> types.ElicitResult | None:
    """Ask over the open connection; None where that fails."""
    try:
        return await ctx.session.send_request(
            types.ElicitRequest(params=params),
            types.ElicitResult,
            request_read_timeout_seconds=patience,
            metadata=ServerMessageMetadata(related_request_id=ctx.request_id),
        )
    except MCPError:
        return None


def seal(server: Server[Any], audience: str, keys: tuple[str, ...], *, patience: int = PATIENCE) -> None:
    """Seal what clients hold for the server. Replicas must share the keys; without any it is for this process alone."""
    if keys:
        security = RequestStateSecurity(keys=list(keys), ttl=patience)
    else:
        security = RequestStateSecurity.ephemeral(ttl=patience)
    server.middleware.append(RequestStateBoundary(security, default_audience=audience))
