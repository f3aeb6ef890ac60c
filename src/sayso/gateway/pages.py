"""Questions that a person answers in a browser, on a page of ours: what the client says does not count there.

A page is for one user and exactly one call. Its yes counts once, and for ten minutes after it was asked.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from hashlib import sha256
from urllib.parse import urlsplit

import msgspec

from sayso.gateway.values import Question
from sayso.protocol import PATIENCE

PATH = "/confirm"
MOST = 1_000  # pages that are open; beyond them the oldest are given up


class Page:
    """A question, who it is for, and what they answered."""

    def __init__(self, user: str, question: Question, until: float) -> None:
        self.id, self.key = secrets.token_urlsafe(32), secrets.token_bytes(32)
        self.user, self.question, self.until = user, question, until
        self.answer: bool | None = None
        self._answered = asyncio.Event()

    def say(self, answer: bool) -> bool:
        """Answer it; False where it was answered before."""
        if self.answer is not None:
            return False
        self.answer = answer
        self._answered.set()
        return True

    async def wait(self, seconds: float) -> None:
        """Until it is answered, or for so long."""
        try:
            async with asyncio.timeout(seconds):
                await self._answered.wait()
        except TimeoutError:
            return


class Pages:
    """The pages that are open. `base` is the address that they are under, once they are served."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.base: str | None = None
        self._clock = clock
        self._by_call: dict[bytes, Page] = {}
        self._by_id: dict[str, Page] = {}

    def put(self, user: str, question: Question) -> tuple[Page, bool]:
        """The page for this call of this user, and whether it is a new one."""
        found = self.of(user, question)
        if found is not None:
            return found, False
        page = Page(user, question, self._clock() + PATIENCE)
        self._by_call[_call(user, question)] = self._by_id[page.id] = page
        return page, True

    def of(self, user: str, question: Question) -> Page | None:
        """The page for this call of this user, while it is open."""
        self._sweep()
        return self._by_call.get(_call(user, question))

    def find(self, identifier: str) -> Page | None:
        """The page of this name, while it is open."""
        self._sweep()
        return self._by_id.get(identifier)

    def close(self, page: Page) -> None:
        """It was used."""
        self._by_id.pop(page.id, None)
        self._by_call.pop(_call(page.user, page.question), None)

    def url(self, page: Page) -> str | None:
        return f"{self.base}{PATH}/{page.id}" if self.base is not None else None

    @property
    def host(self) -> str:
        """The name and port under which the pages are."""
        return urlsplit(self.base or "").netloc

    def _sweep(self) -> None:
        pages = list(self._by_id.values())
        for number, page in enumerate(pages):
            if page.until > self._clock() and number >= len(pages) - MOST:
                return  # they are in the order in which they were put
            self.close(page)


def _call(user: str, question: Question) -> bytes:
    """The same for the same call of the same user, whatever was said."""
    wanted = question.wanted
    what = (user, wanted.server, wanted.tool, question.asks.arguments, question.definition)
    return sha256(msgspec.json.encode(what, order="sorted")).digest()
