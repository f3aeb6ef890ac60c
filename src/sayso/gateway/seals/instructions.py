"""Pins the instructions of servers like tools, and joins them for the client.

A server's instructions go into the model's context, so they are as dangerous as a tool's description. They are pinned
under a name that no tool can have, are shown by `sayso gateway review`, and clients get the pinned text only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sayso.gateway.messages import say

INSTRUCTIONS = "(instructions)"  # no tool: the connection leaves out a tool that calls itself so
MOST = 4_000  # characters of one server that clients get

Definition = dict[str, Any]


def as_definition(text: str | None) -> list[Definition]:
    """The instructions as something to pin; nothing if there are none."""
    return [{"name": INSTRUCTIONS, "description": text}] if text else []


def only_tools(pinned: Mapping[str, Definition]) -> dict[str, Definition]:
    """The pins of tools alone."""
    return {name: each for name, each in pinned.items() if name != INSTRUCTIONS}


def instructions(lang: str | None, servers: Iterable[tuple[str, Mapping[str, Definition]]]) -> str:
    """The gateway's own instructions, and under their names those of the servers, as they are pinned."""
    parts = [say(lang, "instructions")]
    for server, pinned in servers:
        text = str(pinned.get(INSTRUCTIONS, {}).get("description", ""))
        if text:
            parts.append(say(lang, "instructions_of", server=server, text=text[:MOST]))
    return "\n\n".join(parts)
