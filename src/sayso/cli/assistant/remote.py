"""Talks to the chat service over HTTP with only the standard library.

Each message has its own id: if the answer is lost and the message is sent again, it is answered but not run twice.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar
from urllib import error, request
from urllib.parse import quote, urlsplit
from uuid import uuid4
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from sayso.assistant.values import Card, Reply
from sayso.case import Case
from sayso.cli.assistant.backends import Unanswered, retold
from sayso.decision import Answer

TIMEOUT = 60  # seconds; a turn that asks a model may take long
LONGEST_SILENCE = 40  # seconds without a sign of life on the stream of events
ATTEMPTS = 4
LONGEST_WAIT = 5.0
LARGEST = 4_000_000  # bytes of an answer
_AGAIN = frozenset((409, 429, 502, 503, 504))

T = TypeVar("T")
Say = Callable[..., str]


class Reminder(msgspec.Struct, frozen=True):
    """A reminder that rang."""

    id: str
    title: str
    due: str
    rang_at: str | None = None


class _Reminders(msgspec.Struct):
    ringing: tuple[Reminder, ...] = ()


class _User(msgspec.Struct):
    zone: str = ""


class _Session(msgspec.Struct):
    user: _User | None = None


class _Event(msgspec.Struct):
    type: str = ""


class _Conversation(msgspec.Struct):
    id: str


class _Problem(msgspec.Struct):
    type: str = ""
    detail: str = ""


class _Stay(request.HTTPRedirectHandler):
    """The token goes to the address that was named, and to no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


class RemoteTalk:
    """A conversation that a chat service keeps."""

    def __init__(self, url: str, token: str, lang: str, *, words: Say, clock: Callable[[], datetime]) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError("the address begins with http:// or https://")
        self._url, self._token, self._words, self._clock = url.rstrip("/"), token, words, clock
        self._opener = request.build_opener(_Stay)
        self._id: str | None = None
        self._zone: ZoneInfo | None = None
        self.lang = lang
        self.decided: tuple[Case, Answer] | None = None

    def say(self, message: str) -> Reply:
        if self._id is None:
            self._id = self._post("/v1/conversations", {}, _Conversation).id
        body = {"client_message_id": str(uuid4()), "content": message}
        reply = self._post(f"/v1/conversations/{quote(self._id, safe='')}/messages", body, Reply)
        self.decided = retold(message, self._clock(), self.lang, reply)
        return reply

    def settle(self, card: Card, *, yes: bool) -> Reply:
        body = {"answer": "yes" if yes else "no", "digest": card.digest}
        return self._post(f"/v1/confirmations/{quote(card.id, safe='')}", body, Reply)

    def undo(self) -> Reply:
        return self._post("/v1/undo", {}, Reply, attempts=1)  # sent twice, it would take back two things

    def ringing(self) -> tuple[Reminder, ...]:
        """The reminders that rang and are not dealt with, the newest first."""
        return self._answer(self._request("/v1/reminders"), _Reminders, attempts=1).ringing

    def now(self) -> datetime:
        """The time on the clock that due dates are on: that of the person's zone."""
        if self._zone is None:
            user = self._answer(self._request("/v1/session"), _Session, attempts=1).user
            with suppress(ZoneInfoNotFoundError, ValueError):
                self._zone = ZoneInfo(user.zone) if user else None
        return datetime.now().astimezone(self._zone)

    def events(self) -> Iterator[str]:
        """The kinds of events as they come; an empty one once the service listens. It ends with the connection."""
        sent = self._request("/v1/events", accept="text/event-stream")
        with self._opener.open(sent, timeout=LONGEST_SILENCE) as stream:
            yield ""
            while line := stream.readline(LARGEST):
                if line.startswith(b"data:"):
                    yield msgspec.json.decode(line.removeprefix(b"data:"), type=_Event).type

    def _post(self, path: str, body: Mapping[str, Any], shape: type[T], attempts: int = ATTEMPTS) -> T:
        return self._answer(self._request(path, body), shape, attempts)

    def _request(
        self, path: str, body: Mapping[str, Any] | None = None, *, accept: str = "application/json"
    ) -> request.Request:
        data = None if body is None else msgspec.json.encode(body)
        headers = self._headers() | {"Accept": accept}
        return request.Request(self._url + path, data=data, headers=headers)  # noqa: S310  the scheme was looked at

    def _answer(self, sent: request.Request, shape: type[T], attempts: int) -> T:
        """The answer as a value, or Unanswered; what may come right by waiting is sent again."""
        for left in reversed(range(attempts)):
            try:
                with self._opener.open(sent, timeout=TIMEOUT) as answer:
                    return msgspec.json.decode(answer.read(LARGEST), type=shape)
            except error.HTTPError as problem:
                told = _told(problem)
                if not left or problem.code not in _AGAIN or told.type.endswith((":refused", ":message_reused")):
                    text = told.detail or self._words("unreachable", url=self._url, problem=f"HTTP {problem.code}")
                    raise Unanswered(text) from problem
                time.sleep(_wait(problem.headers.get("Retry-After")))
            except (OSError, http.client.HTTPException) as problem:
                if not left:
                    why = getattr(problem, "reason", None) or problem
                    raise Unanswered(self._words("unreachable", url=self._url, problem=str(why))) from problem
                time.sleep(_wait(None))
            except msgspec.DecodeError as problem:
                raise Unanswered(self._words("no_answer", url=self._url)) from problem
        raise AssertionError("the last attempt returns or raises")

    def _headers(self) -> dict[str, str]:
        return {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "Accept-Language": self.lang,
        }


def _told(problem: error.HTTPError) -> _Problem:
    try:
        return msgspec.json.decode(problem.read(LARGEST), type=_Problem)
    except (msgspec.DecodeError, OSError, http.client.HTTPException):
        return _Problem()


def _wait(retry_after: str | None) -> float:
    try:
        return min(float(retry_after or 0.5), LONGEST_WAIT)
    except ValueError:
        return 0.5
