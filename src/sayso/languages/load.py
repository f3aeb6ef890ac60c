"""Loads a language: a folder with words, numbers and dates, and repeats if it has them.

Each of them is a file, `words.yaml`, or a folder of files, `words`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from sayso import datafile
from sayso.engine.dates.dates import DateSpec
from sayso.engine.lexicon.language import Language, LanguageSpec
from sayso.engine.text.patterns import words_in
from sayso.engine.values.numbers import NumberSpec
from sayso.engine.values.spec import RepeatSpec

HOME = Path(__file__).parent
_FILES = ("words", "numbers", "dates", "repeats")


@cache
def _words(folder: Path) -> LanguageSpec:
    return datafile.read(data_file(folder, "words"), LanguageSpec)


def load_language(folder: Path) -> Language:
    """The language in this folder, or BadData naming the file and the key."""
    repeats = datafile.find(folder, "repeats")
    return Language(
        words=_words(folder),
        numbers=datafile.read(data_file(folder, "numbers"), NumberSpec),
        dates=datafile.read(data_file(folder, "dates"), DateSpec),
        repeats=datafile.read(repeats, RepeatSpec) if repeats is not None else None,
    )


def data_file(folder: Path, name: str) -> Path:
    """The file or the folder of this name; if there is neither, the file that should be there."""
    return datafile.find(folder, name) or folder / f"{name}.yaml"


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
    tags = [path.name for path in HOME.iterdir() if datafile.find(path, "words") is not None]
    return tuple(sorted(tags, key=lambda tag: (tag != "en", tag)))


def language_folders() -> list[Path]:
    """The folders of installed languages whose files are read as one."""
    found = (datafile.find(HOME / tag, name) for tag in installed_tags() for name in _FILES)
    return [path for path in found if path is not None and path.is_dir()]
