"""Loads the rules of a gateway's file, and loads them again when the file changes.

A changed file replaces the rules within two seconds. If it has an error, the old rules stay. Servers and other settings
change with a restart. Shadow mode can end while the gateway runs, but begins with a restart only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from sayso.errors import NotReady
from sayso.gateway.config import Config, Upstream, read_config
from sayso.gateway.guarded import Guarded
from sayso.gateway.rules.check import check_rules, pinned_or_none
from sayso.gateway.rules.rulebook import Rulebook, make_rulebook
from sayso.gateway.seals.pins import Pins
from sayso.ledger.chain import Event

EVERY = 1.0  # seconds between two looks at the file
Note = Callable[[Event], Awaitable[None]]
_log = logging.getLogger(__name__)


class Figures(Protocol):
    """Where it is counted whether the file could be used."""

    def reloaded(self, result: Literal["ok", "failed"]) -> None:
        """A changed file was loaded, or had an error."""


class Holder(Protocol):
    """The part of the gateway that holds rules."""

    rules: Rulebook

    @property
    def metrics(self) -> Figures:
        """Its counts."""


class Source:
    """The file, and what its names are checked against."""

    def __init__(self, file: Path, config: Config, pins: Pins, servers: Mapping[str, Guarded]) -> None:
        self._file, self._pins, self._servers = file, pins, servers
        self._started = config
        self._digest = self._read_digest()

    def rulebook(self, config: Config) -> Rulebook:
        """The rules, compiled and checked; logs warnings. BadData for an error."""
        rules = make_rulebook(config, self._file)
        for each in check_rules(config, self._file, rules, pinned_or_none(self._pins), self._risk):
            _log.warning("%s", each)
        return rules

    def has_changed(self) -> bool:
        """Whether the file is another than it was at the last look."""
        before, self._digest = self._digest, self._read_digest()
        return before != self._digest

    def again(self, current: Rulebook) -> Rulebook:
        """The rules of the changed file; logs what else has changed."""
        config = read_config(self._file)
        rules = self.rulebook(config)
        if changed := _changed(self._started, config):
            _log.warning("%s: %s changed. Restart the gateway to apply this.", self._file, ", ".join(changed))
        if begun := sorted(rules.shadow - current.shadow):
            _log.warning("%s: Restart the gateway to begin shadow mode: %s.", self._file, ", ".join(begun))
        return rules.with_shadow(rules.shadow & current.shadow)

    def _risk(self, server: str, tool: str) -> str:
        return self._servers[server].pinned_risk(tool) if server in self._servers else "read"

    def _read_digest(self) -> bytes:
        try:
            return sha256(self._file.read_bytes()).digest()
        except OSError:
            return b""


@asynccontextmanager
async def watching(holder: Holder, source: Source, config: Config, note: Note) -> AsyncIterator[None]:
    """Give the gateway its rules, now and whenever the file changes."""
    holder.rules = source.rulebook(config)
    if holder.rules.shadow:
        _log.warning(
            "SHADOW MODE: the gateway forwards every call to %s and stops none. It only records its verdicts.",
            ", ".join(sorted(holder.rules.shadow)),
        )
    if holder.rules.shadow or holder.rules.rules:
        await _noted(note, holder.rules, "started")
    task = asyncio.create_task(_watch(holder, source, note))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _watch(holder: Holder, source: Source, note: Note) -> None:
    while True:
        await asyncio.sleep(EVERY)
        if source.has_changed():
            await look_again(holder, source, note)


async def look_again(holder: Holder, source: Source, note: Note) -> None:
    """Loads the rules of a changed file. If that fails, the old ones stay."""
    try:
        rules = source.again(holder.rules)
    except Exception as problem:  # noqa: BLE001  whatever is wrong with the file, the old rules must stay
        _log.error("The rules are unchanged, because the file has an error: %s", problem)
        holder.metrics.reloaded("failed")
        return
    holder.metrics.reloaded("ok")
    if rules.digest != holder.rules.digest:
        await _noted(note, rules, "changed")
        holder.rules = rules
        _log.warning("The rules were changed: %d.", len(rules.rules))


async def _noted(note: Note, rules: Rulebook, what: Literal["started", "changed"]) -> None:
    """Record the rules that are in force. A trail that cannot be written stops calls, not rules."""
    told = {each.placed.key: each.placed.rule for each in rules.rules}
    try:
        await note(Event("rules", {"what": what, "rules": told, "shadow": sorted(rules.shadow)}))
    except (OSError, NotReady) as problem:
        _log.error("The change of the rules was not recorded: %s", problem)


def _changed(before: Config, now: Config) -> list[str]:
    """What is another than at the start, the rules aside."""
    found = []
    for name in sorted({*before.servers, *now.servers}):
        pair = [_plain(each) if each else None for each in (before.servers.get(name), now.servers.get(name))]
        found += [f"mcpServers.{name}"] if pair[0] != pair[1] else []
    plain = [msgspec.structs.replace(each.sayso, rules=(), shadow=False) for each in (before, now)]
    return found + (["sayso"] if plain[0] != plain[1] else [])


def _plain(server: Upstream) -> Upstream:
    tools = {
        name: plain
        for name, told in server.sayso.tools.items()
        if (plain := msgspec.structs.replace(told, rules=())) != type(told)()
    }
    return msgspec.structs.replace(
        server, sayso=msgspec.structs.replace(server.sayso, rules=(), shadow=False, tools=tools)
    )
