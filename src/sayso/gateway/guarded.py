"""A guarded server: the tools it offers, the user's entities behind it, and the judge of its calls."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import mcp_types as types
import msgspec
from mcp.client.session import ClientSession, ElicitationFnT
from mcp.shared.exceptions import MCPError

from sayso.decider import Decider
from sayso.decision import Confirm
from sayso.engine.decide.room import Thresholds
from sayso.gateway.config import EntitySettings, Upstream
from sayso.gateway.judge import Judge
from sayso.gateway.login.auth import StoredAuth
from sayso.gateway.login.tokens import Logins
from sayso.gateway.messages import say
from sayso.gateway.rules.rulebook import Call, Rulebook, Ruled
from sayso.gateway.seals.instructions import as_definition, only_tools
from sayso.gateway.seals.pins import Definition, Pins, Unsealed, differences, fingerprint
from sayso.gateway.upstream.server import Connection, Unreachable, definition, list_told
from sayso.gateway.values import Question, Wanted
from sayso.packs.load import installed_packs
from sayso.record import Entity

WORDS = "sayso_words"  # the argument in which a model may pass on the user's words
INTERACTION = "anthropic/requiresUserInteraction"  # Claude Code asks before the call, also in its automatic modes
FRESH = 10.0  # seconds for which a list of tools or things is valid
MOST_THINGS = 5_000

R = TypeVar("R")


class Guarded:
    """One server, for all users."""

    def __init__(
        self,
        name: str,
        server: Upstream,
        pins: Pins,
        home: Path,
        lang: str | None,
        logins: Logins | None = None,
    ) -> None:
        self.name, self.server, self._pins, self._lang, self._logins = name, server, pins, lang, logins
        self._connections: dict[str, Connection] = {}
        self._pack, self._decider = _decider(server, name, home)
        self.judge = Judge(self._decider, self._pack, server.sayso, lang)
        self.rules = Rulebook()
        self._listed: dict[str, tuple[float, list[types.Tool]]] = {}
        self._things: dict[str, tuple[float, tuple[Entity, ...]]] = {}
        self._approved: dict[str, dict[str, str]] = {}  # by user: a server may list different tools for each
        self._known: Mapping[str, Definition] = {}
        self._names: frozenset[str] = frozenset()  # of the pinned tools
        self._schemas: dict[str, dict[str, Any]] = {}  # of their arguments

    def connection(self, user: str, elicit: ElicitationFnT) -> Connection:
        """This user's own connection, with the user's own credentials if there are any."""
        found = self._connections.get(user)
        if found is None:
            headers = self.server.sayso.users.get(user, self.server.headers)
            found = Connection(
                self.name,
                self.server,
                dict(headers),
                elicit,
                lambda: self._look_again(user),
                lambda: self._auth(user),
            )
            self._connections[user] = found
        return found

    def signs_in(self, user: str) -> bool:
        """Whether this user's requests carry a token that the user signed in for."""
        return self._auth(user) is not None

    def _auth(self, user: str) -> StoredAuth | None:
        if self._logins is None or self.server.url is None:
            return None
        login = self._logins.of(self.name, self.server.url, user)
        return StoredAuth(self.server.url, login) if login.exists else None

    async def tools(self, connection: Connection, user: str) -> list[types.Tool]:
        """The tools as clients see them: approved, with an argument for the user's words."""
        at, known = self._listed.get(user, (float("-inf"), []))
        if time.monotonic() - at < FRESH:
            return known
        listed, text = await self._ask(connection, list_told)
        through = self._let_through(listed, text, user)
        shown = [self._shown(tool) for tool in through]
        self._listed[user] = (time.monotonic(), shown)
        return shown

    def _shown(self, tool: types.Tool) -> types.Tool:
        """The tool with the argument for the words. Clients that know the mark ask before each destructive call."""
        schema = with_words(tool.input_schema, self._lang)
        if self.judge.risk(tool.name) != "destructive":
            return tool.model_copy(update={"input_schema": schema})
        return tool.model_copy(update={"input_schema": schema, "meta": {**(tool.meta or {}), INTERACTION: True}})

    async def _ask(self, connection: Connection, what: Callable[[ClientSession], Awaitable[R]]) -> R:
        """The server's list. An error counts as no answer."""
        try:
            return await connection.ask(what)
        except MCPError as problem:
            message = say(self._lang, "upstream_failed", server=self.name, problem=problem.error.message)
            raise Unreachable(message) from problem

    def _look_again(self, user: str) -> None:
        """Handles the server's notice that its tools have changed."""
        self._listed.pop(user, None)

    def forget_tools(self) -> None:
        """Makes the next call list the tools again."""
        self._listed.clear()

    async def definition(self, connection: Connection, user: str, tool: str) -> str | None:
        """The fingerprint of an approved tool; None if it is not approved or is held back."""
        await self.tools(connection, user)
        return self._approved.get(user, {}).get(tool)

    def at_hand(self, user: str, tool: str) -> str | None:
        """The same as `definition`, if it is known without a request; `None` if it is not."""
        at, _known = self._listed.get(user, (float("-inf"), []))
        return self._approved.get(user, {}).get(tool) if time.monotonic() - at < FRESH else None

    def things_at_hand(self, user: str) -> tuple[Entity, ...] | None:
        """The same as `things`, if they are known without a request."""
        at, known = self._things.get(user, (float("-inf"), ()))
        return known if time.monotonic() - at < FRESH else None

    def _let_through(self, listed: Sequence[types.Tool], text: str | None, user: str) -> list[types.Tool]:
        """The tools that match their pins. Everything the gateway knows about them comes from the pins."""
        definitions = [*(definition(tool) for tool in listed), *as_definition(text)]
        pinned = self._pins.meet(self.name, definitions)
        self._names = frozenset(pinned)
        held = {each.tool for each in differences(self.name, pinned, definitions)}
        self._know(pinned)
        self._schemas = {name: each.get("inputSchema") or {} for name, each in pinned.items()}
        hidden = {name for name, told in self.server.sayso.tools.items() if told.hidden}
        through = [tool for tool in listed if tool.name not in held | hidden]
        self._approved[user] = {tool.name: fingerprint(pinned[tool.name]) for tool in through}
        return through

    def pinned(self) -> Mapping[str, Definition]:
        """The approved tools and instructions; empty if the pins are not sealed."""
        try:
            return self._pins.read().get(self.name, {})
        except Unsealed:
            return {}

    def knows(self, tool: str) -> bool:
        """Whether a pinned tool has this name."""
        return tool in self._names

    def verdict(self, user: str, wanted: Wanted, things: Sequence[Entity], definition: str, now: datetime) -> Ruled:
        """Judges a new call, and applies the rules."""
        judged = self.judge.judge(wanted, things, definition, now)
        return self.rules.apply(self.judge, Call(user, wanted, definition), judged)

    def schema(self, tool: str) -> dict[str, Any]:
        """The arguments of a pinned tool."""
        return self._schemas.get(tool, {})

    def reads(self, user: str, tool: str) -> bool:
        """Whether a tool is approved and only reads."""
        return tool in self._approved.get(user, {}) and self.judge.risk(tool) == "read"

    async def read(self, connection: Connection, tool: str, arguments: dict[str, Any]) -> types.CallToolResult:
        """The result of a tool that reads."""
        return await self._ask(connection, lambda on: on.call_tool(tool, arguments))

    def know(self, definitions: Iterable[Definition]) -> None:
        """Learns tools from these definitions, approved or not, for a review."""
        self._know({str(each["name"]): each for each in definitions})

    def know_pinned(self) -> None:
        """Learns the tools only from their pins, to judge without asking the server."""
        self._know(self._pins.read().get(self.name, {}))

    def pinned_risk(self, tool: str) -> str:
        """The risk of a tool, by its pin."""
        self.know_pinned()
        return self.judge.risk(tool)

    def _know(self, pinned: Mapping[str, Definition]) -> None:
        """Without a pack, learns about the tools from their own definitions, as they are pinned."""
        pinned = only_tools(pinned)
        if self.server.sayso.pack is None and pinned and pinned != self._known:
            self._known = pinned
            catalogue = msgspec.json.encode({"tools": list(pinned.values())})
            told = self.server.sayso
            self._decider.add_tools(self._pack, catalogue, trusted=told.trusted, risks=told.risks)

    async def things(self, connection: Connection, user: str) -> tuple[Entity, ...]:
        """The user's own things, from the server's list tools; cached for a moment."""
        at, known = self._things.get(user, (float("-inf"), ()))
        if time.monotonic() - at < FRESH:
            return known
        found: list[Entity] = []
        for kind, listing in self._listings().items():
            if listing.tool in self._approved.get(user, {}):
                found += _entities(kind, listing, await self._ask(connection, _calling(listing)))
        self._things[user] = (time.monotonic(), tuple(found[:MOST_THINGS]))
        return self._things[user][1]

    def _listings(self) -> dict[str, EntitySettings]:
        told = self.server.sayso.entities
        kinds = self._decider.pack(self._pack).pack.entities if self._approved else {}
        return {
            kind: EntitySettings(tool=shape.listed.tool, items=shape.listed.items, arguments=shape.listed.arguments)
            for kind, shape in kinds.items()
            if shape.listed is not None
        } | told

    def asks_in_browser(self, question: Question) -> bool:
        """Whether the user confirms it on one of our pages."""
        told = self.server.sayso.tools.get(question.wanted.tool)
        return told is not None and told.confirm == "browser" and isinstance(question.asks, Confirm)

    def forget(self, user: str) -> None:
        """Drops the cached things of this user, because something was written."""
        self._things.pop(user, None)

    async def close(self) -> None:
        for connection in self._connections.values():
            await connection.close()


