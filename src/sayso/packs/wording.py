"""Words a tool's result by the forms of an answers file.

A form is a text with {places}. A place is filled with the field of that name, or with the part that fits it:
`priority.high` where that is the value, `priority` for any value, `priority.null` where there is none. A place that has
parts, none of which fits, is left out.
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
    """How several things are told: {items} of a tool's `done`, and {head}, which says how many of which."""

    field: str  # of the result
    line: str
    sought: str = ""  # the argument by which one thing is looked for
    alone: str = ""  # its line, where it is the only one found: with all that is known of it
    parts: dict[str, str] = {}
    once: tuple[str, ...] = ()  # fields that the head tells where they were asked for, and that no line repeats
    joined: str = "\n"
    none: dict[str, str]  # by what was asked for, see Telling.done
    head: dict[Head, str] = {}
    of_one: dict[str, str] = {}  # parts of the head, by what was asked for
    of_many: dict[str, str] = {}  # where they differ from those of one
    more: str = ""


class Again(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The question before something is made of which there is one of the same name that has these values."""

    where: dict[str, Any]
    question: str


class Telling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is told of one tool."""

    done: dict[str, str]  # by what was asked for: "new_title", "new_due.null", both with a space between; "*" for any
    unchanged: str = ""
    parts: dict[str, str] = {}
    asked: tuple[str, ...] = ()  # the arguments that `done` and `none` go by
    usual: dict[str, Any] = {}  # values that count as not asked for
    cleared: tuple[str, ...] = ()  # arguments whose null is something asked for
    said: tuple[str, ...] = ()  # arguments that are told as they were given, whatever the thing is now
    shows: dict[str, str] = {}  # parts that a question is given for arguments that it does not tell
    again: Again | None = None
    items: Items | None = None


class Wording:
    """Fills the forms of one language, as seen from one moment."""

    def __init__(
        self, spoken: Spoken, moments: Mapping[str, str], now: datetime, repeats: RepeatWords | None = None
    ) -> None:
        self._spoken = spoken
        self._moments = moments
        self._repeats = repeats
        self._now = now
        self._told_of: dict[int, tuple[Parts, frozenset[str]]] = {}  # by the parts themselves, which are kept for that

    def told(self, name: str, value: Any) -> str:
        """A value as it is said; a date or a repeat is not said as it is stored."""
        return self._said(name, value, quoted=True)

    def is_moment(self, name: str) -> bool:
        return name in self._moments

    def fill(
        self, form: str, fields: Fields, parts: Parts, *, quoted: bool = True, ready: Mapping[str, str] | None = None
    ) -> str:
        """The form with its places filled. `quoted`: what is filled in may be between quotation marks; `ready`: what
        was worded before."""
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
        """The names that parts are for: found once for the many lines of a list."""
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
    """The value that a part is about, and whose it is."""

    name: str
    value: Any


@lru_cache(maxsize=1_000)
def places(form: str) -> tuple[str, ...]:
    return tuple(name for _, name, _, _ in Formatter().parse(form) if name)


def part_of(parts: Parts, name: str, value: Any) -> str | None:
    """The part that fits this value best."""
    exact = parts.get(f"{name}.{value_key(value)}")
    return exact if exact is not None or value in _NOTHING else parts.get(name)


def value_key(value: Any) -> str:
    if value in _NOTHING:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def fits(forms: Mapping[str, str], asked: Fields) -> str:
    """The form for exactly what was asked for, else the one for any."""
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
    """With nothing in it that cannot be seen, and no quotation mark that could pass for the end of what we quote."""
    return seen(text).replace('"', '\\"')


def seen(text: str) -> str:
    return spelled(text, lambda letter: f"<U+{ord(letter):04X}>")
