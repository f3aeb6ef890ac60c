"""Reminders under /v1/reminders and /v1/push: list and settle reminders, and manage their channels."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from sayso.chat.guards.guard import language_of
from sayso.chat.inside import JSON_ALONE, Who, service_of, timed, written
from sayso.chat.routes import reminder_shapes as wanted
from sayso.chat.routes import shapes
from sayso.chat.routes.described import OF_A_BODY, problems, problems_of_change
from sayso.chat.turns.reminders import Reminding

router = APIRouter(prefix="/v1", tags=["reminders"])

ReminderId = Annotated[UUID, Path(description="The reminder.")]
ChannelId = Annotated[UUID, Path(description="The channel.")]
_GONE: dict[int | str, dict[str, Any]] = {204: {"description": "It is done."}}


def reminding_of(request: Request) -> Reminding:
    reminding: Reminding = request.app.state.reminding
    return reminding


@router.get(
    "/reminders",
    response_model=wanted.Reminders,
    responses={200: {"description": "Reminders that rang, and those still to come today."}, **problems()},
    summary="List reminders",
)
async def list_reminders(request: Request, who: Who) -> Response:
    """The reminders that rang and are still open, and those for the rest of today. A reminder stays until its task is
    completed, moved, snoozed or deleted, or until it is dismissed. `/v1/events` sends `reminder_rang` when one
    rings."""
    ringing, coming = await reminding_of(request).read(service_of(request), who)
    return written({"ringing": ringing, "coming": coming})


@router.post(
    "/reminders/{reminder}/done",
    response_model=shapes.Reply,
    responses={
        200: {"description": "The task is completed."},
        **problems_of_change("invalid", "no_reminder", "no_task", "stale"),
    },
    summary="Complete the task of a reminder",
)
async def complete_reminder(request: Request, who: Who, reminder: ReminderId) -> Response:
    """The same as completing the task: it is in the trail, and it can be undone."""
    done = reminding_of(request).done(service_of(request), who, reminder, language_of(request.scope))
    return written(await timed(request, "click", done))


@router.post(
    "/reminders/{reminder}/snooze",
    response_model=shapes.Reply,
    responses={
        200: {"description": "It rings again later."},
        **problems_of_change(*OF_A_BODY, "no_reminder", "no_task", "stale"),
    },
    dependencies=[JSON_ALONE],
    summary="Snooze a reminder",
)
async def snooze_reminder(
    request: Request, who: Who, reminder: ReminderId, given: wanted.Snooze | None = None
) -> Response:
    """Ring again after some minutes. The due date stays. It is in the trail, and it can be undone."""
    minutes = (given or wanted.Snooze()).minutes
    put_off = reminding_of(request).snooze(service_of(request), who, reminder, minutes, language_of(request.scope))
    return written(await timed(request, "click", put_off))


@router.post(
    "/reminders/{reminder}/dismiss",
    status_code=204,
    response_class=Response,
    responses={**_GONE, **problems_of_change("invalid", "no_reminder")},
    summary="Dismiss a reminder",
)
async def dismiss_reminder(request: Request, who: Who, reminder: ReminderId) -> Response:
    """Stop showing it. The task stays as it is."""
    await reminding_of(request).dismiss(service_of(request), who, reminder)
    return Response(status_code=204)


@router.get(
    "/reminders/settings",
    response_model=wanted.ReminderSettings,
    responses={200: {"description": "When the user is reminded."}, **problems()},
    summary="Read the hours of reminders",
)
async def read_reminder_settings(request: Request, who: Who) -> Response:
    """When a task without a time rings, and when nothing rings."""
    return written(await reminding_of(request).hours(service_of(request), who))


@router.put(
    "/reminders/settings",
    response_model=wanted.ReminderSettings,
    responses={200: {"description": "When the user is reminded."}, **problems_of_change(*OF_A_BODY)},
    dependencies=[JSON_ALONE],
    summary="Set the hours of reminders",
)
async def write_reminder_settings(request: Request, who: Who, given: wanted.ReminderSettings) -> Response:
    """Set all of them. Reminders of tasks without a time move with the morning hour."""
    return written(await reminding_of(request).set_hours(service_of(request), who, given.model_dump()))


@router.get(
    "/reminders/channels",
    response_model=wanted.Channels,
    responses={200: {"description": "The channels."}, **problems()},
    summary="List channels",
)
async def list_channels(request: Request, who: Who) -> Response:
    """The browsers and addresses that reminders are sent to, without their secrets."""
    found = await reminding_of(request).channels(service_of(request), who)
    return written({"channels": [each._asdict() for each in found]})


@router.post(
    "/reminders/channels",
    status_code=201,
    response_model=wanted.Made,
    responses={201: {"description": "The channel."}, **problems_of_change(*OF_A_BODY, "push_is_off")},
    dependencies=[JSON_ALONE],
    summary="Add an address",
)
async def add_channel(request: Request, who: Who, given: wanted.NewChannel) -> Response:
    """Be reminded at an address, such as `ntfys://ntfy.sh/my-topic`. The same address again is the same channel. A host
    in a private network is not reached, unless SAYSO_REMINDER_NETWORKS names it."""
    made = await reminding_of(request).add_address(service_of(request), who, given.address, given.label)
    return written({"id": made}, 201)


@router.post(
    "/reminders/channels/{channel}/try",
    response_model=wanted.Tried,
    responses={200: {"description": "The result of the test message."}, **problems_of_change("invalid", "no_channel")},
    summary="Send a test message",
)
async def try_channel(request: Request, who: Who, channel: ChannelId) -> Response:
    """Send a message over a channel now."""
    sent = await reminding_of(request).attempt(service_of(request), who, channel)
    return written({"outcome": sent.outcome, "detail": sent.detail})


@router.delete(
    "/reminders/channels/{channel}",
    status_code=204,
    response_class=Response,
    responses={**_GONE, **problems_of_change("invalid", "no_channel")},
    summary="Remove a channel",
)
async def remove_channel(request: Request, who: Who, channel: ChannelId) -> Response:
    """Send nothing more over it."""
    await reminding_of(request).drop(service_of(request), who, channel)
    return Response(status_code=204)


@router.get(
    "/push/key",
    response_model=wanted.PushKey,
    responses={200: {"description": "The key, if push is on."}, **problems()},
    summary="Read the key for web push",
)
async def read_push_key(request: Request, who: Who) -> Response:  # noqa: ARG001  only for signed-in users
    """The `applicationServerKey` that a browser subscribes with."""
    return written({"key": reminding_of(request).push_key})


@router.post(
    "/push/subscriptions",
    status_code=201,
    response_model=wanted.Made,
    responses={201: {"description": "The channel."}, **problems_of_change(*OF_A_BODY, "push_is_off")},
    dependencies=[JSON_ALONE],
    summary="Subscribe a browser",
)
async def add_subscription(request: Request, who: Who, given: wanted.Subscription) -> Response:
    """Be reminded in this browser. The message is JSON: `id`, `task_id`, `title`, `body`, `due` and `language`. Use
    `id` as the tag of the notification: a message that is sent twice is then shown once."""
    subscription = {"endpoint": given.endpoint, "keys": given.keys.model_dump()}
    made = await reminding_of(request).subscribe(service_of(request), who, subscription, given.label)
    return written({"id": made}, 201)


@router.delete(
    "/push/subscriptions/{channel}",
    status_code=204,
    response_class=Response,
    responses={**_GONE, **problems_of_change("invalid", "no_channel")},
    summary="Unsubscribe a browser",
)
async def remove_subscription(request: Request, who: Who, channel: ChannelId) -> Response:
    """Send nothing more to it."""
    await reminding_of(request).drop(service_of(request), who, channel)
    return Response(status_code=204)
