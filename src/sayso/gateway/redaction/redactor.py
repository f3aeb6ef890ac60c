"""Replaces secrets by placeholders, in what the trail is about to store.

A placeholder has the kind of secret and a keyed digest, so that equal secrets stay equal and nobody can test a guess
without the gateway's key. Three things make a text secret: the name of its parameter, a known form (`secrets.yaml` and
the operator's own patterns), or that it looks random.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import msgspec

from sayso.files.datafile import read
from sayso.gateway.config import RedactionSettings
from sayso.gateway.redaction.randomness import looks_random
from sayso.gateway.seals.key import Key
from sayso.ledger.chain import Event

_PURPOSE, _DIGITS = "redaction", 12
_NAMED = "parameter"
_DONE = frozenset(("answer", "judged", "things"))  # redacted where they are made
_SHORTEST = 3  # characters of a named secret that is also looked for in other texts
_SHAPE = re.compile(r"[:=_]|-----|[A-Z]{4}|[\w-]{16}")
_TOKEN = re.compile(r"(?<![\w+/=-])[\w+/=-]{20,200}(?![\w+/=-])", re.ASCII)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_GROUP = "secret"


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file with the forms of secrets."""

    parameters: tuple[str, ...]
    not_parameters: tuple[str, ...]
    hints: tuple[str, ...]
    patterns: dict[str, str]


@cache
def known() -> Known:
    return read(Path(__file__).with_name("secrets.yaml"), Known)


class Redactor:
    """Redacts events for one gateway."""

    def __init__(self, settings: RedactionSettings, key: Key) -> None:
        self._key, self._on = key, settings.on
        forms = known().patterns | settings.patterns
        self._patterns = [(kind, re.compile(pattern)) for kind, pattern in forms.items()]
        self._hints = re.compile("|".join(known().hints))
        self._own = bool(settings.patterns)  # of which nobody knows where they can match
        self._secret = {words(name) for name in (*known().parameters, *settings.parameters)}
        self._plain = {words(name) for name in known().not_parameters}
        self._text = lru_cache(maxsize=1_000)(self._redacted_text)
        self.is_secret_name = lru_cache(maxsize=1_000)(self._is_secret_name)

    @classmethod
    def off(cls) -> Redactor:
        """One that leaves everything as it is."""
        return cls(RedactionSettings(on=False), Key([b""]))

    def events(self, events: Sequence[Event]) -> Sequence[Event]:
        """The events, with placeholders for the secrets in them. Some are redacted already."""
        if not self._on:
            return events
        return [each if each.kind in _DONE else Event(each.kind, self.body(each.body)) for each in events]

    def body(self, body: Any) -> Any:
        """Values of JSON without their secrets. A secret that a parameter names is removed from all texts beside it."""
        if not self._on:
            return body
        plain = msgspec.to_builtins(body)
        return self._clean(plain, _alternatives(self._named(plain)))

    def placeholder(self, kind: str, secret: str) -> str:
        """What stands for a secret. Placeholders are equal if and only if kind and secret are."""
        return f"[redacted:{kind}:{self._key.seal(_PURPOSE, secret.encode())[:_DIGITS]}]"

    def _named(self, value: Any, *, inside: bool = False) -> Iterator[str]:
        """The secrets that parameters name."""
        match value:
            case dict():
                for name, inner in value.items():
                    yield from self._named(inner, inside=inside or self.is_secret_name(name))
            case list() | tuple():
                for inner in value:
                    yield from self._named(inner, inside=inside)
            case bool():
                pass
            case str() | int() if inside and len(str(value)) >= _SHORTEST:
                yield str(value)

    def _clean(self, value: Any, named: re.Pattern[str] | None, *, inside: bool = False) -> Any:
        match value:
            case dict():
                return {
                    self._text(name, named): self._clean(inner, named, inside=inside or self.is_secret_name(name))
                    for name, inner in value.items()
                }
            case list() | tuple():
                return type(value)([self._clean(inner, named, inside=inside) for inner in value])
            case bool() | None:
                return value
            case str() | int() | float() if inside and value != "":
                return self.placeholder(_NAMED, str(value))
            case str():
                return self._text(value, named)
            case _:
                return value

    def _redacted_text(self, text: str, named: re.Pattern[str] | None) -> str:
        if named is not None:
            text = named.sub(lambda found: self.placeholder(_NAMED, _unescaped(found[0])), text)
        if len(text) < _SHORTEST:
            return text
        if self._own or _SHAPE.search(text) or self._hints.search(text.lower()):
            for kind, pattern in self._patterns:
                text = pattern.sub(partial(self._replaced, kind), text)
        return _TOKEN.sub(lambda found: self._if_random(found[0]), text)

    def _replaced(self, kind: str, found: re.Match[str]) -> str:
        group = _GROUP if found.re.groupindex and found[_GROUP] is not None else 0
        if not found[group] or found[group].startswith("[redacted:"):
            return found[0]
        begin, end = found.start(group) - found.start(), found.end(group) - found.start()
        return found[0][:begin] + self.placeholder(kind, found[group]) + found[0][end:]

    def _if_random(self, token: str) -> str:
        return self.placeholder("random", token) if looks_random(token) else token

    def _is_secret_name(self, name: str) -> bool:
        """By the last words of a name: `db_password`, `clientSecret`."""
        given = words(name)
        ends = [given[start:] for start in range(len(given))]
        return any(end in self._secret for end in ends) and not any(end in self._plain for end in ends)


def words(name: str) -> tuple[str, ...]:
    """The words of a name, in snake case, camel case or with blanks."""
    return tuple(word.lower() for word in _WORD.findall(name))


def _alternatives(secrets: Iterable[str]) -> re.Pattern[str] | None:
    """Finds any of these texts, as they are or as questions show them; the longest first."""
    shown = {form for each in secrets for form in (each, _escaped(each))}
    if not shown:
        return None
    return _compiled(tuple(sorted(shown, key=lambda each: (-len(each), each))))


@lru_cache(maxsize=200)
def _compiled(texts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in texts))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")
