"""A grant: a user's yes that covers later calls of one tool.

It counts for one user, one server, one tool and one definition of that tool, for arguments that match its pattern,
until it ends. "Always in /srv/notes" for files.write_file covers /srv/notes/a.txt, and neither /srv/other nor
/srv/notes/../other nor /srv/notes/.git/config.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, NamedTuple

import msgspec

Scope = Literal["task", "hour", "folder", "value"]

_LOOKS_LIKE_A_PATH = re.compile(r"(/|~|\.\.?(/|\\|$)|[A-Za-z]:[/\\]|\\\\|file:)", re.IGNORECASE)


class Grant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a yes covers. Arguments in `same` must have these values. With a `folder`, every path must be in it."""

    id: str
    user: str
    server: str
    tool: str
    definition: str  # the fingerprint of the tool
    scope: Scope
    names: tuple[str, ...] = ()  # the arguments that the call may have, if it is limited to some
    same: dict[str, Any] = {}
    folder: str = ""
    paths: tuple[str, ...] = ()  # the arguments that are paths in the folder
    words: str = ""  # the digest of the user's message, if it counts only for that
    made: datetime
    until: datetime | None = None  # None: until it is revoked


class Call(NamedTuple):
    """The parts of a call that a grant depends on."""

    user: str
    server: str
    tool: str
    definition: str
    arguments: dict[str, Any]
    words: str  # the digest of the user's message; empty if the grant does not depend on it


def covers(grant: Grant, call: Call, now: datetime) -> bool:
    """Whether this grant covers this call now."""
    same_tool = (grant.user, grant.server, grant.tool, grant.definition) == call[:4]
    if not same_tool or not grant.definition or not is_open(grant, now):
        return False
    if grant.words and grant.words != call.words:
        return False
    return grant.scope in ("task", "hour") or _matches(grant, call.arguments)


def is_open(grant: Grant, now: datetime) -> bool:
    """Whether it has begun and has not ended."""
    return grant.made <= now and (grant.until is None or now < grant.until)


def digest(message: str) -> str:
    """Names a message without saying it."""
    return sha256(b"sayso message 1\n" + message.encode("utf-8", "replace")).hexdigest()


def parent(value: object) -> str | None:
    """The folder of an absolute path in canonical form; None if it is another value, or a path directly under /."""
    if not isinstance(value, str) or not is_canonical(value):
        return None
    folder = posixpath.dirname(value)
    return folder if folder not in ("", "/") else None


def is_canonical(path: str) -> bool:
    """Whether an absolute path can be compared letter by letter: no "..", ".", "//" or control character."""
    plain = path.isprintable() and "\\" not in path and path.startswith("/") and not path.startswith("//")
    return plain and posixpath.normpath(path) == path


def is_in(folder: str, path: object) -> bool:
    """Whether a path is in the folder or below it, and no part of it below the folder is hidden."""
    if not isinstance(path, str) or not is_canonical(path) or not path.startswith(f"{folder}/"):
        return False
    return not any(part.startswith(".") for part in path[len(folder) + 1 :].split("/"))


def _matches(grant: Grant, arguments: dict[str, Any]) -> bool:
    if not set(arguments) <= set(grant.names):
        return False
    if any(name not in arguments or not _is_equal(arguments[name], value) for name, value in grant.same.items()):
        return False
    if not grant.folder:
        return bool(grant.same)
    if any(name not in arguments for name in grant.paths):
        return False
    free = [value for name, value in arguments.items() if name not in grant.same and name not in grant.paths]
    paths = [arguments[name] for name in grant.paths] + [text for text in _texts(free) if looks_like_a_path(text)]
    return bool(paths) and all(is_in(grant.folder, path) for path in paths)


def looks_like_a_path(text: str) -> bool:
    """Whether a text could be a path: a line that begins like one."""
    return "\n" not in text and _LOOKS_LIKE_A_PATH.match(text.lstrip()) is not None


def _texts(value: object) -> Iterator[str]:
    """Every text in a value."""
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from _texts(inner)
        case list() | tuple():
            for inner in value:
                yield from _texts(inner)
        case _:
            pass


def _is_equal(one: object, other: object) -> bool:
    """Equal as JSON: true is not 1."""
    return msgspec.json.encode(one, order="sorted") == msgspec.json.encode(other, order="sorted")
