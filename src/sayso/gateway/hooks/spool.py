"""Keeps the user's last messages for the gateway, and which call a session is about to make.

One file a session, one file an announced call, all sealed: the gateway ignores files that have no seal of the key. The
folder is open to its owner only. Messages expire 30 minutes after the last one. This module starts with the hook and
imports little.
"""

from __future__ import annotations

import hmac
import json
import os
import sys
import time

TYPE_CHECKING = False  # `typing` takes longer to load than the rest of the hook
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Json = dict[str, Any]

MOST_MESSAGES = 10
LONGEST_MESSAGE = 10_000
KEPT = 30 * 60.0  # seconds after the last message
ANNOUNCED = 10 * 60.0  # seconds: the client may ask the user before it makes the call
_MOST_CALLS = 200
_SESSION, _CALL, _KEY = "session", "call", "hooks.key"
_BYTES = 32
_random = os.urandom


class Spool:
    """The folder, for a hook that writes and a gateway that reads."""

    def __init__(self, folder: str, keys: str) -> None:
        self._folder, self._keys = folder, keys

    def remember(self, session: str, message: str | None, now: float) -> None:
        """Add a message of the user. None is a turn that they did not begin: until they speak, there are no words."""
        messages = self.messages(session, now)
        if message is not None and messages and messages[-1] == message:
            return  # two hooks of one client
        kept = [*messages, message and message[:LONGEST_MESSAGE]][-MOST_MESSAGES:]
        self._write(self._session_file(session), _SESSION, {"session": session, "at": now, "messages": kept})
        self._tidy(now)

    def messages(self, session: str, now: float) -> list[str | None]:
        """The user's last messages in this session, oldest first; none if they are too old."""
        kept = self._read(self._session_file(session), _SESSION)
        if kept is None or kept.get("session") != session or not 0 <= now - kept["at"] < KEPT:
            return []
        return list(kept["messages"])

    def announce(self, call: Json, now: float) -> None:
        """Write down that a session is about to make a call."""
        self._write(f"{_CALL}-{int(now * 1000):015d}-{_random(8).hex()}", _CALL, {**call, "at": now})

    def announced(self, now: float) -> list[tuple[str, Json]]:
        """The calls that are about to be made, oldest first, with the file of each."""
        names = sorted(name for name in self._names() if name.startswith(f"{_CALL}-"))[-_MOST_CALLS:]
        read = ((name, self._read(name, _CALL)) for name in names)
        return [(name, call) for name, call in read if call is not None and 0 <= now - call["at"] < ANNOUNCED]

    def claim(self, name: str) -> bool:
        """Take an announcement away; False if another gateway has it."""
        try:
            os.unlink(self._at(name))  # noqa: PTH108  pathlib takes longer to load
        except FileNotFoundError:
            return False
        return True

    def sessions(self, now: float) -> int:
        """How many sessions have words now."""
        kept = (self._read(name, _SESSION) for name in self._names() if name.startswith(f"{_SESSION}-"))
        return sum(1 for each in kept if each is not None and 0 <= now - each["at"] < KEPT)

    def _session_file(self, session: str) -> str:
        return f"{_SESSION}-{hmac.digest(b'', session.encode(), 'sha256').hex()[:32]}"

    def _at(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def _names(self) -> list[str]:
        try:
            return os.listdir(self._folder)  # noqa: PTH208
        except OSError:
            return []

    def _tidy(self, now: float) -> None:
        """Remove what has expired."""
        for name in self._names():
            try:
                if now - os.stat(self._at(name)).st_mtime > KEPT:  # noqa: PTH116
                    os.unlink(self._at(name))  # noqa: PTH108
            except OSError:  # another hook removed it
                continue

    def _write(self, name: str, purpose: str, told: Json) -> None:
        content = json.dumps(told).encode()
        _make_folder(self._folder)
        fresh = self._at(f"new-{_random(8).hex()}")
        _create(fresh, self._seal(purpose, content) + b"\n" + content)
        os.replace(fresh, self._at(name))  # noqa: PTH105

    def _read(self, name: str, purpose: str) -> Json | None:
        """Read a file; None if it does not exist or its seal is not valid."""
        try:
            wrapped = _read_own(self._at(name))
        except OSError:
            return None
        seal, _, content = wrapped.partition(b"\n")
        if not hmac.compare_digest(seal, self._seal(purpose, content)):
            return None
        told = json.loads(content)
        return told if isinstance(told, dict) else None

    def _seal(self, purpose: str, content: bytes) -> bytes:
        return hmac.digest(self._key(), f"sayso hooks {purpose}\n".encode() + content, "sha256").hex().encode()

    def _key(self) -> bytes:
        """Read the key, or create it."""
        file = f"{self._keys}/{_KEY}"
        try:
            key = _read_own(file)
        except FileNotFoundError:
            _make_folder(self._keys)
            fresh = f"{self._keys}/new-{_random(8).hex()}"
            _create(fresh, _random(_BYTES))
            try:
                os.link(fresh, file)
            except FileExistsError:
                pass
            finally:
                os.unlink(fresh)  # noqa: PTH108
            key = _read_own(file)
        if len(key) != _BYTES:
            raise OSError(f"{file} is not a key: remove it")
        return key


def open_spool(environment: Mapping[str, str] = os.environ) -> Spool:
    """The folder of this user, in their data folder."""
    home = environment.get("HOME") or environment.get("USERPROFILE") or os.path.expanduser("~")  # noqa: PTH111
    told = environment.get("XDG_DATA_HOME") or ""
    if sys.platform == "darwin":
        data = f"{home}/Library/Application Support"
    else:
        data = told if told.startswith("/") else f"{home}/.local/share"
    return Spool(f"{data}/sayso/hooks", environment.get("SAYSO_SEAL_DIR") or f"{data}/sayso/keys")


def digest(arguments: object) -> str:
    """The same for the same arguments of a call, whatever the order of their names."""
    told = json.dumps(arguments, sort_keys=True, separators=(",", ":"))
    return hmac.digest(b"sayso call", told.encode(), "sha256").hex()


def now() -> float:
    return time.time()


def _make_folder(folder: str) -> None:
    os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103


def _create(file: str, content: bytes) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(content)


def _read_own(file: str) -> bytes:
    """A file of ours that nobody else can read or write."""
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(descriptor, "rb") as opened:
        about = os.fstat(descriptor)
        if hasattr(os, "getuid") and (about.st_uid != os.getuid() or about.st_mode & 0o077):
            raise PermissionError(f"{file} is not a file that only you can read")
        return opened.read()
