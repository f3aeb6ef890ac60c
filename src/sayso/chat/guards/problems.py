"""HTTP errors as problem details (RFC 9457), in the user's language.

The cause is only logged. The response says what to do, and reveals no internals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from sayso.database.pool import Elsewhere, Unavailable
from sayso.errors import MalformedCase, UnknownPack
from sayso.files.datafile import read
from sayso.ledger.errors import MessageReused, NoConversation, Refused, TurnInProgress

MEDIA_TYPE = "application/problem+json"
DEFAULT_LANGUAGE = "en"
CELL = "Sayso-Cell"  # names the cell that a user moved to

Kind: TypeAlias = Literal[
    "malformed", "unauthorised", "forbidden", "not_found", "no_conversation", "no_task", "no_reminder", "no_channel",
    "method_not_allowed",
    "turn_in_progress", "message_reused", "key_reused", "refused", "stale", "duplicate", "push_is_off", "too_large",
    "unsupported_media_type", "invalid", "rate_limited", "failed", "unavailable",
]  # fmt: skip

STATUS: dict[Kind, HTTPStatus] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "unauthorised": HTTPStatus.UNAUTHORIZED,
    "forbidden": HTTPStatus.FORBIDDEN,
    "not_found": HTTPStatus.NOT_FOUND,
    "no_conversation": HTTPStatus.NOT_FOUND,
    "no_task": HTTPStatus.NOT_FOUND,
    "no_reminder": HTTPStatus.NOT_FOUND,
    "no_channel": HTTPStatus.NOT_FOUND,
    "method_not_allowed": HTTPStatus.METHOD_NOT_ALLOWED,
    "turn_in_progress": HTTPStatus.CONFLICT,
    "message_reused": HTTPStatus.CONFLICT,
    "key_reused": HTTPStatus.CONFLICT,
    "refused": HTTPStatus.CONFLICT,
    "stale": HTTPStatus.CONFLICT,
    "duplicate": HTTPStatus.CONFLICT,
    "push_is_off": HTTPStatus.CONFLICT,
    "too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "unsupported_media_type": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "invalid": HTTPStatus.UNPROCESSABLE_ENTITY,
    "rate_limited": HTTPStatus.TOO_MANY_REQUESTS,
    "failed": HTTPStatus.INTERNAL_SERVER_ERROR,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
}
_OF_STATUS: dict[int, Kind] = {
    400: "malformed", 401: "unauthorised", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
    413: "too_large", 415: "unsupported_media_type", 422: "invalid", 429: "rate_limited", 503: "unavailable",
}  # fmt: skip
_WAIT_FOR_DATABASE = 5
_MOST_FAULTS = 20


class Text(msgspec.Struct, frozen=True):
    """The text of one kind of error."""

    title: str
    detail: str


class Fault(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a request is wrong, and why. It never repeats the content of the request."""

    where: Literal["body", "query", "path", "header"]
    pointer: str
    detail: str


class Problem(Exception):
    """A request that is answered with an error."""

    def __init__(
        self,
        kind: Kind,
        *,
        faults: Sequence[Fault] = (),
        headers: Mapping[str, str] | None = None,
        question: str | None = None,
    ) -> None:
        self.kind, self.faults, self.headers, self.question = kind, tuple(faults), dict(headers or {}), question
        super().__init__(kind)

    def body(self, language: str | None) -> dict[str, Any]:
        text = texts(language)[self.kind]
        body: dict[str, Any] = {
            "type": type_of(self.kind), "title": text.title, "status": int(STATUS[self.kind]), "detail": text.detail
        }  # fmt: skip
        if self.question:
            body["question"] = self.question
        return body | {"errors": self.faults} if self.faults else body

    def response(self, language: str | None) -> Response:
        headers = self.headers | {"Content-Language": known_language(language)}
        content = msgspec.json.encode(self.body(language))
        return Response(content, STATUS[self.kind], headers, media_type=MEDIA_TYPE)


@cache
def _all_texts() -> dict[str, dict[str, Text]]:
    return read(Path(__file__).with_name("problems.yaml"), dict[str, dict[str, Text]])


def type_of(kind: Kind) -> str:
    """The URI that names a kind of problem."""
    return f"urn:sayso:problem:{kind}"


def texts(language: str | None) -> dict[str, Text]:
    """The texts of all kinds of problems in this language, or in the default one."""
    return _all_texts()[known_language(language)]


def known_language(wanted: str | None) -> str:
    return wanted if wanted in _all_texts() else DEFAULT_LANGUAGE


def language_from(header: str | None) -> str | None:
    """The first supported language of an Accept-Language header."""
    for part in (header or "").split(","):
        tag = part.partition(";")[0].strip().lower().partition("-")[0]
        if tag in _all_texts():
            return tag
    return None


def problem_of(error: Exception) -> Problem:
    """The problem for an exception; `failed` if the exception is not expected."""
    match error:
        case Problem():
            return error
        case RequestValidationError():
            return _of_validation(error.errors())
        case HTTPException():
            return Problem(_OF_STATUS.get(error.status_code, "failed"), headers=error.headers)
        case TurnInProgress():
            return Problem("turn_in_progress", headers={"Retry-After": str(max(1, round(error.retry_after)))})
        case Unavailable():
            return _of_database(error)
        case MalformedCase():
            return Problem("invalid", faults=[Fault(where="body", pointer="", detail=str(error))])
        case UnknownPack():
            return Problem("invalid", faults=[Fault(where="body", pointer="/pack", detail=str(error))])
        case _:
            return Problem(next((kind for shape, kind in _PLAIN.items() if isinstance(error, shape)), "failed"))


def _of_database(error: Unavailable) -> Problem:
    """If the user is in another cell, nginx sends the same request there (docs/scale.md). Otherwise the client
    waits."""
    if not isinstance(error, Elsewhere):
        return Problem("unavailable", headers={"Retry-After": str(_WAIT_FOR_DATABASE)})
    to = {CELL: error.cell, "X-Accel-Redirect": f"@cell_{error.cell}"} if error.cell else {}
    return Problem("unavailable", headers={"Retry-After": "1"} | to)


_PLAIN: dict[type[Exception], Kind] = {
    NoConversation: "no_conversation",
    MessageReused: "message_reused",
    Refused: "refused",
}


def _of_validation(errors: Iterable[Any]) -> Problem:
    found = list(errors)
    if any(each["type"] == "json_invalid" for each in found):
        return Problem("malformed")
    return Problem("invalid", faults=[_fault(each) for each in found[:_MOST_FAULTS]])


def _fault(error: Mapping[str, Any]) -> Fault:
    where, *path = error["loc"]
    pointer = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)
    return Fault(where=where if where in ("body", "query", "path") else "header", pointer=pointer, detail=error["msg"])
