"""Clicks on the list: done once, with the trail and the way back that words have."""

from __future__ import annotations

import asyncio
import json
from uuid import uuid4

import pytest

pytestmark = pytest.mark.anyio


async def add(client, title="water the ferns", **more):
    answer = await client.post("/v1/tasks", json={"title": title, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def task_of(reply):
    return reply["results"][0]["result"]["task"]


async def listed(client, **query):
    return (await client.get("/v1/tasks", params=query)).json()["tasks"]


async def trail(client):
    return (await client.get("/v1/trail", params={"limit": 200})).json()["entries"]


async def say(client, words):
    conversation = (await client.post("/v1/conversations")).json()["id"]
    body = {"client_message_id": "m", "content": words}
    return (await client.post(f"/v1/conversations/{conversation}/messages", json=body)).json()


async def test_a_task_is_added_with_what_is_given(client):
    reply = await add(client, "  buy\nstamps ", due="2026-03-12T17:00", priority="high", description="two of them")
    task = task_of(reply)
    assert (task["title"], task["due"], task["priority"]) == ("buy stamps", "2026-03-12T17:00", "high")
    assert reply["reply"].startswith('I\'ve added "buy stamps" to your list')
    assert reply["undo"] == reply["results"][0]["undo"]
    assert not reply["by_model"]
    assert [each["id"] for each in await listed(client)] == [task["id"]]


async def test_a_task_is_changed_and_null_takes_away(client):
    place = f"/v1/tasks/{task_of(await add(client, due='2026-03-12', description='a note'))['id']}"
    changed = await client.patch(place, json={"title": "water the roses", "priority": "low"})
    assert (task_of(changed.json())["title"], task_of(changed.json())["due"]) == ("water the roses", "2026-03-12")
    bare = task_of((await client.patch(place, json={"due": None, "description": None})).json())
    assert (bare["due"], bare["description"], bare["priority"]) == (None, "", "low")


async def test_a_task_is_completed_reopened_deleted_and_restored(client):
    place = f"/v1/tasks/{task_of(await add(client))['id']}"
    assert task_of((await client.post(f"{place}/complete")).json())["completed"]
    again = (await client.post(f"{place}/complete")).json()
    assert (again["undo"], again["reply"]) == (None, '"water the ferns" was already done.')
    assert not task_of((await client.post(f"{place}/reopen")).json())["completed"]
    deleted = (await client.delete(place)).json()
    assert deleted["results"][0]["result"]["restorable_until"]
    assert await listed(client) == []
    assert (await client.post(f"{place}/complete")).json()["type"] == "urn:sayso:problem:no_task"
    assert (await client.post(f"{place}/restore")).status_code == 200
    assert [each["title"] for each in await listed(client)] == ["water the ferns"]


async def test_a_repeating_task_goes_on_to_its_next_date_and_comes_back(client):
    added = task_of(await add(client, due="2100-03-10", repeat="FREQ=WEEKLY;COUNT=2", list="Home", remind="PT10M"))
    assert (added["repeat"], added["list"], added["remind"]) == ("FREQ=WEEKLY;COUNT=2", "Home", "PT10M")
    place = f"/v1/tasks/{added['id']}"
    done = (await client.post(f"{place}/complete")).json()
    assert (task_of(done)["status"], task_of(done)["due"]) == ("pending", "2100-03-17")
    assert done["results"][0]["result"]["occurrence"] == "2100-03-10"
    assert done["reply"].endswith("is completed for now; it is due again 17 March 2100.")
    assert (await client.post("/v1/undo", json={"undo": done["undo"]})).status_code == 200
    assert [(each["due"], each["repeat"]) for each in await listed(client)] == [("2100-03-10", "FREQ=WEEKLY;COUNT=2")]
    await client.post(f"{place}/complete")
    assert task_of((await client.post(f"{place}/reopen")).json())["due"] == "2100-03-10"
    once = (await client.post(f"{place}/complete")).json()
    again = (await client.post(f"{place}/complete")).json()
    assert (task_of(again), again.get("undo")) == (task_of(once), None)
    assert again["results"][0]["result"]["occurrence"] == "2100-03-10"
    assert again["reply"].endswith("was already done for now; it is due again 17 March 2100.")
    seen = {"If-Match": str(task_of(again)["version"])}
    last = task_of((await client.post(f"{place}/complete", headers=seen)).json())
    assert (last["status"], last["due"]) == ("completed", "2100-03-17")


async def test_a_tick_from_a_page_that_shows_an_earlier_date_is_refused(client):
    added = task_of(await add(client, due="2100-03-10", repeat="FREQ=WEEKLY"))
    seen, place = {"If-Match": str(added["version"])}, f"/v1/tasks/{added['id']}/complete"
    assert (await client.post(place, headers=seen | {"Idempotency-Key": "first"})).status_code == 200
    late = await client.post(place, headers=seen | {"Idempotency-Key": "second"})
    assert (late.status_code, late.json()["type"]) == (409, "urn:sayso:problem:stale")
    assert [each["due"] for each in await listed(client)] == ["2100-03-17"]
    another = await client.post(place, headers={"Idempotency-Key": "third"})
    assert task_of(another.json())["due"] == "2100-03-24"


async def test_repeat_list_and_lead_time_are_changed_and_null_takes_them_away(client):
    place = f"/v1/tasks/{task_of(await add(client, due='2100-03-10'))['id']}"
    given = {"repeat": "FREQ=DAILY", "list": "Garden", "remind": "P1D"}
    assert task_of((await client.patch(place, json=given)).json()).items() >= given.items()
    empty = dict.fromkeys(given)
    assert task_of((await client.patch(place, json=empty)).json()).items() >= empty.items()


async def test_a_named_list_is_read_whatever_the_case(client):
    await add(client, "water the ferns", list="Garden")
    await add(client, "feed the cat", list="Home")
    await add(client, "cut the hedge", list=" gARDEN ")
    found = await listed(client, list="GARDEN")
    assert [(each["title"], each["list"]) for each in found] == [
        ("water the ferns", "Garden"),
        ("cut the hedge", "Garden"),
    ]
    assert await listed(client, list="garage") == []
    assert (await client.get("/v1/tasks", params={"list": " "})).status_code == 422


async def test_every_click_can_be_taken_back_by_its_id(client):
    added = await add(client)
    place = f"/v1/tasks/{task_of(added)['id']}"

    async def back(reply):
        answer = await client.post("/v1/undo", json={"undo": reply["undo"]})
        assert answer.status_code == 200, answer.text
        return [(each["title"], each["status"], each["priority"]) for each in await listed(client)]

    before = [("water the ferns", "pending", "medium")]
    assert await back((await client.post(f"{place}/complete")).json()) == before
    assert await back((await client.patch(place, json={"title": "x", "priority": "high"})).json()) == before
    deleted = (await client.delete(place)).json()
    assert await back(deleted) == before
    await client.delete(place)
    assert await back((await client.post(f"{place}/restore")).json()) == []
    await client.post(f"{place}/restore")
    assert await back(added) == []


async def test_what_was_built_on_since_is_not_taken_back(client):
    added = await add(client)
    other = await add(client, "feed the cat")
    place = f"/v1/tasks/{task_of(added)['id']}"
    renamed = (await client.patch(place, json={"title": "water the roses"})).json()
    await client.patch(place, json={"title": "water everything"})
    for undo in (added["undo"], renamed["undo"], "999999"):
        refused = await client.post("/v1/undo", json={"undo": undo})
        assert (refused.status_code, refused.json()["type"]) == (409, "urn:sayso:problem:stale")
    assert (
        await client.post("/v1/undo", json={"undo": other["undo"]})
    ).status_code == 200  # another task is no obstacle
    assert (await client.post("/v1/undo", json={"undo": other["undo"]})).status_code == 409  # once
    assert [each["title"] for each in await listed(client)] == ["water everything"]


async def test_words_and_clicks_take_back_each_others_deeds(client):
    said = await say(client, "add buy stamps")
    assert said["undo"] == said["results"][0]["undo"]
    await client.post(f"/v1/tasks/{task_of(said)['id']}/complete")
    assert "as it was" in (await say(client, "undo that"))["reply"]
    assert [each["status"] for each in await listed(client)] == ["pending"]
    assert (await client.post("/v1/undo", json={"undo": said["undo"]})).status_code == 200
    assert await listed(client) == []


async def test_the_last_change_is_taken_back_without_a_body(client):
    assert (await client.post("/v1/undo")).json()["reply"] == "There is nothing to undo."
    await add(client)
    assert "off your list" in (await client.post("/v1/undo", json={})).json()["reply"]


async def test_a_click_sent_again_under_its_key_is_done_once(client):
    key = {"Idempotency-Key": "click-1"}
    answers = await asyncio.gather(*(client.post("/v1/tasks", json={"title": "one"}, headers=key) for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert len(await listed(client)) == 1
    place = f"/v1/tasks/{task_of(answers[0].json())['id']}"
    gone = [await client.delete(place, headers={"Idempotency-Key": "click-2"}) for _ in range(2)]
    assert gone[0].content == gone[1].content
    back = [
        await client.post("/v1/undo", json={"undo": gone[0].json()["undo"]}, headers={"Idempotency-Key": "back"})
        for _ in range(2)
    ]
    assert back[0].content == back[1].content
    assert back[1].status_code == 200


async def test_a_key_that_was_used_for_another_click_is_refused(client):
    key = {"Idempotency-Key": "click-1"}
    task = task_of((await client.post("/v1/tasks", json={"title": "one"}, headers=key)).json())
    for answer in (
        await client.post("/v1/tasks", json={"title": "two"}, headers=key),
        await client.delete(f"/v1/tasks/{task['id']}", headers=key),
    ):
        assert (answer.status_code, answer.json()["type"]) == (409, "urn:sayso:problem:key_reused")
    assert [each["title"] for each in await listed(client)] == ["one"]


async def test_a_click_that_came_to_nothing_can_be_sent_again_under_its_key(client):
    key = {"Idempotency-Key": "click-1"}
    place = f"/v1/tasks/{task_of(await add(client))['id']}"
    assert (await client.delete(place, headers=key | {"If-Match": "9"})).status_code == 409
    assert (await client.delete(place, headers=key | {"If-Match": "1"})).status_code == 200


async def test_what_was_changed_since_it_was_shown_is_left_alone(client):
    task = task_of(await add(client))
    place = f"/v1/tasks/{task['id']}"
    await client.patch(place, json={"priority": "high"})
    shown = {"If-Match": f'"{task["version"]}"'}
    for answer in (
        await client.patch(place, json={"title": "x"}, headers=shown),
        await client.post(f"{place}/complete", headers=shown),
        await client.delete(place, headers=shown),
    ):
        assert (answer.status_code, answer.json()["type"]) == (409, "urn:sayso:problem:stale")
    assert (await client.post(f"{place}/complete", headers={"If-Match": "2"})).status_code == 200


async def test_the_trail_says_what_was_clicked_and_holds(client):
    task = task_of(await add(client))
    deleted = (await client.delete(f"/v1/tasks/{task['id']}")).json()
    await client.post("/v1/undo", json={"undo": deleted["undo"]})
    entries = await trail(client)
    assert [entry["kind"] for entry in entries] == [*("click", "call", "reply") * 2, "click", "undo", "reply"]
    assert entries[0]["body"] == {"tool": "add_task", "arguments": {"title": "water the ferns"}}
    assert entries[3]["body"] == {"tool": "delete_task", "arguments": {"task_identifier": task["id"]}}
    assert entries[6]["body"] == {"undo": deleted["undo"]}
    assert entries[7]["body"] == {"number": int(deleted["undo"])}
    assert (await client.get("/v1/trail/verify")).json()["intact"]


async def test_a_card_for_a_task_that_was_clicked_meanwhile_is_asked_again(client):
    task = task_of(await add(client))
    asked = await say(client, "delete water the ferns")
    await client.patch(f"/v1/tasks/{task['id']}", json={"title": "water the roses"})
    card = asked["confirmation"]
    answer = {"answer": "yes", "digest": card["digest"]}
    again = (await client.post(f"/v1/confirmations/{card['id']}", json=answer)).json()
    assert again["results"] == []
    assert "water the roses" in again["confirmation"]["card"]


async def test_nobody_clicks_on_anothers_tasks(client, open_client):
    place = f"/v1/tasks/{task_of(await add(client))['id']}"
    async with open_client() as other:
        for answer in (
            await other.patch(place, json={"title": "mine"}),
            await other.post(f"{place}/complete"),
            await other.post(f"{place}/reopen"),
            await other.delete(place),
            await other.post(f"{place}/restore"),
        ):
            assert (answer.status_code, answer.json()["type"]) == (404, "urn:sayso:problem:no_task")
    assert [each["title"] for each in await listed(client)] == ["water the ferns"]


@pytest.mark.parametrize(
    "body",
    [
        {}, {"title": ""}, {"title": " \n "}, {"title": "x" * 201}, {"title": "x", "due": "2026-02-30"},
        {"title": "x", "due": "tomorrow"}, {"title": "x", "due": "2026-03-12T25:00"},
        {"title": "x", "priority": "urgent"}, {"title": "x", "user_id": "bob"}, {"title": None},
        {"title": "x", "description": "d" * 1001}, {"title": "a\x00b"}, {"title": "x", "repeat": "every day"},
        {"title": "x", "repeat": ""}, {"title": "x", "list": ""}, {"title": "x", "list": "x" * 61},
        {"title": "x", "remind": "10 minutes"}, {"title": "x", "remind": ""},
    ],
)  # fmt: skip
async def test_what_is_no_task_is_refused_and_nothing_is_added(client, body):
    assert (await client.post("/v1/tasks", json=body)).status_code == 422
    assert await listed(client) == []


@pytest.mark.parametrize(
    "body",
    [
        {}, {"title": None}, {"priority": None}, {"due": "soon"}, {"repeat": "FREQ=HOURLY"}, {"list": " "},
        {"remind": "P1M"}, {"status": "completed"},
    ],
)  # fmt: skip
async def test_what_is_no_change_is_refused(client, body):
    place = f"/v1/tasks/{task_of(await add(client))['id']}"
    assert (await client.patch(place, json=body)).status_code == 422


@pytest.mark.parametrize("headers", [{"If-Match": "*"}, {"If-Match": "one"}, {"Idempotency-Key": "x" * 191}])
async def test_odd_headers_are_refused(client, headers):
    assert (await client.post(f"/v1/tasks/{uuid4()}/complete", headers=headers)).status_code == 422


async def test_clicks_are_answered_in_the_language_of_the_page(client):
    italian = {"X-Sayso-Page": "1", "Accept-Language": "it"}
    reply = (await client.post("/v1/tasks", json={"title": "comprare il latte"}, headers=italian)).json()
    assert "comprare il latte" in reply["reply"]
    assert "added" not in reply["reply"]


async def test_of_several_deeds_each_has_its_own_way_back(client):
    said = await say(client, "add wash the curtains and add iron the shirts")
    undos = [deed["undo"] for deed in said["results"]]
    assert len(set(undos)) == 2
    assert said["undo"] == undos[-1]
    await client.post("/v1/undo", json={"undo": undos[0]})
    assert [each["title"] for each in await listed(client)] == ["iron the shirts"]
    assert json.dumps(said).count('"undo"') == 3


async def test_the_day_counts_what_was_completed_today_and_what_is_left(client):
    today = (await client.get("/v1/day")).json()["date"]
    tasks = [
        task_of(await add(client, title, **more))
        for title, more in (
            ("due today", {"due": today}),
            ("due today, too", {"due": f"{today}T23:59"}),
            ("due long ago", {"due": "2020-01-01"}),
            ("of every day", {"due": today, "repeat": "FREQ=DAILY"}),
            ("without a date", {}),
        )
    ]
    assert (await client.get("/v1/day")).json() == {"date": today, "done": 0, "left": 3}
    for done in tasks[0], tasks[2], tasks[3]:
        await client.post(f"/v1/tasks/{done['id']}/complete")
    assert (await client.get("/v1/day")).json() == {"date": today, "done": 3, "left": 1}
    await client.post(f"/v1/tasks/{tasks[3]['id']}/reopen")
    await client.delete(f"/v1/tasks/{tasks[0]['id']}")
    assert (await client.get("/v1/day")).json() == {"date": today, "done": 1, "left": 2}
