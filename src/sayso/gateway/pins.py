"""Pins: tools as they were when they were first seen. What is added or changed since is held back until approved.

A definition is everything that `tools/list` says of a tool, in any order. The pins of a server that was never seen are
made from what it lists then; the operator looks at them with `sayso gateway review`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

Definition = dict[str, Any]


class Difference(NamedTuple):
    """A tool that is not as it is pinned."""

    server: str
    tool: str
    what: Literal["added", "changed", "gone"]
    pinned: Definition | None
    now: Definition | None


def fingerprint(definition: Definition) -> str:
    """The same for the same definition, whatever the order of its keys."""
    return sha256(b"sayso tool 1\n" + msgspec.json.encode(definition, order="sorted")).hexdigest()


class Pins:
    """The pinned tools of all servers, in one file that is replaced as a whole."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> dict[str, dict[str, Definition]]:
        """By server and tool. Read anew each time, since `review` writes it from another process."""
        return msgspec.json.decode(self._file.read_bytes()) if self._file.exists() else {}

    def meet(self, server: str, listed: Iterable[Definition]) -> Mapping[str, Definition]:
        """The pins of a server; one that was never seen is pinned as it is now."""
        pinned = self.read()
        if server not in pinned:
            self._write(pinned | {server: {str(tool["name"]): tool for tool in listed}})
            return self.read()[server]
        return pinned[server]

    def approve(self, server: str, listed: Iterable[Definition], tools: Iterable[str] | None = None) -> None:
        """Pin a server's tools as they are now: all of them, or those that are named."""
        pinned = self.read()
        now = {str(tool["name"]): tool for tool in listed}
        if tools is not None:
            named = frozenset(tools)
            before = pinned.get(server, {})
            names = [*before, *(name for name in now if name not in before)]
            now = {
                name: (now if name in named else before)[name]
                for name in names
                if name in (now if name in named else before)
            }
        self._write(pinned | {server: now})

    def _write(self, pinned: Mapping[str, Any]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._file.with_suffix(".new")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(pinned, order="sorted"), indent=1))
        fresh.replace(self._file)
        if os.name == "posix":
            self._file.chmod(0o600)


def differences(server: str, pinned: Mapping[str, Definition], listed: Iterable[Definition]) -> list[Difference]:
    """What is not as it is pinned. Of a tool that is listed twice, neither may be another than the pinned one."""
    now: dict[str, Definition] = {}
    for tool in listed:
        name = str(tool["name"])
        if name not in now or name not in pinned or fingerprint(now[name]) == fingerprint(pinned[name]):
            now[name] = tool
    found = []
    for name in sorted({*pinned, *now}):
        before, after = pinned.get(name), now.get(name)
        if before is None:
            found.append(Difference(server, name, "added", None, after))
        elif after is None:
            found.append(Difference(server, name, "gone", before, None))
        elif fingerprint(before) != fingerprint(after):
            found.append(Difference(server, name, "changed", before, after))
    return found
