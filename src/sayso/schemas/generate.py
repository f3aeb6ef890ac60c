"""Writes the JSON Schemas from the values themselves: `make reference`. A test keeps the files up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from sayso.case import Case
from sayso.decision import Answer
from sayso.record import Entity, Record

FOLDER = Path(__file__).parent
PUBLISHED = {"case": Case, "answer": Answer}


def schema(name: str) -> dict[str, Any]:
    """One schema, draft 2020-12."""
    body = msgspec.json.schema(PUBLISHED[name], schema_hook=_record)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:sayso:schema:{name}",
        "title": f"Sayso {name}",
        **body,
    }


def text(name: str) -> str:
    """The file's content."""
    return msgspec.json.format(msgspec.json.encode(schema(name), order="deterministic"), indent=2).decode() + "\n"


def file(name: str) -> Path:
    return FOLDER / f"{name}.schema.json"


def _record(kind: type) -> dict[str, Any]:
    if kind is Entity:
        named = {"type": "string", "minLength": 1}
        return {"type": "object", "properties": {"kind": named, "id": named}, "required": ["kind", "id"]}
    if kind is Record:
        return {"type": "object"}
    raise NotImplementedError(kind)


if __name__ == "__main__":
    for each in PUBLISHED:
        file(each).write_text(text(each), encoding="utf-8")
