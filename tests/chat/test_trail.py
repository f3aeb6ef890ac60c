"""The trail: everything in order, and no change to it goes unseen."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

import psycopg
import pytest
from msgspec.structs import replace

from sayso.database.pool import Database
from sayso.gateway.trail.ledger import LedgerTrail
from sayso.gateway.trail.rows import Reader
from sayso.ledger import trail
from sayso.ledger.chain import Event, body_hash, body_hash_1
from sayso.ledger.erasure import erase_entries

pytestmark = pytest.mark.anyio


@pytest.fixture
async def told(talk):
    await talk("add feed the cat")
    await talk("delete it")
    await talk("yes")
    await talk("undo")
    return talk


@pytest.mark.usefixtures("told")
async def test_everything_is_there_in_order(chat, who):
    entries = await chat.trail(who, 0, 100)
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    kinds = [entry.kind for entry in entries]
    assert kinds == [
        *("message", "decision", "call", "reply"),
        *("message", "decision", "question", "reply"),
        *("message", "decision", "card", "call", "reply"),
        *("message", "decision", "undo", "reply"),
    ]
    call = json.loads(entries[2].body)
    assert (call["tool"], call["arguments"]) == ("add_task", {"title": "feed the cat"})
    verified = await chat.verify(who)
    assert (verified.intact, verified.entries) == (True, len(entries))
    assert verified.head == entries[-1].hash.hex()


async def test_what_one_yes_does_is_one_group_that_its_undo_names(chat, who, talk):
    for message in ("add feed the cat", "add pack the bags", "delete feed the cat and pack the bags", "yes", "undo"):
        await talk(message)
    entries = await chat.trail(who, 0, 100)
    calls = [(entry.number, json.loads(entry.body)) for entry in entries if entry.kind == "call"]
    assert [body.get("group") for _, body in calls] == [None, None, "delete_task", "delete_task"]
    (undo,) = [entry for entry in entries if entry.kind == "undo"]
    deletes = [number for number, _ in calls[2:]]
    assert json.loads(undo.body) == {"number": deletes[1], "numbers": deletes}
    assert Reader().read(undo).came == f"entries {deletes[0]}, {deletes[1]} were undone"
    assert (await chat.verify(who)).intact


@pytest.mark.usefixtures("told")
async def test_the_trail_is_read_from_its_end_and_by_kind(chat, who):
    every = await chat.trail(who, 0, 100)
    assert await chat.trail(who, 0, 100, newest=True) == every[::-1]
    first = await chat.trail(who, 0, 4, newest=True)
    second = await chat.trail(who, first[-1].number, 100, newest=True)
    assert first + second == every[::-1]
    calls = await chat.trail(who, 0, 100, kinds=["call", "undo"])
    assert [entry.kind for entry in calls] == ["call", "call", "undo"]
    assert await chat.trail(who, 0, 2, kinds=["call", "undo"], newest=True) == calls[:0:-1]


async def test_a_page_of_the_trail_leads_to_the_one_before(client):
    for title in ("one", "two"):
        await client.post("/v1/tasks", json={"title": title})
    query = {"order": "newest", "kind": ["call", "reply"], "limit": 3}
    page = (await client.get("/v1/trail", params=query)).json()
    assert [entry["kind"] for entry in page["entries"]] == ["reply", "call", "reply"]
    rest = (await client.get("/v1/trail", params=query | {"after": page["next"]})).json()
    assert ([entry["kind"] for entry in rest["entries"]], rest["next"]) == (["call"], None)
    for odd in ({"order": "best"}, {"kind": "CALL; --"}, {"after": -1}, {"before": 1}):
        assert (await client.get("/v1/trail", params=odd)).status_code == 422


TAMPERINGS = {
    "edited": "UPDATE sayso.trail SET body = replace(body, 'cat', 'dog') WHERE user_id = %(user)s AND number = 3",
    "backdated": "UPDATE sayso.trail SET at = at - interval '1 day' WHERE user_id = %(user)s AND number = 5",
    "renamed": "UPDATE sayso.trail SET kind = 'reply' WHERE user_id = %(user)s AND number = 3",
    "dropped": "DELETE FROM sayso.trail WHERE user_id = %(user)s AND number = 6",
    "cut off": "DELETE FROM sayso.trail WHERE user_id = %(user)s AND number > 10",
    "beheaded": "DELETE FROM sayso.trail WHERE user_id = %(user)s AND number = 1",
    "reordered": "UPDATE sayso.trail SET number = CASE number WHEN 7 THEN 1008 WHEN 8 THEN 1007 ELSE number END "
    "WHERE user_id = %(user)s; "
    "UPDATE sayso.trail SET number = number - 1000 WHERE user_id = %(user)s AND number > 1000",
    "end moved": "UPDATE sayso.trails SET number = number - 1 WHERE user_id = %(user)s",
    "end dropped": "DELETE FROM sayso.trails WHERE user_id = %(user)s",
    "all dropped": "DELETE FROM sayso.trail WHERE user_id = %(user)s; "
    "DELETE FROM sayso.trails WHERE user_id = %(user)s",
    "put before": "INSERT INTO sayso.trail SELECT user_id, -7, at, kind, conversation_id, body, salt, body_hash, hash "
    "FROM sayso.trail WHERE user_id = %(user)s AND number = 3",
}


@pytest.mark.parametrize("how", TAMPERINGS)
@pytest.mark.usefixtures("told")
async def test_every_tampering_is_found(chat, who, url, how):
    with psycopg.connect(url, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(TAMPERINGS[how], {"user": who.id})
    verified = await chat.verify(who)
    assert not verified.intact
    assert verified.problem


@pytest.mark.parametrize("version", [body_hash, body_hash_1], ids=["now", "first version"])
async def test_no_byte_moves_between_salt_and_body(url, who, version, monkeypatch):
    monkeypatch.setattr("sayso.ledger.chain.body_hash", version)
    async with Database(url, connections=1) as database:
        async with database.transaction(who.id) as on:
            await trail.add(on, who.id, datetime.now(UTC), [Event("call", {"text": "caffè"})])
        monkeypatch.undo()
        async with database.transaction(who.id) as on:
            (entry,) = await trail.read(on, who.id, 0, 2)
            assert (await trail.verify(on, who.id)).intact
        whole = entry.salt + entry.body.encode()
        for place in range(len(entry.salt) + 1, len(whole) + 1):
            if (body := whole[place:].decode(errors="replace")).encode() != whole[place:]:
                continue
            with psycopg.connect(url) as connection:
                setting = "UPDATE sayso.trail SET salt = %s, body = %s WHERE user_id = %s"
                connection.execute(setting, (whole[:place], body, who.id))
            async with database.transaction(who.id) as on:
                assert (await trail.verify(on, who.id)).problem == "the content of entry 1 was changed"
    assert body == ""


async def test_turns_that_are_added_meanwhile_are_no_tampering(chat, told, who, open_chat, monkeypatch):
    monkeypatch.setattr(trail, "PAGE", 1)  # a round trip for every entry: the trail grows while it is read

    async def talk_on():
        for number in range(12):
            await told(f"add water fern {number}")

    async with open_chat() as other_replica, asyncio.TaskGroup() as group:
        talking = group.create_task(talk_on())
        while not talking.done():
            verified = await other_replica.verify(who)
            assert verified.intact, verified.problem
    assert (await chat.verify(who)).entries == 17 + 12 * 4


async def test_a_gateway_writes_the_same_chain_meanwhile(chat, talk, who, url):
    async def guard(gateway):
        for number in range(12):
            await gateway.add(who.id, [Event("judged", {"number": number}), Event("call", {"number": number})])

    async with Database(url) as database, asyncio.TaskGroup() as group:
        group.create_task(guard(LedgerTrail(database)))
        for number in range(6):
            await talk(f"add water fern {number}")
    verified = await chat.verify(who)
    assert verified.intact, verified.problem
    kinds = [entry.kind for entry in await chat.trail(who, 0, 100)]
    assert (kinds.count("judged"), kinds.count("message"), len(kinds)) == (12, 6, 12 * 2 + 6 * 4)


@pytest.mark.usefixtures("told")
async def test_a_blank_entry_without_a_receipt_is_named(chat, who, url):
    blanking = "UPDATE sayso.trail SET body = NULL, salt = NULL WHERE user_id = %s AND number = ANY(%s)"
    with psycopg.connect(url) as connection:
        connection.execute(blanking, (who.id, [6]))
    verified = await chat.verify(who)
    assert (verified.intact, verified.entries) == (False, 5)
    assert verified.problem == "entry 6 is blank, and no erasure names it"
    with psycopg.connect(url) as connection:
        connection.execute(blanking, (who.id, list(range(3, 16))))
    verified = await chat.verify(who)
    assert verified.problem == "13 entries are blank, and no erasure names them: 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …"


@pytest.mark.parametrize("column", ["body", "salt"])
@pytest.mark.usefixtures("told")
async def test_half_a_blank_is_no_erasure(chat, who, url, column):
    async with Database(url, connections=1) as database:
        await erase_entries(database, who.id, [2], datetime.now(UTC))
    with psycopg.connect(url) as connection:
        half = f"UPDATE sayso.trail SET {column} = NULL WHERE user_id = %s AND number = 3"  # noqa: S608
        connection.execute(half, (who.id,))
    assert (await chat.verify(who)).problem == "the content of entry 3 was changed"


async def test_an_erasure_blanks_with_its_receipt(chat, told, who, url):
    async with Database(url, connections=1) as database:
        receipt = await erase_entries(database, who.id, [3, 1, 99], datetime.now(UTC))
        assert receipt.numbers == (1, 3)
        assert await erase_entries(database, who.id, [1, 3], datetime.now(UTC)) is None
        last = (await chat.trail(who, 0, 1, newest=True))[0]
        assert (last.kind, json.loads(last.body)) == ("erasure", {"numbers": [1, 3]})
        assert Reader().read(last).came == "entries 1, 3 were erased"
        assert await erase_entries(database, who.id, [last.number], datetime.now(UTC)) is None
    entries = await chat.trail(who, 0, 100)
    assert [each.number for each in entries if each.body is None and each.salt is None] == [1, 3]
    await told("add water the fern")
    verified = await chat.verify(who)
    assert (verified.intact, verified.entries, verified.erased) == (True, len(entries) + 4, 2)
    with psycopg.connect(url) as connection:
        connection.execute(
            "UPDATE sayso.trail SET body = NULL, salt = NULL WHERE user_id = %s AND number = %s", (who.id, last.number)
        )
    verified = await chat.verify(who)
    assert verified.problem == f"3 entries are blank, and no erasure names them: 1, 3, {last.number}"


@pytest.mark.usefixtures("told")
async def test_the_application_can_only_add_to_it(chat, who):
    for statement in (b"UPDATE trail SET kind = 'x'", b"DELETE FROM trail", b"DELETE FROM trails"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            async with chat.acting(who) as (on, _person):
                await on.rows(statement)


async def test_whether_an_entry_was_committed_is_known_once_nobody_writes(url, who):
    async with Database(url, connections=2) as database:
        async with database.transaction(who.id) as on:
            (first,) = await trail.add(on, who.id, datetime.now(UTC), [Event("call", {"text": "one"})])
        async with database.transaction(who.id) as on:
            (second,) = await trail.add(on, who.id, datetime.now(UTC), [Event("call", {"text": "two"})])

            async def look():
                async with database.transaction(who.id) as other:
                    return await trail.has(other, who.id, second)

            looking = asyncio.create_task(look())
            await asyncio.sleep(0.3)
            assert not looking.done()  # it waits for the transaction that writes
        assert await looking is True
        async with database.transaction(who.id) as on:
            assert await trail.has(on, who.id, first) is True
            assert await trail.has(on, who.id, replace(first, hash=second.hash)) is False
            assert await trail.has(on, who.id, replace(second, number=3)) is False
