"""Cases and answers are JSON in, JSON out, without loss; a bad case says which field is wrong."""

from __future__ import annotations

import json
from datetime import datetime

import msgspec
import pytest
from hypothesis import given

import values
from sayso.case import case_from_json, case_from_object, to_json
from sayso.decision import Answer
from sayso.errors import MalformedCase
from sayso.record import Entity, Record

SOUND = {"message": "mark it as done", "now": "2026-03-10T09:00:00+01:00"}
ANSWER_OF_THE_CONTRACT = """
{"id": "tasks-en-001", "lang": "en", "decisions": [
  {"kind": "call", "tool": "complete_task", "arguments": {"task_identifier": "t1"}, "confidence": 0.95,
   "evidence": {"task_identifier": {"source": "history", "entity": "t1", "span": [5, 7]}}}
]}
"""


@given(values.case)
def test_a_case_survives_json(case):
    assert case_from_json(to_json(case)) == case


@given(values.case)
def test_a_case_survives_parsed_json(case):
    assert case_from_object(json.loads(to_json(case))) == case


@given(values.answer)
def test_an_answer_survives_json(answer):
    assert msgspec.json.decode(to_json(answer), type=Answer) == answer


@given(values.answer)
def test_every_decision_says_its_kind(answer):
    kinds = {"Call": "call", "Confirm": "confirm", "Clarify": "clarify", "Nothing": "none"}
    written = [decision["kind"] for decision in json.loads(to_json(answer))["decisions"]]
    assert written == [kinds[type(decision).__name__] for decision in answer.decisions]


def test_the_contract_s_answer_comes_out_as_it_went_in():
    answer = msgspec.json.decode(ANSWER_OF_THE_CONTRACT, type=Answer)
    assert json.loads(to_json(answer)) == json.loads(ANSWER_OF_THE_CONTRACT)


def test_what_was_not_said_is_not_written():
    answer = msgspec.json.decode(
        '{"id":"1","lang":"en","decisions":[{"kind":"none","confidence":1,"reason":"empty"}]}', type=Answer
    )
    assert "reply" not in to_json(answer)
    assert "next" not in to_json(answer)


def test_every_case_of_the_benchmark_keeps_all_its_fields(bench_lines):
    ours = {"id", "pack", "lang", "now", "user", "entities", "history", "pending", "preferences", "proposed", "message"}
    for line in bench_lines:
        given_fields = {key: value for key, value in line.items() if key in ours}
        written = json.loads(to_json(case_from_object(line)))
        for clock in (given_fields, written):  # "+00:00" and "Z" are one offset
            clock["now"] = datetime.fromisoformat(clock["now"]).isoformat()
        assert _covers(written, given_fields), line["id"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"message": 3}, "$.message"),
        ({"message": None}, "$.message"),
        ({"now": "yesterday"}, "$.now"),
        ({"now": "2026-03-10T09:00:00"}, "$.now"),
        ({"lang": 1}, "$.lang"),
        ({"user": []}, "$.user"),
        ({"entities": {}}, "$.entities"),
        ({"entities": [{"kind": "task"}]}, "`id`"),
        ({"entities": [{"id": "t1"}]}, "`kind`"),
        ({"entities": [{"kind": "task", "id": "t1"}, 7]}, "$.entities[1]"),
        ({"history": [{"role": "system", "content": ""}]}, "$.history[0].role"),
        ({"history": [{"role": "user"}]}, "content"),
        ({"pending": {"kind": "call"}}, "$.pending.kind"),
        ({"pending": {"kind": "confirm", "tool": "x"}}, "$.pending"),
        ({"preferences": [{"said": "a"}]}, "$.preferences[0]"),
        ({"proposed": {"arguments": {}}}, "$.proposed"),
    ],
)
def test_a_bad_case_names_the_field(change, named):
    text = json.dumps(SOUND | change)
    with pytest.raises(MalformedCase) as caught:
        case_from_json(text)
    assert named in str(caught.value)
    with pytest.raises(MalformedCase) as caught:
        case_from_object(json.loads(text))
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "7", "{", '{"message": "hi"}', '{"now": "2026-03-10T09:00:00Z"}', b"\xff"]
)
def test_what_is_no_case_is_refused(text):
    with pytest.raises(MalformedCase):
        case_from_json(text)


def test_an_unknown_field_is_passed_over():
    assert case_from_object(SOUND | {"mood": "sunny"}) == case_from_object(SOUND)


def test_records_are_equal_by_content_and_cannot_be_written_to():
    record = Record({"a": 1})
    assert record == Record({"a": 1})
    assert record != Record({"a": 2})
    with pytest.raises(TypeError):
        record["a"] = 2


def test_an_entity_gives_its_fields_as_text():
    entity = Entity({"kind": "task", "id": "t1", "due": None, "count": 3, "title": "Buy milk"})
    assert [entity.text(field) for field in ("title", "due", "count", "nowhere")] == ["Buy milk", "", "3", ""]


def _covers(written, given_value):
    """All that was given is written, whatever defaults stand beside it."""
    if isinstance(given_value, dict):
        return isinstance(written, dict) and all(_covers(written.get(key), value) for key, value in given_value.items())
    if isinstance(given_value, list):
        return len(written) == len(given_value) and all(map(_covers, written, given_value))
    return written == given_value
