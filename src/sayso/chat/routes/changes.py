"""The stream under /v1/events that tells a page when its list has changed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from pydantic import WithJsonSchema
from starlette.responses import Response

from sayso.chat.inside import Who, service_of, watch_of, written
from sayso.chat.routes import shapes
from sayso.chat.routes.described import problems
from sayso.chat.turns.stream import wants_events

router = APIRouter(prefix="/v1", tags=["tasks"])

RETRY = 2_000  # milliseconds after which a browser reconnects
_EVENTS: dict[str, Any] = {
    "schema": {"type": "string", "description": "Events, each a JSON object after `data: `, with the count as its id."},
    "example": 'id: 7\ndata: {"type":"tasks_changed"}\n\n',
}


@router.get(
    "/events",
    response_model=shapes.Changes,
    responses={
        200: {"description": "How often the list has changed.", "content": {"text/event-stream": _EVENTS}},
        **problems("invalid"),
    },
    summary="Stream changes of the list",
)
async def events(
    request: Request,
    who: Who,
    seen: Annotated[
        str | None,
        Header(
            alias="Last-Event-ID", max_length=100, description="The id of the last event that the browser received."
        ),
        WithJsonSchema({"type": "string", "maxLength": 100}),
    ] = None,
) -> Response:
    """With `Accept: text/event-stream`, sends `tasks_changed` when the list changes: in another window, on another
    replica or by an MCP client. Load the list then. The first event is sent at once, unless nothing has changed since
    `Last-Event-ID`. If a reminder has rung, `reminder_rang` precedes it: load `/v1/reminders`. Without this `Accept`
    header, returns the count, for clients that poll."""
    service = service_of(request)
    now = (await service.changes([who.id]))[who.id]
    if not wants_events(request.headers.get("accept")):
        return written({"changes": now})
    watch = watch_of(request)
    watch.admit(who.id)
    known = int(seen) if seen and seen.isascii() and seen.isdecimal() and len(seen) < 19 else -1

    async def told() -> AsyncIterator[bytes]:
        yield format_sse_event(comment="open", retry=RETRY)
        rang = await service.rang(who)
        async for number in watch.stream(who.id, known, now):
            if number is None:
                yield KEEPALIVE_COMMENT
            else:
                before, rang = rang, await service.rang(who)
                if rang != before:
                    yield format_sse_event(data_str='{"type":"reminder_rang"}')
                yield format_sse_event(data_str='{"type":"tasks_changed"}', id=str(number))

    return EventSourceResponse(told(), headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
