"""Functions that expressions can call: `under`, `host` and `lower`.

They look at text only: they read no file and resolve no symbolic link, because the server may be on another machine. If
a value has more than one reading, they raise ValueError, and the rule fails closed, whichever effect it has.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_MARKS_OF_WINDOWS = re.compile(r"[:~]|[. ]$")  # streams, short names, and endings that Windows drops


def under(path: object, folder: object) -> bool:
    """Whether an absolute path is the folder, or is in it."""
    if not isinstance(path, str) or not isinstance(folder, str):
        raise ValueError("under takes two texts")
    windows = _DRIVE.match(folder) is not None
    inner, outer = _parts(path, windows=windows), _parts(folder, windows=windows)
    found = [_folded(part) for part in inner[: len(outer)]] == [_folded(part) for part in outer]
    if found and not windows and inner[: len(outer)] != outer:
        raise ValueError("the path differs from the folder only by case or accents")
    return found


def _parts(path: str, *, windows: bool) -> list[str]:
    """The parts of an absolute path that has one reading."""
    if _CONTROL.search(path):
        raise ValueError("the path contains a control character")
    if windows != (_DRIVE.match(path) is not None) or not (windows or path.startswith("/")):
        raise ValueError("the path is not absolute")
    if not windows and "\\" in path:
        raise ValueError("the path contains a backslash")
    parts = [part for part in re.split(r"[\\/]" if windows else "/", path) if part not in ("", ".")]
    if ".." in parts:
        raise ValueError('the path contains ".."')
    if windows and any(_MARKS_OF_WINDOWS.search(part) for part in parts[1:]):
        raise ValueError("the path has more than one reading on Windows")
    return parts


def _folded(part: str) -> str:
    """The same for names that some file system takes for one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", part).casefold())


def host(url: object) -> str:
    """The host name of a URL, in lower case and without the port."""
    if not isinstance(url, str) or _CONTROL.search(url) or "\\" in url or " " in url:
        raise ValueError("host takes a URL")
    parts = urlsplit(url)
    name = (parts.hostname or "").lower()
    name = f"[{name}]" if ":" in name else name
    if "@" in parts.netloc or not parts.scheme or not _HOST.fullmatch(name):
        raise ValueError("the URL has no plain host name")
    return name


def lower(text: object) -> str:
    """A text in lower case."""
    if not isinstance(text, str):
        raise ValueError("lower takes a text")
    return text.lower()


FUNCTIONS: dict[str, Callable[..., Any]] = {"under": under, "host": host, "lower": lower}
