"""Shared code of the MCP servers: the signed-in user and structured results."""

from __future__ import annotations

from collections.abc import Callable

import mcp_types as types
import msgspec
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST

from sayso.identity.principal import Principal

Identify = Callable[[], Principal | None]


def signed_in(identify: Identify) -> Principal:
    """The signed-in user. A call never acts for anyone else."""
    principal = identify()
    if principal is None:
        raise MCPError(code=INVALID_REQUEST, message="nobody is signed in")
    return principal


def structured(outcome: msgspec.Struct, *, is_error: bool) -> types.CallToolResult:
    """A result as text and as a structure."""
    text = msgspec.json.encode(outcome)
    return types.CallToolResult(
        content=[types.TextContent(text=text.decode())],
        structured_content=msgspec.json.decode(text),
        is_error=is_error,
    )
