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
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from sayso import confirmation
from sayso.confirmation import PATIENCE
from sayso.decision import Confirm
from sayso.gateway.questions.signatures import Signature
from sayso.gateway.seals.beacon import Beacon
from sayso.gateway.seals.key import Key, write_once
from sayso.gateway.values import Question

PATH = "/confirm"
MOST = 1_000  # pages that are open; beyond them the oldest are given up
_CALL = 64  # letters of a call's name
_LOOK = 0.1  # seconds between two looks for an answer
_PAGE, _ANSWER, _FORM, _CHALLENGE = "page", "page answer", "page form", "page challenge"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A page, as it is kept: its id is in the link, and begins with the name of the call."""

    id: str
    user: str
    question: Question
    until: float
    offers: tuple[tuple[str, str], ...] = ()  # how far a yes can reach: value and title


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """An answer, as it is kept: to this page, with the signature of the device if it has a key."""

    page: str
    answer: bool | str
    scope: str = ""  # how far a yes reaches, if it is not for this call only
    signature: Signature | None = None

    @property
    def text(self) -> str:
        """The answer as a device signs it."""
        if isinstance(self.answer, str):
            return self.answer
        return f"yes {self.scope}".rstrip() if self.answer else "no"


class Challenge(NamedTuple):
    """What a form holds for a device that signs: a nonce, until when the answer counts, and our seal on both."""

    nonce: str
    until: int
    seal: str


class Page:
    """A question, who it is for, and what they answered."""

    def __init__(self, kept: Kept, file: Path, key: Key) -> None:
        self.id, self.user, self.question, self.until = kept.id, kept.user, kept.question, kept.until
        self.offers = kept.offers
        self._key = key
        self.file = file
        self.said = file.with_name(f"{sha256(kept.id.encode()).hexdigest()}.said")  # no answer to an earlier page

    @property
    def reply(self) -> Said | None:
        """What was said, to whichever process."""
        with suppress(FileNotFoundError):
            content = self._key.unwrap(_ANSWER, self.said.read_bytes())
            said = msgspec.json.decode(content, type=Said) if content is not None else None
            return said if said is not None and said.page == self.id else None
        return None

    @property
    def answer(self) -> bool | str | None:
        """The answer: yes, no, or a text."""
        said = self.reply
        return said.answer if said is not None else None

    @property
    def digest(self) -> str:
        """The digest of exactly this question: the user, the call with every value, and the tool's definition."""
        return digest(self.user, self.question)

    def say(self, answer: bool | str) -> bool:
        """Answers the page; False if it was answered before."""
        return self.keep(Said(page=self.id, answer=answer))

    def keep(self, said: Said) -> bool:
        """Keeps an answer to this page; False if it was answered before."""
        return write_once(self.said, self._key.wrap(_ANSWER, msgspec.json.encode(said)))

    def challenge(self, cookie: str) -> Challenge:
        """What the device with this cookie signs in addition to its answer."""
        nonce, until = secrets.token_urlsafe(16), int(self.until)
        return Challenge(nonce, until, self._challenge_seal(cookie, nonce, until))

    def is_challenge(self, cookie: str, given: Challenge) -> bool:
        """Whether we made this challenge for this page and cookie. A page that is over is not found any more."""
        ours = self._challenge_seal(cookie, given.nonce, given.until)
        return given.until == int(self.until) and hmac.compare_digest(ours.encode(), given.seal.encode())

    def _challenge_seal(self, cookie: str, nonce: str, until: int) -> str:
        parts = (self.id, cookie, nonce, str(until))
        return self._key.seal(_CHALLENGE, *(part.encode("utf-8", "replace") for part in parts))

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

    def __init__(
        self, folder: Path, key: Key, clock: Callable[[], float] = time.time, beacon: Beacon | None = None
    ) -> None:
        self.base: str | None = None
        self.beacon = beacon
        self._folder, self._key, self._clock = folder, key, clock

    def put(self, user: str, question: Question, offers: tuple[tuple[str, str], ...] = ()) -> tuple[Page, bool]:
        """The page for this call of this user, and whether it is a new one."""
        self._sweep()
        found = self.of(user, question)
        if found is not None:
            return found, False
        call = _call(user, question)
        name, until = f"{call}{secrets.token_urlsafe(32)}", self._clock() + PATIENCE
        kept = Kept(id=name, user=user, question=question, until=until, offers=offers)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if write_once(self._file(call), self._key.wrap(_PAGE, msgspec.json.encode(kept))):
            return Page(kept, self._file(call), self._key), True
        found = self._read(call)
        return (found, False) if found is not None else self.put(user, question, offers)

    def of(self, user: str, question: Question) -> Page | None:
        """The page for this call of this user, while it is open."""
        return self._read(_call(user, question))

    def find(self, identifier: str) -> Page | None:
        """The page of this name, while it is open."""
        call = identifier[:_CALL]
        found = self._read(call) if call.isascii() and call.isalnum() else None
        same = found is not None and hmac.compare_digest(found.id.encode(), identifier.encode())
        return found if same else None

    def open(self, user: str) -> list[Page]:
        """The pages of this user that wait for an answer, the oldest first."""
        found = (self._read(file.stem) for file in sorted(self._folder.glob("*.json"), key=_made))
        return [page for page in found if page is not None and page.user == user and page.answer is None]

    def close(self, page: Page) -> None:
        """It was used."""
        page.file.unlink(missing_ok=True)
        page.said.unlink(missing_ok=True)

    def url(self, page: Page) -> str | None:
        return f"{self.address}{PATH}/{page.id}" if self.address is not None else None

    @property
    def address(self) -> str | None:
        """The address for links: that of a running inbox, which stays the same, else that of this process."""
        return (self.beacon.read() if self.beacon is not None else None) or self.base

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
        """Removes expired pages, the oldest of too many pages, and answers to pages that no longer exist."""
        files = sorted(self._folder.glob("*.json"), key=_made)
        for number, file in enumerate(files):
            page = self._read(file.stem)
            if page is not None and number < len(files) - MOST + 1:
                self.close(page)
        for file in self._folder.glob("*.said"):
            if _made(file) < time.time() - 2 * PATIENCE:
                file.unlink(missing_ok=True)


def digest(user: str, question: Question) -> str:
    """The digest of exactly this question: another call, user or definition has another digest."""
    wanted, asks = question.wanted, question.asks
    what = (user, wanted.server, wanted.tool, asks.arguments, question.definition)
    more = () if isinstance(asks, Confirm) else (asks.question, [option.arguments for option in asks.options])
    return confirmation.digest("page 1", (*what, *more)).hex()


def _call(user: str, question: Question) -> str:
    """The same for the same call of the same user, whatever was said. If a first question leads to a second one, both
    belong to the call as it came, so that the client's next try finds the second."""
    wanted, asks = question.wanted, question.asks
    if isinstance(asks, Confirm) and question.rounds == 1:
        return digest(user, question)
    what = (user, wanted.server, wanted.tool, wanted.arguments, question.definition, wanted.words.message)
    return confirmation.digest("page call 1", what).hex()


def _made(file: Path) -> float:
    with suppress(FileNotFoundError):
        return file.stat().st_mtime
    return 0.0
