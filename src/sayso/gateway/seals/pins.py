"""Pins tool definitions as first seen. A new or changed tool is held back until it is approved.

A definition is everything that `tools/list` says about a tool, in any order. A server that was never seen is pinned
with the tools it lists at that moment; the operator checks them with `sayso gateway review`. The file is sealed with
the gateway's key: if another program changed or removed it, every tool is held back.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple
from uuid import uuid4

import msgspec

from sayso.confirmation import digest
from sayso.errors import BadData
from sayso.gateway.seals.key import Key, write_once

Definition = dict[str, Any]
Pinned = dict[str, dict[str, Definition]]  # by server and tool

_PINS = "pins"
_log = logging.getLogger(__name__)


class Difference(NamedTuple):
    """A tool that differs from its pin."""

    server: str
    tool: str
    what: Literal["added", "changed", "gone"]
    pinned: Definition | None
    now: Definition | None


def fingerprint(definition: Definition) -> str:
    """A digest that is the same for the same definition, whatever the order of its keys."""
    return digest("tool 1", definition).hex()


class Unsealed(BadData):
    """Pins that this gateway did not seal: changed by another program, lost, or of an older version."""

    def __init__(self, file: Path) -> None:
        remedy = "Every tool is held back. Look at them, then seal them again: sayso gateway review --approve SERVER."
        super().__init__(str(file), "seal", "was not sealed by this gateway, or was removed", remedy)


class Pins:
    """The pinned tools of all servers, in one sealed file that is replaced as a whole."""

    def __init__(self, file: Path, key: Key) -> None:
        self._file, self._key = file, key

    def start(self) -> None:
        """Creates the file of a gateway with a new key. After that, a missing file counts as removed."""
        if not self._file.exists():
            self._write({})

    def read(self) -> Pinned:
        """The pins by server and tool. Raises Unsealed if the file is not ours. Reads the file each time, because
        `review` writes it from another process."""
        pinned, _ = self._read()
        return pinned

    def meet(self, server: str, listed: Iterable[Definition]) -> Mapping[str, Definition]:
        """The pins of a server. A server that was never seen is pinned as it is now. Empty if the file is not ours."""
        try:
            pinned, is_current = self._read()
        except Unsealed as problem:
            _log.error("%s", problem)
            return {}
        if server not in pinned:
            pinned = pinned | {server: {str(tool["name"]): tool for tool in listed}}
            self._write(pinned)
            return self.read()[server]
        if not is_current:
            self._write(pinned)
        return pinned[server]

    def restart(self, servers: Iterable[str]) -> None:
        """Seals the file again if it is not ours, without approved tools for these servers."""
        try:
            self._read()
        except Unsealed:
            self._write({server: {} for server in servers})

    def approve(self, server: str, listed: Iterable[Definition], tools: Iterable[str] | None = None) -> None:
        """Pins a server's tools as they are now: all of them, or only the named ones."""
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

    def _read(self) -> tuple[Pinned, bool]:
        """The pins, and whether they are sealed with the current key."""
        if not self._file.exists() and not self._key.is_kept:
            return {}, True
        try:
            kept = msgspec.json.decode(self._file.read_bytes(), type=_Kept)
        except (FileNotFoundError, msgspec.MsgspecError) as problem:
            raise Unsealed(self._file) from problem
        content = _content(kept.servers)
        if not self._key.is_sealed(kept.seal, _PINS, content):
            raise Unsealed(self._file)
        return kept.servers, kept.seal == self._key.seal(_PINS, content)

    def _write(self, pinned: Pinned) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        kept = _Kept(seal=self._key.seal(_PINS, _content(pinned)), servers=pinned)
        fresh = self._file.with_name(f"{uuid4()}.new")
        write_once(fresh, msgspec.json.format(msgspec.json.encode(kept, order="sorted"), indent=1))
        fresh.replace(self._file)


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The file."""

    seal: str
    servers: Pinned


def _content(pinned: Pinned) -> bytes:
    return msgspec.json.encode(pinned, order="sorted")


def differences(server: str, pinned: Mapping[str, Definition], listed: Iterable[Definition]) -> list[Difference]:
    """The tools that differ from their pins. If a tool is listed twice, both definitions must match the pin."""
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
