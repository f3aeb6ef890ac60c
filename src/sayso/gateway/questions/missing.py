"""A call without a required argument goes back to the model first; the user is asked if it comes again.

The model usually has the value, or can ask for it in the conversation. "add a note" with `add_note {}` returns
`missing_argument` with the schema of `text`; the same call again within ten minutes asks the user.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

import mcp_types as types
import msgspec

from sayso.confirmation import PATIENCE
from sayso.decision import Clarify
from sayso.gateway.messages import say
from sayso.gateway.questions.asking import refusal
from sayso.gateway.questions.once import Claims
from sayso.gateway.values import Ask, Verdict, Wanted

STATUS = "missing_argument"
_CALLS = UUID("6d5f5f38-6f9f-4b43-9a43-0c7d7a1c2e55")  # names calls, so that a second one is known as the same

Schema = Mapping[str, Any]


def missing(schema: Schema, verdict: Verdict, wanted: Wanted) -> tuple[str, ...]:
    """The required arguments that neither the call has nor the words give, if the user would be asked."""
    if not isinstance(verdict, Ask):
        return ()
    asks = verdict.question.asks
    if isinstance(asks, Clarify):
        asked = asks.missing if asks.reason == "missing" and asks.tool == wanted.tool else ()
        return tuple(name for name in asked if name not in wanted.arguments)
    return tuple(name for name in _required(schema) if name not in asks.arguments)


async def is_first(claims: Claims, user: str, wanted: Wanted, now: datetime) -> bool:
    """Whether this call has not been returned in the last minutes, by whichever process."""
    when = int(now.timestamp()) // PATIENCE
    call = msgspec.json.encode((user, wanted, when), order="sorted")
    return await claims.claim(str(uuid5(_CALLS, call.hex())), user)


def returned(schema: Schema, names: tuple[str, ...], wanted: Wanted, lang: str | None) -> types.CallToolResult:
    """The error for the model: which arguments are missing, and their schema."""
    properties = schema.get("properties") or {}
    listed = ", ".join(f"{name} ({_told(properties.get(name))})" for name in names)
    message = say(lang, STATUS, tool=wanted.tool, arguments=listed)
    schemas = {name: properties.get(name, {}) for name in names}
    return refusal(STATUS, message, missing=list(names), schema=schemas)


def _required(schema: Schema) -> tuple[str, ...]:
    required = schema.get("required")
    return tuple(name for name in required if isinstance(name, str)) if isinstance(required, list | tuple) else ()


def _told(schema: object) -> str:
    """What a schema says in a few words: its type and description."""
    told = schema if isinstance(schema, Mapping) else {}
    words = [str(told[key]) for key in ("type", "description") if isinstance(told.get(key), str)]
    return ": ".join(words)[:200] or "any"
