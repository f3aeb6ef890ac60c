"""What is known of tools that have no acts: their purposes, what they are about, and what their parameters are for.

`packs/requests` works it out from the tools' names, descriptions and schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

Role = Literal["target", "content", "record", "technical", "place", "operation", "recipient", "when", "flag"]

VERB = "do_"  # before the name of a purpose, as a class of verbs
OTHERS = "do_others"  # verbs of no purpose
LIGHT = "do_light"  # verbs that say little


class Profile(NamedTuple):
    """A tool, as far as its name, its description and its schema tell."""

    purposes: tuple[str, ...]  # that its name stands for, the first one is the best
    described: frozenset[str]  # purposes that its description mentions
    things: frozenset[str]  # that its name mentions
    related: frozenset[str]  # that its description and its parameters mention
    words: frozenset[str]  # stems of its name
    told: frozenset[str]  # stems of its name, of its description's first sentence and of its parameters' names
    roles: Mapping[str, Role]  # by parameter


class Catalogue(NamedTuple):
    """The tools of a server, and what holds for tools in general."""

    tools: Mapping[str, Profile]
    looks: frozenset[str]  # purposes that change nothing
    implies: Mapping[str, tuple[str, ...]]  # what a purpose needs before it
    named: Mapping[str, tuple[str, ...]]  # the purposes of a word
    statements: Mapping[str, tuple[str, ...]]  # the purposes of a statement of SQL
    keys: Mapping[str, Role]  # what a key within a value is for
    generic: frozenset[str]  # words for kinds of things, which do not tell which one
    neutral: frozenset[str]  # values that pick out nothing
    current: frozenset[str]  # those of them that mean the current one
    everything: frozenset[str]  # those of them that mean all there is
    constants: Mapping[str, tuple[str, ...]]  # values that a purpose implies
    sensitive: frozenset[str]  # names that give access to secrets
    system: frozenset[str]  # parts of paths that are nobody's work
    origins: frozenset[str]  # parameters for where something comes from
    goals: frozenset[str]  # and for where it goes
    picking: frozenset[str]  # parameters that pick out what a change is done to
    denials: tuple[str, ...]  # the words before what is not meant, in all languages
    goes: frozenset[str]  # purposes whose value says where to
    desired: frozenset[str]  # purposes of saying how something is to be
    kinds: Mapping[str, str]  # the thing that a word of a name means
    tells: frozenset[str]  # purposes whose text people say themselves
    opposites: Mapping[str, str]  # of the names of flags
    stem: Callable[[str], str]  # of the language that tools are named in


class Vocabulary(NamedTuple):
    """The word classes of a grammar that ask for tools without acts, by their numbers."""

    verbs: Mapping[int, str]  # the purpose that a verb in its base form asks for
    gerunds: Mapping[int, str]
    pasts: Mapping[int, str]
    things: Mapping[int, str]
    apart: Mapping[tuple[str, str], frozenset[str]]  # verbs of two words that others may stand between: "turn … off"


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
