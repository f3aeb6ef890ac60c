"""Helpers that the routes share: the caller, the service, and writing responses."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated, Any

import msgspec
from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.responses import Response

from sayso.assistant.values import Reply
from sayso.chat.guards.problems import Problem
from sayso.chat.turns.service import ChatService
from sayso.chat.turns.watch import Watch, may_have_changed
from sayso.identity.principal import Principal
from sayso.serving.metrics import Metrics

_BEARER = HTTPBearer(
    auto_error=False,  # requests without a valid token were already rejected
    bearerFormat="JWT",
    description="A token of your identity provider; in development, of `sayso token`.",
)
JSON = "application/json"


async def _who(
    request: Request, _shown: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)]
) -> Principal:
    principal: Principal = request.state.principal
    return principal


async def _json_alone(request: Request) -> None:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == JSON or (kind.startswith("application/") and kind.endswith("+json")):
        return
    if kind or await request.body():
        raise Problem("unsupported_media_type", headers={"Accept": JSON})


Who = Annotated[Principal, Depends(_who)]
JSON_ALONE = Depends(_json_alone)


def service_of(request: Request) -> ChatService:
    service: ChatService = request.app.state.service
    return service


def watch_of(request: Request) -> Watch:
    watch: Watch = request.app.state.watch
    return watch


def metrics_of(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


def written(value: Any, status: int = 200, **headers: str) -> Response:
    """The value as deterministic JSON, so that a repeated answer is byte for byte the same."""
    return Response(msgspec.json.encode(value, order="deterministic"), status, headers, media_type=JSON)


async def timed(request: Request, what: str, turn: Awaitable[Reply]) -> Reply:
    """Run a turn and return its reply. Records its duration and decisions, and notifies open pages."""
    metrics = metrics_of(request)
    with metrics.turn(what):
        reply = await turn
    metrics.decisions(reply.decisions)
    if may_have_changed(reply):
        watch_of(request).nudge(request.state.principal.id)
    return reply
