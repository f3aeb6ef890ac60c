"""Sayso: a tool runs only on the person's say-so.

    from sayso import Case, Decider
    answer = Decider.installed().decide(Case(message="add a task to buy groceries", now=now))

Names are loaded when they are first asked for, so that a command pays only for what it uses.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

__all__ = [
    "Answer",
    "BadData",
    "Call",
    "Case",
    "Clarify",
    "Confirm",
    "Decider",
    "Decision",
    "Entity",
    "Evidence",
    "FollowUp",
    "MalformedCase",
    "Nothing",
    "Option",
    "Record",
    "SaysoError",
    "Turn",
    "UnknownPack",
    "case_from_json",
    "case_from_object",
    "composition_status",
    "to_json",
    "tool_for",
]

_HOMES = {
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
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"sayso.{home}"), name)
    raise AttributeError(f"module 'sayso' has no attribute {name!r}")
