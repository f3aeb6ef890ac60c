"""Shows the changes of a call that writes a text: the current content, read through the same server, as a diff.

The reading tool must be approved and count as a read. Its result is only shown, and decides nothing.
"""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

import mcp_types as types
import msgspec
from mcp.shared.exceptions import MCPError

from sayso.decision import Confirm
from sayso.gateway.config import DiffSettings, ServerSettings
from sayso.gateway.messages import say
from sayso.gateway.questions.missing import Schema
from sayso.gateway.questions.shown import shown_call
from sayso.gateway.questions.text import Limits, folded, is_whole, named
from sayso.gateway.upstream.server import Unreachable
from sayso.gateway.values import Question, Wanted, Words
from sayso.ledger.chain import Event

READERS = ("read_text_file", "read_file")  # used if the operator names none
SECONDS = 5
MOST_LETTERS, MOST_LINES = 200_000, 2_000  # of each content; beyond that no diff is made
LIMITS = Limits(40, 3_000)

Read = Callable[[str, dict[str, str]], Awaitable[types.CallToolResult]]


class Server(Protocol):
    """The part of a guarded server that this module needs."""

    name: str

    def schema(self, tool: str) -> Schema: ...
    def reads(self, user: str, tool: str) -> bool: ...


async def with_changes(
    server: Server, settings: ServerSettings, question: Question, read: Read, lang: str | None
) -> tuple[Question, list[Event]]:
    """The question with the changes of the call, and the trail entry of the call that read the current content."""
    diff = _how_to_read(server, settings, question.user, question)
    found = await _changes(server, diff, question, read, lang) if diff is not None else None
    if found is None:
        return question, []
    called = {"wanted": found.read, "arguments": found.read.arguments, "failed": found.failed}
    return msgspec.structs.replace(question, changes=found.text), [Event("call", called)]


class _Changes(NamedTuple):
    """The changes as text, and the call that read the current content."""

    text: str
    read: Wanted
    failed: bool


def _how_to_read(server: Server, settings: ServerSettings, user: str, question: Question) -> DiffSettings | None:
    """The tool that reads the content that this call would overwrite; `None` if no tool can, or the call differs."""
    tool, arguments = question.wanted.tool, question.asks.arguments
    told = settings.tools.get(tool)
    diff = told.diff if told is not None and told.diff is not None else _usual(server, user, tool)
    if diff is None or diff.tool is None or not isinstance(question.asks, Confirm):
        return None
    texts = all(isinstance(arguments.get(name), str) for name in (diff.path, diff.content))
    return diff if texts and server.reads(user, diff.tool) else None


async def _changes(
    server: Server, diff: DiffSettings, question: Question, read: Read, lang: str | None
) -> _Changes | None:
    """The changes of the call; `None` if they cannot be computed."""
    arguments, tool = question.asks.arguments, diff.tool or ""
    given = {diff.path: arguments[diff.path]}
    wanted = Wanted(server=server.name, tool=tool, arguments=given, words=Words())
    try:
        async with asyncio.timeout(SECONDS):
            result = await read(tool, given)
    except (Unreachable, MCPError, TimeoutError, RuntimeError):
        return None
    shown = shown_call(server.name, tool, {})
    before = _text(result)
    if before is None:
        return _Changes(say(lang, "changes_new", tool=shown), wanted, bool(result.is_error))
    after = arguments[diff.content]
    if before == after:
        return _Changes(say(lang, "changes_none", tool=shown), wanted, failed=False)
    if any(len(each) > MOST_LETTERS or each.count("\n") > MOST_LINES for each in (before, after)):
        return None
    lines = await asyncio.to_thread(_unified, before, after)
    head = say(lang, "changes", tool=shown)
    if not is_whole(lines, LIMITS):
        head = head.removesuffix(":") + say(lang, "size_folded", digest=named(lines)) + ":"
    return _Changes("\n".join([head, *(f"  {line}" for line in folded(lines, LIMITS, lang))]), wanted, failed=False)


def _usual(server: Server, user: str, tool: str) -> DiffSettings | None:
    """The settings for a tool that takes a path and a content, if another tool takes a path and reads."""
    if not {"path", "content"} <= _texts(server.schema(tool)):
        return None
    for reader in READERS:
        schema = server.schema(reader)
        if "path" in _texts(schema) and set(schema.get("required") or ()) <= {"path"} and server.reads(user, reader):
            return DiffSettings(tool=reader)
    return None


def _texts(schema: Schema) -> set[str]:
    """The arguments that are texts."""
    properties = schema.get("properties") or {}
    return {name for name, told in properties.items() if isinstance(told, dict) and told.get("type") == "string"}


def _text(result: types.CallToolResult) -> str | None:
    texts = [each.text for each in result.content if isinstance(each, types.TextContent)]
    return "\n".join(texts) if texts and not result.is_error else None


def _unified(before: str, after: str) -> str:
    """A unified diff without its first two lines, which name files."""
    found = difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=2)
    return "\n".join(list(found)[2:])
