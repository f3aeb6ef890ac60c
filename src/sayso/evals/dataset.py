"""Loads labelled cases: a case of the decision contract with `expect` and `tags`, one JSON object per line."""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from sayso.case import Case, case_from_object
from sayso.errors import MalformedCase


class Labelled(msgspec.Struct, frozen=True, kw_only=True):
    """A case with its acceptable outcomes."""

    case: Case
    expect: list[list[dict[str, Any]]]
    tags: tuple[str, ...] = ()
    group: str = ""


def files_in(folder: Path) -> list[Path]:
    """The files of cases in a folder, plain or compressed."""
    return sorted(path for path in folder.iterdir() if path.name.endswith((".jsonl", ".jsonl.xz")))


def read_bytes(file: Path) -> bytes:
    """The content of a file; `.xz` is unpacked."""
    content = file.read_bytes()
    return lzma.decompress(content) if file.suffix == ".xz" else content


def load(files: Iterable[Path]) -> list[Labelled]:
    """All cases of the files, in order; an id may come once only."""
    found: dict[str, Labelled] = {}
    for file in files:
        for number, line in enumerate(read_bytes(file).split(b"\n"), 1):
            if not line.strip():
                continue
            where = f"{file}:{number}"
            one = _labelled(line, where, file.name.split(".")[0])
            if one.case.id in found:
                raise MalformedCase(f'{where}: the id "{one.case.id}" is used twice; give each case its own id')
            found[one.case.id] = one
    return list(found.values())


def _labelled(line: bytes, where: str, group: str) -> Labelled:
    try:
        data = msgspec.json.decode(line, type=dict[str, Any])
        expect = msgspec.convert(data.get("expect"), list[list[dict[str, Any]]])
        tags = msgspec.convert(data.get("tags", []), tuple[str, ...])
        case = case_from_object(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        remedy = "write `expect` as a list of accepted outcomes, each a list of decisions"
        raise MalformedCase(f"{where}: not a labelled case: {problem}; {remedy}") from problem
    except MalformedCase as problem:
        raise MalformedCase(f"{where}: {problem}") from problem
    if not all(pattern.get("kind") in ("call", "confirm", "clarify", "none") for each in expect for pattern in each):
        raise MalformedCase(f"{where}: every pattern under `expect` needs a `kind`: call, confirm, clarify or none")
    return Labelled(case=case, expect=expect, tags=tags, group=group)
