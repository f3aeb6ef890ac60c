"""The case: everything that a decision may depend on. The engine reads no clock and no store."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from sayso.decision import Pending
from sayso.errors import MalformedCase
from sayso.record import Entity, Record


class Turn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An earlier message; `shown` lists the ids that it showed, in order."""

    role: Literal["user", "assistant"]
    content: str
    shown: tuple[str, ...] | None = None


class Preference(msgspec.Struct, frozen=True, kw_only=True):
    """What the user chose before among several items."""

    said: str
    chose: str
    times: int = 1


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call that a language model proposes. Sayso checks every value."""

    tool: str
    arguments: Any = {}


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A message with its context."""

    message: str
    now: Annotated[datetime, msgspec.Meta(tz=True)]
    id: str = ""
    pack: str = "tasks"
    lang: str | None = None
    user: Record = msgspec.field(default_factory=Record)
    entities: tuple[Entity, ...] = ()
    history: tuple[Turn, ...] = ()
    pending: Pending | None = None
    preferences: tuple[Preference, ...] = ()
    proposed: Proposal | None = None


def case_from_json(text: str | bytes) -> Case:
    """Read a case, or raise MalformedCase saying which field is wrong."""
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as problem:
        raise MalformedCase(f"not a case: {problem}") from problem


def case_from_object(data: Any) -> Case:
    """The same for JSON that was already parsed."""
    try:
        return msgspec.convert(data, Case, dec_hook=_read_record)
    except (msgspec.ValidationError, ValueError) as problem:
        raise MalformedCase(f"not a case: {problem}") from problem


def to_json(value: msgspec.Struct) -> str:
    """The exact JSON of a case, a decision or an answer."""
    return msgspec.json.encode(value, enc_hook=_write_record).decode()


def _read_record(kind: type, data: Any) -> Any:
    if not isinstance(data, dict):
        raise ValueError(f"expected an object, got {type(data).__name__}")
    if kind is Entity:
        for key in ("kind", "id"):
            if not isinstance(data.get(key), str) or not data[key]:
                raise ValueError(f"an entity needs `{key}`, a non-empty text")
        return Entity(data)
    return Record(data)


def _write_record(value: Any) -> Any:
    if isinstance(value, Record):
        return value.as_dict()
    raise NotImplementedError(f"no JSON for {type(value).__name__}")


_DECODER = msgspec.json.Decoder(Case, dec_hook=_read_record)
