"""Health, readiness and metrics endpoints."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from starlette.responses import Response

from sayso.chat.guards.problems import Problem
from sayso.chat.routes.described import shown_problems
from sayso.chat.turns.service import ChatService
from sayso.serving.metrics import CONTENT_TYPE, may_read
from sayso.settings import Settings

router = APIRouter(tags=["operation"])

_OK: dict[int | str, dict[str, Any]] = {
    200: {"description": "The text `ok`.", "content": {"text/plain": {"example": "ok"}}}
}


@router.get("/healthz", response_class=PlainTextResponse, responses=_OK, summary="Check liveness")
async def alive() -> str:
    """Answers as long as the process does."""
    return "ok"


@router.get(
    "/readyz",
    response_class=PlainTextResponse,
    responses={**_OK, **shown_problems("unavailable")},
    summary="Check readiness",
)
async def ready(request: Request) -> str:
    """Answers `ok` while the database does."""
    service: ChatService = request.app.state.service
    await service.is_ready()
    return "ok"


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={200: {"description": "Metrics in the Prometheus text format."}, **shown_problems("not_found")},
    summary="Read metrics",
)
async def figures(request: Request) -> Response:
    """Metrics for Prometheus. Only this machine can read them, unless SAYSO_METRICS_OPEN is set."""
    settings: Settings = request.app.state.settings
    if not may_read(request, settings):
        raise Problem("not_found")
    return Response(request.app.state.metrics.text(), media_type=CONTENT_TYPE)
