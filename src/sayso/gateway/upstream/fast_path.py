"""A fast path for calls that pass unchanged between HTTP clients and servers of the current protocol.

The calls are judged and recorded like any other, but they skip the SDK: the server's answer is forwarded as it is. All
other cases take the normal path: questions, answers, servers with an older protocol, an outdated list of tools.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import mcp_types as types
import msgspec
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sayso.gateway.proxy import Gateway
from sayso.gateway.values import Unchanged
from sayso.gateway.words import HISTORY_IN_META, WORDS_IN_META

MOST_BYTES = 1_000_000
_JSON, _ACCEPT = b"application/json", "application/json, text/event-stream"
_PASSED_ON = ("mcp-protocol-version", "mcp-method", "traceparent", "tracestate")
_MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError, RecursionError)
_OUR_META = frozenset((WORDS_IN_META, HISTORY_IN_META))


class FastPath:
    """Runs in front of the app and answers the calls that it can."""

    def __init__(self, app: ASGIApp, gateway: Gateway, path: str, security: TransportSecuritySettings | None) -> None:
        self._app, self._gateway, self._path = app, gateway, path
        self._security = TransportSecurityMiddleware(security)
        self._clients: dict[str, httpx2.AsyncClient] = {}
        self._streaming: set[str] = set()  # servers that answer with a stream of events, for the normal path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != self._path:
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        headers = request.headers
        modern = headers.get("mcp-protocol-version") in MODERN_PROTOCOL_VERSIONS
        if not modern or headers.get("mcp-method") != "tools/call" or "authorization" in headers:
            await self._app(scope, receive, send)
            return
        size = headers.get("content-length", "")
        if not size.isdigit() or int(size) > MOST_BYTES or await self._security.validate_request(request, is_post=True):
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        answer = await self._passed(headers, body)
        if answer is None:
            await self._app(scope, _again(body, receive), send)
            return
        sizes = [(b"content-type", _JSON), (b"content-length", str(len(answer)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": sizes})
        await send({"type": "http.response.body", "body": answer})

    async def _passed(self, headers: Any, body: bytes) -> bytes | None:
        """The server's answer, where the call passes unchanged; else None, and nothing was sent."""
        try:
            call = msgspec.json.decode(body)
            params = call["params"]
            name, meta, given = params["name"], params["_meta"], params.get("arguments") or {}
        except _MALFORMED:
            return None
        if call.get("method") != "tools/call" or "requestState" in params or "inputResponses" in params:
            return None
        if not (isinstance(name, str) and isinstance(meta, dict) and isinstance(given, dict)):
            return None
        unchanged = self._gateway.unchanged(name, given, meta)
        if unchanged is None or unchanged.url in self._streaming:
            return None
        params |= {"name": unchanged.wanted.tool, "arguments": unchanged.wanted.arguments}
        params["_meta"] = {key: value for key, value in meta.items() if key not in _OUR_META}
        sent = {key: value for key in _PASSED_ON if (value := headers.get(key)) is not None}
        sent |= {key: value for key, value in headers.items() if key.startswith("mcp-param-")}
        return await self._ask(unchanged, sent | {"mcp-name": unchanged.wanted.tool}, call)

    async def _ask(self, unchanged: Unchanged, sent: dict[str, str], call: dict[str, Any]) -> bytes | None:
        client = self._clients.get(unchanged.url)
        if client is None:
            client = self._clients[unchanged.url] = httpx2.AsyncClient(timeout=None)
        headers = {**sent, **unchanged.headers, "content-type": "application/json", "accept": _ACCEPT}
        try:
            async with asyncio.timeout(unchanged.deadline):
                answer = await client.post(unchanged.url, content=msgspec.json.encode(call), headers=headers)
        except TimeoutError:  # waiting once is enough
            return _instead(call, await self._gateway.late(unchanged))
        except httpx2.HTTPError:
            return None  # the normal path reports the error; a read may run twice
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            self._streaming.add(unchanged.url)
        failed = _outcome(answer)
        if failed is None:
            return None
        refused = await self._gateway.passed(unchanged, failed=failed)
        return answer.content if refused is None else _instead(call, refused)

    async def close(self) -> None:
        for client in self._clients.values():
            await client.aclose()


def _instead(call: dict[str, Any], result: types.CallToolResult) -> bytes:
    """What we say ourselves, in place of the server's answer."""
    told = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return msgspec.json.encode({"jsonrpc": "2.0", "id": call.get("id"), "result": told})


def _outcome(answer: httpx2.Response) -> bool | None:
    """Whether the call failed; None if it is not a result: an error, nonsense, or a question, which must be sealed."""
    try:
        result = msgspec.json.decode(answer.content)["result"]
        complete = answer.status_code == httpx2.codes.OK and result["resultType"] == "complete"
        return bool(result.get("isError")) if complete and isinstance(result["content"], list) else None
    except _MALFORMED:
        return None


async def _body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Callable[[], Any]:
    """What was received, to be received once more."""
    told = False

    async def first() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return first
