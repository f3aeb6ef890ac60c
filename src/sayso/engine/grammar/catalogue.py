"""Describes tools that have no acts: their purposes, the things they are about, and the roles of their parameters.

`packs/requests` derives this from the tools' names, descriptions and schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

Role = Literal["target", "content", "record", "technical", "place", "operation", "recipient", "when", "flag"]

VERB = "do_"  # the prefix of a purpose's name, as a class of verbs
OTHERS = "do_others"  # verbs of no purpose
LIGHT = "do_light"  # verbs that say little


class Profile(NamedTuple):
    """A tool, as its name, its description and its schema describe it."""

    purposes: tuple[str, ...]  # that its name means, best first
    described: frozenset[str]  # purposes that its description mentions
    things: frozenset[str]  # that its name mentions
    related: frozenset[str]  # that its description and its parameters mention
    words: frozenset[str]  # stems of its name
    told: frozenset[str]  # stems of its name, of its description's first sentence and of its parameters' names
    roles: Mapping[str, Role]  # by parameter


class Catalogue(NamedTuple):
    """The tools of a server, and facts about tools in general."""

    tools: Mapping[str, Profile]
    looks: frozenset[str]  # purposes that change nothing
    implies: Mapping[str, tuple[str, ...]]  # the purposes that a purpose requires before it
    named: Mapping[str, tuple[str, ...]]  # the purposes of a word
    statements: Mapping[str, tuple[str, ...]]  # the purposes of a statement of SQL
    keys: Mapping[str, Role]  # the role of a key within a value
    generic: frozenset[str]  # words for kinds of things, which do not say which one
    neutral: frozenset[str]  # values that pick out nothing
    current: frozenset[str]  # those of them that mean the current one
    everything: frozenset[str]  # those of them that mean all there is
    constants: Mapping[str, tuple[str, ...]]  # values that a purpose implies
    sensitive: frozenset[str]  # names that give access to secrets
    system: frozenset[str]  # parts of paths that are not anybody's work
    origins: frozenset[str]  # parameters for where something comes from
    goals: frozenset[str]  # and for where it goes
    picking: frozenset[str]  # parameters that pick the object of a change
    denials: tuple[str, ...]  # the words before something that is not meant, in all languages
    goes: frozenset[str]  # purposes whose value is a destination
    desired: frozenset[str]  # purposes of saying how something should be
    kinds: Mapping[str, str]  # the thing that a word of a name means
    tells: frozenset[str]  # purposes whose text users say themselves
    opposites: Mapping[str, str]  # of the names of flags
    stem: Callable[[str], str]  # of the language that tools are named in


class Vocabulary(NamedTuple):
    """The word classes of a grammar that ask for tools without acts, by their numbers."""

    verbs: Mapping[int, str]  # the purpose that a verb in its base form asks for
    gerunds: Mapping[int, str]
    pasts: Mapping[int, str]
    things: Mapping[int, str]
    apart: Mapping[tuple[str, str], frozenset[str]]  # verbs of two words that others may separate: "turn … off"


def vocabulary(
    classes: Mapping[str, int], concepts: Mapping[int, str], verbs: Mapping[str, tuple[str, ...]]
) -> Vocabulary:
    """The numbers of the classes of verbs and things."""
    forms: dict[str, dict[int, str]] = {"": {}, "gerund": {}, "past": {}}
    for name, number in classes.items():
        purpose, _, form = name.removeprefix(VERB).partition(":")
        if name.startswith(VERB) and form in forms:
            forms[form][number] = purpose
    things = {number: key[2:] for number, key in concepts.items() if key.startswith("c:")}
    apart: dict[tuple[str, str], frozenset[str]] = {}
    for name, phrases in verbs.items():
        for first, last in (phrase.split() for phrase in phrases if phrase.count(" ") == 1):
            apart[first, last] = apart.get((first, last), frozenset()) | {name.removeprefix(VERB)}
    return Vocabulary(forms[""], forms["gerund"], forms["past"], things, apart)
