"""Texts of the quick-add field over HTTP: read while somebody types, and added with what was read."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import jsonschema
import pytest

pytestmark = pytest.mark.anyio

ROME = ZoneInfo("Europe/Rome")


def tomorrow():
    return (datetime.now(ROME) + timedelta(days=1)).date().isoformat()


async def read(client, text, **more):
    answer = await client.post("/v1/tasks/read", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def add(client, text, *, key=None, **more):
    headers = {"Idempotency-Key": key} if key else {}
    answer = await client.post("/v1/tasks", json={"text": text, **more}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def task_of(reply):
    return reply["results"][0]["result"]["task"]


async def titles(client):
    return [task["title"] for task in (await client.get("/v1/tasks")).json()["tasks"]]


async def test_a_text_is_read_with_the_places_of_its_values_and_nothing_is_stored(client):
    found = await read(client, "call mum tomorrow at 5pm high priority")
    assert found == {
        "title": "call mum",
        "due": f"{tomorrow()}T17:00",
        "repeat": None,
        "priority": "high",
        "list": None,
        "remind": None,
        "lang": "en",
        "spans": {"due": [9, 24], "priority": [25, 38]},
    }
    assert await titles(client) == []
    assert (await client.get("/v1/trail")).json()["entries"] == []


async def test_what_is_read_follows_the_description(client):
    described = (await client.get("/openapi.json")).json()
    schema = {"$ref": "#/components/schemas/ReadTask", "components": described["components"]}
    for text in ("call mum tomorrow", "🎂", "ogni lunedì yoga, lista casa"):
        jsonschema.validate(await read(client, text), schema, cls=jsonschema.Draft202012Validator)


async def test_a_text_is_added_with_what_was_read_and_can_be_taken_back(client):
    reply = await add(client, "ogni lunedì alle 7 yoga, bassa priorità")
    task = task_of(reply)
    assert (task["title"], task["repeat"], task["priority"]) == ("yoga", "FREQ=WEEKLY;BYDAY=MO", "low")
    assert task["due"].endswith("T07:00")
    assert await titles(client) == ["yoga"]
    assert (await client.post("/v1/undo", json={"undo": reply["undo"]})).status_code == 200
    assert await titles(client) == []


async def test_what_is_added_is_what_was_read_before(client):
    for text in ("pay rent 450€ on the 1st every month", "see https://example.com/2026-03-12 tomorrow", "tomorrow"):
        shown, task = await read(client, text), task_of(await add(client, text))
        for name in ("title", "due", "repeat", "list", "remind"):
            assert task[name] == shown[name], (text, name)


async def test_a_value_that_is_kept_stays_in_the_title(client):
    text = "call mum tomorrow low priority"
    assert (await read(client, text, keep=["due"]))["title"] == "call mum tomorrow"
    task = task_of(await add(client, text, keep=["due"]))
    assert (task["title"], task["due"], task["priority"]) == ("call mum tomorrow", None, "low")


async def test_a_list_is_known_by_its_name_and_the_one_that_is_given_counts_where_none_is_named(client):
    await client.post("/v1/tasks", json={"title": "bread", "list": "Weekly Shop"})
    assert (await read(client, "weekly shop: milk"))["list"] == "Weekly Shop"
    assert task_of(await add(client, "eggs", list="Weekly Shop"))["list"] == "Weekly Shop"
    assert task_of(await add(client, "add jam to the camping list", list="Weekly Shop"))["list"] == "camping"
    other = task_of(await add(client, "call Ann", description="about the party", due="2100-01-01"))
    assert (other["description"], other["due"]) == ("about the party", "2100-01-01")


async def test_nobody_elses_lists_are_looked_at(client, open_client):
    await client.post("/v1/tasks", json={"title": "bread", "list": "Zorb"})
    assert (await read(client, "zorb: milk"))["list"] == "Zorb"
    async with open_client() as other:
        assert (await read(other, "zorb: milk"))["list"] != "Zorb"


async def test_sent_again_under_its_key_a_text_is_added_once(client):
    first = await add(client, "call mum tomorrow", key="typed-1")
    assert await add(client, "call mum tomorrow", key="typed-1") == first
    assert await titles(client) == ["call mum"]
    body = {"text": "call mum tomorrow", "keep": ["due"]}
    reused = await client.post("/v1/tasks", json=body, headers={"Idempotency-Key": "typed-1"})
    assert (reused.status_code, reused.json()["type"]) == (409, "urn:sayso:problem:key_reused")


async def test_the_trail_has_what_was_typed_and_what_was_read(client):
    await add(client, "call mum tomorrow")
    entries = (await client.get("/v1/trail")).json()["entries"]
    clicked = next(entry["body"] for entry in entries if entry["kind"] == "click")
    assert clicked["text"] == "call mum tomorrow"
    assert clicked["arguments"] == {"title": "call mum", "due": tomorrow()}


@pytest.mark.parametrize(("lang", "day"), [("en", "05-04"), ("it", "04-05")])
async def test_the_language_that_is_asked_for_is_a_hint(client, lang, day):
    client.headers["Accept-Language"] = lang
    found = await read(client, "tennis 5/4")
    assert (found["title"], found["lang"], found["due"][5:]) == ("tennis", lang, day)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"title": "a", "text": "a"},
        {"title": "a", "keep": []},
        {"text": ""},
        {"text": "  "},
        {"text": None},
        {"title": None},
        {"text": "a" * 401},
        {"text": "a\x00"},
        {"text": "a", "keep": ["title"]},
        {"text": "a", "keep": "due"},
        {"text": "a", "more": 1},
        {"text": "a " * 150},  # the title would be too long
    ],
)
async def test_what_is_no_text_is_refused(client, body):
    answer = await client.post("/v1/tasks", json=body)
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:sayso:problem:invalid")
    assert await titles(client) == []


async def test_reading_has_a_rate_limit_of_its_own(open_client):
    async with open_client(rate_limit="2/minute") as client:
        reads = [(await client.post("/v1/tasks/read", json={"text": "a"})).status_code for _ in range(3)]
        assert reads == [200, 200, 429]
        assert (await client.post("/v1/tasks", json={"text": "call mum"})).status_code == 200


@pytest.mark.parametrize(
    ("first", "again", "lang", "question"),
    [
        ("buy milk", "Buy  milk! tomorrow", "en", '"buy milk" is already on your list. Add it again, due tomorrow?'),
        ("fare il pane", "fare il pane", "it", '"fare il pane" è già nella lista. La aggiungo di nuovo?'),
    ],
)
async def test_a_title_that_is_open_is_asked_about_and_added_once_it_is_wanted(client, first, again, lang, question):
    client.headers["Accept-Language"] = lang
    await add(client, first)
    headers = {"Idempotency-Key": "again"}
    refused = await client.post("/v1/tasks", json={"text": again, "unless_open": True}, headers=headers)
    assert (refused.status_code, refused.json()["type"]) == (409, "urn:sayso:problem:duplicate")
    assert refused.json()["question"] == question
    assert await titles(client) == [first]
    await add(client, again, key="again")
    assert len(await titles(client)) == 2


async def test_a_title_that_is_done_or_gone_is_added_at_once(client):
    done, gone = task_of(await add(client, "buy milk")), task_of(await add(client, "buy bread"))
    await client.post(f"/v1/tasks/{done['id']}/complete")
    await client.delete(f"/v1/tasks/{gone['id']}")
    await add(client, "buy milk", unless_open=True)
    await add(client, "buy bread", unless_open=True)
    assert await titles(client) == ["buy milk", "buy bread", "buy milk"]
