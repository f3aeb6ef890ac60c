"""Guards a toolset of Pydantic AI.

Pydantic AI is not a dependency of ours: a program that imports this module has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset
from pydantic_core import to_jsonable_python

from sayso.gateway.config import ServerSettings
from sayso.gateway.library.guard import OWN, Asker, Guard, Things, Told, heard, make_judge
from sayso.gateway.values import Refuse


def _prompt(context: RunContext[Any]) -> str:
    """The user's message to the agent, if it is a text."""
    return context.prompt if isinstance(context.prompt, str) else ""


@dataclass(kw_only=True)
class GuardedToolset(WrapperToolset[Any]):
    """The same tools, each behind a guard. A refused call fails with a text for the model that says why."""

    words: Told[RunContext[Any]] = _prompt
    ask: Asker | None = None
    settings: ServerSettings = OWN
    things: Things[RunContext[Any]] | None = None
    lang: str | None = None

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        listed = [_definition(each) for each in (await self.get_tools(ctx)).values()]
        guarding = Guard(make_judge(listed, self.settings, lang=self.lang), self.ask, lang=self.lang)
        theirs = await self.things(ctx) if self.things is not None else ()
        given = to_jsonable_python(tool_args)
        verdict = await guarding.check(name, given, heard(self.words, ctx), theirs)
        if isinstance(verdict, Refuse):
            raise ToolFailed(verdict.message)
        changed = verdict.arguments != given
        arguments = tool.args_validator.validate_python(verdict.arguments) if changed else tool_args
        return await super().call_tool(name, arguments, ctx, tool)


def _definition(tool: ToolsetTool[Any]) -> dict[str, Any]:
    shape = tool.tool_def
    return {
        "name": shape.name,
        "description": shape.description or "",
        "inputSchema": shape.parameters_json_schema,
    }
