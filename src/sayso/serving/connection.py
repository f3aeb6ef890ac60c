"""HTTP as it comes off the wire: uvicorn's fast parser, with bounds on what a client may send, how long it may take,
and how many clients may stay that have not proved who they are.

The parser itself keeps whatever comes until the head is complete, so the connection counts what it was sent.
"""

from __future__ import annotations

import asyncio
from typing import Literal, TypeAlias

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_HEAD = 64 * 1024  # address and headers together
HEAD_SECONDS = 10.0  # for the whole head, from its first byte or from the connection's beginning
BODY_SECONDS = 30.0  # for the whole body
MOST_STRANGERS = 500  # connections of a process on which nobody has proved who they are
PROBES = ("/healthz", "/readyz", "/metrics")
_PROVED = "sayso.proved"
_LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_PROBE_PATHS = frozenset(path.encode() for path in PROBES)

Part: TypeAlias = Literal["head", "body"]


class Bounded(HttpToolsProtocol):
    """One connection of a client."""

    _head = 0  # bytes that came since the head of a request began; a body that comes along counts until it is read
    _missing: Part | None = None  # what the client has begun to send
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
        probes = self.url.partition(b"?")[0] in _PROBE_PATHS  # which are answered however many connections there are
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
        """Somebody on this connection has proved who they are."""
        _strangers.pop(self, None)

    @property
    def is_working(self) -> bool:
        """Whether a request that came whole is being answered."""
        if self._missing is not None or self.cycle is None:
            return False
        return not self.cycle.response_complete

    def _expect(self, part: Part | None) -> None:
        """Give the client time to send this."""
        if self._timer is not None:
            self._timer.cancel()
        seconds = BODY_SECONDS if part == "body" else HEAD_SECONDS
        self._missing, self._timer = part, self.loop.call_later(seconds, self._late) if part else None

    def _late(self) -> None:
        if self.transport.is_closing():
            return
        if self.flow.read_paused:  # by us: the client may have sent it all
            self._expect(self._missing)
            return
        if self._missing == "head" or not self.cycle.response_started:
            self.transport.write(_LATE)
        self.transport.close()


_strangers: dict[Bounded, None] = {}  # the oldest first


def _make_room() -> None:
    """Close the oldest connection of a stranger that waits for them, where there are too many."""
    if len(_strangers) < MOST_STRANGERS:
        return
    oldest = next((each for each in _strangers if not each.is_working), None)
    if oldest is not None:
        _strangers.pop(oldest)
        oldest.transport.close()


def prove(scope: Scope) -> None:
    """Tell the connection of a request that somebody has proved who they are."""
    told = scope.get("extensions", {}).get(_PROVED)
    if told is not None:
        told["tell"]()
