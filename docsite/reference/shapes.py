"""A JSON Schema in words: the fields of an object, with their types and meanings."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from docsite.reference.markdown import code, codes, sentence, table

Schema = Mapping[str, Any]
Linked = Callable[[str], str]
KINDS = {
    "string": "text",
    "boolean": "boolean",
    "integer": "integer",
    "object": "object",
    "null": "null",
}
FORMS = {"date-time": "moment, ISO 8601", "uuid": "UUID", "password": "text", "date": "day, `YYYY-MM-DD`"}
HEADS = ("field", "takes", "meaning")


def fields(schema: Schema, linked: Linked = code, meanings: Mapping[str, str] | None = None) -> str:
    """The table of an object's fields. A description in the schema wins over one in `meanings`."""
    needed = schema.get("required", ())
    rows = []
    for name, field in schema.get("properties", {}).items():
        meaning = field.get("description") or (meanings or {}).get(name, "")
        rows.append((code(name), _taken(field, name in needed, linked), sentence(meaning)))
    return table(HEADS, rows) if rows else "No fields.\n"


def results(schema: Schema, linked: Linked, meanings: Mapping[str, str]) -> str:
    """The table of the fields of a result. They have no defaults: a field without a value is left out."""
    rows = [
        (code(name), " or ".join(takes(one, linked) for one in _kept(field)), sentence(meanings.get(name, "")))
        for name, field in schema["properties"].items()
    ]
    return table(("field", "type", "meaning"), rows)


def _kept(field: Schema) -> list[Schema]:
    """The types of a field, without null."""
    return [one for one in field.get("anyOf", [field]) if one.get("type") != "null"]


def _taken(field: Schema, needed: bool, linked: Linked) -> str:
    """The type of a field, and whether it is required or has a default."""
    if needed:
        return f"{takes(field, linked)}, **required**"
    preset = default(field)
    words = " or ".join(dict.fromkeys(takes(one, linked) for one in _kept(field)))
    return words if preset == "none" else f"{words}, default {preset}"


def default(field: Schema) -> str:
    """The value of a field that is left out."""
    if field.get("default") in (None, False, (), [], {}, ""):
        return "none"
    preset = field["default"]
    return code(preset if isinstance(preset, str) else json.dumps(preset, ensure_ascii=False))


def takes(field: Schema, linked: Linked = code) -> str:
    """The type of a field, in words."""
    if "$ref" in field:
        return linked(field["$ref"].rpartition("/")[2])
    for several in ("anyOf", "oneOf"):
        if several in field:
            return " or ".join(dict.fromkeys(takes(each, linked) for each in field[several]))
    if "allOf" in field and len(field["allOf"]) == 1:
        return takes(field["allOf"][0], linked)
    if "const" in field:
        return code(field["const"])
    if "enum" in field:
        return codes(value if isinstance(value, str) else json.dumps(value) for value in field["enum"])
    return _kind(field, linked) + _bounds(field)


def _kind(field: Schema, linked: Linked) -> str:
    kind = field.get("type")
    if kind == "array":
        if "prefixItems" in field:
            kinds = dict.fromkeys(takes(item, linked) for item in field["prefixItems"])
            return f"list of {len(field['prefixItems'])}: {', '.join(kinds)}"
        items = takes(field.get("items") or {}, linked)
        return "list" if items == "anything" else f"list of {items}"
    if kind == "object" and isinstance(field.get("additionalProperties"), Mapping):
        values = takes(field["additionalProperties"], linked)
        return "object" if values == "anything" else f"object of {values}"
    if isinstance(kind, list):
        return " or ".join(_kind({**field, "type": each}, linked) for each in kind)
    return FORMS.get(field.get("format", "")) or KINDS.get(kind or "", kind or "anything")


def _bounds(field: Schema) -> str:
    """Its bounds: «, 1–200 characters»."""
    if "prefixItems" in field:
        return ""
    for least, most, unit in (
        ("exclusiveMinimum", "maximum", ""),
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " of them"),
    ):
        low, high = field.get(least), field.get(most)
        if (low is None and high is None) or (least.startswith("exclusive") and low is None):
            continue
        if least.startswith("exclusive"):
            return f", more than {low}" + (f", at most {high}" if high is not None else "")
        if low is not None and high is not None:
            return f", {low}–{high}{unit}"
        return f", at least {low}{unit}" if high is None else f", at most {high}{unit}"
    return ""
