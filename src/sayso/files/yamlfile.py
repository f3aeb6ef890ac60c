"""YAML as plain data, from a file or from a folder of files. Invalid YAML raises BadData: file, line and fix."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from sayso.errors import BadData

_FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_HERE = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")


class _Loader(_FAST):  # type: ignore[misc]
    """Safe YAML in which yes, no, on and off are words: they are, in a file about words."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in pairs if tag not in _NOT_HERE]
    for first, pairs in _FAST.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


class Folder(NamedTuple):
    """The files of a folder as one value, and the file of each key."""

    data: dict[str, Any]
    files: dict[tuple[str, ...], Path]  # by the path of the key: ("classes", "goods")


def parse(path: Path) -> Any:
    """The file as plain data, or the files of the folder as one value; or BadData."""
    return parse_folder(path).data if path.is_dir() else _parse(path)


def parse_folder(folder: Path) -> Folder:
    """All YAML files below the folder, merged key by key in the order of their paths.

    Mappings are merged at every level. Any other value may be in one file only.
    """
    merged = Folder({}, {})
    for file in files_of(folder):
        data = _parse(file)
        if not isinstance(data, dict):
            raise BadData(str(file), "(top)", "the file has no keys", "Add keys to it, or delete it.")
        _merge(merged, merged.data, data, file, ())
    return merged


def files_of(folder: Path) -> list[Path]:
    """The YAML files below a folder, in the order in which they are merged."""
    return sorted(folder.rglob("*.yaml"), key=lambda file: file.relative_to(folder).parts)


def _merge(merged: Folder, into: dict[str, Any], data: dict[str, Any], file: Path, above: tuple[str, ...]) -> None:
    for name, value in data.items():
        key = (*above, str(name))
        if name not in into:
            into[name] = {} if isinstance(value, dict) else value
            merged.files[key] = file
        elif not (isinstance(value, dict) and isinstance(into[name], dict)):
            problem = f"{merged.files[key]} has this key, too"
            raise BadData(str(file), ".".join(key), problem, "Keep it in one of the two files, or rename one of them.")
        if isinstance(value, dict):
            _merge(merged, into[name], value, file, key)


def _parse(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        why = problem.strerror or "cannot be read"
        raise BadData(str(path), "(file)", why, "Check that the file is there.") from problem
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506  _Loader is a safe loader
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = f"line {mark.line + 1}" if mark else "(file)"
        what = getattr(problem, "problem", None) or "not YAML"
        raise BadData(str(path), line, str(what), "Put texts that hold [ ] { } : or # in quotes.") from problem
