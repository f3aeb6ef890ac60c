"""YAML as plain data. A file that is no YAML is refused with its name, the line and what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

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


def parse(path: Path) -> Any:
    """The file as plain data, or BadData."""
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
