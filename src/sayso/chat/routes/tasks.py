"""The list under /v1/tasks, for clicks: add, change, complete, reopen, delete, restore, undo."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Header, Path, Request
from pydantic import WithJsonSchema
from starlette.responses import Response

from sayso.chat.guards.guard import language_of
from sayso.chat.guards.problems import Kind
from sayso.chat.inside import JSON_ALONE, Who, service_of, timed, written
from sayso.chat.routes import shapes, task_shapes
from sayso.chat.routes.described import OF_A_BODY, Responses, problems_of_change
from sayso.chat.turns.clicks import RESTORE, Click, Typed, arguments_of
from sayso.identity.principal import Principal
from sayso.quick_add import FIELDS

router = APIRouter(prefix="/v1", tags=["tasks"])

TaskId = Annotated[UUID, Path(description="The task.")]
_KEY, _VERSION = r"^[!-~]{1,190}$", r'^"?[0-9]{1,9}"?$'
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=_KEY,
        description="The client's key for the request. A request that is sent again with the same key runs once and "
        "gets the same answer.",
    ),
    WithJsonSchema({"type": "string", "pattern": _KEY}),
]
Version = Annotated[
    str | None,
    Header(
        alias="If-Match",
        pattern=_VERSION,
        description="The version of the task that the user saw. If the task has another version, the request fails "
        "with `stale`.",
    ),
    WithJsonSchema({"type": "string", "pattern": _VERSION}),
]


_GO_ON: dict[str, Any] = {
    name: {"operationId": name, "parameters": {"task": "$response.body#/results/0/result/task/id"}}
    for name in ("change_task", "complete_task", "reopen_task", "delete_task", "restore_task")
} | {"undo": {"operationId": "undo", "requestBody": {"undo": "$response.body#/undo"}}}
_OF_A_TASK: tuple[Kind, ...] = ("no_task", "stale")


def _came(*kinds: Kind) -> Responses:
    return {200: {"description": "The result."}, **problems_of_change("invalid", "key_reused", *kinds)}


async def _press(
    request: Request, who: Principal, click: Click, key: str | None, *, unless_open: bool = False
) -> Response:
    lang = language_of(request.scope)
    pressed = service_of(request).clicks.press(who, click, key=key, lang=lang, unless_open=unless_open)
    return written(await timed(request, "click", pressed))


def _number(version: str | None) -> int | None:
    return int(version.strip('"')) if version else None


@router.post(
    "/tasks",
    response_model=shapes.Reply,
    responses=_came(*OF_A_BODY, "duplicate") | {200: {"description": "The task that was added.", "links": _GO_ON}},
    dependencies=[JSON_ALONE],
    summary="Add a task",
)
async def add_task(request: Request, who: Who, given: task_shapes.NewTask, key: Key = None) -> Response:
    """Add a task by `title` or by `text`. Sayso reads date, repeat, priority, list and lead time from the text, and the
    rest is the title. A field of the request applies if the text does not name it. With `unless_open`, a title that is
    already open is not added: the response has the `question` to ask the user."""
    arguments = given.model_dump(exclude_unset=True, exclude={"text", "keep", "unless_open"})
    click = Click(tool="add_task", arguments=arguments)
    if "text" in given.model_fields_set:
        click = Typed(tool="add_task", arguments=arguments, text=given.text, keep=tuple(given.keep))
    return await _press(request, who, click, key, unless_open=given.unless_open)


@router.post(
    "/tasks/read",
    response_model=task_shapes.ReadTask,
    responses={200: {"description": "What the text was read as."}, **problems_of_change(*OF_A_BODY)},
    dependencies=[JSON_ALONE],
    summary="Read a text as a task",
)
async def read_task(request: Request, who: Who, given: task_shapes.QuickText) -> Response:
    """Return the task that `POST /v1/tasks` would add for this text, and store nothing. Use it to show how the text is
    read while the user types. These requests have a separate rate limit."""
    found = await service_of(request).clicks.read(who, given.text, given.keep, language_of(request.scope))
    values = {name: getattr(found, name) for name in ("title", *FIELDS, "lang", "spans")}
    return written(values)


@router.patch(
    "/tasks/{task}",
    response_model=shapes.Reply,
    responses=_came(*OF_A_BODY, *_OF_A_TASK),
    dependencies=[JSON_ALONE],
    summary="Change a task",
)
async def change_task(
    request: Request, who: Who, task: TaskId, given: task_shapes.TaskChange, key: Key = None, version: Version = None
) -> Response:
    """Change the given fields. Null removes a description, a due date, a repeat, a list or a lead time."""
    arguments = arguments_of(given.model_dump(exclude_unset=True))
    click = Click(tool="update_task", arguments=arguments, task=task, version=_number(version))
    return await _press(request, who, click, key)


@router.post(
    "/tasks/{task}/complete", response_model=shapes.Reply, responses=_came(*_OF_A_TASK), summary="Complete a task"
)
async def complete_task(request: Request, who: Who, task: TaskId, key: Key = None, version: Version = None) -> Response:
    """Mark it as done. A task that repeats moves to its next date and stays pending; `occurrence` in the result is the
    date that was completed. The last date of the series completes the task. A second request within two minutes
    completes no further date, unless it has a key of its own or the version of the task in `If-Match`."""
    return await _press(request, who, Click(tool="complete_task", task=task, version=_number(version)), key)


@router.post("/tasks/{task}/reopen", response_model=shapes.Reply, responses=_came(*_OF_A_TASK), summary="Reopen a task")
async def reopen_task(request: Request, who: Who, task: TaskId, key: Key = None, version: Version = None) -> Response:
    """Mark it as not done. For a repeating task, undo the last completion if nothing has changed since."""
    click = Click(tool="update_task", arguments={"new_status": "pending"}, task=task, version=_number(version))
    return await _press(request, who, click, key)


@router.delete("/tasks/{task}", response_model=shapes.Reply, responses=_came(*_OF_A_TASK), summary="Delete a task")
async def delete_task(request: Request, who: Who, task: TaskId, key: Key = None, version: Version = None) -> Response:
    """Delete the task without confirmation, because the user clicked it. The delete can be undone, and the task can be
    restored for 30 days."""
    return await _press(request, who, Click(tool="delete_task", task=task, version=_number(version)), key)


@router.post(
    "/tasks/{task}/restore", response_model=shapes.Reply, responses=_came(*_OF_A_TASK), summary="Restore a task"
)
async def restore_task(request: Request, who: Who, task: TaskId, key: Key = None) -> Response:
    """Bring back a task that was deleted in the last 30 days."""
    return await _press(request, who, Click(tool=RESTORE, task=task), key)


@router.post(
    "/undo",
    response_model=shapes.Reply,
    responses={
        200: {"description": "The undone change, if any."},
        **problems_of_change(*OF_A_BODY, "stale", "key_reused"),
    },
    dependencies=[JSON_ALONE],
    tags=["conversation"],
    summary="Undo a change",
)
async def undo(request: Request, who: Who, given: task_shapes.UndoRequest | None = None, key: Key = None) -> Response:
    """Undo the change that `undo` of a result names, unless it was changed again since. Without `undo`, undo the last
    change that can be undone."""
    number = int(given.undo) if given and given.undo else None
    taken = service_of(request).clicks.undo(who, number, key=key, lang=language_of(request.scope))
    return written(await timed(request, "undo", taken))
