"""Answers a hook in the client's own form: nothing, or the operator's `ask` and `deny` for tools by name.

    {"mcpServers": {…}, "sayso": {"hooks": {"deny": ["mcp__mail__*"], "ask": ["Bash"]}}}

Codex cannot ask from a hook, and Cursor does not always ask: both deny instead. This module starts with the hook and
imports little.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False  # `typing` takes longer to load than the rest of the hook
if TYPE_CHECKING:
    from typing import Any

    from sayso.gateway.hooks.payloads import Call

    Json = dict[str, Any]

CURSOR, GEMINI = "cursor", "gemini"
_CANNOT_ASK = frozenset((CURSOR, "codex"))


def judge(call: Call, config: str | None) -> tuple[str, str, str | None] | None:
    """What the operator's patterns decide: `deny` or `ask`, the name of the message, and its language.

    None if no pattern matches the call. If the file cannot be read, every call requires confirmation."""
    if config is None:
        return None
    try:
        with open(config, "rb") as file:  # noqa: PTH123  pathlib takes longer to load
            settings = json.loads(file.read()).get("sayso") or {}
        rules, lang = settings.get("hooks") or {}, settings.get("lang")
        deny, ask = _patterns(rules, "deny"), _patterns(rules, "ask")
    except (OSError, ValueError, AttributeError):
        return "ask", "unreadable", None
    if _matches(call.tool, deny):
        return "deny", "denied", lang
    if not call.is_guarded and _matches(call.tool, ask):  # the gateway asks about its own
        return "ask", "asked", lang
    return None


def answer_call(client: str, event: str, word: tuple[str, str, str | None] | None, tool: str) -> str:
    """What to print before a call."""
    if word is None:
        return "{}" if client in (CURSOR, GEMINI) else ""
    decision, message, lang = word
    if decision == "ask" and client in _CANNOT_ASK:
        decision = "deny"
    reason = _say(lang, message, tool)
    if client == GEMINI:
        return json.dumps({"decision": decision, "reason": reason})
    if client == CURSOR:
        return json.dumps({"permission": decision, "user_message": reason, "agent_message": reason})
    output = {"hookEventName": event, "permissionDecision": decision, "permissionDecisionReason": reason}
    return json.dumps({"hookSpecificOutput": output})


def answer_prompt(client: str) -> str:
    """What to print for a message, which stays as it is. Claude Code would show the model any other text."""
    return {CURSOR: '{"continue": true}', GEMINI: "{}"}.get(client, "")


def _patterns(rules: Json, name: str) -> list[str]:
    found = rules.get(name) or []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError(name)
    return found


def _matches(tool: str, patterns: list[str]) -> bool:
    if not patterns:
        return False
    from fnmatch import fnmatchcase  # noqa: PLC0415  for operators who have patterns

    return any(fnmatchcase(tool, pattern) for pattern in patterns)


def _say(lang: str | None, name: str, tool: str) -> str:
    with open(__file__.rpartition("/")[0] + "/messages.json", encoding="utf-8") as file:  # noqa: PTH123
        texts = json.load(file)
    return str((texts.get(lang) or texts["en"])[name]).replace("{tool}", tool)
