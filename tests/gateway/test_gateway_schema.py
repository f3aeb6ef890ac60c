"""The published JSON Schema of the gateway's file: up to date, printed by the command, and right about the examples."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from docsite.reference import gateway_schema
from sayso.cli.gateway.commands import app
from sayso.gateway.config import read_config
from sayso.gateway.rules.rulebook import make_rulebook

ROOT = Path(__file__).parent.parent.parent
SCHEMA = gateway_schema.schema()
EXAMPLES = [
    (page.relative_to(ROOT).as_posix(), found)
    for page in sorted((ROOT / "docs").rglob("*.md"))
    for found in re.findall(r"```json\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    if "mcpServers" in found
]


def test_the_file_is_up_to_date_and_the_command_prints_it():
    assert gateway_schema.FILE.read_text("utf-8") == gateway_schema.text(), "run `make reference`"
    assert CliRunner().invoke(app, ["schema"]).output == gateway_schema.text()
    Draft202012Validator.check_schema(SCHEMA)


def test_every_key_has_a_description():
    rules = SCHEMA["$defs"]["Rule"]["properties"]
    assert all(rules[name]["description"] for name in ("effect", "when", "why"))
    assert all(each["description"] for each in SCHEMA["$defs"]["ServerSettings"]["properties"].values())


@pytest.mark.parametrize(("page", "example"), EXAMPLES, ids=[page for page, _ in EXAMPLES])
def test_an_example_of_the_documentation_follows_the_schema(page, example, tmp_path):  # noqa: ARG001  the page is its name
    Draft202012Validator(SCHEMA).validate(json.loads(example))
    (tmp_path / "sayso.json").write_text(json.dumps({"$schema": "urn:sayso:schema:sayso.json"} | json.loads(example)))
    set_here = dict.fromkeys(re.findall(r"\$\{(\w+)\}", example), "x")
    if json.loads(example)["mcpServers"]:  # some examples show the other keys only
        config = read_config(tmp_path / "sayso.json", set_here)
        assert make_rulebook(config, tmp_path / "sayso.json").digest


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"mcpServers": {"a": {}}},
        {"mcpServers": {"a": {"command": "x", "url": "http://y"}}},
        {"mcpServers": {"a": {"command": "x", "sayso": {"rule": []}}}},
        {"mcpServers": {"a": {"command": "x", "sayso": {"rules": [{"effect": "permit"}]}}}},
        {"mcpServers": {"a": {"command": "x", "sayso": {"rules": [{"when": "true"}]}}}},
        {"mcpServers": {"a": {"command": "x"}}, "sayso": {"shadow": "yes"}},
    ],
)
def test_a_wrong_file_does_not(wrong):
    assert not Draft202012Validator(SCHEMA).is_valid(wrong)
