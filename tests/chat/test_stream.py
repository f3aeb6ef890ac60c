"""A turn as events, read by a real client of server-sent events from a real server."""

from __future__ import annotations

import asyncio
import json
from uuid import uuid4

import httpx2
import pytest

from sayso.assistant.values import Card, Deed, Reply
from sayso.chat.turns import stream as streaming
from sayso.chat.turns.events import of_reply
from sayso.chat.turns.service import ChatService
from sayso.chat.turns.stream import Turns, wants_events
from sayso.decision import FollowUp, Nothing

pytestmark = pytest.mark.anyio

EVENTS = {"Accept": "text/event-stream"}


def read(client, conversation, content, name="m-1"):
    body = {"client_message_id": name, "content": content}
    address = f"/v1/conversations/{conversation}/messages"
    with client.stream("POST", address, json=body, headers=EVENTS) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        return [json.loads(event.data) for event in httpx2.EventSource(answer)]


@pytest.fixture
def talking(serve, sign_in):
    address, _process = serve()
    with httpx2.Client(timeout=60, base_url=address, headers={"Authorization": f"Bearer {sign_in()}"}) as client:
        yield client


def test_a_turn_comes_as_events_and_as_json_alike(talking):
    conversation = talking.post("/v1/conversations").json()["id"]
    events = read(talking, conversation, "add buy milk tomorrow")
    assert [event["type"] for event in events] == [
        "RUN_STARTED", "CUSTOM", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "CUSTOM", "RUN_FINISHED",
    ]  # fmt: skip
    body = {"client_message_id": "m-1", "content": "add buy milk tomorrow"}
    reply = talking.post(f"/v1/conversations/{conversation}/messages", json=body).json()
    run = {"threadId": conversation, "runId": "m-1"}
    assert events[0] == {"type": "RUN_STARTED"} | run
    assert events[-1] == {"type": "RUN_FINISHED", "result": reply} | run
    assert events[1]["value"] == reply["decisions"]
    assert events[2]["toolCallName"] == "add_task"
    assert json.loads(events[3]["delta"]) == reply["results"][0]["arguments"]
    assert json.loads(events[5]["content"]) == reply["results"][0]["result"]
    assert events[7]["delta"] == reply["reply"]
    assert (events[9]["name"], events[9]["value"]) == ("next", reply["next"])

    card = read(talking, conversation, "delete the milk task", "m-2")[-2]
    assert (card["type"], card["name"]) == ("CUSTOM", "confirmation")
    answer = {"answer": "yes", "digest": card["value"]["digest"]}
    assert talking.post(f"/v1/confirmations/{card['value']['id']}", json=answer).json()["results"]

    lost = read(talking, uuid4(), "hello")
    assert [event["type"] for event in lost] == ["RUN_STARTED", "RUN_ERROR"]
    assert lost[1]["code"] == "no_conversation"


async def test_what_is_wrong_before_the_stream_begins_comes_as_a_problem(client):
    refused = await client.post(f"/v1/conversations/{uuid4()}/messages", json={}, headers=EVENTS)
    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")


async def test_a_fault_of_ours_ends_the_stream_without_its_cause(open_client, logged):
    class Broken(ChatService):
        async def message(self, *_):
            raise RuntimeError("a secret")

    async with open_client(service=Broken) as client:
        body = {"client_message_id": "m-1", "content": "add buy milk"}
        answer = await client.post(f"/v1/conversations/{uuid4()}/messages", json=body, headers=EVENTS)
        assert answer.status_code == 200
        assert '"code":"failed"' in answer.text
        assert "secret" not in answer.text + str(logged())


async def test_a_turn_that_takes_long_gives_signs_of_life(monkeypatch):
    monkeypatch.setattr(streaming, "SIGN_OF_LIFE", 0.01)

    parts, twice = [], asyncio.Event()

    async def slow():
        async with asyncio.timeout(10):
            await twice.wait()
        return Reply(turn_id="t", decisions=(Nothing(confidence=1.0, reason="empty"),), results=(), reply="")

    async for part in Turns().stream("c", "r", slow(), None):
        parts.append(part)
        if parts.count(b": ping\n\n") == 2:
            twice.set()
    assert parts.count(b": ping\n\n") >= 2
    assert b"RUN_FINISHED" in parts[-1]


async def test_a_turn_goes_on_when_nobody_reads_any_more():
    finished = asyncio.Event()

    async def slow():
        await asyncio.sleep(0.05)
        finished.set()
        return Reply(turn_id="t", decisions=(), results=(), reply="")

    turns = Turns()
    stream = turns.stream("c", "r", slow(), None)
    assert b"RUN_STARTED" in await anext(stream)
    await stream.aclose()
    assert not finished.is_set()
    await turns.finish()
    assert finished.is_set()


def test_events_follow_the_order_of_what_happened():
    reply = Reply(
        turn_id="t",
        decisions=(Nothing(confidence=1.0, reason="smalltalk"),),
        results=tuple(Deed(tool="add_task", arguments={"title": t}, result={"status": "success"}) for t in "ab"),
        reply="ciao\nperché",
        confirmations=tuple(Card(id=c, digest="d", card="?", expires_at="2026-01-01T00:00:00Z") for c in "cd"),
        next=(FollowUp(label="l", tool="list_tasks"),),
    )
    events = list(of_reply("c", "r", reply))
    assert [event["toolCallId"] for event in events if event["type"] == "TOOL_CALL_START"] == ["t/1", "t/2"]
    custom = [event for event in events if event["type"] == "CUSTOM"]
    assert [event["name"] for event in custom] == ["decisions", "confirmation", "confirmation", "next"]
    assert [event["value"]["id"] for event in custom[1:3]] == ["c", "d"]
    assert next(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT") == "ciao\nperché"


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        (None, False),
        ("*/*", False),
        ("application/json", False),
        ("text/event-stream", True),
        ("Text/Event-Stream; charset=utf-8", True),
        ("text/event-stream, application/json", True),
        ("application/json, text/event-stream;q=0.5", False),
        ("text/event-stream;q=0", False),
        ("text/event-stream;q=x", False),
    ],
)
def test_events_come_to_whoever_asks_for_them(accept, wanted):
    assert wants_events(accept) is wanted