def _calling(listing: EntitySettings) -> Callable[[ClientSession], Awaitable[types.CallToolResult]]:
    return lambda on: on.call_tool(listing.tool, listing.arguments)


def with_words(schema: dict[str, Any], lang: str | None) -> dict[str, Any]:
    """The arguments of a tool, with one more for the user's words."""
    words = {"type": "string", "description": say(lang, "words")}
    return {**schema, "properties": {WORDS: words, **(schema.get("properties") or {})}}


@cache
def _installed() -> Decider:
    """One decider for all servers, because it holds no state and takes a while to load."""
    return Decider.installed()


def _decider(server: Upstream, name: str, home: Path) -> tuple[str, Decider]:
    """The pack that the operator names, installed or in a folder; else one from the tools themselves."""
    wanted = server.sayso.pack
    if wanted is None:
        return f"server {name}", Decider({}, thresholds=Thresholds(exact=True))
    if wanted in installed_packs():
        return wanted, _installed()
    folder = home / wanted
    return folder.name, Decider.installed(folder)


def _entities(kind: str, listing: EntitySettings, result: types.CallToolResult) -> list[Entity]:
    """The usable part of the result of a list tool."""
    content = result.structured_content if not result.is_error else None
    items = (content or {}).get(listing.items)
    return [
        Entity({**item, "kind": kind, "id": str(item[listing.id])})
        for item in (items if isinstance(items, list) else [])
        if isinstance(item, dict) and item.get(listing.id) is not None
    ]
