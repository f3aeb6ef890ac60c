"""A file's values as the code has them: a section for each, with its keys, what they take and what they are for."""

from __future__ import annotations

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

    def section(heading: str, shape: type[msgspec.Struct]) -> str:
        rows = fields(schemas[shape.__name__], linked, meanings(shape))
        return f"### {heading}\n\n{sentence(shape.__doc__ or '')}\n\n{rows}"

    return "\n\n".join(section(*one) for one in shapes)


def meanings(shape: type[msgspec.Struct]) -> dict[str, str]:
    """What its keys are for, by the name that they have in the file."""
    told = comments(shape)
    return {field.encode_name: told[field.name] for field in msgspec.structs.fields(shape)}
