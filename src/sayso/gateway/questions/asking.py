"""The text that the user sees, the answers that count, and the result that says that nothing was run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mcp_types as types
import msgspec

from sayso.decision import Clarify, Confirm
from sayso.gateway.grants.offers import Offer
from sayso.gateway.messages import say
from sayso.gateway.questions.text import question_text
from sayso.gateway.values import Question, labels

ANSWER, SCOPE = "answer", "scope"


def form(
    question: Question, lang: str | None, offered: Sequence[Offer] = (), *, modern: bool = False
) -> types.ElicitRequestFormParams:
    """A question as a form: a box to tick, and how far the yes reaches if there is a choice; options; or a line.

    The box is ticked unless the call is destructive: then accepting the form as it is must not run it."""
    asks = question.asks
    fields = {ANSWER: _yes(asks, lang) if isinstance(asks, Confirm) else _line(asks, lang)}
    if offered:
        fields[SCOPE] = {"type": "string", "title": say(lang, "scope"), **_choices(offered, modern=modern)}
    schema: dict[str, Any] = {"type": "object", "properties": fields, "required": [ANSWER]}
    return types.ElicitRequestFormParams(message=question_text(question, lang), requested_schema=schema)


def _yes(asks: Confirm, lang: str | None) -> dict[str, Any]:
    default = {} if asks.reason == "destructive" else {"default": True}
    return {"type": "boolean", "title": say(lang, "yes"), **default}


def _line(asks: Clarify, lang: str | None) -> dict[str, Any]:
    limits: dict[str, Any] = {"enum": labels(asks)} if asks.options else {"maxLength": 500}
    return {"type": "string", "title": say(lang, "choose"), **limits}


def _choices(offered: Sequence[Offer], *, modern: bool) -> dict[str, Any]:
    """The same choices as each revision writes them: `enumNames` is deprecated, `oneOf` is new since 2025-11-25."""
    first = {"default": offered[0].value}
    if modern:
        return {"oneOf": [{"const": offer.value, "title": offer.title} for offer in offered], **first}
    return {"enum": [offer.value for offer in offered], "enumNames": [offer.title for offer in offered], **first}


def given(answer: types.ElicitResult) -> str | bool | None:
    """The user's answer; `None` if there is no answer. A form that comes back empty is not a yes."""
    value = (answer.content or {}).get(ANSWER) if answer.action == "accept" else None
    return value if isinstance(value, str | bool) else None


def refusal(status: str, message: str, **more: Any) -> types.CallToolResult:
    """A result that says why nothing was run; marked as an error, since it is not what the tool gives."""
    content = {"status": status, "message": message, **more}
    return types.CallToolResult(
        content=[types.TextContent(text=message)], structured_content=msgspec.to_builtins(content), is_error=True
    )
