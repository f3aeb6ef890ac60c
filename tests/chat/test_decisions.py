"""Deciding over HTTP: what goes in and comes out is the decision contract."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from sayso.case import case_from_object, to_json
from sayso.chat.routes.contract import LONGEST_MESSAGE, MOST_ENTITIES

pytestmark = pytest.mark.anyio

TASK = {"kind": "task", "id": "t1", "title": "Buy milk", "status": "pending"}
CASE = {"id": "7", "pack": "tasks", "now": "2026-03-10T09:00:00+01:00", "entities": [TASK], "message": "delete milk"}


def shown(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_an_answer_over_http_is_the_answer_of_the_library(client, assistant):
    ours = json.loads(to_json(assistant.decider.decide(case_from_object(CASE))))
    assert shown(await client.post("/v1/decide", json=CASE)) == ours


async def test_the_users_of_benchmark_cases_make_no_difference(client, assistant, bench_lines):
    for line in bench_lines[:: len(bench_lines) // 40]:
        case = {key: value for key, value in line.items() if key not in ("expect", "tags")}
        ours = json.loads(to_json(assistant.decider.decide(case_from_object(case))))
        where = "compose" if case.get("proposed") else "decide"
        found = shown(await client.post(f"/v1/{where}", json=case))
        if case["message"] and "user" not in json.dumps(ours):
            assert found == ours


async def test_a_case_is_decided_for_whoever_is_signed_in(client):
    case = CASE | {"message": "who am I?", "user": {"id": "mallory", "name": "Mallory"}}
    assert "mallory" not in (await client.post("/v1/decide", json=case)).text.lower()


async def test_without_a_clock_the_persons_own_day_counts(client):
    added = shown(await client.post("/v1/decide", json={"message": "add buy milk tomorrow"}))
    due = added["decisions"][0]["arguments"]["due"]
    assert 0 <= (datetime.fromisoformat(due).date() - datetime.now().astimezone().date()).days <= 2


@pytest.mark.parametrize(
    ("message", "tool"), [("mark milk as done", "complete_task"), ("segna il latte come fatto", "complete_task")]
)
async def test_a_partial_call_is_completed_from_the_words(client, message, tool):
    title = "Buy milk" if "milk" in message else "Comprare il latte"
    case = {"message": message, "entities": [TASK | {"title": title}], "proposed": {"tool": tool, "arguments": {}}}
    decision = shown(await client.post("/v1/compose", json=case))["decisions"][0]
    assert (decision["kind"], decision["arguments"]) == ("call", {"task_identifier": "t1"})


async def test_composing_needs_a_proposed_call(client):
    for case in (CASE, CASE | {"proposed": None}):
        refused = await client.post("/v1/compose", json=case)
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["pointer"] == "/proposed"


async def test_a_case_may_hold_thousands_of_things_but_not_any_number(client):
    many = [TASK | {"id": f"t{number}", "title": f"Task {number}"} for number in range(MOST_ENTITIES)]
    assert shown(await client.post("/v1/decide", json=CASE | {"entities": many, "message": "delete task 77"}))
    refused = await client.post("/v1/decide", json=CASE | {"entities": [*many, TASK]})
    assert refused.status_code == 422


async def test_a_message_may_be_long_but_not_any_length(client):
    assert shown(await client.post("/v1/decide", json=CASE | {"message": "a" * LONGEST_MESSAGE}))
    refused = await client.post("/v1/decide", json=CASE | {"message": "a" * (LONGEST_MESSAGE + 1)})
    assert refused.json()["errors"][0]["pointer"] == "/message"


@pytest.mark.parametrize(
    "wrong", [{"pack": "nowhere"}, {"now": "2026-03-10T09:00:00"}, {"now": 7}, {"message": None}, {"entities": [{}]}]
)
async def test_what_is_no_case_is_refused_with_the_place(client, wrong):
    refused = await client.post("/v1/decide", json=CASE | wrong)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["where"] == "body"


@pytest.mark.parametrize("body", [b"{", b'{"message": NaN}', b'{"message": "\\ud800"}', b"\xff", b"[" * 100_000])
async def test_what_is_no_json_is_refused(client, body):
    refused = await client.post("/v1/decide", content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code in (400, 422), refused.text
    assert refused.headers["content-type"] == "application/problem+json"
