"""The trail: everything in order, and no change to it goes unseen."""

from __future__ import annotations

import asyncio
import json

import psycopg
import pytest

from sayso.ledger import trail

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


@pytest.mark.usefixtures("told")
async def test_it_can_be_read_from_its_end(chat, who):
    entries = await chat.trail(who, 0, 100)
    last = await chat.trail(who, 0, 3, newest=True)
    assert last == entries[:-4:-1]
    assert await chat.trail(who, last[-1].number, 100, newest=True) == entries[-4::-1]


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


@pytest.mark.usefixtures("told")
async def test_what_an_entry_says_can_be_erased_and_the_chain_holds(chat, who, url):
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE sayso.trail SET body = NULL, salt = NULL WHERE user_id = %s", (who.id,))
    assert (await chat.verify(who)).intact


@pytest.mark.usefixtures("told")
async def test_the_application_can_only_add_to_it(chat, who):
    for statement in (b"UPDATE trail SET kind = 'x'", b"DELETE FROM trail", b"DELETE FROM trails"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            async with chat.acting(who) as (on, _person):
                await on.rows(statement)
