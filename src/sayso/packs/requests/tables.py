"""Loads the tables: how tools are named (names.yaml), and how people ask for them in each language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from sayso.engine.grammar.catalogue import Role
from sayso.files import datafile

HOME = Path(__file__).parent
Phrases = tuple[str, ...]


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """names.yaml."""

    named: dict[str, Phrases]
    also_things: Phrases
    about: dict[str, dict[str, Phrases]]
    looks: Phrases
    implies: dict[str, Phrases]
    things: dict[str, str]
    params: dict[Role, Phrases]
    neutral: Phrases
    constants: dict[str, Phrases]
    current: Phrases
    everything: Phrases
    which: Phrases
    sensitive: Phrases
    system: Phrases
    origins: Phrases
    goals: Phrases
    picking: Phrases
    goes: Phrases
    desired: Phrases
    tells: Phrases
    opposites: dict[str, str]
    statements: dict[str, Phrases]


class Talk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How people ask for tools in one language."""

    language: str
    verbs: dict[str, Phrases]
    others: Phrases
    light: Phrases
    nouns: dict[str, Phrases]
    classes: dict[str, Phrases]


@cache
def names() -> Names:
    return datafile.read(HOME / "names.yaml", Names)


@cache
def talk(language: str) -> Talk:
    return datafile.read(HOME / f"{language}.yaml", Talk)
