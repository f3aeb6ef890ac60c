"""A stub of an OpenAI-compatible endpoint, on loopback. It is no model: it answers what its script says, well or badly.

    with StubModel([calls(("add_task", {"title": "milk"})), says("It is on your list.")]) as stub:
        …  # SAYSO_MODEL_BASE_URL=stub.url

A step is a function that gets the handler of a request and writes whatever it likes; the last one serves for all that
come after it. `stub.asked` holds the requests as they came.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

Step = Callable[[BaseHTTPRequestHandler], None]


class Asked(NamedTuple):
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class StubModel:
    """Serves a script to one client after the other, until it is left."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps, self.asked = list(steps), list[Asked]()
        self._turn = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._handler())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            said: dict[str, Any]  # the body of the request, for a step that answers it

            def do_POST(self) -> None:
                self.said = body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with stub._turn:
                    stub.asked.append(Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                    step = stub.steps.pop(0) if len(stub.steps) > 1 else stub.steps[0]
                with suppress(OSError):  # whoever asked may have gone
                    step(self)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


def sends(body: bytes, *, status: int = 200, headers: dict[str, str] | None = None) -> Step:
    """Any body."""

    def step(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return step


def completion(message: dict[str, Any], finish: str = "stop") -> bytes:
    """The body of a good answer."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    whole = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "stub",
        "choices": [choice],
        "usage": usage,
    }
    return json.dumps(whole).encode()


def says(text: str | None) -> Step:
    return sends(completion({"content": text}))


def calls(*wanted: tuple[str, Any], text: str | None = None) -> Step:
    """Asks for these tools; arguments that are a text are sent as they are, so they can be broken."""

    def step(handler: BaseHTTPRequestHandler) -> None:
        listed = [
            {
                "id": f"call_{time.monotonic_ns()}_{number}",
                "type": "function",
                "function": {"name": tool, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for number, (tool, given) in enumerate(wanted)
        ]
        sends(completion({"content": text, "tool_calls": listed}, "tool_calls"))(handler)

    return step


def fails(status: int, headers: dict[str, str] | None = None) -> Step:
    return sends(json.dumps({"error": {"message": "as scripted"}}).encode(), status=status, headers=headers)


def hangs(seconds: float) -> Step:
    """Says nothing for so long, then answers."""

    def step(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(seconds)
        says("too late")(handler)

    return step


def drips(seconds: float) -> Step:
    """A letter every twentieth of a second: each read succeeds, and it never ends in time."""

    def step(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", "100000")
        handler.end_headers()
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)
        handler.close_connection = True

    return step


def cuts_off(handler: BaseHTTPRequestHandler) -> None:
    """Half of a good answer, then the end of the connection."""
    body = completion({"content": "It is on your list."})
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.close_connection = True


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    """No answer at all."""
    handler.close_connection = True
