"""Data files: YAML into frozen values. A bad file is refused with its name, the key and what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from sayso.errors import BadData

T = TypeVar("T")

_FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_AT = re.compile(r" - at `\$?(?:\[\.\.\.\])?\.?(?P<key>[^`]*)`$")


class _Loader(_FAST):  # type: ignore[misc]
    """Safe YAML in which yes, no, on and off are words: they are, in a file about words."""


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern) for tag, pattern in pairs if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")
    ]
    for first, pairs in _FAST.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


def read(path: Path, shape: type[T]) -> T:
    """The file as a value of this shape, or BadData."""
    return convert(parse(path), shape, path)


def parse(path: Path) -> Any:
    """The file as plain data, or BadData."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadData(
            str(path), "(file)", problem.strerror or "cannot be read", "Check that the file is there."
        ) from problem
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - _Loader is a safe loader
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = f"line {mark.line + 1}" if mark else "(file)"
        what = getattr(problem, "problem", None) or "not YAML"
        remedy = "Put texts that hold [ ] { } : or # in quotes."
        raise BadData(str(path), line, str(what), remedy) from problem


def convert(data: Any, shape: type[T], path: Path) -> T:
    """Plain data as a value of this shape, or BadData naming the key."""
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as problem:
        text = str(problem)
        at = _AT.search(text)
        key = (at["key"] if at else "") or "(top)"
        problem_text = text[: at.start()] if at else text
        remedy = "Compare with a pack that comes with Sayso, or see docs/packs.md."
        raise BadData(str(path), key, problem_text[:1].lower() + problem_text[1:], remedy) from problem
