"""HTTP as it comes off the wire: uvicorn's fast parser, with an end to how long a request's head may be.

The parser itself keeps whatever comes until the head is complete, so the connection counts what it was sent.
"""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_HEAD = 64 * 1024  # address and headers together


class Bounded(HttpToolsProtocol):
    """One connection of a client."""

    _head = 0  # bytes that came since the head of a request began; a body that comes along counts until it is read

    def data_received(self, data: bytes) -> None:
        if self._head > LONGEST_HEAD:
            if not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")
            return
        self._head += len(data)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._head = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head = 0
        super().on_message_complete()
