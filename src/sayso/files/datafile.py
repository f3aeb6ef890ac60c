"""Data files: YAML into frozen values. Invalid data raises BadData: file, key and fix.

A value is in one file, `en.yaml`, or in a folder of files, `en/`, which are read as one. In the wheel each of them has
its JSON beside it, `en.json`, written when the wheel was built: it is read in a twentieth of the time, and a short
command need not load a YAML parser at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sayso.errors import BadData

T = TypeVar("T")

_AT = re.compile(r" - at `\$?(?:\[\.\.\.\])?\.?(?P<key>[^`]*)`$")


_REMEDY = "See docs/packs.md for the schema."


def find(folder: Path, name: str) -> Path | None:
    """The folder or the file of this name, or None if there is neither; BadData if there are both."""
    many, one = folder / name, folder / f"{name}.yaml"
    if many.is_dir():
        if one.exists():
            raise BadData(str(one), "(file)", f"{many} is there, too", "Move its keys into the folder, or delete one.")
        return many
    return one if one.exists() else None


def read(path: Path, shape: type[T]) -> T:
    """The file or the folder as a value of this shape, or BadData."""
    built = path.with_suffix(".json")
    try:
        if built.exists():
            return msgspec.json.decode(built.read_bytes(), type=shape)
        return msgspec.convert(import_module("sayso.files.yamlfile").parse(path), shape)
    except msgspec.ValidationError as problem:
        raise _bad(path, problem, shape) from problem


def key_finder(path: Path) -> Callable[[str], Path]:
    """A function from a key, such as `acts.add[2]`, to the file that has it. For a file it is always that file."""
    if not path.is_dir():
        return lambda _: path
    files: dict[tuple[str, ...], Path] = import_module("sayso.files.yamlfile").parse_folder(path).files

    def file_of(key: str) -> Path:
        parts = tuple(key.partition("[")[0].split("."))
        return next((files[parts[:end]] for end in range(len(parts), 0, -1) if parts[:end] in files), path)

    return file_of


def _bad(path: Path, problem: msgspec.ValidationError, shape: Any) -> BadData:
    text = str(problem)
    at = _AT.search(text)
    key = (at["key"] if at else "") or "(top)"
    what = text[: at.start()] if at else text
    file, remedy = path, _REMEDY
    if path.is_dir() and key == "(top)" and "missing required" in what:
        remedy = "Add it to a file of the folder, or add a file that has it."
    elif path.is_dir():
        file = _file_at_fault(path, text, shape)
    return BadData(str(file), key, what[:1].lower() + what[1:], remedy)


def _file_at_fault(folder: Path, text: str, shape: Any) -> Path:
    """The file that gives the same problem if it is read separately; the folder if none does."""
    yamlfile = import_module("sayso.files.yamlfile")
    for file in yamlfile.files_of(folder):
        try:
            msgspec.convert(yamlfile.parse(file), shape)
        except msgspec.ValidationError as problem:
            if str(problem) == text:
                return Path(file)
    return folder
