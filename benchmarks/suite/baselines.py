"""Whom we compare with in every table: the keyword algorithm that the project began from, and one that never decides.

"show my tasks" holds two words of list_tasks and none of another intent: list_tasks, confidence 0.7.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from sayso.case import Case
from sayso.decision import Answer, Call, Clarify, Confirm, Decision, Nothing
from sayso.files.datafile import read

ADD, LIST, UPDATE, DELETE = "add_task", "list_tasks", "update_task", "delete_task"


class Change(msgspec.Struct, frozen=True):
    """When a field changes, and to what."""

    words: tuple[str, ...]
    value: str


class References(msgspec.Struct, frozen=True):
    """How a task is named."""

    id: str
    first: tuple[str, ...]
    last: tuple[str, ...]
    recent: tuple[str, ...]


class Keywords(msgspec.Struct, frozen=True):
    """keywords.yaml."""

    intents: dict[str, tuple[str, ...]]
    explicit: dict[str, tuple[str, ...]]
    titles: tuple[str, ...]
    filters: dict[str, dict[str, str]]
    changes: dict[str, Change]
    references: References


@cache
def keywords() -> Keywords:
    """The words and patterns of the algorithm."""
    return read(Path(__file__).parent / "keywords.yaml", Keywords)


def never(case: Case) -> Answer:
    """Decides nothing, ever."""
    return _answer(case, Nothing(confidence=1.0, reason="out_of_scope"))


def by_keywords(case: Case) -> Answer:
    """The steps of the description: intent, parameters, validation, confidence, confirmation."""
    message = case.message.lower().strip()
    tool = _intent(message)
    if tool is None:
        return _answer(case, Nothing(confidence=0.5, reason="out_of_scope"))
    arguments = _arguments(tool, message, case)
    missing = _missing(tool, arguments)
    if missing:
        return _answer(case, _question(tool, arguments, 0.5, "missing", missing))
    confidence = _confidence(tool, message, arguments)
    if tool == DELETE:
        return _answer(
            case, Confirm(tool=tool, arguments=arguments, confidence=confidence, question="?", reason="destructive")
        )
    if confidence < 0.7:
        return _answer(case, _question(tool, arguments, confidence, "low_confidence"))
    return _answer(case, Call(tool=tool, arguments=arguments, confidence=confidence))


def _intent(message: str) -> str | None:
    scores = {tool: sum(word in message for word in words) for tool, words in keywords().intents.items()}
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] else None


def _arguments(tool: str, message: str, case: Case) -> dict[str, Any]:
    words = keywords()
    if tool == ADD:
        found = (_value(pattern, message) for pattern in words.titles)
        title = next((each for each in found if each), None)
        priority = _value(words.changes["new_priority"].value, message)
        return {key: value for key, value in (("title", title), ("priority", priority)) if value}
    if tool == LIST:
        first = {
            key: next((table[word] for word in table if word in message), None) for key, table in words.filters.items()
        }
        return {key: value for key, value in first.items() if value}
    identifier = _reference(message, case)
    arguments: dict[str, Any] = {"task_identifier": identifier} if identifier else {}
    if tool == UPDATE:
        for field, change in words.changes.items():
            value = _value(change.value, message) if any(word in message for word in change.words) else None
            arguments |= {field: value} if value else {}
    return arguments


def _reference(message: str, case: Case) -> str | None:
    how = keywords().references
    ids = [one.id for one in case.entities]
    said = _value(how.id, message)
    if said:
        return next((each for each in ids if each.lower() == said), said)
    if any(words in message for words in how.first) and ids:
        return ids[0]
    if any(words in message for words in how.last) and ids:
        return ids[-1]
    if any(words in message for words in how.recent):
        shown = [turn.shown for turn in case.history[-5:] if turn.role == "assistant" and turn.shown]
        return shown[-1][0] if shown else None
    return None


def _missing(tool: str, arguments: dict[str, Any]) -> tuple[str, ...]:
    if tool == LIST:
        return ()
    if tool == ADD:
        return () if arguments.get("title") else ("title",)
    if "task_identifier" not in arguments:
        return ("task_identifier",)
    fields = tuple(keywords().changes)
    return fields if tool == UPDATE and not any(field in arguments for field in fields) else ()


def _confidence(tool: str, message: str, arguments: dict[str, Any]) -> float:
    confidence = 0.5 + 0.2 * any(word in message for word in keywords().explicit[tool])
    confidence += 0.3 * (tool == ADD and "title" in arguments) + 0.2 * (tool == UPDATE)
    return min(confidence, 1.0)


def _value(pattern: str, message: str) -> str | None:
    found = re.search(pattern, message)
    return found["value"].strip(" .!?\"'") if found else None


def _question(
    tool: str,
    arguments: dict[str, Any],
    confidence: float,
    reason: Literal["missing", "low_confidence"],
    missing: tuple[str, ...] = (),
) -> Clarify:
    return Clarify(tool=tool, arguments=arguments, missing=missing, confidence=confidence, question="?", reason=reason)


def _answer(case: Case, decision: Decision) -> Answer:
    return Answer(id=case.id, lang=case.lang or "en", decisions=(decision,))
