"""Loads the drafter's data: how tools are named (names.yaml) and how each language forms commands."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from sayso.engine.grammar.pack import Risk
from sayso.files import datafile

HOME = Path(__file__).parent

Form = Literal["list", "search", "get", "tell", "make", "change", "act"]
Phrases = tuple[str, ...]

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


class Purpose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that tools do."""

    named: Phrases  # how tools that do it are called
    form: Form  # which sentences ask for it
    risk: Risk  # what such a name makes likely


class ParamNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a parameter is, by its name."""

    id: Phrases
    counted: Phrases
    empty: Phrases
    naming: Phrases
    main: Phrases
    search: Phrases
    date: Phrases
    undated: Phrases
    until: Phrases
    unsaid: Phrases
    flag: Phrases
    vague: Phrases


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """names.yaml."""

    purposes: dict[str, Purpose]
    borrows: dict[str, Phrases]
    joints: Phrases
    particles: Phrases
    empty: Phrases
    also_things: Phrases
    reports: Phrases
    also_read: Phrases
    open_ended: Phrases
    statement: Phrases
    runs: Phrases
    params: ParamNames
    unserved: str
    notes: dict[str, str]

    def purpose_of(self, word: str) -> str | None:
        return next((name for name, purpose in self.purposes.items() if word in purpose.named), None)


class Talk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one language puts plain commands."""

    language: str
    plurals: tuple[tuple[str, str], ...]
    no_plurals: Phrases = ()
    verbs: dict[str, Phrases]
    unserved: Phrases  # what people ask for beside all that
    nouns: dict[str, Phrases] = {}  # further words for a thing; of another language than the names: all of them
    several: dict[str, Phrases] = {}  # the same for several of them, where no ending tells
    own_names: bool = False  # the words of the names are words of this language
    values: dict[str, Phrases] = {}
    leads: dict[str, Phrases]
    asked: Phrases  # before the one text that a read takes, where its name tells nothing
    counted: Phrases  # before a number, where its name tells nothing
    beside: Phrases
    dates: dict[str, Phrases]
    onto: Phrases  # before the thing that something else is done to
    named: Phrases  # between a thing and its name
    called: Phrases  # between a thing and a text
    the: Phrases
    turned: str = ""  # two words of a name the other way round
    forms: dict[Form, Phrases]
    fragments: dict[Form, Phrases]  # said without a verb
    say: dict[str, str]
    reply: dict[str, str]


@cache
def names() -> Names:
    return datafile.read(HOME / "names.yaml", Names)


@cache
def talks() -> tuple[Talk, ...]:
    """Of every language that the drafter knows."""
    files = sorted(path for path in HOME.glob("*.yaml") if path.stem != "names")
    return tuple(datafile.read(file, Talk) for file in files)


def words_in(name: str) -> tuple[str, ...]:
    """ "createInvoice", "create-invoice" and "create_invoice" are the same two words."""
    return tuple(part.lower() for part in _PARTS.findall(name))


def plural(word: str, talk: Talk) -> str:
    for old, new in talk.plurals:
        if word.endswith(old):
            return word[: len(word) - len(old)] + new
    return word


def singular(word: str, talk: Talk) -> str:
    """The word of which this is the plural; the word itself if it is not a plural."""
    if word.endswith(talk.no_plurals):
        return word
    for old, new in talk.plurals:
        if new != old and word.endswith(new):
            one = word[: len(word) - len(new)] + old
            if len(one) > 2 and plural(one, talk) == word:
                return one
    return word


@cache
def naming_talk() -> Talk:
    """Of the language whose words tools are named in."""
    return next(talk for talk in talks() if talk.own_names)
