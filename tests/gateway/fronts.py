"""Clients of both eras, and the gateway before them in every transport."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from behind import NEW, OLD, Serving
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

from sayso.gateway.proxy import make_server
from sayso.gateway.serve import front_app, identify_caller, open_gateway
from sayso.gateway.words import WORDS_IN_META
from sayso.settings import Settings

HERE = Path(__file__).parent
KEY = "0123456789abcdef0123456789abcdef"
SETTINGS = Settings(env="production", state_keys=(KEY,))
MODES = {NEW: NEW, OLD: "legacy"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")} | {
    "PYTHONPATH": str(HERE.parent.parent / "src"),
    "SAYSO_STATE_KEYS": KEY,
}


@dataclass
class Caller:
    """A client, what it was asked, and what it answers."""

    client: Client | None = None
    asked: list[Any] = field(default_factory=list)
    answer: Callable[[Any], ElicitResult] | None = None

    async def reply(self, _context, params):
        self.asked.append(params)
        assert self.answer is not None, params.message
        return self.answer(params)

    async def call(self, tool, arguments=None, words=None):
        meta = {WORDS_IN_META: words} if words else None
        return await self.client.call_tool(tool, arguments or {}, meta=meta)


@asynccontextmanager
async def connected(target, era, *, mute=False):
    """A client of this era; one that is mute cannot be asked anything."""
    caller = Caller()
    ask = None if mute else caller.reply
    async with Client(target, mode=MODES[era], elicitation_callback=ask, cache=None) as client:
        caller.client = client
        yield caller


def behind_stdio(era, log, **sayso):
    return {"command": sys.executable, "args": [str(HERE / "behind.py"), era, str(log)], "sayso": settings_for(sayso)}


def behind_http(url, **sayso):
    return {"url": url, "sayso": settings_for(sayso)}


def settings_for(more):
    return {"pack": "tasks", "tools": {"book_table": {"risk": "read"}, "wait": {"risk": "read"}}} | more


def write(folder, **servers):
    """The gateway's file for these servers."""
    file = folder / "gateway.json"
    file.write_text(json.dumps({"mcpServers": servers}))
    return file


@asynccontextmanager
async def in_memory(file):
    """The gateway as a server object, in this process."""
    async with open_gateway(file, lambda: "ada") as gateway:
        yield make_server(gateway, version="0", state_keys=(KEY,))


@asynccontextmanager
async def over_http(file, *, sessions, settings=SETTINGS):
    """The address of the gateway, served from a thread of this process."""
    with Serving(Opening(file, settings, sessions=sessions)) as serving:
        yield serving.url


class Opening:
    """An app whose gateway is opened where it is served."""

    def __init__(self, file, settings, *, sessions):
        self._file, self._settings, self._sessions, self._app = file, settings, sessions, None

    async def __call__(self, scope, receive, send):
        if scope["type"] != "lifespan":
            return await self._app(scope, receive, send)
        settings = self._settings
        async with (
            open_gateway(self._file, identify_caller(settings), settings) as gateway,
            front_app(gateway, settings, host="127.0.0.1", port=0, sessions=self._sessions) as self._app,
        ):
            return await self._app(scope, receive, send)


def over_stdio(file):
    """`sayso gateway` as a client starts it."""
    arguments = ["-m", "sayso.cli", "gateway", "--config", str(file)]
    return StdioServerParameters(command=sys.executable, args=arguments, env=ENVIRONMENT)


def at(url):
    return streamable_http_client(url)
