"""Small conversations for the engine's tests: a message, some tasks, and what comes of it."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET

from sayso.case import Case, Turn
from sayso.decider import Decider
from sayso.decision import Call, Clarify, Confirm, Nothing, Option
from sayso.engine.decide.room import Thresholds
from sayso.record import Entity

NOW = datetime.fromisoformat("2026-03-10T09:00:00+01:00")  # a Tuesday
DECIDER = Decider.installed(thresholds=Thresholds(reader=False))  # the rules alone


def task(identifier, title, status="pending", due=None, description="", **more):
    fields = {"title": title, "description": description, "status": status, "priority": "medium", "due": due}
    return Entity({"kind": "task", "id": identifier, **fields, **more})


def tasks(*titles):
    """Pending tasks t1, t2, … of these titles."""
    return tuple(task(f"t{number}", title) for number, title in enumerate(titles, 1))


def user(content):
    return Turn(role="user", content=content)


def assistant(content, *shown):
    return Turn(role="assistant", content=content, shown=shown or None)


def case(message, entities=(), history=(), pending=None, lang="en"):
    return Case(message=message, now=NOW, entities=entities, history=tuple(history), pending=pending, lang=lang)


def decide(message, entities=(), history=(), pending=None, lang="en"):
    """The decisions, as they are."""
    return DECIDER.decide(case(message, entities, history, pending, lang)).decisions


def say(message, entities=(), history=(), pending=None, lang="en"):
    """The decisions, each in a line: `call complete_task t1`, `clarify not_found t1 t2`."""
    return [line(decision) for decision in decide(message, entities, history, pending, lang)]


def line(decision):
    match decision:
        case Call() | Confirm():
            kind = "call" if isinstance(decision, Call) else "confirm"
            return " ".join([kind, decision.tool, *map(_argument, decision.arguments.items())])
        case Clarify():
            options = [option.arguments.get("task_identifier", option.label) for option in decision.options]
            return " ".join(["clarify", decision.reason, *(options or decision.missing)])
        case Nothing():
            return f"none {decision.reason}"


def _argument(pair):
    name, value = pair
    return str(value) if name == "task_identifier" else f"{name}={value}"


def asked(tool, entity=None, /, **arguments):
    """The open question "shall I?" about this call."""
    if entity is not None:
        arguments = {"task_identifier": entity, **arguments}
    reason = "destructive" if tool == "delete_task" else "uncertain"
    return Confirm(tool=tool, arguments=arguments, confidence=0.9, question="Shall I?", reason=reason)


def which(tool, *entities, **arguments):
    """The open question "which one?", with these tasks as options."""
    options = tuple(
        Option(label=entity["title"], tool=tool, arguments={"task_identifier": entity.id, **arguments})
        for entity in entities
    )
    return Clarify(
        tool=tool,
        arguments=arguments,
        missing=("task_identifier",),
        confidence=0.5,
        question="Which one?",
        options=options,
        reason="ambiguous",
    )


def wanting(tool, *missing, **arguments):
    """The open question about what is still missing."""
    return Clarify(tool=tool, arguments=arguments, missing=missing, confidence=0.9, question="What?", reason="missing")


def reply_of(decision):
    return "" if decision.reply is UNSET else decision.reply
