"""Plays the demonstration: a scripted client, a gateway in a separate process, and the server behind it."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import mcp_types as types
import msgspec
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types.version import LATEST_MODERN_VERSION

from sayso.files.datafile import read
from sayso.gateway.demo import server
from sayso.gateway.questions.shown import shown_call
from sayso.gateway.trail.record import FileTrail
from sayso.gateway.words import WORDS_IN_META

_HERE = Path(__file__).parent
SERVER = "notes"
CLIENT = types.Implementation(name="a scripted client", version="1")
VERSION = LATEST_MODERN_VERSION  # without a probe, which would end after seconds on a busy machine


class ScriptedCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call that the model of the script makes."""

    tool: str
    arguments: dict[str, Any] = {}
    why: str = ""


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One scene, and how its last call must end."""

    title: str
    words: str
    calls: tuple[ScriptedCall, ...]
    ends: str


class Said(NamedTuple):
    """A line of a scene: the speaker and the text; `tone` says how to show it."""

    who: str
    text: str
    tone: str = ""


class Outcome(NamedTuple):
    """The result of the whole demonstration."""

    scenes: int
    as_expected: int
    ran: tuple[str, ...]  # the tools that the server ran, from its own log
    only_forwarded: bool  # it ran the calls that the gateway forwarded, and no other
    entries: int
    intact: bool

    @property
    def is_good(self) -> bool:
        """Whether every scene ended as expected."""
        return self.as_expected == self.scenes and self.only_forwarded and self.intact


def scenes() -> tuple[Scene, ...]:
    """The script."""
    return read(_HERE / "scenes.yaml", tuple[Scene, ...])


class Play:
    """The demonstration, in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._log = folder, folder / "ran"
        self._asked: list[str] = []
        self._forwarded: list[str] = []
        self._shown: set[str] = set()
        self._right = 0

    async def run(self) -> AsyncIterator[Scene | Said]:
        """Each scene, and after it its lines as they happen."""
        self._prepare()
        with (self._folder / "errors").open("w", encoding="utf-8") as errors:
            gateway = stdio_client(self._gateway(), errlog=errors)
            async with Client(
                gateway, mode=VERSION, client_info=CLIENT, elicitation_callback=self._decline, cache=None
            ) as client:
                for scene in scenes():
                    yield scene
                    async for said in self._scene(client, scene):
                        yield said

    def outcome(self) -> Outcome:
        """The result from the server's log and the trail, after the gateway has ended."""
        ran = tuple(self._log.read_text(encoding="utf-8").splitlines()) if self._log.exists() else ()
        verified = FileTrail(self._folder / "sayso.sayso" / "trail.jsonl").verify()
        return Outcome(
            len(scenes()), self._right, ran, ran == tuple(self._forwarded), verified.entries, verified.intact
        )

    def _prepare(self) -> None:
        behind = {"command": sys.executable, "args": [str(_HERE / "server.py"), str(self._log)]}
        allowed = {"tools": {"add_note": {"risk": "write"}, "share_note": {"risk": "write"}}}
        config = {"mcpServers": {SERVER: behind | {"sayso": allowed}}, "sayso": {"trail": "file"}}
        (self._folder / "sayso.json").write_bytes(msgspec.json.encode(config))

    def _gateway(self) -> StdioServerParameters:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")}
        return StdioServerParameters(
            command=sys.executable,
            args=["-m", "sayso.cli", "gateway", "--config", str(self._folder / "sayso.json")],
            env=inherited | {"SAYSO_SEAL_DIR": str(self._folder / "keys")},
        )

    async def _decline(self, context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        """The user of the script says no to every question."""
        del context
        self._asked.append("\n".join(line for line in params.message.splitlines() if line.strip()))
        return types.ElicitResult(action="decline")

    async def _scene(self, client: Client, scene: Scene) -> AsyncIterator[Said]:
        yield Said("user", scene.words)
        for call in scene.calls:
            why = f"  ({call.why})" if call.why else ""
            yield Said("model", f"calls {shown_call('', call.tool, call.arguments)}{why}")
            self._asked.clear()
            result = await client.call_tool(call.tool, call.arguments, meta=_meta(scene.words))
            status = _status(result)
            if status == "ran":
                self._forwarded.append(call.tool)
            for said in self._came(result, status):
                yield said
        self._right += status == scene.ends

    def _came(self, result: types.CallToolResult, status: str) -> Iterator[Said]:
        text = "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))
        for question in self._asked:
            yield Said("gateway", question, "ask")
            yield Said("user", "no")
        if status != "ran":
            yield Said("gateway", text, "stop")
            return
        yield Said("gateway", "forwards it", "good")
        yield Said("server", "the same notes" if text in self._shown else text)
        self._shown.add(text)
        if self._forwarded.count("list_notes") == 2:
            yield Said("server", f"changes add_note\n- {server.HONEST}\n+ {server.CHANGED}", "change")


def _meta(words: str) -> types.RequestParamsMeta:
    return cast("types.RequestParamsMeta", {WORDS_IN_META: words})


def _status(result: types.CallToolResult) -> str:
    return str((result.structured_content or {}).get("status", "failed")) if result.is_error else "ran"
