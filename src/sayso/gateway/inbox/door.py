"""The door of the gateway's pages: which browser asks, whether the request is our own, and how a browser is paired.

Pages of 127.0.0.1 accept a browser by its cookie. If a browser registered a key when it was paired, its answers need a
signature. Beyond this machine every browser needs a key.
"""

from __future__ import annotations

import time
from collections import deque
from html import escape
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sayso.gateway.inbox.html import hidden, html_page, script_head
from sayso.gateway.messages import say
from sayso.gateway.questions.browsers import KEPT, Browsers, Paired
from sayso.gateway.questions.pages import Page, Pages
from sayso.gateway.questions.signatures import is_key, is_signed, pairing_text
from sayso.settings import is_loopback

MOST_WRONG, WITHIN = 20, 60.0  # wrong codes, and seconds
_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
_PROGRAMS = ("Firefox", "Edg", "OPR", "Chrome", "Safari")


class Visitor(NamedTuple):
    """A paired browser that asks."""

    cookie: str
    paired: Paired

    @property
    def user(self) -> str:
        return self.paired.user


class Door:
    """Checks requests to the pages. `keys` says whether browsers can register a key: their address must stay."""

    def __init__(self, pages: Pages, browsers: Browsers, lang: str | None, *, keys: bool) -> None:
        self.pages, self.browsers, self.lang, self.keys = pages, browsers, lang, keys
        self._wrong: deque[float] = deque(maxlen=MOST_WRONG)

    @property
    def base(self) -> str:
        return self.pages.base or ""

    @property
    def is_local(self) -> bool:
        """Whether the pages are on this machine only."""
        return is_loopback(urlsplit(self.base).hostname or "")

    def is_ours(self, request: Request) -> bool:
        """Whether the request uses our own name, and not one that another site gave this address."""
        return request.headers.get("host") == self.pages.host

    def is_from_our_page(self, request: Request) -> bool:
        return request.headers.get("origin") == self.pages.base

    def visitor(self, request: Request) -> Visitor | None:
        """The paired browser that asks."""
        cookie = request.cookies.get(self._name, "")
        found = self.browsers.find(cookie) if cookie else None
        return Visitor(cookie, found) if found is not None else None

    def must_sign(self, visitor: Visitor) -> bool:
        return bool(visitor.paired.key) or not self.is_local

    def page(self, request: Request) -> Page | None:
        """The page that the path names, under our own name only."""
        return self.pages.find(request.path_params["id"]) if self.is_ours(request) else None

    def pairing_page(self, message: str = "page_enter_code", status: int = 200) -> Response:
        """A field for the code; nothing of any call."""
        lang = self.lang
        kind, title = ("data-pair", "page_pair") if self.keys else ("", "page_pair")
        field = '<input name="code" autocomplete="off" autocapitalize="characters" maxlength="20" autofocus required>'
        label = f"<label>{escape(say(lang, 'page_code'))} {field}</label>"
        button = f'<button class="main">{escape(say(lang, title))}</button>'
        without = "" if self.is_local else f"<noscript><p>{escape(say(lang, 'page_needs_script'))}</p></noscript>"
        form = f'<form method="post" {kind}>{hidden("key", "")}{hidden("proof", "")}<p>{label}</p>{button}</form>'
        body = f"<p>{escape(say(lang, message))}</p>{without}{form}"
        return html_page(lang, say(lang, title), body, status, head=script_head(lang) if self.keys else "")

    def pair(self, request: Request, given: dict[str, str]) -> Response:
        """Pair the browser that sends a code. A code is not used up by a request that lacks a key."""
        if not self.is_from_our_page(request):
            return self.said("page_refused", 403)
        if len(self._wrong) == MOST_WRONG and time.monotonic() - self._wrong[0] < WITHIN:
            return self.pairing_page("page_too_many", 429)
        code, key = given.get("code", ""), given.get("key", "") if self.keys else ""
        if key or not self.is_local:
            text = pairing_text(self.base, code)
            if not is_key(key) or not is_signed(key, text, given.get("proof", "")):
                return self.pairing_page("page_needs_script", 403)
        cookie = self.browsers.pair(code, key, _label(request.headers.get("user-agent", "")))
        if cookie is None:
            self._wrong.append(time.monotonic())
            return self.pairing_page("page_wrong_code", 403)
        response = RedirectResponse(request.url.path, 303)
        secure = self._is_secure
        response.set_cookie(self._name, cookie, max_age=KEPT, path="/", httponly=True, samesite="lax", secure=secure)
        return response

    def said(self, name: str, status: int) -> Response:
        """A page with one sentence."""
        return html_page(self.lang, say(self.lang, name), "", status)

    @property
    def _is_secure(self) -> bool:
        return self.base.startswith("https:")

    @property
    def _name(self) -> str:
        """The name of the cookie. Keys belong to an origin, cookies to all ports of a host: so they have two names."""
        name = f"{self.browsers.cookie}_key" if self.keys else self.browsers.cookie
        return f"__Host-{name}" if self._is_secure else name


def _label(agent: str) -> str:
    """ "Chrome, Android": what the list of devices shows of a browser."""
    program = next((each for each in _PROGRAMS if each in agent), "")
    system = next((each for each in _SYSTEMS if each in agent), "")
    return ", ".join(part for part in (program, system) if part)
