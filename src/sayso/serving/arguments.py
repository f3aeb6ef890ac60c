"""Validates the arguments and the idempotency key of a call, and says how to fix an invalid one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from sayso.identity.principal import is_storable
from sayso.serving.messages import COMMON

KEY_IN_META = "sayso/idempotency-key"
LONGEST_KEY = 200
LONGEST_TEXT = 4_000  # characters of an argument; checked before anything scans or repeats it

A = TypeVar("A", bound=msgspec.Struct)


class Unusable(Exception):
    """Arguments cannot be used. The text says why, in the user's language."""


def check_texts(given: Mapping[str, Any], language: str | None) -> None:
    """Raise Unusable if a text is too long or cannot be stored."""
    if any(isinstance(value, str) and len(value) > LONGEST_TEXT for value in given.values()):
        raise Unusable(COMMON.say(language, "invalid", problem=f"at most {LONGEST_TEXT} characters"))
    if any(isinstance(value, str) and not is_storable(value) for value in given.values()):
        raise Unusable(COMMON.say(language, "unreadable_text"))


def shaped(shape: type[A], given: Mapping[str, Any], language: str | None) -> A:
    """The arguments as a value, or Unusable."""
    try:
        return msgspec.convert(given, shape)
    except msgspec.ValidationError as problem:
        raise Unusable(COMMON.say(language, "invalid", problem=str(problem))) from problem


def idempotency_key(meta: Mapping[str, Any] | None, language: str | None) -> str | None:
    """The caller's key, if the call carries one; Unusable if it is not valid."""
    key = (meta or {}).get(KEY_IN_META)
    if key is None:
        return None
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY or not is_storable(key):
        raise Unusable(COMMON.say(language, "key_unusable"))
    return key


def one_line(value: Any) -> Any:
    """The text on one line: no surrounding white space, and single spaces between words."""
    return " ".join(value.split()) if isinstance(value, str) else value
