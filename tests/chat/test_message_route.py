"""The route of a message reads valid bodies itself; what it leaves to FastAPI is answered and refused the same way."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from sayso.chat.routes import shapes

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
BY_FASTAPI = "application/json; charset=utf-8"


@pytest.fixture
def read(monkeypatch):
    """The bodies that the route read itself."""
    found, usual = [], shapes.NewMessage.model_validate_json

    def counted(body):
        said = usual(body)
        found.append(said.content)
        return said

    monkeypatch.setattr(shapes.NewMessage, "model_validate_json", counted)
    return found


async def test_both_readers_of_a_message_give_the_same_answer(open_client, read):
    async with open_client() as client:
        address = f"/v1/conversations/{(await client.post('/v1/conversations')).json()['id']}/messages"
        short = await client.post(address, json=GOOD)
        long = await client.post(address, content=json.dumps(GOOD), headers={"Content-Type": BY_FASTAPI})
    assert read == [GOOD["content"]]
    assert (short.status_code, short.content) == (long.status_code, long.content) == (200, short.content)
    assert {*short.headers} == {*long.headers}


@pytest.mark.parametrize("body", BODIES)
async def test_an_invalid_body_is_refused_with_the_same_explanation(open_client, read, body):
    async with open_client() as client:
        address = f"/v1/conversations/{uuid4()}/messages"
        answers = [
            await client.post(address, content=body, headers={"Content-Type": kind})
            for kind in ("application/json", BY_FASTAPI)
        ]
    assert read == []
    assert answers[0].status_code in (400, 422)
    assert answers[0].json()["type"] in ("urn:sayso:problem:malformed", "urn:sayso:problem:invalid")
    assert answers[0].content == answers[1].content


async def test_a_body_of_another_kind_is_refused(open_client, read):
    async with open_client() as client:
        address = f"/v1/conversations/{uuid4()}/messages"
        answer = await client.post(address, content=json.dumps(GOOD), headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415
    assert read == []


async def test_an_unknown_conversation_is_named_in_the_language_of_the_request(open_client, read):
    async with open_client() as client:
        for address in (f"/v1/conversations/{uuid4()}/messages", "/v1/conversations/none/messages"):
            short = await client.post(address, json=GOOD, headers={"Accept-Language": "it"})
            content = json.dumps(GOOD)
            headers = {"Accept-Language": "it", "Content-Type": BY_FASTAPI}
            long = await client.post(address, content=content, headers=headers)
            assert short.status_code == long.status_code == (422 if "none" in address else 404)
            assert short.content == long.content
            assert short.headers["content-language"] == "it"
    assert read == [GOOD["content"]]
