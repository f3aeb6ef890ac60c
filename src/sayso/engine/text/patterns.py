"""Reads the notation in which packs and languages write sentences.

    "[please] (add|create) {title} <to_list>"

    word      that word            [x]      x or nothing
    <class>   any phrase of it     (x|y)    one of them
    {slot}    what the person says there
Read once, when a pack is loaded; `automaton.py` makes of it what runs over messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

MOST_EXPANSIONS = 2_000
MOST_BRACKETS = 100

_PART = re.compile(r"[\[\]()|]|<[\w:.]+>|\{\w+\}|[^\s\[\]()|<>{}]+|[<>{}]\S*")
_CLASS = re.compile(r"<[\w:.]+>")
_MARKS = re.compile(r"[\[\]()|<>{}]")
_NAMED = re.compile(r"<[^>]*>|\{[^}]*\}")
_WORD = re.compile(r"[^\s\[\]()|<>{}]+")


class Symbol(NamedTuple):
    """A word, a class or a slot."""

    kind: str
    name: str


class Series(NamedTuple):
    """One part after the other."""

    parts: tuple[Tree, ...]


class Choice(NamedTuple):
    """One of the ways; `maybe`: or nothing at all."""

    ways: tuple[Tree, ...]
    maybe: bool


Tree = Symbol | Series | Choice


_NOTHING: Mapping[str, Tree] = {}


class BadPattern(ValueError):
    """A pattern that cannot be read; the message says where."""


def parse(pattern: str, inside: Mapping[str, Tree] = _NOTHING) -> Tree:
    """The pattern as a tree, or BadPattern. A class that is `inside` stands for its own tree."""
    if pattern.count("(") + pattern.count("[") > MOST_BRACKETS:
        raise BadPattern(f'"{pattern[:60]}…" has more than {MOST_BRACKETS} brackets; use classes instead')
    parts = _parts(pattern)
    tree, end = _choice([_tree(part, inside) for part in parts] if inside else parts, 0, pattern)
    if end != len(parts):
        raise BadPattern(f'unexpected "{parts[end]}" in "{pattern}"')
    return tree


def expand(pattern: str) -> Iterator[tuple[Symbol, ...]]:
    """Every sequence that the pattern stands for, without repeats."""
    sequences = list(_expand(parse(pattern)))
    if len(sequences) > MOST_EXPANSIONS:
        raise BadPattern(f'"{pattern}" stands for {len(sequences)} sentences; use a class instead of long alternatives')
    yield from dict.fromkeys(sequences)


def is_plain(pattern: str) -> bool:
    """Whether a pattern is just words, one after the other."""
    return not _MARKS.search(pattern)


def words_in(pattern: str) -> list[str]:
    """The words that a pattern of words and classes names."""
    return _WORD.findall(_CLASS.sub(" ", pattern) if "<" in pattern else pattern)


def literals(patterns: Iterable[str]) -> set[str]:
    """The words that patterns name themselves, beside classes and slots; all at once, since a pack has a thousand."""
    return set(_WORD.findall(_NAMED.sub(" ", "\n".join(patterns))))


def symbols(pattern: str) -> set[Symbol]:
    """The words, classes and slots that a pattern names."""
    return {part for part in _parts(pattern) if isinstance(part, Symbol)}


@lru_cache(maxsize=4_096)  # a pattern is read for its words, and again for its tree
def _parts(pattern: str) -> tuple[str | Symbol, ...]:
    try:
        return tuple(map(_part, _PART.findall(pattern)))
    except BadPattern as problem:
        raise BadPattern(f'{problem} in "{pattern}"') from None


@cache  # a few hundred make up all patterns
def _part(part: str) -> str | Symbol:
    first = part[0]
    if first in "[]()|":
        return part
    if first == "<" and part[-1] == ">":
        return Symbol("class", part[1:-1])
    if first == "{" and part[-1] == "}":
        return Symbol("slot", part[1:-1])
    if first in "<>{}":
        raise BadPattern(f'cannot read "{part}"')
    return Symbol("word", part)


def _tree(part: str | Symbol, inside: Mapping[str, Tree]) -> str | Tree:
    return inside.get(part.name, part) if isinstance(part, Symbol) and part.kind == "class" else part


def _choice(parts: Sequence[str | Tree], at: int, pattern: str) -> tuple[Tree, int]:
    ways: list[Tree] = []
    while True:
        way, at = _sequence(parts, at, pattern)
        ways.append(way)
        if at < len(parts) and parts[at] == "|":
            at += 1
            continue
        return (ways[0] if len(ways) == 1 else Choice(tuple(ways), False)), at


def _sequence(parts: Sequence[str | Tree], at: int, pattern: str) -> tuple[Tree, int]:
    found: list[Tree] = []
    while at < len(parts):
        part = parts[at]
        if not isinstance(part, str):
            found.append(part)
            at += 1
        elif part in "[(":
            inside, at = _choice(parts, at + 1, pattern)
            closing = "]" if part == "[" else ")"
            if at >= len(parts) or parts[at] != closing:
                raise BadPattern(f'"{part}" is never closed in "{pattern}"')
            found.append(Choice((inside,), True) if part == "[" else inside)
            at += 1
        else:
            break
    return (found[0] if len(found) == 1 else Series(tuple(found))), at


def _expand(tree: Tree) -> Iterator[tuple[Symbol, ...]]:
    match tree:
        case Symbol():
            yield (tree,)
        case Series():
            for choice in product(*(list(_expand(part)) for part in tree.parts)):
                yield sum(choice, ())
        case Choice():
            if tree.maybe:
                yield ()
            for way in tree.ways:
                yield from _expand(way)
