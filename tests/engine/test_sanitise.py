"""Sanitise: a proposed call in the names and types of the pack's tools."""

from __future__ import annotations

import pytest

from sayso.case import Proposal
from sayso.engine.grammar.pack import Pack, Param, Tool
from sayso.engine.proposal.sanitise import UNFIT, in_type, sanitise

PACK = Pack(
    pack="oven",
    entities={},
    tools={
        "bake": Tool(
            risk="write",
            intent="baking",
            params={
                "oven_id": Param(schema={"type": "string"}, also=("oven", "name")),
                "degrees": Param(schema={"type": "number"}),
                "trays": Param(schema={"type": "array"}, default=[]),
                "note": Param(schema={"type": ["string", "null"]}, default=None),
            },
        ),
        "list_ovens": Tool(risk="read"),
    },
    slots={},
    acts={},
)


def cleaned(tool, arguments):
    found = sanitise(Proposal(tool=tool, arguments=arguments), PACK)
    return (found.tool, found.arguments, found.unknown) if found is not None else None


@pytest.mark.parametrize("name", ["bake", "BAKE", "baking", "Baking"])
def test_a_tool_goes_by_its_name_and_its_intent(name):
    assert cleaned(name, {}) == ("bake", {}, ())


@pytest.mark.parametrize("name", ["listOvens", "list-ovens", "List ovens", "list_oven"])
def test_case_separators_and_one_slip_are_forgiven(name):
    assert cleaned(name, {}) == ("list_ovens", {}, ())


@pytest.mark.parametrize("name", ["", "fry", "delete_everything", "bak"])
def test_a_tool_that_nobody_has_is_no_tool(name):
    assert cleaned(name, {}) is None


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ({"ovenId": "o1"}, {"oven_id": "o1"}),
        ({"Oven-ID": "o1"}, {"oven_id": "o1"}),
        ({"oven": "o1"}, {"oven_id": "o1"}),
        ({"name": "o2", "oven_id": "o1"}, {"oven_id": "o1"}),
        ({"degreesCelsius": 200}, {"degrees": 200}),
        ('{"degrees": 200}', {"degrees": 200}),
        ({"arguments": {"degrees": 200}}, {"degrees": 200}),
        ({"input": '{"degrees": 200}'}, {"degrees": 200}),
        ("no object at all", {}),
        (None, {}),
        ([1, 2], {}),
        (7, {}),
    ],
)
def test_keys_and_wrappers(given, known):
    assert cleaned("bake", given) == ("bake", known, ())


def test_keys_of_nobody_are_told():
    assert cleaned("bake", {"user_id": "u1", "confirm": True, "degrees": 90}) == (
        "bake",
        {"degrees": 90},
        ("user_id", "confirm"),
    )


NUMBER, WHOLE, TEXT, LIST = {"type": "number"}, {"type": "integer"}, {"type": "string"}, {"type": "array"}


@pytest.mark.parametrize(
    ("value", "schema", "typed"),
    [
        ("200", NUMBER, 200),
        ("200°C", NUMBER, 200),
        ("-16,5 gradi", NUMBER, -16.5),
        ("\u22124", NUMBER, -4),
        (7.0, NUMBER, 7),
        ("between 3 and 5", NUMBER, UNFIT),
        ("twelve", NUMBER, "twelve"),
        (2.5, WHOLE, UNFIT),
        (True, NUMBER, UNFIT),
        (["o1"], TEXT, "o1"),
        (["o1", "o2"], TEXT, UNFIT),
        (12, TEXT, "12"),
        ({"id": "o1"}, TEXT, UNFIT),
        (False, TEXT, UNFIT),
        (None, TEXT, UNFIT),
        (None, {"type": ["string", "null"]}, None),
        ('["a", "b"]', LIST, ["a", "b"]),
        ("a, b", LIST, ["a", "b"]),
        ("a", LIST, ["a"]),
        (("a",), LIST, ["a"]),
        (3, LIST, [3]),
        ("true", {"type": "boolean"}, True),
        ("maybe", {"type": "boolean"}, UNFIT),
    ],
)
def test_values_take_the_type_of_the_parameter(value, schema, typed):
    assert in_type(value, Param(schema=schema)) == typed


def test_what_does_not_fit_is_left_out():
    assert cleaned("bake", {"degrees": [1, 2], "trays": "1"}) == ("bake", {"trays": ["1"]}, ())


def test_json_within_json_ends():
    deep = "1"
    for _ in range(50):
        deep = '{"input": ' + deep + "}"
    assert cleaned("bake", deep)[:2] == ("bake", {})
