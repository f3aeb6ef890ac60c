"""Pins the instructions of servers like tools, and joins them for the client.

A server's instructions go into the model's context, so they are as dangerous as a tool's description. They are pinned
under a name that no tool can have, `sayso gateway review` shows them, and clients get only the pinned text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sayso.gateway.messages import say

INSTRUCTIONS = "(instructions)"  # not a tool: the connection ignores a tool with this name
MOST = 4_000  # characters of one server that clients get

Definition = dict[str, Any]


def as_definition(text: str | None) -> list[Definition]:
    """The instructions as a definition to pin; empty if the server has no instructions."""
    return [{"name": INSTRUCTIONS, "description": text}] if text else []


def only_tools(pinned: Mapping[str, Definition]) -> dict[str, Definition]:
    """Only the pins of tools."""
    return {name: each for name, each in pinned.items() if name != INSTRUCTIONS}


def instructions(lang: str | None, servers: Iterable[tuple[str, Mapping[str, Definition]]]) -> str:
    """The gateway's own instructions, and those of the servers under their names, as pinned."""
    parts = [say(lang, "instructions")]
    for server, pinned in servers:
        text = str(pinned.get(INSTRUCTIONS, {}).get("description", ""))
        if text:
            parts.append(say(lang, "instructions_of", server=server, text=text[:MOST]))
    return "\n\n".join(parts)
