"""Resolves the machine and the command that the user means, in six levels, the best first.

The levels are: an exact id, an exact serial number, an exact name, part of a name, a keyword, the description. A
keyword can be in another language: "fridge" matches "Frigo cucina", because the devices pack has the words of every
language for a thing. A location counts as part of the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from rapidfuzz import fuzz

from sayso.devices.inventory.machine import Command
from sayso.devices.inventory.registry import Named
from sayso.devices.words import words
from sayso.files.datafile import read
from sayso.packs.load import language_files, pack_folder

_NEAR = 60.0  # out of 100; less similar names are not suggested
_SHORTEST = 3  # letters of a significant word


class Called(NamedTuple):
    """The names of a thing, as words."""

    id: str
    serial: str
    names: tuple[tuple[str, ...], ...]
    around: frozenset[str]  # words that may accompany the name, such as the location
    description: frozenset[str]


T = TypeVar("T")


@cache
def _concepts() -> dict[str, frozenset[str]]:
    """For a word of any language, the things and actions that it may mean."""
    found: dict[str, set[str]] = {}
    for path in language_files(pack_folder("devices")).values():
        book = read(path, dict[str, object]).get("concepts")
        for name, phrases in book.items() if isinstance(book, dict) else ():
            for phrase in phrases if isinstance(phrases, list) else ():
                if len(spelled := words(str(phrase))) == 1:
                    found.setdefault(spelled[0], set()).add(str(name))
    return {word: frozenset(names) for word, names in found.items()}


def machines_meant(said: str, machines: Sequence[Named]) -> list[Named]:
    """The machines that this may mean: all matches of the best level that has any."""
    called = [
        Called(
            one.id,
            one.serial,
            tuple(tuple(words(name)) for name in (one.name, *one.aliases)),
            frozenset(words(one.location)),
            frozenset(words(one.description)),
        )
        for one in machines
    ]
    return _meant(said, machines, called)


def commands_meant(said: str, commands: Sequence[Command]) -> list[Command]:
    """The same for the commands of a machine."""
    called = [
        Called(
            one.id, "", (tuple(words(one.name)), tuple(words(one.id))), frozenset(), frozenset(words(one.description))
        )
        for one in commands
    ]
    return _meant(said, commands, called)


def nearest(said: str, machines: Sequence[Named], limit: int = 3) -> list[Named]:
    """The machines with the most similar names."""
    low = " ".join(words(said))
    rated = [(fuzz.WRatio(low, " ".join(words(f"{one.name} {one.location}"))), one) for one in machines]
    return [one for rate, one in sorted(rated, key=lambda pair: -pair[0])[:limit] if rate >= _NEAR]


def _meant(said: str, things: Sequence[T], called: Sequence[Called]) -> list[T]:
    for level in _levels(said.strip(), called):
        found = [thing for thing, fits in zip(things, level, strict=True) if fits]
        if found:
            return found
    return []


def _levels(said: str, called: Sequence[Called]) -> Iterator[list[bool]]:
    wanted = tuple(words(said))
    low, every = said.casefold(), frozenset(wanted)
    telling = frozenset(word for word in wanted if len(word) >= _SHORTEST or word.isdigit()) or every
    yield [one.id == said for one in called]
    yield [bool(one.serial) and one.serial.casefold() == low for one in called]
    yield [bool(wanted) and wanted in one.names for one in called]
    yield [bool(wanted) and any(every == {*name, *one.around} for name in one.names) for one in called]
    yield [any(telling & {*name} and telling <= {*name, *one.around} for name in one.names) for one in called]
    yield [any(_alike(telling, name, one.around) for name in one.names) for one in called]
    yield [bool(every) and every <= one.description for one in called]


def _alike(telling: Iterable[str], name: Sequence[str], around: frozenset[str]) -> bool:
    """Whether every word has a match in the name, by its meaning in any language."""
    known = _concepts()
    there = {*name, *around}
    meanings = frozenset().union(*(known.get(word, frozenset()) for word in there))
    by_meaning = [word for word in telling if word not in there]
    return bool(by_meaning) and all(known.get(word, frozenset()) & meanings for word in by_meaning)
