"""Patterns: the small notation in which packs and languages write what people say.

    "[please] (add|create) {title} <to_list>"

    word      that word            [x]      x or nothing
    <class>   any phrase of it     (x|y)    one of them
    {slot}    what the person says there
Expanded once, when a pack is loaded, into plain sequences of symbols; nothing is parsed per message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

MOST_EXPANSIONS = 2_000

_PART = re.compile(r"\s*(?:(?P<mark>[\[\]()|])|<(?P<cls>[\w:.]+)>|\{(?P<slot>\w+)\}|(?P<word>[^\s\[\]()|<>{}]+))")


class Symbol(NamedTuple):
    """One step of a sequence: a word, a class or a slot."""

    kind: str
    name: str


class BadPattern(ValueError):
    """A pattern that cannot be read; the message says where."""


def expand(pattern: str) -> Iterator[tuple[Symbol, ...]]:
    """Every sequence that the pattern stands for, without repeats."""
    parts = list(_parts(pattern))
    sequences, end = _alternatives(parts, 0, pattern)
    if end != len(parts):
        raise BadPattern(f'unexpected "{parts[end]}" in "{pattern}"')
    if len(sequences) > MOST_EXPANSIONS:
        raise BadPattern(f'"{pattern}" stands for {len(sequences)} sentences; use a class instead of long alternatives')
    yield from dict.fromkeys(sequences)


def symbols(pattern: str) -> set[Symbol]:
    """The words, classes and slots that a pattern names."""
    return {part for part in _parts(pattern) if isinstance(part, Symbol)}


def phrases(pattern: str) -> Iterator[tuple[str, ...]]:
    """The same for a pattern of words alone."""
    for sequence in expand(pattern):
        if any(symbol.kind != "word" for symbol in sequence):
            raise BadPattern(f'only words may stand in "{pattern}", no <class> or {{slot}}')
        if sequence:
            yield tuple(symbol.name for symbol in sequence)


def _parts(pattern: str) -> Iterator[str | Symbol]:
    at = 0
    text = pattern.rstrip()
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:
            raise BadPattern(f'cannot read "{text[at:].strip()}" in "{pattern}"')
        at = match.end()
        if match["mark"]:
            yield match["mark"]
        elif match["cls"]:
            yield Symbol("class", match["cls"])
        elif match["slot"]:
            yield Symbol("slot", match["slot"])
        else:
            yield Symbol("word", match["word"])


_Sequences = list[tuple[Symbol, ...]]


def _alternatives(parts: list[str | Symbol], at: int, pattern: str) -> tuple[_Sequences, int]:
    found: _Sequences = []
    while True:
        sequences, at = _sequence(parts, at, pattern)
        found += sequences
        if at < len(parts) and parts[at] == "|":
            at += 1
            continue
        return found, at


def _sequence(parts: list[str | Symbol], at: int, pattern: str) -> tuple[_Sequences, int]:
    steps: list[_Sequences] = []
    while at < len(parts):
        part = parts[at]
        if isinstance(part, Symbol):
            steps.append([(part,)])
            at += 1
        elif part in "[(":
            inside, at = _alternatives(parts, at + 1, pattern)
            closing = "]" if part == "[" else ")"
            if at >= len(parts) or parts[at] != closing:
                raise BadPattern(f'"{part}" is never closed in "{pattern}"')
            steps.append([(), *inside] if part == "[" else inside)
            at += 1
        else:
            break
    return [sum(choice, ()) for choice in product(*steps)], at
