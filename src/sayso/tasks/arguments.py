"""The arguments of the tasks' tools as they come over the wire: trimmed, checked, and refused with what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from sayso.serving.arguments import Unusable, check_texts, one_line, shaped
from sayso.tasks.messages import say
from sayso.tasks.values import LONGEST_TITLE, Arguments

_TRIMMED = ("title", "new_title", "task_identifier", "search")

A = TypeVar("A", bound=Arguments)


def read_arguments(shape: type[A], given: Mapping[str, Any], language: str | None) -> A:
    """The arguments as a value, or Unusable."""
    check_texts(given, language)
    trimmed = {name: one_line(value) if name in _TRIMMED else value for name, value in given.items()}
    for name in ("title", "new_title"):
        title = trimmed.get(name)
        if isinstance(title, str) and not title:
            raise Unusable(say(language, "title_empty"))
        if isinstance(title, str) and len(title) > LONGEST_TITLE:
            raise Unusable(say(language, "title_long"))
    return shaped(shape, trimmed, language)
