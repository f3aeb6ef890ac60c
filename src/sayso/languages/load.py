"""Loads a language: a folder with words.yaml, numbers.yaml and dates.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sayso import datafile
from sayso.engine.language import Language, LanguageSpec
from sayso.engine.readers.dates import DateSpec
from sayso.engine.readers.numbers import NumberSpec

HOME = Path(__file__).parent


def load_language(folder: Path) -> Language:
    """The language in this folder, or BadData naming the file and the key."""
    return Language(
        words=datafile.read(folder / "words.yaml", LanguageSpec),
        numbers=datafile.read(folder / "numbers.yaml", NumberSpec),
        dates=datafile.read(folder / "dates.yaml", DateSpec),
    )


@cache
def installed_language(tag: str) -> Language:
    """A language that came with Sayso."""
    return load_language(HOME / tag)


def installed_tags() -> tuple[str, ...]:
    """The languages that came with Sayso, English first: it is the one we fall back on."""
    tags = sorted(path.parent.name for path in HOME.glob("*/words.yaml"))
    return tuple(sorted(tags, key=lambda tag: (tag != "en", tag)))
