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

    named: Phrases  # the words that name such tools
    form: Form  # which sentences ask for it
    risk: Risk  # the risk that such a name suggests


class ParamNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameter names by their meaning."""

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
    """How one language forms plain commands."""

    language: str
    plurals: tuple[tuple[str, str], ...]
    no_plurals: Phrases = ()
    verbs: dict[str, Phrases]
    unserved: Phrases  # verbs of requests that no tool serves
    nouns: dict[str, Phrases] = {}  # more words for a thing; all words if the language is not that of the names
    several: dict[str, Phrases] = {}  # irregular plurals of these
    own_names: bool = False  # the words of the names are words of this language
    values: dict[str, Phrases] = {}
    leads: dict[str, Phrases]
    asked: Phrases  # before the only text of a reading tool, if its name is unknown
    counted: Phrases  # before a number whose name is unknown
    beside: Phrases
    dates: dict[str, Phrases]
    onto: Phrases  # before the thing that something is added to
    named: Phrases  # between a thing and its name
    called: Phrases  # between a thing and a text
    the: Phrases
    turned: str = ""  # the form for a two-word name in reverse order
    forms: dict[Form, Phrases]
    fragments: dict[Form, Phrases]  # said without a verb
    say: dict[str, str]
    reply: dict[str, str]


@cache
def names() -> Names:
    return datafile.read(HOME / "names.yaml", Names)


@cache
def talks() -> tuple[Talk, ...]:
    """The command data of every language that the drafter knows."""
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
    """The command data of the language of tool names."""
    return next(talk for talk in talks() if talk.own_names)
