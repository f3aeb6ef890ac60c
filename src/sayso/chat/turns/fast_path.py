"""A fast path for ordinary messages that want JSON. Every other request takes the usual route.

The route alone defines, describes and refuses messages: this path accepts a subset of what the route accepts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sayso.assistant.values import Reply
from sayso.chat.guards.guard import language_of
from sayso.chat.guards.problems import problem_of
from sayso.chat.routes.contract import LONGEST_MESSAGE
from sayso.chat.routes.shapes import is_internal
from sayso.chat.turns.service import ChatService
from sayso.chat.turns.watch import may_have_changed
from sayso.errors import SaysoError
from sayso.serving.metrics import Metrics

_PATH = re.compile(r"/v1/conversations/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/messages")
_JSON = b"application/json"
_PLAIN = ([_JSON], [_JSON, _JSON], [_JSON, b"*/*"], [b"*/*", _JSON])  # content-type and accept, in any order
_ENCODER = msgspec.json.Encoder(order="deterministic")


class _Route(NamedTuple):
    """What the figures and logs call it: as the route itself."""

    path: str = "/v1/conversations/{conversation}/messages"


class _Said(msgspec.Struct, forbid_unknown_fields=True):
    """A message as the route takes it."""

    client_message_id: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    content: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_MESSAGE)]


_SAID = msgspec.json.Decoder(_Said)
_ROUTE = _Route()


class ShortWay:
    """Answers plain messages, and leaves all else to the routes."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        place = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if place is None or not _is_plain(scope["headers"]):
            await self._app(scope, receive, send)
            return
        try:
            came = await _came(receive)
            said = _said(came)
            reply = await self._answer(scope, UUID(place[1]), said) if said is not None else None
        except (SaysoError, HTTPException) as error:
            problem = problem_of(error)
            if problem.kind == "failed":
                raise
            await problem.response(language_of(scope))(scope, receive, send)
            return
        if reply is None:
            await self._app(scope, _again(came, receive), send)
            return
        body = _ENCODER.encode(reply)
        headers = [(b"content-length", b"%d" % len(body)), (b"content-type", _JSON)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, conversation: UUID, said: _Said) -> Reply:
        scope["route"] = _ROUTE
        service: ChatService = scope["app"].state.service
        who = scope["state"]["principal"]
        with self._metrics.turn("message"):
            reply = await service.message(who, conversation, said.client_message_id, said.content)
        self._metrics.decisions(reply.decisions)
        if may_have_changed(reply):
            scope["app"].state.watch.nudge(who.id)
        return reply


def _is_plain(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether it brings JSON, and takes it, as most clients say so."""
    told = [value for name, value in headers if name in (b"content-type", b"accept")]
    return told in _PLAIN


async def _came(receive: Receive) -> list[Message]:
    """All that comes of the body."""
    came = [await receive()]
    while came[-1].get("more_body"):
        came.append(await receive())
    return came


def _said(came: Sequence[Message]) -> _Said | None:
    """What the body says, where it came whole and is right."""
    if came[-1]["type"] != "http.request":
        return None
    try:
        said = _SAID.decode(b"".join(each.get("body", b"") for each in came))
    except (msgspec.MsgspecError, ValueError):
        return None
    if is_internal(said.client_message_id) or "\x00" in said.client_message_id or "\x00" in said.content:
        return None
    return said


def _again(came: list[Message], receive: Receive) -> Receive:
    """What comes, from the beginning."""
    came.reverse()

    async def received() -> Message:
        return came.pop() if came else await receive()

    return received
