"""Checks every request before the routes: id, log record, size, authentication and rate.

Each check is a plain ASGI layer, so that the body of a rejected request is neither read nor parsed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from time import perf_counter

import structlog
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sayso.chat.guards.headers import STRICT
from sayso.chat.guards.limits import CASES_AT_ONCE, CASES_IN_LINE, ConcurrencyLimit, RateLimit, cost_of_size
from sayso.chat.guards.origin import PAGE, SAFE, is_from_page
from sayso.chat.guards.problems import Problem, language_from, problem_of
from sayso.chat.signin.session import Sessions
from sayso.chat.telemetry.logs import REQUEST_ID, log_request, request_id
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Unavailable
from sayso.identity.principal import Principal
from sayso.identity.tokens import Tokens
from sayso.serving.connection import PROBES, prove
from sayso.serving.metrics import Metrics
from sayso.settings import Settings

GUARDED = "/v1/"
STREAM = "/v1/events"  # stays open, and does not count as a concurrent request
OPEN = "/v1/session"  # needs no sign-in: it returns whether the caller is signed in
LARGEST = 64 * 1024
LARGEST_CASE = 2 * 1024 * 1024  # 5,000 things take about a megabyte
_CASES = ("/v1/decide", "/v1/compose")
_COUNTERS = {"/v1/tasks/read": " read"}  # requests while typing have a separate limit
_LONGEST_TOKEN = 8 * 1024

_REQUEST_ID = REQUEST_ID.lower().encode()
_STRICT = [(name.lower().encode(), value.encode()) for name, value in STRICT.items()]
_OURS = frozenset({_REQUEST_ID, *(name for name, _ in _STRICT)})
_NOT_KEPT = (b"cache-control", b"no-store")

_log = structlog.stdlib.get_logger("sayso.chat")


class Record:
    """Gives each request an id, counts and logs it by its route, and answers unexpected errors."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = perf_counter()
        name = request_id(Headers(scope=scope).get(REQUEST_ID))
        status = 0

        async def tell(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _strict(message.get("headers", ()), name)
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=name):
            try:
                await self._app(scope, receive, tell)
            except Exception as error:  # noqa: BLE001  the last handler: no detail may leave the process
                _log.error("a request failed", exc_info=error)
                if not status:
                    await Problem("failed").response(language_of(scope))(scope, receive, tell)
            finally:
                route = getattr(scope.get("route"), "path", "none")
                self._metrics.request(scope["method"], route, status)
                milliseconds = round((perf_counter() - started) * 1000, 2)
                level = logging.DEBUG if route in PROBES and status == 200 else logging.INFO
                told = {"method": scope["method"], "route": route, "status": status, "milliseconds": milliseconds}
                log_request(name, level, **told)


def _strict(headers: Iterable[tuple[bytes, bytes]], request: str) -> list[tuple[bytes, bytes]]:
    """The headers with the request's id and the security headers."""
    kept = [(name, value) for name, value in headers if name not in _OURS]
    if not any(name == b"cache-control" for name, _ in kept):
        kept.append(_NOT_KEPT)
    return [*kept, (_REQUEST_ID, request.encode()), *_STRICT]


class Size:
    """Rejects a body that is too large: by its Content-Length, and by counting its bytes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = LARGEST_CASE if scope["path"] in _CASES else LARGEST
        said = Headers(scope=scope).get("content-length")
        if said is not None and said.isdecimal() and int(said) > most:
            await Problem("too_large").response(language_of(scope))(scope, receive, send)
            return
        count = 0

        async def counted() -> Message:
            nonlocal count
            message = await receive()
            count += len(message.get("body", b""))
            if count > most:
                raise HTTPException(413)
            return message

        await self._app(scope, counted, send)


class SignIn:
    """Authenticates and rate-limits requests; `request.state.principal` is the user. A request has a bearer token or a
    session of the page. With a session, requests that change something must come from the page."""

    def __init__(self, app: ASGIApp, tokens: Tokens, sessions: Sessions, limit: RateLimit, settings: Settings) -> None:
        self._app, self._tokens, self._sessions, self._limit = app, tokens, sessions, limit
        self._settings = settings
        self._requests, self._cases = ConcurrencyLimit(), ConcurrencyLimit(CASES_AT_ONCE, CASES_IN_LINE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(GUARDED):
            await self._app(scope, receive, send)
            return
        try:
            principal = await self._admitted(scope)
        except Problem as problem:
            await problem.response(language_of(scope))(scope, receive, send)
            return
        if principal is None or scope["path"] == STREAM:
            await self._app(scope, receive, send)
            return
        concurrency = self._cases if scope["path"] in _CASES else self._requests
        async with concurrency.admit(principal.id) as admitted:
            app = self._app if admitted else too_many(1).response(language_of(scope))
            await app(scope, receive, send)

    async def _admitted(self, scope: Scope) -> Principal | None:
        state = scope.setdefault("state", {})
        try:
            principal = await self._proved(scope)
        except Problem as problem:
            if scope["path"] == OPEN and problem.kind == "unauthorised":
                return None
            raise
        state["principal"] = principal
        prove(scope)
        wait = await self._limit.hit(principal.id, _COUNTERS.get(scope["path"], ""))
        if wait is None and scope["path"] in _CASES:
            said = Headers(scope=scope).get("content-length", "")
            size = int(said) if said.isdecimal() else LARGEST_CASE  # without a Content-Length, the maximum is assumed
            wait = await self._limit.spend(principal.id, cost_of_size(size))
        if wait is not None:
            raise too_many(wait)
        return principal

    async def _proved(self, scope: Scope) -> Principal:
        headers = Headers(scope=scope)
        if "authorization" not in headers and (signed := self._sessions.find(headers.get("cookie"))):
            if scope["method"] not in SAFE and not is_from_page(scope, self._settings):
                raise Problem("forbidden")
            if signed.epoch != await _epoch(scope, signed.id):
                raise Problem("unauthorised", headers={"WWW-Authenticate": 'Bearer realm="sayso"'})
            return signed.principal
        scheme, _, token = headers.get("authorization", "").partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise Problem("unauthorised", headers={"WWW-Authenticate": 'Bearer realm="sayso"'})
        verified = await self._tokens.verify(token) if len(token) <= _LONGEST_TOKEN else None
        if verified is None:
            challenge = 'Bearer realm="sayso", error="invalid_token"'
            raise Problem("unauthorised", headers={"WWW-Authenticate": challenge})
        return verified.principal


async def _epoch(scope: Scope, user_id: str) -> int:
    """The session epoch of a user. A Problem if the database does not answer, since the session may have ended."""
    service: ChatService = scope["app"].state.service
    try:
        return await service.epochs.current(user_id)
    except Unavailable as error:
        raise problem_of(error) from error


def too_many(wait: int) -> Problem:
    """The error for too many requests, with the seconds to wait."""
    return Problem("rate_limited", headers={"Retry-After": str(wait)})


def language_of(scope: Scope) -> str | None:
    """The language of error responses: the user's own language, or the first supported language of the request. For
    requests of the page, the language of the request takes precedence: it is the page's language."""
    principal: Principal | None = scope.get("state", {}).get("principal")
    headers = Headers(scope=scope)
    own, asked = principal.language if principal else None, headers.get("accept-language")
    wanted = (asked, own) if headers.get(PAGE) else (own, asked)
    return next(filter(None, map(language_from, wanted)), None)
