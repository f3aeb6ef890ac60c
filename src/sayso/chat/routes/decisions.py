"""`/v1/decide` and `/v1/compose`: decide a case. Nothing is stored, and no tool runs.

The function-call hook of a voice front end sends `compose` the user's words, the partial call and the history.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from sayso.case import Case, case_from_object
from sayso.chat.guards.guard import too_many
from sayso.chat.guards.limits import RateLimit, cost_of_things
from sayso.chat.guards.problems import Problem
from sayso.chat.inside import JSON_ALONE, Who, metrics_of, service_of, written
from sayso.chat.routes import contract
from sayso.chat.routes.described import OF_A_BODY, problems_of_change
from sayso.identity.principal import Principal

router = APIRouter(prefix="/v1", tags=["decisions"])

FEW = 200  # up to so many things, a decision is faster without a thread


@router.post(
    "/decide",
    response_model=contract.Answer,
    responses={200: {"description": "The decisions."}, **problems_of_change(*OF_A_BODY)},
    dependencies=[JSON_ALONE],
    summary="Decide a case",
)
async def decide(request: Request, who: Who, case: contract.Case) -> Response:
    """What should happen, and why: a call, a confirmation, a question, or nothing. Nothing is run."""
    return await _answer(request, who, case)


@router.post(
    "/compose",
    response_model=contract.Answer,
    responses={200: {"description": "The decisions."}, **problems_of_change(*OF_A_BODY)},
    dependencies=[JSON_ALONE],
    summary="Complete and check a proposed call",
)
async def compose(request: Request, who: Who, case: contract.ProposedCase) -> Response:
    """Decide a case with a call that a language model proposes. Sayso checks the call, completes it from the user's
    words, and asks for confirmation if necessary. Nothing is run."""
    return await _answer(request, who, case)


async def _answer(request: Request, who: Principal, given: contract.Case) -> Response:
    body = await request.body()
    limit: RateLimit = request.app.state.limit
    wait = await limit.spend(who.id, cost_of_things(len(given.entities), len(body)))
    if wait is not None:
        raise too_many(wait)
    _refuse_odd_json(body)
    case = _case(given, who)
    decide = service_of(request).decide
    if len(case.entities) <= FEW:
        answer = decide(case)
    else:
        one_at_a_time: asyncio.Semaphore = request.app.state.large_cases
        async with one_at_a_time:  # several threads would block other requests
            answer = await asyncio.to_thread(decide, case)
    metrics_of(request).decisions(answer.decisions)
    return written(answer)


def _refuse_odd_json(body: bytes) -> None:
    """Reject texts that Python's parser accepts although they are not valid JSON: NaN, lone surrogates, UTF-16."""
    try:
        msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Problem("malformed") from None


def _case(given: contract.Case, who: Principal) -> Case:
    """The case, with the signed-in user as its user, and with the server's clock if it has no time."""
    data = given.model_dump(exclude_unset=True)
    person = {"id": who.id, "name": who.name, "email": who.email}
    data["user"] = {key: value for key, value in person.items() if value is not None}
    if data.get("now") is None:
        data["now"] = datetime.now(ZoneInfo(who.zone) if who.zone else UTC)
    return case_from_object(data)
