"""The reference is what the code says: up to date, whole, and with a meaning for everything that has a name."""

from __future__ import annotations

import json
import re

import msgspec
import pytest

from docsite.reference import commands, decisions, gateway, http, packs, settings, tools, typescript
from docsite.reference.comments import comments
from docsite.reference.pages import FOLDER, OPENAPI, PAGES, file, part, text_of
from sayso.settings import Secret, Settings

ROOT = FOLDER.parent.parent
SOURCE = "".join(path.read_text("utf-8") for path in sorted((ROOT / "src").rglob("*.py")))


def text(name):
    return part(name)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_code_says(name):
    assert file(name).read_text("utf-8") == text_of(name), "run `make reference`"


def test_there_is_no_other_page():
    assert set(FOLDER.iterdir()) == {file(name) for name in PAGES if file(name).parent == FOLDER} | {OPENAPI}


def test_every_command_has_its_arguments_and_options():
    page = text("commands")
    found = list(commands.all_commands())
    assert {"sayso decide", "sayso gateway review", "sayso trail verify"} <= {one.name for one in found}
    for one in found:
        section = page.partition(f"\n## {one.name}\n")[2].partition("\n## ")[0]
        assert section, one.name
        for given in one.itself.params:
            for name in given.opts if given.param_type_name == "option" else [commands.called(given)]:
                assert f"`{name}`" in section, f"{one.name}: {name}"


def test_every_setting_is_there_with_what_it_is_for():
    page = text("settings")
    for name in Settings.model_fields:
        assert f"|`SAYSO_{name.upper()}`|" in page
    for one in [*settings.of_services(), *settings.of_composing(), *settings.of_commands()]:
        assert one.meaning, f"{one.name}: write a comment beside it that says what it is for"


def test_every_variable_that_the_code_names_is_there():
    page = text("settings")
    for name in set(re.findall(r"\bSAYSO_[A-Z_]*[A-Z]\b", SOURCE)):
        assert f"`{name}`" in page, name


def test_what_holds_a_secret_is_marked():
    page = text("settings")
    for name in ("DATABASE_URL", "STATE_KEYS", "MODEL_API_KEY", "OIDC_CLIENT_SECRET", "REDIS_URL", "MQTT_URL", "TOKEN"):
        assert re.search(rf"^\|`SAYSO_{name}`.*\*\*Secret\.\*\*", page, re.MULTILINE), name
    for name, field in Settings.model_fields.items():
        named = name.endswith(("secret", "key", "keys", "password", "token"))
        guarded = Secret in field.metadata or "SecretStr" in str(field.annotation)
        assert guarded or not named, f"{name}: mark it as Secret"


def test_every_route_has_its_parameters_bodies_and_errors():
    page, described = text("http"), http.description()
    routes = list(http.all_routes(described))
    assert len(routes) > 25
    assert {"401", "500"} <= set(http.common(routes, body=False))
    assert {"400", "413"} <= set(http.common(routes, body=True))
    for route in routes:
        (row,) = re.findall(rf"^\|`{re.escape(route.name)}`\|.*$", page, re.MULTILINE)
        for one in route.described.get("parameters", ()):
            named = f"{{{one['name']}}}" if one["in"] == "path" else f"`{one['name']}`"
            assert named in row, f"{route.name}: {one['name']}"
        if "requestBody" in route.described:
            assert re.search(r"`[A-Z]\w+`", row.split("|")[3]), f"{route.name}: its body"
        problems = http.errors(route)
        for status in route.described["responses"]:
            told = http.expected(route, routes)
            assert re.search(rf"\b{status}\b", row) or problems[status] == told.get(status), f"{route.name}: {status}"
    for body in (False, True):
        for status, kinds in http.common(routes, body=body).items():
            assert f"{status} `{kinds[0]}`" in page


def test_the_description_of_the_api_is_published_and_explains_every_field():
    described = http.description()
    assert json.loads(OPENAPI.read_text("utf-8")) == described, "run `make reference`"
    for name, shape in described["components"]["schemas"].items():
        for field, told in shape.get("properties", {}).items():
            assert told.get("description"), f"{name}.{field}: describe it"


def test_the_page_has_the_types_of_the_api():
    assert typescript.FILE.read_text("utf-8") == typescript.types(), "run `make reference`"


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        ({"type": "integer"}, ["number"]),
        ({"$ref": "#/components/schemas/Task"}, ["Task"]),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]}, ["number", "null"]),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, ['("a" | "b")[]']),
        ({"type": "array", "items": {"type": "string"}}, ["string[]"]),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}, ["[number, string]"]),
        ({"type": "object", "additionalProperties": True}, ["Record<string, unknown>"]),
        ({}, ["unknown"]),
    ],
)
def test_a_schema_is_a_type(schema, written):
    assert typescript.alternatives(schema) == written


def test_every_problem_is_there():
    for kind in http.STATUS:
        assert f"`{http.type_of(kind)}`" in text("http")


def test_every_field_of_the_schemas_is_explained():
    page = text("decisions")
    for name, shape in decisions.all_shapes().items():
        section = page.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        for field in shape["properties"]:
            assert f"|`{field}`|" in section, f"{name}.{field}"
            assert decisions.meanings(name).get(field), f"{name}.{field}: describe it in chat/routes/contract.py"


@pytest.mark.parametrize(
    ("name", "heading", "shape"),
    [(page, *one) for page, module in (("packs", packs), ("gateway", gateway)) for one in module.SHAPES],
    ids=lambda each: each if isinstance(each, str) else each.__name__,
)
def test_every_key_of_a_file_is_explained(name, heading, shape):
    section = text(name).partition(f"\n### {heading}\n")[2].partition("\n### ")[0]
    told = comments(shape)
    for field in msgspec.structs.fields(shape):
        assert f"|`{field.encode_name}`|" in section, f"{shape.__name__}.{field.name}"
        assert told[field.name], f"{shape.__name__}.{field.name}: write a comment beside it"


def test_no_value_of_a_file_is_left_out():
    for module, where in ((packs, packs.pack), (gateway, gateway.config)):
        known = {shape for _, shape in module.SHAPES}
        there = {one for one in vars(where).values() if isinstance(one, type) and issubclass(one, msgspec.Struct)}
        assert there == known, f"{where.__name__}: give {there - known} a section in docsite/reference"


def test_every_tool_is_there():
    page = text("tools")
    for tool in tools.all_tools():
        section = page.partition(f"\n### {tool.name}\n")[2].partition("\n### ")[0]
        for name in tool.input_schema["properties"]:
            assert f"|`{name}`|" in section, f"{tool.name}: {name}"
        for name in tool.output_schema["properties"]:
            assert f"|`{name}`|" in page, f"{tool.name}: {name}"


@pytest.mark.parametrize("name", PAGES)
def test_every_row_says_something_and_nothing_needs_to_be_run(name):
    page = text(name)
    assert not re.search(r"^```(console|python)", page, re.MULTILINE)
    for row in re.findall(r"^\|(?!---|field|argument).*\|$", page, re.MULTILINE):
        last = re.split(r"(?<!\\)\|", row)[-2].strip()
        assert last, row
