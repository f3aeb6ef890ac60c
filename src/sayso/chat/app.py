"""Builds the application: routes behind their guards, over a service with the application's lifetime."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from opentelemetry.sdk.trace.export import SpanExporter
from starlette.exceptions import HTTPException
from starlette.responses import Response

from sayso.chat.guards.guard import Record, SignIn, Size, language_of
from sayso.chat.guards.limits import RateLimit
from sayso.chat.guards.problems import Problem, problem_of
from sayso.chat.page import Page
from sayso.chat.routes import changes as watching
from sayso.chat.routes import conversation as routes
from sayso.chat.routes import decisions, probes
from sayso.chat.routes import machines as machine_routes
from sayso.chat.routes import reminders as reminder_routes
from sayso.chat.routes import tasks as list_routes
from sayso.chat.routes.described import DescribedApp
from sayso.chat.signin import routes as signing
from sayso.chat.signin.oidc import provider_from
from sayso.chat.signin.routes import Signing
from sayso.chat.signin.session import Sessions
from sayso.chat.telemetry.traces import telemetry, tracer
from sayso.chat.turns.reminders import Reminding
from sayso.chat.turns.service import ChatService
from sayso.chat.turns.stream import Turns
from sayso.chat.turns.watch import Watch
from sayso.errors import SaysoError
from sayso.identity.trust import trusted_tokens
from sayso.serving.metrics import Metrics
from sayso.settings import Settings

DESCRIPTION = """
Send a message, and Sayso runs the tools that the user asked for. Destructive calls require confirmation.

Every request under `/v1` requires a bearer token, or the session of a user who signed in on the page (`/auth/login`),
and acts for that user. With a session, requests that change something must come from the page: with `X-Sayso-Page: 1`,
and from the same origin. Errors are problem details (RFC 9457). Every response has the header `X-Request-ID`, which is
also in the logs.
"""
TAGS = [
    {"name": "conversation", "description": "Send messages and answer confirmations."},
    {"name": "tasks", "description": "The user's tasks."},
    {"name": "reminders", "description": "Reminders and the channels that they are sent to."},
    {"name": "machines", "description": "The user's machines, if a broker is configured."},
    {"name": "trail", "description": "The record of messages, decisions and calls, chained by hashes."},
    {"name": "decisions", "description": "Decide a case without running anything."},
    {"name": "page", "description": "Signing in and out on the page."},
    {"name": "operation", "description": "For load balancers and Prometheus."},
]

ROUTERS = (
    routes.messages,  # first, because most requests are messages
    routes.router,
    list_routes.router,
    reminder_routes.router,
    watching.router,
    decisions.router,
    signing.router,
    probes.router,
)
Opener = Callable[[Metrics], AbstractAsyncContextManager[ChatService]]


def make_app(
    open_service: Opener, settings: Settings, *, tools: Iterable[str], spans: SpanExporter | None = None
) -> FastAPI:
    """The app. `tools` are the tool names in the metrics. `spans` exports the traces instead of SAYSO_OTLP_URL."""
    metrics, limit, traces = Metrics(tools), RateLimit(settings), tracer(settings, spans)
    sessions, provider, watch = Sessions(settings), provider_from(settings), Watch(settings)
    reminding = Reminding(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_service(metrics) as service, watch.running(service.changes):
            app.state.service, app.state.turns = service, Turns()
            service.on_ring, service.has_page = watch.nudge, watch.is_open
            yield
            await app.state.turns.finish()
        await reminding.close()
        await limit.close()
        if provider is not None:
            await provider.close()
        if traces is not None:
            await asyncio.to_thread(traces.shutdown)  # sends the remaining spans

    app = DescribedApp(
        title="Sayso",
        summary="From what a person says to the tool call that is meant.",
        description=DESCRIPTION,
        version=version("sayso"),
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        openapi_tags=TAGS,
        docs_url=None,  # this page would load scripts from another origin
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_name,
        lifespan=lifespan,
        telemetry=telemetry(traces),
    )
    app.state.settings, app.state.metrics, app.state.watch = settings, metrics, watch
    app.state.reminding = reminding
    app.state.limit, app.state.large_cases = limit, asyncio.Semaphore(1)
    app.state.signing = Signing(settings, sessions, provider)
    for router in (*ROUTERS, *([machine_routes.router] if settings.mqtt_url else [])):
        app.include_router(router)
    for kind in (Problem, SaysoError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _explain)
    app.add_middleware(Page)
    app.add_middleware(SignIn, tokens=trusted_tokens(settings), sessions=sessions, limit=limit, settings=settings)
    app.add_middleware(Size)
    app.add_middleware(Record, metrics=metrics)
    return app


def _name(route: APIRoute) -> str:
    return route.name


async def _explain(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem.kind == "failed":
        raise error
    if problem.kind == "method_not_allowed":
        problem = Problem(problem.kind, headers={"Allow": ", ".join(sorted(_methods(request.url.path)))})
    return problem.response(language_of(request.scope))


def _methods(path: str) -> set[str]:
    """All methods of a path. Each route knows only its own methods."""
    routers = (*ROUTERS, machine_routes.router)
    every = (route for router in routers for route in router.routes if isinstance(route, APIRoute))
    return {method for route in every if route.path_regex.match(path) for method in route.methods or ()}
