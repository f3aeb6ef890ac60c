"""Chooses where in a sentence each parameter of a tool is read.

`invoice_id` refers to one of the user's invoices, `due_date` is a date and `status` is one of a few values. People
rarely say a `limit`, and nobody can say an object of objects.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from sayso.packs.draft.catalogue import Listed
from sayso.packs.draft.naming import Named, thing_of
from sayso.packs.draft.words import names, words_in

Type = Literal["entity", "text", "number", "date", "value", ""]
Role = Literal["target", "onto", "rest"]

_NAMELESS = ("value",)  # for a name that is not a word
_SAYABLE = {"string", "integer", "number", "boolean"}


class Note(NamedTuple):
    """An open decision: a note of names.yaml, and the values of its places."""

    name: str
    filled: Mapping[str, str] = MappingProxyType({})


class Place(NamedTuple):
    """A parameter, and the slot that it is read from. The type is empty if it is not read from the message."""

    param: Listed
    words: tuple[str, ...]  # of its name
    type: Type
    slot: str = ""
    of: str = ""  # the kind of thing whose id it takes
    values: tuple[str, ...] = ()
    role: Role = "rest"
    notes: tuple[Note, ...] = ()


def kind_of(param: Listed, named: Named, kinds: Collection[str]) -> str:
    """The kind of thing whose id the parameter takes, or an empty text. A parameter with the name of a known kind
    counts."""
    words = words_in(param.name)
    if not words or "boolean" in param.types or "object" in param.types or "enum" in param.schema:
        return ""
    if words[-1] in names().params.id:
        return thing_of(words[:-1]) or named.thing
    counted = words[-1] in names().params.counted and bool(param.types & {"integer", "number"})
    kind = thing_of(words[:-1])
    if counted and kind and f"{named.thing}_".startswith(f"{kind}_"):
        return kind
    making = named.known and names().purposes[named.purpose].form == "make"
    alike = thing_of(words) == named.thing and named.thing in kinds
    return named.thing if param.required and alike and not making else ""


def places_of(params: tuple[Listed, ...], named: Named, kinds: Collection[str]) -> tuple[Place, ...]:
    """The places of a tool's parameters. The first entity is linked; further ones are plain text."""
    found: list[Place] = []
    for param in params:
        place = _place(param, named, kinds)
        if place.type == "entity" and any(other.type == "entity" for other in found):
            words = place.words[:-1] or place.words
            notes = (*place.notes, Note("second"))
            place = place._replace(type="text", words=words, slot=_snake(place.words), role="rest", notes=notes)
        if place.slot == "when" and any(other.slot == "when" for other in found):
            place = place._replace(slot="until")
        found.append(place)
    return tuple(found)


def _place(param: Listed, named: Named, kinds: Collection[str]) -> Place:
    words = words_in(param.name) or _NAMELESS
    kind = kind_of(param, named, kinds)
    if kind and not param.required:
        fewer = words[:-1] or words
        return Place(param, fewer, "text", _snake(words), kind, notes=(Note("optional_id"),))
    if kind in kinds:
        own = kind == named.thing
        several = (Note("several"),) if "array" in param.types else ()
        return Place(param, words, "entity", kind, kind, role="target" if own else "onto", notes=several)
    if _is(words, names().params.unsaid) and not param.required:
        return Place(param, words, "")
    if isinstance(param.schema.get("enum"), list):
        return _choice(param, words, tuple(_value(one) for one in param.schema["enum"] if _is_sayable(one)))
    return _by_type(param, words)


def _by_type(param: Listed, words: tuple[str, ...]) -> Place:
    types, items = param.types, param.schema.get("items", {}).get("type")
    if types == {"array"} and items in (None, "string"):
        return Place(param, words, "text", _snake(words), notes=(Note("several"),))
    if types and not types & _SAYABLE:
        called = Note("unsayable" if param.required else "unsayable_optional", {"type": " or ".join(sorted(types))})
        return Place(param, words, "", notes=(called,))
    if "boolean" in types:
        return _flag(param, words)
    if types and types <= {"integer", "number"}:
        return Place(param, words, "number", _snake(words))
    if param.schema.get("format") in ("date", "date-time") or _is_date(param, words):
        until = _is(words, names().params.until)
        moment = (Note("moment"),) if param.schema.get("format") == "date-time" else ()
        return Place(param, words, "date", "until" if until else "when", notes=moment)
    return Place(param, words, "text", _snake(words))


def _choice(param: Listed, words: tuple[str, ...], values: tuple[str, ...]) -> Place:
    return Place(param, words, "value", _snake(words), values=values)


def _flag(param: Listed, words: tuple[str, ...]) -> Place:
    """A flag: people say its name, such as "unpaid" or "archived"."""
    telling = tuple(word for word in words if word not in names().params.flag) or words
    return Place(param, telling, "value", _snake(words), values=("true",))


def _is_date(param: Listed, words: tuple[str, ...]) -> bool:
    known = names().params
    dated = _is(words, known.date) or _is(words, known.until)
    told = {*words_in(param.description)}
    return dated and told.isdisjoint(known.undated) and (not param.types or "string" in param.types)


def _is(words: tuple[str, ...], known: tuple[str, ...]) -> bool:
    return words[-1] in known or "_".join(words) in known


def _is_sayable(one: Any) -> bool:
    return isinstance(one, (str, int, float)) and bool(words_in(str(one)))


def _value(one: Any) -> str:
    return str(one).lower() if isinstance(one, bool) else str(one)


def _snake(words: tuple[str, ...]) -> str:
    return "_".join(words)
