"""Routes to sign in and out on the page, and to see who is signed in.

With an identity provider, the user signs in there and is sent back. In development, users choose their own name. In
both cases the browser gets a session (`sayso.chat.signin.session`).
"""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Annotated

import structlog
from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from sayso.chat.guards.origin import has_own_name, is_from_page
from sayso.chat.guards.problems import Problem
from sayso.chat.inside import JSON_ALONE, Who, service_of, written
from sayso.chat.routes import shapes
from sayso.chat.routes.described import OF_A_BODY, problems_of_change, shown_problems
from sayso.chat.signin.oidc import Attempt, Provider, ProviderAway
from sayso.chat.signin.session import Cookie, Sessions
from sayso.identity.principal import LONGEST_ID, Principal, is_reserved, known_zone
from sayso.settings import DEVELOPMENT_ISSUER, Settings

router = APIRouter(tags=["page"])

ATTEMPT_SECONDS = 600
# A path of our page: not //elsewhere, nor /\elsewhere, which some browsers treat the same.
_LOCAL = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]{0,499}")

_log = structlog.stdlib.get_logger("sayso.chat")


class Signing:
    """The objects that signing in needs, created once for the app."""

    def __init__(self, settings: Settings, sessions: Sessions, provider: Provider | None) -> None:
        self.settings, self.sessions, self.provider = settings, sessions, provider
        self.attempts = Cookie(settings, "sayso-login", seconds=ATTEMPT_SECONDS)
        self.in_development = settings.in_development and settings.issuer == DEVELOPMENT_ISSUER


@router.get(
    "/v1/session",
    response_model=shapes.Session,
    responses={200: {"description": "Who is signed in, if anybody."}, **shown_problems("rate_limited", "unavailable")},
    summary="Who is signed in",
)
async def session(request: Request) -> Response:
    """Answers whether or not somebody is signed in: a page asks this first."""
    signing = _signing(request)
    who: Principal | None = request.scope["state"].get("principal")
    user = None
    if who is not None:
        person = await service_of(request).person(who)
        user = {"id": person.id, "name": person.name, "lang": person.language, "zone": person.zone.key}
    return written(
        {
            "signed_in": user is not None,
            "user": user,
            "development": signing.in_development,
            "login": signing.provider is not None,
            "machines": signing.settings.mqtt_url is not None,
            "version": version("sayso"),
        }
    )


@router.get(
    "/auth/login",
    status_code=303,
    responses={303: {"description": "To the identity provider."}, **shown_problems("not_found", "invalid")},
    response_class=RedirectResponse,
    summary="Sign in",
)
async def login(
    request: Request,
    following: Annotated[
        str, Query(alias="next", max_length=500, description="The path to open after the sign-in.")
    ] = "/",
) -> Response:
    """Send the user to the identity provider, which sends the user back to `/auth/callback`."""
    signing = _signing(request)
    if signing.provider is None:
        raise Problem("not_found")
    attempt = Attempt.new(local(following))
    try:
        response = RedirectResponse(await signing.provider.address(attempt), 303)
    except ProviderAway as problem:
        return _failed("unavailable", problem)
    signing.attempts.put(response, attempt)
    return response


@router.get(
    "/auth/callback",
    status_code=303,
    responses={303: {"description": "To the page, with a session or an error."}, **shown_problems("not_found")},
    response_class=RedirectResponse,
    summary="Complete the sign-in",
)
async def callback(request: Request) -> Response:
    """Complete a sign-in in the browser that began it: the response must match its cookie. Otherwise redirects to
    `/?login=expired`, `refused` or `unavailable`, without a new session."""
    signing = _signing(request)
    if signing.provider is None:
        raise Problem("not_found")
    returned = dict(request.query_params)
    attempt = signing.attempts.find(request.headers.get("cookie"), Attempt)
    if attempt is None or not attempt.is_of(returned.get("state")):
        return _failed("expired", "the browser did not begin this sign-in")
    try:
        who = await signing.provider.signed_in(attempt, returned)
    except ProviderAway as problem:
        response = _failed("unavailable", problem)
    else:
        response = _failed("refused", "it proves nobody") if who is None else RedirectResponse(attempt.next, 303)
        if who is not None:
            signing.sessions.begin(response, who, await service_of(request).epochs.read(who.id))
    signing.attempts.drop(response)
    return response


@router.post(
    "/auth/logout",
    status_code=204,
    responses={204: {"description": "The session has ended."}, **shown_problems("forbidden")},
    response_class=Response,
    summary="Sign out",
)
async def logout(request: Request) -> Response:
    """End the session of this browser. The identity provider's own session continues."""
    _from_page_alone(request)
    response = Response(status_code=204)
    _signing(request).sessions.end(response)
    return response


@router.delete(
    "/v1/sessions",
    status_code=204,
    responses={204: {"description": "All sessions have ended."}, **problems_of_change()},
    response_class=Response,
    summary="Sign out everywhere",
)
async def end_sessions(request: Request, who: Who) -> Response:
    """End all sessions of the user on the page, in every browser. Other replicas notice within five seconds. Tokens
    and the identity provider's own session stay valid."""
    await service_of(request).end_sessions(who)
    response = Response(status_code=204)
    _signing(request).sessions.end(response)
    return response


@router.post(
    "/auth/development",
    status_code=204,
    responses={
        204: {"description": "The user is signed in."},
        **shown_problems(*OF_A_BODY, "forbidden", "not_found"),
    },
    dependencies=[JSON_ALONE],
    response_class=Response,
    summary="Sign in, in development",
)
async def sign_in_development(request: Request, given: shapes.DevelopmentSignIn) -> Response:
    """Sign in under any name. Available only in development; otherwise 404."""
    signing = _signing(request)
    if not signing.in_development:
        raise Problem("not_found")
    _from_page_alone(request)
    if not has_own_name(request.scope, signing.settings):
        raise Problem("forbidden")
    name = " ".join(given.name.split())[:LONGEST_ID] or "me"
    if is_reserved(name):
        raise Problem("forbidden")
    response = Response(status_code=204)
    language = given.lang.partition("-")[0].lower() if given.lang else None
    who = Principal(id=name, name=name, zone=known_zone(given.zone), language=language)
    signing.sessions.begin(response, who, await service_of(request).epochs.read(who.id))
    return response


def local(following: str) -> str:
    """The path if it is on our page, otherwise "/", since anything else could lead to another site."""
    return following if _LOCAL.fullmatch(following) and not following.startswith("/auth/") else "/"


def _failed(why: str, problem: object) -> Response:
    _log.info("sign-in failed", why=why, problem=str(problem))
    return RedirectResponse(f"/?login={why}", 303)


def _from_page_alone(request: Request) -> None:
    """Raise Problem unless the request comes from our page: other sites may not sign this browser in or out."""
    if not is_from_page(request.scope, _signing(request).settings):
        raise Problem("forbidden")


def _signing(request: Request) -> Signing:
    signing: Signing = request.app.state.signing
    return signing
