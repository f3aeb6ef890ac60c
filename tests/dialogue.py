"""Dialogues as data: what somebody has to do, what they say, and what must come of it.

    - name: what is added can be ticked off
      tasks: [buy milk, {title: pay the rent, due: 2026-03-12}]
      turns:
        - says: mark buy milk as done
          calls: [complete_task: {task_identifier: buy milk}]
          reply: 'Well done! "buy milk" is completed.'
          left: [{title: buy milk, status: completed}, {title: pay the rent, due: 2026-03-12}]

All of a turn is checked: where no `calls` are named none may run, where no `card` is named none may be shown, and where
no `left` is named the list must be what it was. Tasks are named by their titles, and beyond that by what is not usual.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from sayso.files.yamlfile import parse
from sayso.tasks.values import AddTask, ListTasks

FOLDER = Path(__file__).parent / "chat" / "dialogues"
USUAL = {"description": "", "status": "pending", "priority": "medium", "due": None, "repeat": None, "list": None}
_DEFAULTS = {"add_task": AddTask(title="-"), "list_tasks": ListTasks()}


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """One turn: what is said, or the answer to the card, and all that must come of it."""

    says: str | None = None
    answers: str | None = None
    elsewhere: bool = False  # in another conversation of the same person
    decides: list[str] | None = None  # "clarify not_found", "none unsupported", "call"
    calls: list[dict[str, dict[str, Any]]] = []
    reply: str | list[str] | None = None  # equal, or each contained
    card: str | None = None
    options: list[str] | None = None
    left: list[str | dict[str, Any]] | None = None
    proposes: list[dict[str, Any]] = []  # by a model, where it is asked
    tells: str | None = None  # by the model, at its end


class Dialogue(msgspec.Struct, forbid_unknown_fields=True):
    """A conversation from its beginning."""

    name: str
    turns: list[Said]
    tasks: list[str | dict[str, Any]] = []
    misses: str | None = None  # why the engine does not do it yet


def load() -> dict[str, Dialogue]:
    """All dialogues, by file and name."""
    files = sorted(FOLDER.glob("*.yaml"))
    return {
        f"{file.stem}: {each.name}": each for file in files for each in msgspec.convert(parse(file), list[Dialogue])
    }


def whole(task: str | dict[str, Any]) -> dict[str, Any]:
    """A task as it is named, with all that is usual."""
    return USUAL | ({"title": task} if isinstance(task, str) else task)


def contents(tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a person sees of tasks, in an order that does not depend on when they were made."""
    kept = [{name: task[name] for name in ("title", *USUAL)} for task in tasks]
    return sorted(kept, key=lambda task: (task["title"], task["status"]))


def calls(reply: dict[str, Any], names: dict[str, str]) -> list[dict[str, dict[str, Any]]]:
    """The calls that ran, with their tasks by name and without arguments that are the usual ones."""
    return [{deed["tool"]: _essential(deed["tool"], deed["arguments"], names)} for deed in reply["results"]]


def _essential(tool: str, arguments: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    usual = _DEFAULTS.get(tool)
    return {
        name: names.get(value, value) if name == "task_identifier" else value
        for name, value in arguments.items()
        if usual is None or value != getattr(usual, name)
    }


def decisions(reply: dict[str, Any]) -> list[str]:
    """Each decision as its kind and, where it has one, its reason."""
    return [" ".join(filter(None, (each["kind"], each.get("reason")))) for each in reply["decisions"]]


def options(reply: dict[str, Any]) -> list[str]:
    return [option["label"] for each in reply["decisions"] for option in each.get("options", ())]
