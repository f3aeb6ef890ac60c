"""Reads the arguments of the task tools: trims and validates them, and says how to fix an invalid one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from sayso.serving.arguments import Unusable, check_texts, one_line, shaped
from sayso.tasks.messages import say
from sayso.tasks.values import LONGEST_LIST, LONGEST_TITLE, Arguments

_TRIMMED = ("title", "new_title", "list", "new_list", "task_identifier", "search")
_NAMES = (("title", LONGEST_TITLE), ("list", LONGEST_LIST))

A = TypeVar("A", bound=Arguments)


def read_arguments(shape: type[A], given: Mapping[str, Any], language: str | None) -> A:
    """The arguments as a value, or Unusable."""
    check_texts(given, language)
    trimmed = {name: one_line(value) if name in _TRIMMED else value for name, value in given.items()}
    for field, longest in _NAMES:
        for name in (field, f"new_{field}"):
            text = trimmed.get(name)
            if isinstance(text, str) and not text:
                raise Unusable(say(language, f"{field}_empty"))
            if isinstance(text, str) and len(text) > longest:
                raise Unusable(say(language, f"{field}_long"))
    return shaped(shape, trimmed, language)
