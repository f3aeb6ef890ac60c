"""The JSON Schema of the gateway's file, from the values that read it: `make reference`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from docsite.reference.gateway import SHAPES
from docsite.reference.markdown import sentence
from docsite.reference.structs import meanings
from sayso.gateway.config import Config
from sayso.schemas import generate

FILE = Path(generate.FOLDER) / "sayso.schema.json"


def schema() -> dict[str, Any]:
    """Draft 2020-12, with what each key is for."""
    body = msgspec.json.schema(Config)
    for _, shape in SHAPES:
        made = body["$defs"][shape.__name__]
        for name, told in meanings(shape).items():
            made["properties"][name]["description"] = sentence(told)
    body["$defs"]["Upstream"]["oneOf"] = [{"required": ["command"]}, {"required": ["url"]}]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:sayso:schema:sayso.json",
        "title": "sayso.json, the file of the Sayso gateway",
        **body,
    }


def text() -> str:
    """The file's content."""
    return msgspec.json.format(msgspec.json.encode(schema(), order="deterministic"), indent=2).decode() + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
