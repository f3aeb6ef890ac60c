"""A file's values as the code has them: a section for each, with its keys, what they take and what they are for."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from docsite.reference.comments import comments
from docsite.reference.markdown import link, sentence
from docsite.reference.shapes import fields


def sections(*shapes: tuple[str, type[msgspec.Struct]]) -> str:
    """Headings with the tables of these values, which lead to one another."""
    headings = {shape.__name__: heading for heading, shape in shapes}
    _, schemas = msgspec.json.schema_components([shape for _, shape in shapes], ref_template="#/{name}")

    def linked(name: str) -> str:
        return link(headings[name]) if name in headings else "object"

    parts: Iterable[str] = (
        f"## {heading}\n\n{sentence(_about(shape))}\n\n{fields(schemas[shape.__name__], linked, comments(shape))}"
        for heading, shape in shapes
    )
    return "\n\n".join(parts)


def _about(shape: type) -> str:
    return shape.__doc__ or ""
