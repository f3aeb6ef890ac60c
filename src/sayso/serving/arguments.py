"""Validates the arguments and the idempotency key of a call, and says what to do about a bad one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from sayso.identity.principal import is_storable
from sayso.serving.messages import COMMON

KEY_IN_META = "sayso/idempotency-key"
LONGEST_KEY = 200
LONGEST_TEXT = 4_000  # of any argument, before anything is looked at letter by letter or said back

A = TypeVar("A", bound=msgspec.Struct)


class Unusable(Exception):
    """Arguments that cannot be used; the text says why, in the person's language."""


def check_texts(given: Mapping[str, Any], language: str | None) -> None:
    """Unusable where a text is without end, or cannot be stored."""
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
    """Without white space around it, and with single spaces for line breaks: a name is one line."""
    return " ".join(value.split()) if isinstance(value, str) else value
