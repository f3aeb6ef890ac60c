"""The types that the page knows the HTTP API by, from the service's own description: `web/src/api/types.ts`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docsite.reference import http

FILE = Path(__file__).parents[2] / "web" / "src" / "api" / "types.ts"
ABOUT = "/** The HTTP API's types. Written by `make reference` from the service's description: change them there. */"
WIDTH = 120  # of a line, as the page's formatter has it
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = Mapping[str, Any]


def types() -> str:
    """The file's content: an interface for each named shape of the description."""
    shapes = http.description()["components"]["schemas"]
    return "\n\n".join([ABOUT, *(_interface(name, shapes[name]) for name in sorted(shapes))]) + "\n"


def _interface(name: str, shape: Schema) -> str:
    required = shape.get("required", ())
    lines = [*_comment(shape, ""), f"export interface {name} {{"]
    for field, told in shape["properties"].items():
        lines += _comment(told, "  ")
        lines += _field(field if field in required else f"{field}?", alternatives(told))
    if shape.get("additionalProperties") is True:
        lines.append("  [more: string]: unknown;")
    return "\n".join([*lines, "}"])


def _comment(told: Schema, indent: str) -> list[str]:
    text = " ".join(told.get("description", "").split()).replace("*/", "*\\/")
    return [f"{indent}/** {text} */"] if text else []


def _field(name: str, either: list[str]) -> list[str]:
    line = f"  {name}: {' | '.join(either)};"
    if len(line) <= WIDTH:
        return [line]
    rows = [f"    | {one}" for one in either]
    return [f"  {name}:", *rows[:-1], f"{rows[-1]};"]


def alternatives(told: Schema) -> list[str]:
    """The TypeScript types that a value may have, each once."""
    match told:
        case {"$ref": str(where)}:
            return [where.rpartition("/")[2]]
        case {"enum": values}:
            return [json.dumps(value, ensure_ascii=False) for value in values]
        case {"const": value}:
            return [json.dumps(value, ensure_ascii=False)]
        case {"anyOf": either} | {"oneOf": either}:
            return list(dict.fromkeys(one for each in either for one in alternatives(each)))
        case {"type": str(name)}:
            return [SIMPLE.get(name) or _collection(told)]
        case _:
            return ["unknown"]


def _collection(told: Schema) -> str:
    match told:
        case {"prefixItems": items}:
            return f"[{', '.join(_one(item) for item in items)}]"
        case {"items": item}:
            either = alternatives(item)
            return f"{either[0]}[]" if len(either) == 1 else f"({' | '.join(either)})[]"
        case {"propertyNames": key, "additionalProperties": value}:
            return f"Partial<Record<{_one(key)}, {_one(value)}>>"
        case {"additionalProperties": True}:
            return "Record<string, unknown>"
        case {"additionalProperties": value}:
            return f"Record<string, {_one(value)}>"
        case _:
            raise ValueError(f"no TypeScript type is known for {told}")


def _one(told: Schema) -> str:
    return " | ".join(alternatives(told))
