"""What a case costs: who sends large ones spends their own limit, and nobody else's."""

from __future__ import annotations

import asyncio
import json

import pytest

from sayso.chat.guards.limits import check_limits
from sayso.errors import BadSetting
from sayso.settings import Settings

pytestmark = pytest.mark.anyio

JSON = {"Content-Type": "application/json"}


def case(things, **more):
    """A case with this many things."""
    entities = [{"kind": "task", "id": str(number), "title": f"Task {number}"} | more for number in range(things)]
    return json.dumps({"message": "complete task 7", "entities": entities}).encode()


async def decided(client, body):
    return (await client.post("/v1/decide", content=body, headers=JSON)).status_code


@pytest.mark.parametrize("body", [case(1000), case(50, notes="x" * 4000)], ids=["many things", "many letters"])
async def test_a_large_case_spends_the_limit_and_a_small_one_does_not(open_client, body):
    async with open_client(cost_limit="10/minute") as client:
        assert [await decided(client, body) for _ in range(2)] == [200, 429]
        assert [await decided(client, case(20)) for _ in range(3)] == [200] * 3
        assert (await client.get("/v1/tasks")).status_code == 200


async def test_a_body_that_does_not_tell_its_size_costs_as_much_as_the_largest(open_client):
    async def parts():
        yield case(1)

    async with open_client(cost_limit="100/minute") as client:
        assert [await decided(client, parts()) for _ in range(2)] == [200, 429]


async def test_a_refused_case_is_not_even_read(open_client):
    read = 0

    async def parts():
        nonlocal read
        read += 1
        yield case(1000)

    async with open_client(cost_limit="10/minute") as client:
        headers = JSON | {"Content-Length": str(len(case(1000)))}
        answers = [await client.post("/v1/decide", content=case(1000), headers=JSON)]
        answers.append(await client.post("/v1/decide", content=parts(), headers=headers))
    assert [each.status_code for each in answers] == [200, 429]
    assert read == 0
    assert int(answers[1].headers["retry-after"]) >= 1


async def test_one_person_has_one_case_in_flight_and_a_few_waiting(open_client):
    async with open_client() as client:
        came = await asyncio.gather(*(decided(client, case(250)) for _ in range(30)))
    assert sorted(set(came)) == [200, 429]
    assert came.count(200) >= 11


@pytest.mark.parametrize("given", ["many", "0/minute"])
def test_a_cost_limit_that_limits_nobody_is_refused(given):
    with pytest.raises(BadSetting, match="SAYSO_COST_LIMIT"):
        check_limits(Settings(env="development", cost_limit=given))
