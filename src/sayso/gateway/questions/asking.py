"""What the person is shown, which answers count, and the result that says that nothing was run."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import msgspec

from sayso.decision import Clarify
from sayso.gateway.messages import say
from sayso.gateway.values import Question, labels

ANSWER = "answer"


def form(question: Question, lang: str | None) -> types.ElicitRequestFormParams:
    """A question as a form: a box that is ticked, so that accepting is the yes; options to choose from; or a line."""
    asks = question.asks
    field: dict[str, Any] = {"type": "boolean", "title": say(lang, "yes"), "default": True}
    if isinstance(asks, Clarify):
        field = {"type": "string", "title": say(lang, "choose")}
        field |= {"enum": labels(asks)} if asks.options else {"maxLength": 500}
    schema: dict[str, Any] = {"type": "object", "properties": {ANSWER: field}, "required": [ANSWER]}
    return types.ElicitRequestFormParams(message=asks.question, requested_schema=schema)


def given(answer: types.ElicitResult) -> str | bool | None:
    """What the person answered; None where they did not. A form that comes back empty is no yes."""
    value = (answer.content or {}).get(ANSWER) if answer.action == "accept" else None
    return value if isinstance(value, str | bool) else None


def refusal(status: str, message: str, **more: Any) -> types.CallToolResult:
    """A result that says why nothing was run; marked as an error, since it is not what the tool gives."""
    content = {"status": status, "message": message, **more}
    return types.CallToolResult(
        content=[types.TextContent(text=message)], structured_content=msgspec.to_builtins(content), is_error=True
    )
