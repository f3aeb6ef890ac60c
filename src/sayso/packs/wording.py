"""Words a tool's result with the forms of an answers file.

A form is a text with {places}. A place is filled with the field of that name, or with the part that matches its value:
`priority.high` for that value, `priority` for any value, `priority.null` for an empty one. If a place has parts and
none matches, it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from string import Formatter
from typing import Any, Literal

import msgspec

from sayso.languages.spoken import Spoken
from sayso.packs.repeats import RepeatWords, say_repeat
from sayso.unseen import spelled

Parts = Mapping[str, str]
Fields = Mapping[str, Any]
Head = Literal["one", "many", "first_one", "first", "next_one", "next", "near"]
_NOTHING: tuple[Any, ...] = (None, "", [])


class Items(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts of a list: {items} in a tool's `done`, and {head}, which states the number and the kind of the
    items."""

    field: str  # of the result
    line: str
    sought: str = ""  # the argument that searches for one thing
    alone: str = ""  # its line if it is the only result, with all its fields
    parts: dict[str, str] = {}
    once: tuple[str, ...] = ()  # fields that only the head states if they were asked for
    joined: str = "\n"
    none: dict[str, str]  # by the arguments, see Telling.done
    head: dict[Head, str] = {}
    of_one: dict[str, str] = {}  # parts of the head, by argument
    of_many: dict[str, str] = {}  # those that differ for several items
    more: str = ""


class Again(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The question before a thing is created if another thing has the same name and the values of `where`."""

    where: dict[str, Any]
    question: str


class Telling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answers for one tool."""

    done: dict[str, str]  # by arguments: "new_title", "new_due.null", or both with a space between; "*" for any
    unchanged: str = ""
    parts: dict[str, str] = {}
    asked: tuple[str, ...] = ()  # the arguments that choose among `done` and `none`
    usual: dict[str, Any] = {}  # values that count as not asked for
    cleared: tuple[str, ...] = ()  # arguments for which null counts as asked for
    said: tuple[str, ...] = ()  # arguments that are worded as given, not as in the result
    shows: dict[str, str] = {}  # parts that are added to a question for arguments that it does not mention
    again: Again | None = None
    items: Items | None = None


class Wording:
    """Fills the forms of one language; dates are worded relative to `now`."""

    def __init__(
        self, spoken: Spoken, moments: Mapping[str, str], now: datetime, repeats: RepeatWords | None = None
    ) -> None:
        self._spoken = spoken
        self._moments = moments
        self._repeats = repeats
        self._now = now
        self._told_of: dict[int, tuple[Parts, frozenset[str]]] = {}  # by the id of the parts, which stay referenced

    def told(self, name: str, value: Any) -> str:
        """A value in words; dates and repeats are worded differently from how they are stored."""
        return self._said(name, value, quoted=True)

    def is_moment(self, name: str) -> bool:
        return name in self._moments

    def fill(
        self, form: str, fields: Fields, parts: Parts, *, quoted: bool = True, ready: Mapping[str, str] | None = None
    ) -> str:
        """The form with its places filled. `quoted`: the form may put values between quotation marks. `ready`: places
        that are already worded."""
        said = {name: self._piece(name, fields, parts, quoted=quoted) for name in places(form)}
        return form.format(**said | dict(ready or {}))

    def _piece(self, name: str, fields: Fields, parts: Parts, *, quoted: bool) -> str:
        value = fields.get(name)
        part = part_of(parts, name, value)
        if part is not None:
            return self.fill(part, {**fields, "value": _Said(name, value)}, {}, quoted=quoted)
        if parts and name in self._names_in(parts):
            return ""
        if isinstance(value, _Said):
            name, value = value.name, value.value
        return self._said(name, value, quoted=quoted)

    def _names_in(self, parts: Parts) -> frozenset[str]:
        """The names of the places that have parts. Cached, because a list fills many lines with the same parts."""
        known = self._told_of.get(id(parts))
        if known is None:
            known = self._told_of[id(parts)] = parts, frozenset(key.partition(".")[0] for key in parts)
        return known[1]

    def _said(self, name: str, value: Any, *, quoted: bool) -> str:
        if value in _NOTHING:
            return ""
        if isinstance(value, float | int) and not isinstance(value, bool):
            return self._spoken.number(value)
        text = str(value)
        if name in self._moments:
            text = self._moment(self._moments[name], text)
        return visible(text) if quoted else seen(text)

    def _moment(self, kind: str, text: str) -> str:
        match kind:
            case "clock":
                return self._spoken.clock(text)
            case "repeat" if self._repeats is not None:
                return say_repeat(self._repeats, text, lambda day: self._spoken.when(day, self._now))
            case _:
                return self._spoken.when(text, self._now)


class _Said(msgspec.Struct, frozen=True):
    """The value of a part, and the name of its field."""

    name: str
    value: Any


@lru_cache(maxsize=1_000)
def places(form: str) -> tuple[str, ...]:
    return tuple(name for _, name, _, _ in Formatter().parse(form) if name)


def part_of(parts: Parts, name: str, value: Any) -> str | None:
    """The most specific part for this value."""
    exact = parts.get(f"{name}.{value_key(value)}")
    return exact if exact is not None or value in _NOTHING else parts.get(name)


def value_key(value: Any) -> str:
    if value in _NOTHING:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def fits(forms: Mapping[str, str], asked: Fields) -> str:
    """The form for exactly these arguments, or the form "*"."""
    for key, form in forms.items():
        wanted = key.split()
        if len(wanted) == len(asked) and all(_names(asked, one) for one in wanted):
            return form
    return forms["*"]


def _names(asked: Fields, wanted: str) -> bool:
    name, _, value = wanted.partition(".")
    if name not in asked:
        return False
    return value_key(asked[name]) == value if value else asked[name] not in _NOTHING


def visible(text: str) -> str:
    """The text with invisible characters spelled out and quotation marks escaped, so that it cannot end a quotation."""
    return seen(text).replace('"', '\\"')


def seen(text: str) -> str:
    return spelled(text, lambda letter: f"<U+{ord(letter):04X}>")
