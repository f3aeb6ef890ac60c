"""The conversation under /v1: messages, confirmations, undo, tasks and trail."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from fastapi import APIRouter, Path, Query, Request
from fastapi.routing import APIRoute
from fastapi.sse import EventSourceResponse
from starlette.responses import Response

from sayso.chat.guards.guard import language_of
from sayso.chat.guards.problems import Fault, Problem
from sayso.chat.inside import JSON, JSON_ALONE, Who, service_of, timed, written
from sayso.chat.routes import shapes, task_shapes
from sayso.chat.routes.described import OF_A_BODY, problems, problems_of_change
from sayso.chat.turns.stream import Turns, wants_events
from sayso.ledger.chain import Entry
from sayso.tasks.values import ListTasks


class _MessageRoute(APIRoute):
    """Validates the body of a message with the route's own model, in a quarter of the time that FastAPI takes.

    FastAPI generates the description of the route, and handles every request that is not valid JSON of this model.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        usual = super().get_route_handler()

        async def handle(request: Request) -> Response:
            if request.headers.get("content-type") != JSON:
                return await usual(request)
            try:
                conversation = UUID(request.path_params["conversation"])
                said = shapes.NewMessage.model_validate_json(await request.body())
            except ValueError:
                return await usual(request)
            return await say(request, request.state.principal, conversation, said)

        return handle


router = APIRouter(prefix="/v1")
messages = APIRouter(prefix="/v1", route_class=_MessageRoute)

ConversationId = Annotated[UUID, Path(description="The conversation.")]
_EVENTS: dict[str, Any] = {
    "schema": {"type": "string", "description": "Events named as in AG-UI, each a JSON object after `data: `."},
    "example": 'data: {"type":"RUN_STARTED","threadId":"0b5e…","runId":"m-1"}\n\n',
}
_GO_ON: dict[str, Any] = {
    name: {"operationId": name, "parameters": {"conversation": "$response.body#/id"}}
    for name in ("say", "read_conversation")
}


@router.post(
    "/conversations",
    status_code=201,
    response_model=shapes.Conversation,
    responses={201: {"description": "The new conversation.", "links": _GO_ON}, **problems_of_change()},
    tags=["conversation"],
    summary="Open a conversation",
)
async def open_conversation(request: Request, who: Who) -> Response:
    """Open a conversation. It remembers the messages and lists shown in it, so that "the second one" can be resolved.
    All conversations of a user share the same tasks."""
    opened = await service_of(request).open(who)
    return written({"id": opened}, 201)


@router.get(
    "/conversations",
    response_model=shapes.Conversations,
    responses={200: {"description": "The last conversations."}, **problems("invalid")},
    tags=["conversation"],
    summary="List conversations",
)
async def list_conversations(
    request: Request, who: Who, limit: Annotated[int, Query(ge=1, le=100, description="How many.")] = 20
) -> Response:
    """The user's last conversations, most recently used first. The page continues the first one."""
    return written({"conversations": await service_of(request).conversations(who, limit)})


