"""The published JSON Schemas are up to date, and say what the code accepts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator, ValidationError

import values
from sayso.case import case_from_object, to_json
from sayso.decider import Decider
from sayso.errors import SaysoError
from sayso.schemas import generate

CASE = Draft202012Validator(generate.schema("case"))
ANSWER = Draft202012Validator(generate.schema("answer"))


@pytest.mark.parametrize("name", generate.PUBLISHED)
def test_a_published_schema_is_up_to_date(name):
    assert generate.file(name).read_text("utf-8") == generate.text(name), "run `make reference`"


@pytest.mark.parametrize("name", generate.PUBLISHED)
def test_a_published_schema_is_a_schema(name):
    Draft202012Validator.check_schema(generate.schema(name))


def test_every_case_of_the_benchmark_follows_the_schema(bench_lines):
    for line in bench_lines:
        CASE.validate(line)


def test_every_answer_follows_the_schema(some_lines):
    decider = Decider.installed()
    answered = 0
    for line in some_lines:
        try:
            answer = decider.decide(case_from_object(line))
        except SaysoError:
            continue
        ANSWER.validate(json.loads(to_json(answer)))
        answered += 1
    assert answered > 300


@given(values.case)
def test_any_case_follows_the_schema(case):
    CASE.validate(json.loads(to_json(case)))


@given(values.answer)
def test_any_answer_follows_the_schema(answer):
    ANSWER.validate(json.loads(to_json(answer)))


@pytest.mark.parametrize(
    "change", [{"message": 3}, {"entities": [{"kind": "task"}]}, {"pending": {"kind": "call"}}, {"history": [{}]}]
)
def test_a_bad_case_fails_the_schema(change):
    with pytest.raises(ValidationError):
        CASE.validate({"message": "hi", "now": "2026-03-10T09:00:00Z"} | change)
