"""The arguments of a call as they come over the wire: trimmed, checked, and refused with what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from sayso.identity.principal import is_storable
from sayso.tasks.messages import say
from sayso.tasks.values import LONGEST_TITLE, Arguments

KEY_IN_META = "sayso/idempotency-key"
LONGEST_KEY = 200
LONGEST_TEXT = 4_000  # of any argument, before anything is looked at letter by letter or said back
_TRIMMED = ("title", "new_title", "task_identifier", "search")

A = TypeVar("A", bound=Arguments)


class Unusable(Exception):
    """Arguments that cannot be used; the text says why, in the person's language."""


def read_arguments(shape: type[A], given: Mapping[str, Any], language: str | None) -> A:
    """The arguments as a value, or Unusable."""
    if any(isinstance(value, str) and len(value) > LONGEST_TEXT for value in given.values()):
        raise Unusable(say(language, "invalid", problem=f"at most {LONGEST_TEXT} characters"))
    trimmed = {name: _trim(value) if name in _TRIMMED else value for name, value in given.items()}
    for value in trimmed.values():
        if isinstance(value, str) and not is_storable(value):
            raise Unusable(say(language, "unreadable_text"))
    for name in ("title", "new_title"):
        title = trimmed.get(name)
        if isinstance(title, str) and not title:
            raise Unusable(say(language, "title_empty"))
        if isinstance(title, str) and len(title) > LONGEST_TITLE:
            raise Unusable(say(language, "title_long"))
    try:
        return msgspec.convert(trimmed, shape)
    except msgspec.ValidationError as problem:
        raise Unusable(say(language, "invalid", problem=str(problem))) from problem


def idempotency_key(meta: Mapping[str, Any] | None, language: str | None) -> str | None:
    """The caller's key, if the call carries one; Unusable if it is none."""
    key = (meta or {}).get(KEY_IN_META)
    if key is None:
        return None
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY or not is_storable(key):
        raise Unusable(say(language, "key_unusable"))
    return key


def _trim(value: Any) -> Any:
    """Without white space around it, and with single spaces for line breaks: a title is one line."""
    return " ".join(value.split()) if isinstance(value, str) else value
