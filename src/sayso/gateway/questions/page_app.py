"""The confirmation pages over HTTP.

A yes must come from the page itself, in a browser that was paired with the user: by a form with a token that goes with
that browser's cookie, from our own origin, under our own name. A browser that is not paired sees nothing of the call,
and is asked for a code. The page may not be framed, kept or scripted.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import parse_qs

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from sayso.gateway.messages import DEFAULT, say
from sayso.gateway.questions.browsers import KEPT, Browsers
from sayso.gateway.questions.pages import PATH, Page, Pages
from sayso.unseen import spelled

MOST_BYTES = 4_096


def page_routes(pages: Pages, browsers: Browsers, lang: str | None) -> list[Route]:
    """The route of the pages."""
    door, place = _Door(pages, browsers, lang), f"{PATH}/{{id}}"
    return [Route(place, door.show, methods=["GET"]), Route(place, door.answer, methods=["POST"])]


class _Door:
    """The handlers: a paired browser sees and answers the page, any other is asked for a code."""

    def __init__(self, pages: Pages, browsers: Browsers, lang: str | None) -> None:
        self._pages, self._browsers, self._lang = pages, browsers, lang

    async def show(self, request: Request) -> Response:
        page, lang = self._page(request), self._lang
        if page is None or page.answer is not None:
            return _said(lang, "page_gone", 404)
        cookie = self._cookie(request, page)
        if cookie is None:
            return _html(lang, say(lang, "page_pair"), _pairing(lang, "page_enter_code"))
        return _html(lang, say(lang, "page_title"), _form(page, lang, page.token(cookie)))

    async def answer(self, request: Request) -> Response:
        page, given = self._page(request), await _given(request)
        if page is None:
            return _said(self._lang, "page_gone", 404)
        if request.headers.get("origin") != self._pages.base:
            return _said(self._lang, "page_refused", 403)
        return self._pair(request, given["code"]) if "code" in given else self._answer(request, page, given)

    def _answer(self, request: Request, page: Page, given: dict[str, str]) -> Response:
        cookie, token = self._cookie(request, page), given.get("token", "")
        if cookie is None or not hmac.compare_digest(token.encode(), page.token(cookie).encode()):
            return _said(self._lang, "page_refused", 403)
        if given.get("answer") not in ("yes", "no") or not page.say(given["answer"] == "yes"):
            return _said(self._lang, "page_gone", 404)
        return _said(self._lang, "page_yes_said" if page.answer else "page_no_said", 200)

    def _pair(self, request: Request, code: str) -> Response:
        cookie = self._browsers.pair(code)
        if cookie is None:
            return _html(self._lang, say(self._lang, "page_pair"), _pairing(self._lang, "page_wrong_code"), 403)
        response = RedirectResponse(request.url.path, 303)
        name, secure = self._name, self._is_secure
        response.set_cookie(name, cookie, max_age=KEPT, path="/", httponly=True, samesite="lax", secure=secure)
        return response

    def _page(self, request: Request) -> Page | None:
        """The page that is meant, under our own name alone."""
        return self._pages.find(request.path_params["id"]) if request.headers.get("host") == self._pages.host else None

    def _cookie(self, request: Request, page: Page) -> str | None:
        """The cookie of a browser that is paired with the user of this page."""
        cookie = request.cookies.get(self._name, "")
        return cookie if self._browsers.user(cookie) == page.user else None

    @property
    def _is_secure(self) -> bool:
        return (self._pages.base or "").startswith("https:")

    @property
    def _name(self) -> str:
        return f"__Host-{self._browsers.cookie}" if self._is_secure else self._browsers.cookie


@asynccontextmanager
async def serve_pages(pages: Pages, browsers: Browsers, lang: str | None) -> AsyncIterator[None]:
    """Serve the pages alone, on a port of this machine, for a gateway that speaks over standard input and output."""
    app = Starlette(routes=page_routes(pages, browsers, lang))
    config = uvicorn.Config(app, http="h11", log_level="error", lifespan="off", timeout_graceful_shutdown=1)
    server = _Beside(config)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        pages.base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        serving = asyncio.create_task(server.serve([listening]))
        try:
            yield
        finally:
            pages.base, server.should_exit = None, True
            await serving


class _Beside(uvicorn.Server):
    """A server beside another one, to which signals belong."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _form(page: Page, lang: str | None, token: str) -> str:
    """Everything that would run, each value in full, and two buttons."""
    asks, wanted = page.question.asks, page.question.wanted
    rows = [(say(lang, "page_server"), wanted.server), (say(lang, "page_tool"), wanted.tool)]
    rows += [(name, _text(value)) for name, value in asks.arguments.items()]
    listed = "".join(f"<dt>{_visible(name)}</dt><dd><pre><bdi>{_visible(row)}</bdi></pre></dd>" for name, row in rows)
    said = {answer: escape(say(lang, f"page_{answer}")) for answer in ("yes", "no")}
    buttons = "".join(f'<button name="answer" value="{answer}">{text}</button>' for answer, text in said.items())
    hidden = f'<input type="hidden" name="token" value="{escape(token)}">'
    return f"<p>{_visible(asks.question)}</p><dl>{listed}</dl><form method=post>{hidden}{buttons}</form>"


def _pairing(lang: str | None, message: str) -> str:
    """A field for the code; nothing of the call."""
    field = '<input name="code" autocomplete="off" autocapitalize="characters" maxlength="20" autofocus required>'
    label = f"<label>{escape(say(lang, 'page_code'))} {field}</label>"
    button = f"<button>{escape(say(lang, 'page_pair'))}</button>"
    return f"<p>{escape(say(lang, message))}</p><form method=post><p>{label}</p>{button}</form>"


def _said(lang: str | None, name: str, status: int) -> HTMLResponse:
    return _html(lang, say(lang, name), "", status)


def _html(lang: str | None, title: str, body: str, status: int = 200) -> HTMLResponse:
    nonce = secrets.token_urlsafe(16)
    text = _template().substitute(lang=escape(lang or DEFAULT), title=escape(title), nonce=nonce, body=body)
    ours = f"style-src 'nonce-{nonce}'; form-action 'self'"
    policy = f"default-src 'none'; {ours}; frame-ancestors 'none'; base-uri 'none'"
    headers = {
        "Cache-Control": "no-store",
        "Content-Security-Policy": policy,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "same-origin",  # with none at all, browsers would not tell our own origin either
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }
    return HTMLResponse(text, status, headers)


@cache
def _template() -> Template:
    return Template(Path(__file__).with_name("page.html").read_text("utf-8"))


async def _given(request: Request) -> dict[str, str]:
    """The fields of the form; none where it is none of ours."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return {}
    return {name: values[0] for name, values in parse_qs(body.decode("ascii", "replace")).items()}


def _text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _visible(text: str) -> str:
    """For a page: what cannot be seen is spelled out, what HTML would take for its own is escaped."""
    lines = text.split("\n")
    return "\n".join(escape(spelled(line, lambda letter: f"<U+{ord(letter):04X}>")) for line in lines)
