"""The world of the forgeries: a gateway that is tried, another gateway, and ways to ask, answer and look."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult

from benchmarks.gateway.upstream import Upstream
from sayso.gateway.grants.grant import Grant
from sayso.gateway.proxy import Gateway
from sayso.settings import Settings

WRITE, DELETE = "write_note", "delete_note"
NOTE = {"name": "note", "text": "text"}


def settings_for_forgeries(folder: Path, name: str) -> Settings:
    """Settings with a folder for keys of its own."""
    return Settings(env="production", seal_dir=folder / f"{name} keys")


class World:
    """Who is signed in, what time it is, and two gateways: "ours" is tried, "theirs" has other keys."""

    GENUINE = 3

    def __init__(self, folder: Path, upstream: Upstream, rng: Random) -> None:
        self.folder, self.upstream, self.rng = folder, upstream, rng
        self.user, self.late = "ada", timedelta()
        self._gateways: dict[str, Gateway] = {}
        self._clients: dict[str, Client] = {}
        self._number = 0

    def now(self) -> datetime:
        return datetime.now().astimezone() + self.late

    def add(self, name: str, gateway: Gateway, client: Client) -> None:
        self._gateways[name], self._clients[name] = gateway, client

    def note(self) -> dict[str, Any]:
        """Arguments that were not used before."""
        self._number += 1
        return {"name": f"note {self._number}"}

    async def ask(self, arguments: dict[str, Any], tool: str = DELETE, at: str = "ours") -> str:
        """The sealed question to a call."""
        asked = await self._clients[at].session.call_tool(tool, arguments, allow_input_required=True)
        return str(getattr(asked, "request_state", None))

    async def answer(
        self, state: str, arguments: dict[str, Any], answer: ElicitResult, tool: str = DELETE, user: str = "ada"
    ) -> None:
        """Send an answer; an error of the protocol is a refusal."""
        self.user = user
        try:
            await self._clients["ours"].session.call_tool(
                tool, arguments, input_responses={"answer": answer}, request_state=state, allow_input_required=True
            )
        except MCPError:
            pass
        finally:
            self.user = "ada"

    async def call(self, arguments: dict[str, Any], tool: str = WRITE, user: str = "ada") -> None:
        """A call for which nobody is asked successfully: it runs only if a grant covers it."""
        self.user = user
        try:
            await self._clients["ours"].session.call_tool(tool, arguments, allow_input_required=True)
        finally:
            self.user = "ada"

    async def grant(
        self, scope: str = "hour", user: str = "ada", arguments: dict[str, Any] = NOTE
    ) -> tuple[Grant, Path]:
        """A genuine grant, and its file. What runs with the yes does not count as accepted."""
        self.user = user
        state = await self.ask(arguments, WRITE)
        await self.answer(state, arguments, yes(scope), WRITE, user)
        self.upstream.ran.pop()
        (file,) = self.folder.glob("ours keys/*.grants/*.grant")
        (grant,) = await self._gateways["ours"].grants.of(user)
        return grant, file

    def forget_tools(self) -> None:
        """Have the gateway list the tools again, as a server says that they changed."""
        self._gateways["ours"].forget_tools()

    async def revoke(self, grant: Grant) -> None:
        await self._gateways["ours"].grants.revoke(grant)

    def clear(self) -> None:
        """Remove all grants, and go back to the present."""
        for file in self.folder.glob("ours keys/*.grants/*.grant"):
            file.unlink()
        self.late = timedelta()

    async def genuine(self) -> int:
        """How many of three genuine answers ran: a yes, a yes for an hour, and a call that this covers."""
        before, note = len(self.upstream.ran), self.note()
        await self.answer(await self.ask(note), note, yes())
        note = self.note() | {"text": "x"}
        await self.answer(await self.ask(note, WRITE), note, yes("hour"), WRITE)
        await self.call(self.note() | {"text": "y"})
        self.clear()
        return len(self.upstream.ran) - before


def yes(scope: str | None = None) -> ElicitResult:
    """A yes, as a client sends it."""
    return ElicitResult(action="accept", content={"answer": True} | ({"scope": scope} if scope else {}))
