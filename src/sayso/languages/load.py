"""Loads a language: a folder with words.yaml, numbers.yaml and dates.yaml, and repeats.yaml where it has one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from sayso.engine.dates.dates import DateSpec
from sayso.engine.lexicon.language import Language, LanguageSpec
from sayso.engine.text.patterns import words_in
from sayso.engine.values.numbers import NumberSpec
from sayso.engine.values.spec import RepeatSpec
from sayso.files import datafile

HOME = Path(__file__).parent


@cache
def _words(folder: Path) -> LanguageSpec:
    return datafile.read(folder / "words.yaml", LanguageSpec)


def load_language(folder: Path) -> Language:
    """The language in this folder, or BadData naming the file and the key."""
    repeats = folder / "repeats.yaml"
    return Language(
        words=_words(folder),
        numbers=datafile.read(folder / "numbers.yaml", NumberSpec),
        dates=datafile.read(folder / "dates.yaml", DateSpec),
        repeats=datafile.read(repeats, RepeatSpec) if repeats.exists() else None,
    )


@cache
def installed_language(tag: str) -> Language:
    """A language that came with Sayso."""
    return load_language(HOME / tag)


@cache
def telling_words(tag: str) -> frozenset[str]:
    """Words by which a language that came with Sayso is recognised."""
    words = _words(HOME / tag)
    groups = (*msgspec.structs.asdict(words.classes).values(), *msgspec.structs.asdict(words.moods).values())
    named = words_in("\n".join(pattern for patterns in groups for pattern in patterns))  # all at once: it is the start
    return frozenset((*named, *words.contractions, *words.common.split()))


def installed_tags() -> tuple[str, ...]:
    """The languages that came with Sayso, English first: it is the one we fall back on."""
    tags = sorted(path.parent.name for path in HOME.glob("*/words.yaml"))
    return tuple(sorted(tags, key=lambda tag: (tag != "en", tag)))
