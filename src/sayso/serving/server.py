"""What the MCP servers of ours have in common: who is signed in, questions that are sealed, results as structures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mcp_types as types
import msgspec
from mcp.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST

from sayso.identity.principal import Principal

Identify = Callable[[], Principal | None]


def signed_in(identify: Identify) -> Principal:
    """Whom the session proves; nobody else is ever acted for."""
    principal = identify()
    if principal is None:
        raise MCPError(code=INVALID_REQUEST, message="nobody is signed in")
    return principal


def seal(server: Server[Any], name: str, state_keys: tuple[str, ...], seconds: int) -> None:
    """Seal what the server asks. Replicas must share the keys; without any, a question lives in this process alone."""
    if state_keys:
        security = RequestStateSecurity(keys=list(state_keys), ttl=seconds)
    else:
        security = RequestStateSecurity.ephemeral(ttl=seconds)
    server.middleware.append(RequestStateBoundary(security, default_audience=f"sayso {name}"))


def structured(outcome: msgspec.Struct, *, is_error: bool) -> types.CallToolResult:
    """A result as text and as a structure."""
    text = msgspec.json.encode(outcome)
    return types.CallToolResult(
        content=[types.TextContent(text=text.decode())],
        structured_content=msgspec.json.decode(text),
        is_error=is_error,
    )
