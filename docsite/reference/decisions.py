"""The case and the answer, as the published JSON Schemas have them."""

from __future__ import annotations

import json
from typing import Any

from docsite.reference.markdown import link, sentence
from docsite.reference.shapes import fields
from sayso.chat.routes import contract
from sayso.schemas import generate

FIRST = ("Case", "Answer", "Call", "Confirm", "Clarify", "Nothing")


def all_shapes() -> dict[str, dict[str, Any]]:
    """Every object of the schemas, by name."""
    found: dict[str, dict[str, Any]] = {}
    for name in generate.PUBLISHED:
        found |= json.loads(generate.file(name).read_text("utf-8"))["$defs"]
    rest = sorted(set(found) - set(FIRST))
    return {name: found[name] for name in (*FIRST, *rest)}


def markdown() -> str:
    return "\n\n".join(_section(name, one) for name, one in all_shapes().items())


def meanings(name: str) -> dict[str, str]:
    """What the fields are for, as the chat service explains them."""
    explained = getattr(contract, name)
    return {field: told.description or "" for field, told in explained.model_fields.items()}


def _section(name: str, shape: dict[str, Any]) -> str:
    told = meanings(name)
    ordered = {field: shape["properties"][field] for field in told}  # as they are explained; files have them by name
    return f"### {name}\n\n{sentence(shape['description'])}\n\n{fields({**shape, 'properties': ordered}, link, told)}"
