"""Reads the payload of a client's hook: a message of the user, or a call that the model is about to make.

Clients name the same things differently, and VS Code also runs the hooks of Claude Code: every payload is read by the
names that it has. This module starts with the hook and imports little.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False  # `typing` takes longer to load than the rest of the hook
if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, Any]

PROMPTS = frozenset(("UserPromptSubmit", "beforeSubmitPrompt", "BeforeAgent"))
TOOLS = frozenset(("PreToolUse", "preToolUse", "beforeMCPExecution", "BeforeTool"))
GATEWAY = "sayso"  # the name of the gateway among the servers of a client, as `sayso gateway init` writes it

# Gemini CLI appends the files that the user referenced: the text below this line is not theirs.
_FILES = "--- Content from referenced files ---"


class Prompt:
    """A message in a session. `text` is `None` if the user did not write it."""

    __slots__ = ("session", "text")

    def __init__(self, session: str, text: str | None) -> None:
        self.session, self.text = session, text


class Call:
    """A call that the model is about to make: `tool` as the client names it, `mcp` whether it is a tool of a server."""

    __slots__ = ("arguments", "is_announced", "mcp", "name", "session", "tool")

    def __init__(
        self, session: str, tool: str, name: str, arguments: Json | None, *, mcp: bool, announced: bool
    ) -> None:
        self.session, self.tool, self.name, self.arguments = session, tool, name, arguments
        self.mcp, self.is_announced = mcp, announced

    @property
    def is_guarded(self) -> bool:
        """Whether it goes through the gateway, judged by the usual name of its server."""
        parts = plain(self.tool).split("_")
        return self.mcp and GATEWAY in parts[:4]


def read_payload(raw: bytes) -> Prompt | Call | None:
    """The payload of a hook; `None` for events that we do not use. Raises ValueError if it cannot be read."""
    told = json.loads(raw)
    if not isinstance(told, dict):
        return None
    event = told.get("hook_event_name") or told.get("hookEventName")
    session = told.get("session_id") or told.get("sessionId") or told.get("conversation_id")
    if not isinstance(session, str):
        return None
    if event in PROMPTS:
        return _prompt(session, told)
    if event in TOOLS:
        return _call(session, event, told)
    return None


def plain(name: str) -> str:
    """A name without the characters that clients replace."""
    return "".join(each if each.isascii() and each.isalnum() else "_" for each in name)


def _prompt(session: str, told: Json) -> Prompt | None:
    """Codex reports the instructions of a model to its agents as prompts with the agent's id, which are not for us.
    Claude Code reports the end of a background task as a prompt in a tag."""
    if told.get("agent_id"):
        return None
    text = told.get("prompt")
    if not isinstance(text, str):
        return None
    text = text.partition(_FILES)[0].strip()
    return Prompt(session, None if not text or text.startswith("<") else text)


def _call(session: str, event: str, told: Json) -> Call | None:
    tool, arguments = told.get("tool_name"), told.get("tool_input")
    if not isinstance(tool, str):
        return None
    if isinstance(arguments, str):  # Cursor
        arguments = json.loads(arguments or "{}")
    context = told.get("mcp_context")  # Gemini CLI shortens long names, and has the server's name for the tool here
    name = context.get("tool_name") if isinstance(context, dict) else None
    mcp = event == "beforeMCPExecution" or tool.lower().startswith("mcp")
    server = told.get("mcp_server_name")  # Cursor
    shown = f"mcp_{server}_{tool}" if isinstance(server, str) and event == "beforeMCPExecution" else tool
    given = arguments if isinstance(arguments, dict) else {} if arguments is None else None
    announced = mcp and event != "preToolUse"  # Cursor reports a call to a server twice
    return Call(session, shown, name if isinstance(name, str) else tool, given, mcp=mcp, announced=announced)
