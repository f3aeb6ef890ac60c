"""A conversation over HTTP, from the first message to the trail."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from uuid import uuid4

import pytest

pytestmark = pytest.mark.anyio


async def begin(client):
    opened = await client.post("/v1/conversations")
    assert opened.status_code == 201
    return opened.json()["id"]


async def say(client, conversation, content, name=None):
    body = {"client_message_id": name or uuid4().hex, "content": content}
    return await client.post(f"/v1/conversations/{conversation}/messages", json=body)


async def titles(client):
    return [task["title"] for task in (await client.get("/v1/tasks")).json()["tasks"]]


@pytest.mark.parametrize(
    ("words", "title", "reply"),
    [
        ("add a task to buy milk tomorrow", "buy milk", 'I\'ve added "buy milk" to your list, due tomorrow.'),
        ("aggiungi comprare il latte", "comprare il latte", None),
    ],
)
async def test_what_is_said_is_done_and_answered_in_the_same_language(client, words, title, reply):
    done = (await say(client, await begin(client), words)).json()
    assert [decision["kind"] for decision in done["decisions"]] == ["call"]
    assert done["results"][0]["result"]["task"]["title"] == title
    assert title in done["reply"]
    assert reply in (None, done["reply"])
    assert done["confirmation"] is None
    assert await titles(client) == [title]


async def test_a_message_sent_again_has_the_same_answer_and_is_done_once(client):
    conversation = await begin(client)
    first, second = [await say(client, conversation, "add buy bread", "m-1") for _ in range(2)]
    assert first.content == second.content
    assert await titles(client) == ["buy bread"]


async def test_one_message_sent_many_times_at_once_is_done_once(client):
    conversation = await begin(client)
    answers = await asyncio.gather(*(say(client, conversation, "add buy bread", "m-1") for _ in range(8)))
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert await titles(client) == ["buy bread"]


async def test_other_words_under_the_same_id_are_refused(client):
    conversation = await begin(client)
    await say(client, conversation, "add buy bread", "m-1")
    refused = await say(client, conversation, "add buy beer", "m-1")
    assert (refused.status_code, refused.json()["type"]) == (409, "urn:sayso:problem:message_reused")


async def test_a_delete_waits_for_a_yes_to_what_was_shown(client):
    conversation = await begin(client)
    await say(client, conversation, "add buy milk")
    card = (await say(client, conversation, "delete the milk task")).json()["confirmation"]
    assert card["card"] == 'Delete "buy milk"?'
    address = f"/v1/confirmations/{card['id']}"
    forged = await client.post(address, json={"answer": "yes", "digest": "0" * 64})
    assert (forged.status_code, forged.json()["type"]) == (409, "urn:sayso:problem:refused")
    assert await titles(client) == ["buy milk"]
    answer = {"answer": "yes", "digest": card["digest"]}
    first, again = [await client.post(address, json=answer) for _ in range(2)]
    assert first.status_code == 200
    assert first.content == again.content
    assert await titles(client) == []


async def test_what_was_taken_out_of_a_card_for_several_stays(client):
    conversation = await begin(client)
    for words in ("add buy milk", "add feed the cat"):
        await say(client, conversation, words)
    card = (await say(client, conversation, "delete buy milk and feed the cat")).json()["confirmation"]
    address, yes = f"/v1/confirmations/{card['id']}", {"answer": "yes", "digest": card["digest"]}
    for items, status in (([], 422), (["x"], 422), ([str(uuid4())], 409)):
        assert (await client.post(address, json=yes | {"items": items})).status_code == status
    left = yes | {"items": [card["items"][1]["id"]]}
    first, again = [await client.post(address, json=left) for _ in range(2)]
    assert first.status_code == 200
    assert first.content == again.content
    assert set(first.json()["settled"].values()) == {"done", "declined"}
    assert await titles(client) == ["buy milk"]


async def test_a_no_leaves_everything_as_it_was(client):
    conversation = await begin(client)
    await say(client, conversation, "aggiungi comprare il latte")
    card = (await say(client, conversation, "elimina il latte")).json()["confirmation"]
    declined = await client.post(f"/v1/confirmations/{card['id']}", json={"answer": "no", "digest": card["digest"]})
    assert declined.json()["results"] == []
    assert await titles(client) == ["comprare il latte"]


async def test_nobody_answers_a_card_of_somebody_else(client, open_client):
    conversation = await begin(client)
    await say(client, conversation, "add buy milk")
    card = (await say(client, conversation, "delete the milk task")).json()["confirmation"]
    async with open_client() as other:
        refused = await other.post(f"/v1/confirmations/{card['id']}", json={"answer": "yes", "digest": card["digest"]})
        assert refused.json()["type"] == "urn:sayso:problem:refused"
        assert (await say(other, conversation, "hello")).json()["type"] == "urn:sayso:problem:no_conversation"
    assert await titles(client) == ["buy milk"]


async def test_the_last_change_can_be_taken_back(client):
    await say(client, await begin(client), "add buy milk")
    undone = (await client.post("/v1/undo")).json()
    assert undone["reply"].startswith("I've undone that.")
    assert await titles(client) == []


async def test_a_conversation_can_be_read_again(client):
    conversation = await begin(client)
    replies = [(await say(client, conversation, words)).json() for words in ("add buy milk", "show my tasks")]
    turns = (await client.get(f"/v1/conversations/{conversation}/messages")).json()["turns"]
    assert [turn["message"] for turn in turns] == ["add buy milk", "show my tasks"]
    assert [turn["reply"] for turn in turns] == replies
    last = (await client.get(f"/v1/conversations/{conversation}/messages", params={"limit": 1})).json()["turns"]
    assert last == turns[-1:]


async def test_tasks_are_listed_as_the_tool_lists_them(client):
    conversation = await begin(client)
    for words in ("add buy milk tomorrow", "add a task to call Bob", "add buy bread"):
        await say(client, conversation, words)
    found = (await client.get("/v1/tasks", params={"search": "mil", "due": "tomorrow"})).json()
    assert [task["title"] for task in found["tasks"]] == ["buy milk"]
    page = (await client.get("/v1/tasks", params={"limit": 2})).json()
    assert (page["count"], page["next_offset"]) == (2, 2)
    assert (await client.get("/v1/tasks", params={"due": "2030-01-01"})).json()["tasks"] == []


async def test_the_trail_is_read_in_pages_and_holds(client):
    conversation = await begin(client)
    await say(client, conversation, "add buy milk")
    first = (await client.get("/v1/trail", params={"limit": 2})).json()
    rest = (await client.get("/v1/trail", params={"after": first["next"]})).json()
    assert [entry["number"] for entry in first["entries"] + rest["entries"]] == [1, 2, 3, 4]
    assert rest["next"] is None
    assert first["entries"][0]["body"] == {"content": "add buy milk"}
    verified = (await client.get("/v1/trail/verify")).json()
    assert verified == {
        "intact": True,
        "entries": 4,
        "erased": 0,
        "head": rest["entries"][-1]["hash"],
        "problem": None,
    }


async def test_whoever_reads_the_trail_can_check_what_it_says(client):
    await say(client, await begin(client), "aggiungi “perché è così” 🥛")
    answer = await client.get("/v1/trail", params={"limit": 1})
    entry = answer.json()["entries"][0]
    body = answer.text.partition('"body":')[2].partition(',"salt"')[0]
    salt, said = bytes.fromhex(entry["salt"]), body.encode()
    lengths = len(salt).to_bytes(8, "big") + len(said).to_bytes(8, "big")
    assert sha256(b"sayso entry 2\n" + lengths + salt + said).hexdigest() == entry["body_hash"]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_message_cannot_take_the_name_of_the_answer_to_a_card(client, accept):
    conversation = await begin(client)
    await say(client, conversation, "add shred the letters")
    card = (await say(client, conversation, "delete it")).json()["confirmation"]
    body = {"client_message_id": f"card {card['id']} yes", "content": "hello"}
    address = f"/v1/conversations/{conversation}/messages"
    refused = await client.post(address, json=body, headers={"Accept": accept})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/client_message_id")
    answer = {"answer": "yes", "digest": card["digest"]}
    assert (await client.post(f"/v1/confirmations/{card['id']}", json=answer)).status_code == 200
    assert await titles(client) == []