@messages.post(
    "/conversations/{conversation}/messages",
    response_model=shapes.Reply,
    responses={
        200: {"description": "The result of the message.", "content": {"text/event-stream": _EVENTS}},
        **problems_of_change(*OF_A_BODY, "no_conversation", "turn_in_progress", "message_reused"),
    },
    dependencies=[JSON_ALONE],
    tags=["conversation"],
    summary="Say something",
)
async def say(request: Request, who: Who, conversation: ConversationId, said: shapes.NewMessage) -> Response:
    """Send a message and run what it asks for.

    If no answer arrives, send the message again with the same `client_message_id`: it runs once and gets the same
    answer.

    With `Accept: text/event-stream` the result is sent as events, named as in AG-UI: `RUN_STARTED`, `CUSTOM`
    (`decisions`, `confirmation` for each card, `next`), `TOOL_CALL_START`, `TOOL_CALL_ARGS`, `TOOL_CALL_END`,
    `TOOL_CALL_RESULT`, `TEXT_MESSAGE_START`, `TEXT_MESSAGE_CONTENT`, `TEXT_MESSAGE_END`, `RUN_FINISHED`. `threadId` is
    the conversation, `runId` the `client_message_id`. An error after the stream has begun is sent as `RUN_ERROR`; its
    `code` is the end of the problem's `type`.
    """
    message = service_of(request).message(who, conversation, said.client_message_id, said.content)
    turn = timed(request, "message", message)
    if not wants_events(request.headers.get("accept")):
        return written(await turn)
    turns: Turns = request.app.state.turns
    stream = turns.stream(str(conversation), said.client_message_id, turn, language_of(request.scope))
    return EventSourceResponse(stream, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


@router.get(
    "/conversations/{conversation}/messages",
    response_model=shapes.History,
    responses={200: {"description": "The last messages."}, **problems("no_conversation", "invalid")},
    tags=["conversation"],
    summary="Read a conversation",
)
async def read_conversation(
    request: Request,
    who: Who,
    conversation: ConversationId,
    limit: Annotated[int, Query(ge=1, le=100, description="How many messages, the last ones.")] = 50,
) -> Response:
    """The messages with their results, oldest first, and the open questions. A client can redraw the conversation from
    it."""
    return written(await service_of(request).conversation(who, conversation, limit))


@router.post(
    "/confirmations/{confirmation}",
    response_model=shapes.Reply,
    responses={200: {"description": "The result of the answer."}, **problems_of_change(*OF_A_BODY, "refused")},
    dependencies=[JSON_ALONE],
    tags=["conversation"],
    summary="Answer a card",
)
async def answer(
    request: Request,
    who: Who,
    confirmation: Annotated[UUID, Path(description="The card's id.")],
    given: shapes.ConfirmationAnswer,
) -> Response:
    """Answer a card with yes or no. A yes counts once, and only for what the card showed. The same answer sent again
    gets the same reply. If the item has changed since, nothing runs and the reply has a new card.

    One answer covers a card for several items: they run in one transaction, and one undo reverts them. `items` can
    leave some out, and cannot add any."""
    yes = given.answer == "yes"
    done = service_of(request).confirm(who, confirmation, given.digest, yes=yes, items=given.items)
    return written(await timed(request, "confirmation", done))


@router.get(
    "/tasks",
    response_model=task_shapes.Tasks,
    responses={200: {"description": "A page of tasks."}, **problems("invalid")},
    tags=["tasks"],
    summary="List the user's tasks",
)
async def list_tasks(request: Request, who: Who, wanted: Annotated[task_shapes.TaskQuery, Query()]) -> Response:
    """The tasks as the tool `list_tasks` lists them."""
    given = ListTasks(
        filter=wanted.filter,
        priority=wanted.priority,
        due=wanted.due.isoformat() if isinstance(wanted.due, date) else wanted.due,
        list=" ".join(wanted.list.split()) if wanted.list else None,
        search=" ".join(wanted.search.split()) if wanted.search else None,
        limit=wanted.limit,
        offset=wanted.offset,
    )
    listed = await service_of(request).tasks(who, given)
    if listed.reason == "invalid":
        raise Problem("invalid", faults=[Fault(where="query", pointer="", detail=listed.error_message or "")])
    if listed.status != "success":
        raise Problem("unavailable")
    return written(listed)


@router.get(
    "/day",
    response_model=task_shapes.Today,
    responses={200: {"description": "Today in figures."}, **problems()},
    tags=["tasks"],
    summary="Read how much of today is done",
)
async def read_day(request: Request, who: Who) -> Response:
    """Today on the user's calendar: the tasks completed today, and those that are open and due today. Completing
    one date of a repeating task counts; a task that was due earlier is not counted until it is completed."""
    return written(await service_of(request).day(who))


@router.get(
    "/trail",
    response_model=shapes.Trail,
    responses={200: {"description": "A page of the trail."}, **problems("invalid")},
    tags=["trail"],
    summary="Read the trail",
)
async def read_trail(request: Request, who: Who, wanted: Annotated[shapes.TrailQuery, Query()]) -> Response:
    """The user's messages, decisions, calls, answers and clicks, as the trail records them."""
    newest = wanted.order == "newest"
    found = await service_of(request).trail(who, wanted.after, wanted.limit, kinds=wanted.kind, newest=newest)
    following = found[-1].number if len(found) == wanted.limit else None
    return written({"entries": [_shown(entry) for entry in found], "next": following})


@router.get(
    "/trail/verify",
    response_model=shapes.Verification,
    responses={200: {"description": "Whether the trail is intact."}, **problems()},
    tags=["trail"],
    summary="Verify the trail",
)
async def verify_trail(request: Request, who: Who) -> Response:
    """Verify the whole hash chain: that no entry was changed, dropped, reordered or cut off."""
    return written(await service_of(request).verify(who))


class _Shown(msgspec.Struct, kw_only=True):
    """An entry of the trail, with exactly the body that was hashed."""

    number: int
    at: datetime
    kind: str
    conversation: UUID | None
    body: msgspec.Raw | None
    salt: str | None
    body_hash: str
    hash: str


def _shown(entry: Entry) -> _Shown:
    return _Shown(
        number=entry.number,
        at=entry.at,
        kind=entry.kind,
        conversation=entry.conversation_id,
        body=msgspec.Raw(entry.body.encode()) if entry.body is not None else None,
        salt=entry.salt.hex() if entry.salt is not None else None,
        body_hash=entry.body_hash.hex(),
        hash=entry.hash.hex(),
    )
