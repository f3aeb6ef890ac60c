"""Data files: YAML into frozen values. A bad file is refused with its name, the key and what to do.

In the wheel each YAML file has its JSON beside it, written when the wheel was built: it is read in a twentieth of the
time, and a short command need not load a YAML parser at all.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import msgspec

from sayso.errors import BadData

T = TypeVar("T")

_AT = re.compile(r" - at `\$?(?:\[\.\.\.\])?\.?(?P<key>[^`]*)`$")


def read(path: Path, shape: type[T]) -> T:
    """The file as a value of this shape, or BadData."""
    built = path.with_suffix(".json")
    try:
        if built.exists():
            return msgspec.json.decode(built.read_bytes(), type=shape)
        return msgspec.convert(import_module("sayso.files.yamlfile").parse(path), shape)
    except msgspec.ValidationError as problem:
        text = str(problem)
        at = _AT.search(text)
        key = (at["key"] if at else "") or "(top)"
        problem_text = text[: at.start()] if at else text
        remedy = "See docs/reference/packs.md for the schema."
        raise BadData(str(path), key, problem_text[:1].lower() + problem_text[1:], remedy) from problem
