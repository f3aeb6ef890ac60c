"""The short way of a message is the route's: what comes another way, or is wrong, is answered as if there were none."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from sayso.chat.turns.fast_path import ShortWay

pytestmark = pytest.mark.anyio

GOOD = {"client_message_id": "m-1", "content": "add a task to buy milk"}
BODIES = [
    b"",
    b"{",
    b"[]",
    b'{"content": "hello"}',
    b'{"client_message_id": "", "content": "hello"}',
    b'{"client_message_id": "m", "content": ""}',
    b'{"client_message_id": "m", "content": 7}',
    b'{"client_message_id": "m", "content": "hello", "more": 1}',
    b'{"client_message_id": "m", "content": "\\u0000"}',
    b'{"client_message_id": "m\\u0000", "content": "hello"}',
    b'{"client_message_id": "m", "content": "\\ud800 hello"}',
    b'{"client_message_id": "m", "content": "\xff hello"}',
    b'{"client_message_id": "m", "content": "a\nb"}',
    json.dumps({"client_message_id": "m" * 201, "content": "hello"}).encode(),
    json.dumps({"client_message_id": "m", "content": "x" * 10_001}).encode(),
]
HEADERS = [
    {"Content-Type": "text/plain"},
    {"Content-Type": "application/json; charset=utf-8"},
    {"Content-Type": "application/json", "Accept": "application/json, text/event-stream;q=0.1"},
]


@pytest.fixture
def taken(monkeypatch):
    """The messages that went the short way."""
    short, answer = [], ShortWay._answer

    async def counted(self, scope, conversation, said):
        short.append(said.content)
        return await answer(self, scope, conversation, said)

    monkeypatch.setattr(ShortWay, "_answer", counted)
    return short


async def test_a_plain_message_goes_the_short_way_and_is_answered_as_on_the_long_one(open_client, taken):
    async with open_client() as client:
        address = f"/v1/conversations/{(await client.post('/v1/conversations')).json()['id']}/messages"
        short = await client.post(address, json=GOOD)
        long = await client.post(address, json=GOOD, headers={"Accept": "application/json;q=1"})
    assert taken == [GOOD["content"]]
    assert (short.status_code, short.content) == (long.status_code, long.content)
    assert {*short.headers} == {*long.headers}


@pytest.mark.parametrize("body", BODIES)
async def test_what_is_wrong_is_refused_by_the_route(open_client, taken, body):
    async with open_client() as client:
        address = f"/v1/conversations/{uuid4()}/messages"
        answer = await client.post(address, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["type"] in ("urn:sayso:problem:malformed", "urn:sayso:problem:invalid")
    assert taken == []


@pytest.mark.parametrize("headers", HEADERS)
async def test_a_message_that_comes_otherwise_goes_the_long_way(open_client, taken, headers):
    async with open_client() as client:
        address = f"/v1/conversations/{(await client.post('/v1/conversations')).json()['id']}/messages"
        answer = await client.post(address, content=json.dumps(GOOD), headers=headers)
    assert answer.status_code == (415 if headers["Content-Type"] == "text/plain" else 200)
    assert taken == []


async def test_what_a_message_cannot_have_is_said_as_on_the_long_way(open_client, taken):
    async with open_client() as client:
        address = f"/v1/conversations/{uuid4()}/messages"
        short = await client.post(address, json=GOOD, headers={"Accept-Language": "it"})
        long = await client.post(
            address, json=GOOD, headers={"Accept-Language": "it", "Accept": "application/json;q=1"}
        )
    assert len(taken) == 1
    assert short.status_code == long.status_code == 404
    assert short.content == long.content
    assert short.headers["content-language"] == "it"
