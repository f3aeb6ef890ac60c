"""The inbox over HTTP: open questions, the trail, devices. Only a paired browser sees any of it, and only its user's.

The pages are made on the server and work without a script. With it, the list of questions updates itself, and a device
with a key signs its answers.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sayso.gateway.grants.grant import Grant, is_open
from sayso.gateway.grants.granting import revocation
from sayso.gateway.inbox import views
from sayso.gateway.inbox.desk import Desk
from sayso.gateway.inbox.door import Door, Visitor
from sayso.gateway.inbox.html import ROOT, form_fields
from sayso.gateway.inbox.page_app import page_routes

_STATIC = {
    "inbox.js": "text/javascript; charset=utf-8",
    "sw.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "manifest.webmanifest": "application/manifest+json",
}
Handler = Callable[[Request], Awaitable[Response]]
Shown = Callable[[Request, Visitor], Awaitable[Response]]


def pages_routes(desk: Desk, *, keys: bool) -> list[Route]:
    """The routes of the inbox and of the confirmation pages. `keys`: the address stays, so browsers can have a key."""
    door = Door(desk.pages, desk.browsers, desk.lang, keys=keys)
    inbox = _Inbox(desk, door)
    shown: dict[str, Shown] = {
        ROOT: inbox.questions,
        f"{ROOT}/list": inbox.fragment,
        f"{ROOT}/trail": inbox.trail,
        f"{ROOT}/trail/{{number:int}}": inbox.entry,
        f"{ROOT}/replay": inbox.replay,
        f"{ROOT}/grants": inbox.grants,
        f"{ROOT}/devices": inbox.devices,
        f"{ROOT}/pair": inbox.paired,
    }
    changed: dict[str, Shown] = {
        f"{ROOT}/devices": inbox.unpair,
        f"{ROOT}/grants": inbox.revoke,
        f"{ROOT}/push": inbox.subscribe,
    }
    return [
        *page_routes(door),
        *(Route(f"{ROOT}/{name}", _static(name), methods=["GET"]) for name in _STATIC),
        *(Route(path, inbox.shown(handler), methods=["GET"]) for path, handler in shown.items()),
        *(Route(path, inbox.changed(handler), methods=["POST"]) for path, handler in changed.items()),
        *(Route(path, inbox.pair, methods=["POST"]) for path in shown if path not in changed),
    ]


class _Inbox:
    """The handlers."""

    def __init__(self, desk: Desk, door: Door) -> None:
        self._desk, self._door, self._lang = desk, door, desk.lang

    def shown(self, handler: Shown) -> Handler:
        """A page for a paired browser; any other one is asked for a code."""

        async def show(request: Request) -> Response:
            if not self._door.is_ours(request):
                return self._door.said("page_gone", 404)
            visitor = self._door.visitor(request)
            return self._door.pairing_page() if visitor is None else await handler(request, visitor)

        return show

    def changed(self, handler: Shown) -> Handler:
        """A form of ours, from a paired browser, with the token of that browser."""

        async def change(request: Request) -> Response:
            if not self._door.is_ours(request):
                return self._door.said("page_gone", 404)
            given = await form_fields(request)
            if "code" in given:
                return self._door.pair(request, given)
            visitor = self._door.visitor(request)
            if visitor is None or not self._door.is_from_our_page(request):
                return self._door.said("page_refused", 403)
            if not hmac.compare_digest(given.get("token", "").encode(), self._token(visitor).encode()):
                return self._door.said("page_refused", 403)
            request.state.given = given
            return await handler(request, visitor)

        return change

    async def pair(self, request: Request) -> Response:
        """A code, on any page."""
        if not self._door.is_ours(request):
            return self._door.said("page_gone", 404)
        return self._door.pair(request, await form_fields(request))

    async def questions(self, request: Request, visitor: Visitor) -> Response:
        said = request.query_params.get("said")
        return views.questions(self._desk, self._door, visitor, said if said in ("yes", "no") else None)

    async def fragment(self, request: Request, visitor: Visitor) -> Response:
        """The list alone, for the script; 304 if nothing has changed."""
        pages = self._desk.pages.open(visitor.user)
        mark = f'"{sha256(" ".join(page.id for page in pages).encode()).hexdigest()[:32]}"'
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers={"ETag": mark, "Cache-Control": "no-store"})
        cards = views.cards(self._desk, self._door, visitor, pages)
        headers = {"ETag": mark, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        policy = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox"}
        return Response(cards, media_type="text/html", headers={**headers, **policy})

    async def trail(self, request: Request, visitor: Visitor) -> Response:
        words, before = request.query_params.get("q", "")[:200], request.query_params.get("before", "")
        number = int(before) if before.isdecimal() and len(before) < 12 else 0
        lines, more = await self._desk.history.search(visitor.user, words, number)
        return views.trail(self._desk, visitor, lines, words=words, before=number, more=more)

    async def entry(self, request: Request, visitor: Visitor) -> Response:
        number = int(request.path_params["number"])
        line = await self._desk.history.entry(visitor.user, number)
        if line is None:
            return self._door.said("page_gone", 404)
        again = await self._desk.history.replay(visitor.user, number) if line.entry.kind == "judged" else None
        return views.entry(self._desk, visitor, line, again)

    async def replay(self, _request: Request, visitor: Visitor) -> Response:
        return views.replay(self._desk, visitor, await self._desk.history.replay(visitor.user))

    async def devices(self, _request: Request, visitor: Visitor) -> Response:
        return views.devices(self._desk, self._door, visitor, self._token(visitor))

    async def grants(self, _request: Request, visitor: Visitor) -> Response:
        return views.grants(self._desk, visitor, self._token(visitor), await self._grants(visitor.user))

    async def revoke(self, request: Request, visitor: Visitor) -> Response:
        """Revoke a grant of the user; the trail says so first."""
        named = request.state.given.get("grant", "")
        found = next((each for each, _ in await self._grants(visitor.user) if each.id == named), None)
        if found is not None and self._desk.grants is not None and self._desk.trail is not None:
            await self._desk.trail.add(visitor.user, [revocation(found)])
            await self._desk.grants.revoke(found)
        return RedirectResponse(f"{ROOT}/grants", 303)

    async def _grants(self, user: str) -> list[tuple[Grant, int]]:
        """The grants of the user that count now, the newest first, and how often each was used."""
        store, now = self._desk.grants, datetime.now().astimezone()
        found = [each for each in await store.of(user) if is_open(each, now)] if store is not None else []
        newest = sorted(found, key=lambda each: each.made, reverse=True)
        return [(each, await store.uses(each)) for each in newest] if store is not None else []

    async def paired(self, _request: Request, _visitor: Visitor) -> Response:
        """Where a code of a phone leads: once it is paired, to the devices."""
        return RedirectResponse(f"{ROOT}/devices?paired", 303)

    async def unpair(self, request: Request, visitor: Visitor) -> Response:
        device = request.state.given.get("device", "")
        self._desk.subscriptions.remove(visitor.user, device)
        self._desk.browsers.unpair(visitor.user, device)
        return RedirectResponse(f"{ROOT}/devices", 303)

    async def subscribe(self, request: Request, visitor: Visitor) -> Response:
        """A browser's push subscription, from the script."""
        kept = self._desk.subscriptions.put(visitor.paired, request.state.given)
        return Response(status_code=204 if kept else 400)

    def _token(self, visitor: Visitor) -> str:
        return self._desk.token(visitor.cookie)


def _static(name: str) -> Handler:
    async def serve(_request: Request) -> Response:
        headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
        return Response(_file(name), media_type=_STATIC[name], headers=headers)

    return serve


@cache
def _file(name: str) -> bytes:
    return (Path(__file__).parent / "static" / name).read_bytes()
