"""Paired browsers: only they can answer on the confirmation pages, so a link alone is useless.

`sayso gateway pair` prints a short code. The person enters it on a page of the gateway, and that browser gets a cookie.
A model reads the link of a page; it sees neither the code nor the cookie. A browser can register a public key with the
code. From then on the cookie alone answers nothing: each answer needs a signature of that key (`signatures`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from sayso.confirmation import PATIENCE
from sayso.gateway.seals.key import Key, write_once

KEPT = 180 * 24 * 3600  # seconds that a browser stays paired
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that looks like another; 32 of them, so 8 are 40 bits
_HALF = 4
_SHOWN = 16  # letters of a browser's name
_CODE, _BROWSER = "pairing code", "paired browser"


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """Whose code or browser it is, and until when. `name` is the name of its file, `key` the browser's public key."""

    name: str
    user: str
    until: float
    key: str = ""
    label: str = ""

    @property
    def device(self) -> str:
        """The id that the trail and the list of devices show. It is not secret."""
        return self.name[:_SHOWN]


class Browsers:
    """Codes and browsers, as sealed files of a folder that all processes of a gateway share."""

    def __init__(self, folder: Path, key: Key, clock: Callable[[], float] = time.time) -> None:
        self._folder, self._key, self._clock = folder, key, clock

    @property
    def cookie(self) -> str:
        """The name of the cookie: cookies know no port, and several gateways may be on one machine."""
        return f"sayso_browser_{sha256(bytes(self._folder.resolve())).hexdigest()[:8]}"

    def issue(self, user: str) -> str:
        """A code that pairs one browser with this user, within ten minutes."""
        self._sweep()
        code = "".join(secrets.choice(_LETTERS) for _ in range(2 * _HALF))
        self._write(_CODE, self._key.seal(_CODE, code.encode()), user, PATIENCE)
        return f"{code[:_HALF]}-{code[_HALF:]}"

    def pair(self, code: str, key: str = "", label: str = "") -> str | None:
        """The cookie of a browser that is paired from now on; None if the code is wrong, old or used."""
        plain = "".join(letter for letter in code.upper() if letter in _LETTERS)
        name = self._key.seal(_CODE, plain.encode())
        found = self._read(_CODE, name)
        if found is None:
            return None
        try:
            self._file(name).unlink()
        except FileNotFoundError:  # another request used it
            return None
        cookie = secrets.token_urlsafe(32)
        self._write(_BROWSER, _name(cookie), found.user, KEPT, key, label)
        return cookie

    def find(self, cookie: str) -> Paired | None:
        """The browser that sends this cookie."""
        return self._read(_BROWSER, _name(cookie))

    def user(self, cookie: str) -> str | None:
        """Whose browser sends this cookie."""
        found = self.find(cookie)
        return found.user if found is not None else None

    def paired(self, user: str) -> list[Paired]:
        """The browsers of this user, the newest first."""
        found = (self._read(_BROWSER, file.stem) for file in self._folder.glob("*.pair"))
        mine = [each for each in found if each is not None and each.user == user]
        return sorted(mine, key=lambda each: each.until, reverse=True)

    def device(self, user: str, device: str) -> Paired | None:
        """The browser of this user with this id."""
        return next((each for each in self.paired(user) if each.device == device), None)

    def unpair(self, user: str, device: str) -> bool:
        """Unpair one browser of this user; False if no browser has this id."""
        found = self.device(user, device)
        if found is not None:
            self._file(found.name).unlink(missing_ok=True)
        return found is not None

    def forget(self, user: str) -> int:
        """Unpair all browsers of this user, and end their codes; how many browsers there were."""
        gone = 0
        for file in self._folder.glob("*.pair"):
            for purpose in (_CODE, _BROWSER):
                found = self._read(purpose, file.stem)
                if found is not None and found.user == user:
                    file.unlink(missing_ok=True)
                    gone += purpose == _BROWSER
        return gone

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.pair"

    def _write(self, purpose: str, name: str, user: str, seconds: float, key: str = "", label: str = "") -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        paired = Paired(name=name, user=user, until=self._clock() + seconds, key=key, label=label)
        write_once(self._file(name), self._key.wrap(purpose, msgspec.json.encode(paired)))

    def _read(self, purpose: str, name: str) -> Paired | None:
        with suppress(FileNotFoundError):
            content = self._key.unwrap(purpose, self._file(name).read_bytes())
            if content is not None:
                found = msgspec.json.decode(content, type=Paired)
                return found if found.name == name and found.until > self._clock() else None
        return None

    def _sweep(self) -> None:
        """Remove what has expired, or is not ours."""
        for file in self._folder.glob("*.pair"):
            if all(self._read(purpose, file.stem) is None for purpose in (_CODE, _BROWSER)):
                file.unlink(missing_ok=True)


def _name(cookie: str) -> str:
    return sha256(b"sayso browser 1\n" + cookie.encode("utf-8", "replace")).hexdigest()
