"""The pages on which a person says yes or no, over HTTP.

A yes must come from the page itself: by a form with a token that goes with a cookie of that browser, from our own
origin, under our own name. The page may not be framed, kept or scripted.
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
from starlette.responses import HTMLResponse
from starlette.routing import Route

from sayso.gateway.messages import DEFAULT, say
from sayso.gateway.pages import PATH, Page, Pages
from sayso.protocol import PATIENCE
from sayso.unseen import spelled

COOKIE = "sayso_confirm"
MOST_BYTES = 4_096


def page_routes(pages: Pages, lang: str | None) -> list[Route]:
    """The route of the pages."""

    async def show(request: Request) -> HTMLResponse:
        page = pages.find(request.path_params["id"])
        if request.headers.get("host") != pages.host or page is None or page.answer is not None:
            return _said(lang, "page_gone", 404)
        cookie = request.cookies.get(COOKIE) or secrets.token_urlsafe(32)
        response = _html(lang, say(lang, "page_title"), _form(page, lang, _token(page, cookie)))
        secure = (pages.base or "").startswith("https:")
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=PATIENCE,
            path=request.url.path,
            httponly=True,
            samesite="strict",
            secure=secure,
        )
        return response

    async def answer(request: Request) -> HTMLResponse:
        page = pages.find(request.path_params["id"])
        if request.headers.get("host") != pages.host or page is None:
            return _said(lang, "page_gone", 404)
        given = await _given(request)
        cookie, token = request.cookies.get(COOKIE, ""), given.get("token", "")
        ours = request.headers.get("origin") == pages.base
        if not (ours and cookie and hmac.compare_digest(token.encode(), _token(page, cookie).encode())):
            return _said(lang, "page_refused", 403)
        if given.get("answer") not in ("yes", "no") or not page.say(given["answer"] == "yes"):
            return _said(lang, "page_gone", 404)
        return _said(lang, "page_yes_said" if page.answer else "page_no_said", 200)

    place = f"{PATH}/{{id}}"
    return [Route(place, show, methods=["GET"]), Route(place, answer, methods=["POST"])]


@asynccontextmanager
async def serve_pages(pages: Pages, lang: str | None) -> AsyncIterator[None]:
    """Serve the pages alone, on a port of this machine, for a gateway that speaks over standard input and output."""
    app = Starlette(routes=page_routes(pages, lang))
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


def _token(page: Page, cookie: str) -> str:
    return hmac.digest(page.key, cookie.encode(), "sha256").hex()


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
