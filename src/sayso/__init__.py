"""Sayso: a tool runs only on the person's say-so.

Decide what a message asks for; nothing is run:

    >>> from sayso import Decider
    >>> decider = Decider.installed()
    >>> decider.decide("add a task to buy groceries").decisions[0].tool
    'add_task'

Pass a `Case` to give the clock, the person's things, the earlier turns and a call that a model proposes. Talk to a list
with `todo_conversation()`. Guard your own tools with `sayso.gateway.library.guard`. `sayso --help` lists the commands.

Names are imported on first use, so a program loads only what it needs.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # `typing` takes longer to load than a hook of a client may take
if TYPE_CHECKING:
    from typing import Any

    from sayso.assistant.conversation import Conversation
    from sayso.assistant.values import Reply
    from sayso.case import Case, Turn, case_from_json, case_from_object, to_json
    from sayso.decider import Decider
    from sayso.decision import (
        Answer,
        Call,
        Clarify,
        Confirm,
        Decision,
        Evidence,
        FollowUp,
        Nothing,
        Option,
        composition_status,
    )
    from sayso.errors import BadData, MalformedCase, SaysoError, UnknownPack
    from sayso.intents import tool_for
    from sayso.record import Entity, Record
    from sayso.tasks.conversation import todo_conversation

__all__ = [
    "Answer",
    "BadData",
    "Call",
    "Case",
    "Clarify",
    "Confirm",
    "Conversation",
    "Decider",
    "Decision",
    "Entity",
    "Evidence",
    "FollowUp",
    "MalformedCase",
    "Nothing",
    "Option",
    "Record",
    "Reply",
    "SaysoError",
    "Turn",
    "UnknownPack",
    "case_from_json",
    "case_from_object",
    "composition_status",
    "to_json",
    "todo_conversation",
    "tool_for",
]

_HOMES = {
    "assistant.conversation": ("Conversation",),
    "assistant.values": ("Reply",),
    "case": ("Case", "Turn", "case_from_json", "case_from_object", "to_json"),
    "decider": ("Decider",),
    "decision": (
        "Answer",
        "Call",
        "Clarify",
        "Confirm",
        "Decision",
        "Evidence",
        "FollowUp",
        "Nothing",
        "Option",
        "composition_status",
    ),
    "errors": ("BadData", "MalformedCase", "SaysoError", "UnknownPack"),
    "intents": ("tool_for",),
    "record": ("Entity", "Record"),
    "tasks.conversation": ("todo_conversation",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"sayso.{home}"), name)
    raise AttributeError(f"module 'sayso' has no attribute {name!r}")
