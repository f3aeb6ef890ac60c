"""HTTP connections: uvicorn's fast parser, with limits on the size and duration of a request and on the number of
connections without an authenticated user.

The parser buffers everything until the head is complete, so the connection counts the bytes that it receives.
"""

from __future__ import annotations

import asyncio
from typing import Literal, TypeAlias

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

LONGEST_HEAD = 64 * 1024  # address and headers together
HEAD_SECONDS = 10.0  # for the whole head, from its first byte or from the connection's beginning
BODY_SECONDS = 30.0  # for the whole body
MOST_STRANGERS = 500  # connections of a process without an authenticated user
PROBES = ("/healthz", "/readyz", "/metrics")
_PROVED = "sayso.proved"
_LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_PROBE_PATHS = frozenset(path.encode() for path in PROBES)

Part: TypeAlias = Literal["head", "body"]


class Bounded(HttpToolsProtocol):
    """One connection of a client."""

    _head = 0  # bytes since the head of a request began; a body in the same data counts until it is read
    _missing: Part | None = None  # the part that the client has not finished sending
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        _make_room()
        _strangers[self] = None
        self._expect("head")

    def connection_lost(self, exc: Exception | None) -> None:
        _strangers.pop(self, None)
        self._expect(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._head > LONGEST_HEAD:
            if not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")
            return
        if self._missing is None:
            self._expect("head")
        self._head += len(data)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._head = 0
        self._expect("body")
        self.scope["extensions"] = {_PROVED: {"tell": self.prove}}
        probes = self.url.partition(b"?")[0] in _PROBE_PATHS  # probes have no connection limit
        self.limit_concurrency = None if probes else self.config.limit_concurrency
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head = 0
        self._expect(None)
        super().on_message_complete()

    def prove(self) -> None:
        """Mark this connection as authenticated."""
        _strangers.pop(self, None)

    @property
    def is_working(self) -> bool:
        """Whether a completely received request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle  # None until the first request; uvicorn's types do not say so
        return self._missing is None and cycle is not None and not cycle.response_complete

    def _expect(self, part: Part | None) -> None:
        """Start the timer for the part that the client must send."""
        if self._timer is not None:
            self._timer.cancel()
        seconds = BODY_SECONDS if part == "body" else HEAD_SECONDS
        self._missing, self._timer = part, self.loop.call_later(seconds, self._late) if part else None

    def _late(self) -> None:
        if self.transport.is_closing():
            return
        if self.flow.read_paused:  # we paused reading, so the client may have sent everything
            self._expect(self._missing)
            return
        if self._missing == "head" or not self.cycle.response_started:
            self.transport.write(_LATE)
        self.transport.close()


_strangers: dict[Bounded, None] = {}  # the oldest first


def _make_room() -> None:
    """If too many connections are not authenticated, close the oldest one that is not working on a request."""
    if len(_strangers) < MOST_STRANGERS:
        return
    oldest = next((each for each in _strangers if not each.is_working), None)
    if oldest is not None:
        _strangers.pop(oldest)
        oldest.transport.close()


def prove(scope: Scope) -> None:
    """Mark the connection of a request as authenticated."""
    told = scope.get("extensions", {}).get(_PROVED)
    if told is not None:
        told["tell"]()
