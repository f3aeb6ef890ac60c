"""Questions that a person answers in a browser, where the client's answer does not count.

A page is for one user and exactly one call. Its yes counts once, and for ten minutes after it was asked. Pages are
files in a folder that all processes of a gateway share, so that each can show, answer and use what another put there:
one for each call, and beside it the answer, which can be made once. Both are sealed with the gateway's key: a file that
another program puts there is not read.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from sayso.gateway.seals.key import Key, write_once
from sayso.gateway.values import Question
from sayso.protocol import PATIENCE

PATH = "/confirm"
MOST = 1_000  # pages that are open; beyond them the oldest are given up
_CALL = 64  # letters of a call's name
_LOOK = 0.1  # seconds between two looks for an answer
_PAGE, _ANSWER, _FORM = "page", "page answer", "page form"
_SAID = {True: b"yes", False: b"no"}


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A page, as it is kept: its id is in the link, and begins with the name of the call."""

    id: str
    user: str
    question: Question
    until: float


class Page:
    """A question, who it is for, and what they answered."""

    def __init__(self, kept: Kept, file: Path, key: Key) -> None:
        self.id, self.user, self.question, self.until = kept.id, kept.user, kept.question, kept.until
        self._key = key
        self.file = file
        self.said = file.with_name(f"{sha256(kept.id.encode()).hexdigest()}.said")  # no answer to an earlier page

    @property
    def answer(self) -> bool | None:
        """What was said, to whichever process."""
        with suppress(FileNotFoundError):
            seal = self.said.read_bytes().decode("ascii", "replace")
            for answer, said in _SAID.items():
                if self._key.is_sealed(seal, _ANSWER, self.id.encode(), said):
                    return answer
        return None

    def say(self, answer: bool) -> bool:
        """Answer it; False where it was answered before."""
        return write_once(self.said, self._key.seal(_ANSWER, self.id.encode(), _SAID[answer]).encode())

    def token(self, cookie: str) -> str:
        """What the form on this page holds in the browser with this cookie."""
        return self._key.seal(_FORM, self.id.encode(), cookie.encode())

    async def wait(self, seconds: float) -> None:
        """Until it is answered, or for so long."""
        end = time.monotonic() + seconds
        while self.answer is None and (left := end - time.monotonic()) > 0:  # noqa: ASYNC110  others may answer
            await asyncio.sleep(min(_LOOK, left))


class Pages:
    """The pages that are open. `base` is the address that they are under, once they are served."""

    def __init__(self, folder: Path, key: Key, clock: Callable[[], float] = time.time) -> None:
        self.base: str | None = None
        self._folder, self._key, self._clock = folder, key, clock

    def put(self, user: str, question: Question) -> tuple[Page, bool]:
        """The page for this call of this user, and whether it is a new one."""
        self._sweep()
        found = self.of(user, question)
        if found is not None:
            return found, False
        call = _call(user, question)
        kept = Kept(
            id=f"{call}{secrets.token_urlsafe(32)}", user=user, question=question, until=self._clock() + PATIENCE
        )
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if write_once(self._file(call), self._key.wrap(_PAGE, msgspec.json.encode(kept))):
            return Page(kept, self._file(call), self._key), True
        found = self._read(call)
        return (found, False) if found is not None else self.put(user, question)

    def of(self, user: str, question: Question) -> Page | None:
        """The page for this call of this user, while it is open."""
        return self._read(_call(user, question))

    def find(self, identifier: str) -> Page | None:
        """The page of this name, while it is open."""
        call = identifier[:_CALL]
        found = self._read(call) if call.isascii() and call.isalnum() else None
        same = found is not None and hmac.compare_digest(found.id.encode(), identifier.encode())
        return found if same else None

    def close(self, page: Page) -> None:
        """It was used."""
        page.file.unlink(missing_ok=True)
        page.said.unlink(missing_ok=True)

    def url(self, page: Page) -> str | None:
        return f"{self.base}{PATH}/{page.id}" if self.base is not None else None

    @property
    def host(self) -> str:
        """The name and port under which the pages are."""
        return urlsplit(self.base or "").netloc

    def _file(self, call: str) -> Path:
        return self._folder / f"{call}.json"

    def _read(self, call: str) -> Page | None:
        file = self._file(call)
        try:
            content = self._key.unwrap(_PAGE, file.read_bytes())
        except FileNotFoundError:
            return None
        kept = msgspec.json.decode(content, type=Kept) if content is not None else None
        if kept is None or not kept.id.startswith(call):  # not a page that we put there
            file.unlink(missing_ok=True)
            return None
        page = Page(kept, file, self._key)
        if page.until > self._clock():
            return page
        self.close(page)
        return None

    def _sweep(self) -> None:
        """Give up the pages that are over and the oldest of too many, and answers to what is there no more."""
        files = sorted(self._folder.glob("*.json"), key=_made)
        for number, file in enumerate(files):
            page = self._read(file.stem)
            if page is not None and number < len(files) - MOST + 1:
                self.close(page)
        for file in self._folder.glob("*.said"):
            if _made(file) < time.time() - 2 * PATIENCE:
                file.unlink(missing_ok=True)


def _call(user: str, question: Question) -> str:
    """The same for the same call of the same user, whatever was said."""
    wanted = question.wanted
    what = (user, wanted.server, wanted.tool, question.asks.arguments, question.definition)
    return sha256(msgspec.json.encode(what, order="sorted")).hexdigest()


def _made(file: Path) -> float:
    with suppress(FileNotFoundError):
        return file.stat().st_mtime
    return 0.0
