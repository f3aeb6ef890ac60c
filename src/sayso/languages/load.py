"""Loads a language: a folder with words, numbers and dates, and repeats if it has them.

Each of them is a file, `words.yaml`, or a folder of files, `words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from sayso.engine.lexicon.words import Language, LanguageSpec, Phrases
from sayso.engine.text.patterns import words_in
from sayso.engine.values.specs import DateSpec, NumberSpec, RepeatSpec
from sayso.errors import BadData
from sayso.files import datafile

HOME = Path(__file__).parent
NAMES = "classes.yaml"  # the word classes that a language has
_FILES = ("words", "numbers", "dates", "repeats")


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names of word classes, with the meaning of each."""

    required: dict[str, str]
    optional: dict[str, str]


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """classes.yaml."""

    classes: _Asked
    moods: _Asked


@cache
def _names() -> _Names:
    return datafile.read(HOME / NAMES, _Names)


@cache
def _words(folder: Path) -> LanguageSpec:
    path = data_file(folder, "words")
    words = datafile.read(path, LanguageSpec)
    return msgspec.structs.replace(
        words,
        classes=_complete(words.classes, _names().classes, path, "classes"),
        moods=_complete(words.moods, _names().moods, path, "moods"),
    )


def _complete(given: dict[str, Phrases], asked: _Asked, path: Path, key: str) -> dict[str, Phrases]:
    """All classes in the order of classes.yaml; classes that the language lacks are empty. BadData if a name is
    wrong."""
    known = (*asked.required, *asked.optional)
    for name in given:
        if name not in known:
            raise _unknown(name, known, path, f"{key}.{name}")
    for name, meaning in asked.required.items():
        if name not in given:
            raise BadData(str(path), f"{key}.{name}", f"this class is missing: {meaning}", "Add it with its words.")
    return {name: given.get(name, ()) for name in known}


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


def _unknown(name: str, known: Sequence[str], path: Path, key: str) -> BadData:
    from difflib import get_close_matches  # noqa: PLC0415  only an error needs it

    near = get_close_matches(name, known, n=1)
    hint = f'Did you mean "{near[0]}"? ' if near else ""
    remedy = f"{hint}A new class needs a line in languages/{NAMES}."
    return BadData(str(datafile.key_finder(path)(key)), key, f'no class is called "{name}"', remedy)


@cache
def installed_language(tag: str) -> Language:
    """A language that comes with Sayso."""
    return load_language(HOME / tag)


@cache
def telling_words(tag: str) -> frozenset[str]:
    """The words by which a language that comes with Sayso is detected."""
    words = _words(HOME / tag)
    groups = (*words.classes.values(), *words.moods.values())
    named = words_in("\n".join(pattern for patterns in groups for pattern in patterns))  # one pass is faster at startup
    return frozenset((*named, *words.contractions, *words.common.split()))


def installed_tags() -> tuple[str, ...]:
    """The languages that come with Sayso. English is first, because it is the fallback."""
    tags = [path.name for path in HOME.iterdir() if datafile.find(path, "words") is not None]
    return tuple(sorted(tags, key=lambda tag: (tag != "en", tag)))


def language_folders() -> list[Path]:
    """The folders of installed languages whose files are merged into one."""
    found = (datafile.find(HOME / tag, name) for tag in installed_tags() for name in _FILES)
    return [path for path in found if path is not None and path.is_dir()]
