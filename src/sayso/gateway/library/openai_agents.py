"""Guards tools of the OpenAI Agents SDK."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from agents import FunctionTool, Tool
from agents.tool_context import ToolContext

from sayso.gateway.config import ServerSettings
from sayso.gateway.library.guard import OWN, Asker, Guard, Things, Told, heard, make_judge
from sayso.gateway.messages import say
from sayso.gateway.values import Refuse

_Run = Callable[[ToolContext[Any], str], Awaitable[Any]]


def guard(
    tools: Sequence[Tool],
    *,
    words: Told[ToolContext[Any]],
    ask: Asker | None = None,
    settings: ServerSettings = OWN,
    things: Things[ToolContext[Any]] | None = None,
    lang: str | None = None,
) -> list[Tool]:
    """The same tools, each behind a guard. TypeError for a tool that runs elsewhere and cannot be guarded here.

    A refused call gives the model a text that says why; nothing is run.
    """
    ours = [tool for tool in tools if isinstance(tool, FunctionTool)]
    if len(ours) != len(tools):
        others = ", ".join(tool.name for tool in tools if not isinstance(tool, FunctionTool))
        raise TypeError(f"only function tools can be guarded: remove {others}")
    judge = make_judge([_definition(tool) for tool in ours], settings, lang=lang)
    guarding = Guard(judge, ask, lang=lang)

    def guarded(tool: FunctionTool) -> FunctionTool:
        behind = copy.copy(tool)
        run = behind.on_invoke_tool
        behind.on_invoke_tool = lambda context, text: checked(tool.name, run, context, text)
        return behind

    async def checked(name: str, run: _Run, context: ToolContext[Any], text: str) -> Any:
        try:
            arguments = msgspec.json.decode(text or "{}", type=dict[str, Any])
        except msgspec.MsgspecError:
            return say(lang, "unreadable", tool=name)
        theirs = await things(context) if things is not None else ()
        verdict = await guarding.check(name, arguments, heard(words, context), theirs)
        if isinstance(verdict, Refuse):
            return verdict.message
        same = verdict.arguments == arguments
        return await run(context, text if same else msgspec.json.encode(verdict.arguments).decode())

    return [guarded(tool) for tool in ours]


def _definition(tool: FunctionTool) -> dict[str, Any]:
    hints = tool.mcp_annotations
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.params_json_schema,
        "annotations": hints.model_dump(mode="json", by_alias=True, exclude_none=True) if hints is not None else {},
    }
