"""Defines a language: the shape of its YAML files.

Nothing here knows a word of any language; `languages/load.py` fills it.
"""

from __future__ import annotations

import msgspec

from sayso.engine.dates.dates import DateSpec
from sayso.engine.values.numbers import NumberSpec
from sayso.engine.values.spec import RepeatSpec

Phrases = tuple[str, ...]


class Inflection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a form is made: the first ending that fits is replaced by each of the new ones."""

    endings: tuple[tuple[str, tuple[str, ...]], ...]
    irregular: dict[str, tuple[str, ...]] = {}


class Stemming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How words are cut down for comparing: endings to drop, longest first, and words with a stem of their own."""

    endings: tuple[tuple[str, str], ...] = ()
    shortest: int = 3
    vowels: str = "aeiouy"  # a stem holds one: "strings" is not cut to "str"
    irregular: dict[str, str] = {}


class LanguageSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """words: everything about a language but numbers and dates."""

    language: str
    name: str
    contractions: dict[str, tuple[str, ...]] = {}
    suffixes: tuple[str, ...] = ()  # split off the end of a word: "'s"
    prefixes: tuple[str, ...] = ()  # split off the beginning: "l'"
    clitics: dict[str, str] = {}  # split off the end of a known word only
    forms: dict[str, Inflection] = {}
    told_asks: bool = False  # a question may be put as a statement, and only the tone tells: "la luce è accesa"
    plurals: tuple[tuple[str, str], ...] = ()  # endings for several, with those for one: "lights", "light"
    past: str = ""  # past forms that no rule makes: "bought"
    stems: Stemming = Stemming()
    synonyms: dict[str, Phrases] = {}  # by a word, the others that are compared as if they were it: "mom", "mum"
    # by name, each a list of patterns; languages/classes.yaml has the names, and what each is for
    classes: dict[str, Phrases]
    moods: dict[str, Phrases]  # the same for how a clause begins, by what it does
    common: str = ""  # frequent words, which are never a slip of the finger for another


class Language(msgspec.Struct, frozen=True):
    """A language, whole."""

    words: LanguageSpec
    numbers: NumberSpec
    dates: DateSpec
    repeats: RepeatSpec | None = None  # without it repeats and lead times are not read

    @property
    def tag(self) -> str:
        return self.words.language
