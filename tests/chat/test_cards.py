"""Cards: what was shown is what runs, once, for the one who was asked, while it is still so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from sayso import ledger
from sayso.database.queries import statement
from sayso.ledger.errors import Refused
from sayso.tasks.values import ListTasks

pytestmark = pytest.mark.anyio

SQL = Path(ledger.__file__).parent / "sql"


@pytest.fixture
async def asked(talk):
    await talk("add shred the letters")
    await talk("delete it")
    return talk


async def count(chat, who):
    return (await chat.tasks(who, ListTasks())).count


async def test_only_a_yes_deletes(asked, chat, who):
    assert asked.last.confirmation.card == 'Delete "shred the letters"?'
    assert await count(chat, who) == 1
    reply = await asked.answer("yes")
    assert reply.reply == 'I\'ve deleted "shred the letters".'
    assert await count(chat, who) == 0


async def test_a_no_leaves_it_and_closes_the_card(asked, chat, who):
    await asked.answer("no")
    with pytest.raises(Refused):
        await asked.answer("yes")
    assert await count(chat, who) == 1


async def test_a_yes_that_is_sent_often_counts_once(asked, chat, who):
    first, *others = await asyncio.gather(*(asked.answer("yes") for _ in range(8)))
    assert all(other == first for other in others)
    assert await count(chat, who) == 0


async def test_another_digest_is_refused(asked, chat, who):
    with pytest.raises(Refused):
        await asked.answer("yes", digest="0" * 64)
    assert await count(chat, who) == 1
    await asked.answer("yes")
    with pytest.raises(Refused):  # nor can an answer be read with it
        await asked.answer("yes", digest="0" * 64)


async def test_nobody_answers_for_another(asked, chat, other, who):
    card = asked.last.confirmation
    with pytest.raises(Refused):
        await chat.confirm(other, card.id, card.digest, yes=True)
    assert await count(chat, who) == 1


@pytest.fixture
def twins(asked, who, other, url):
    """A connection that row security does not bind, once somebody else has rows with the same ids: only the filter of a
    query tells them apart. And the values for the queries."""
    with psycopg.connect(url) as on:
        on.execute("SET search_path TO sayso")
        for table, more in (("conversations", ""), ("turns", ", lang = 'it'"), ("cards", "")):
            on.execute(f"CREATE TEMP TABLE copied AS SELECT * FROM {table} WHERE user_id = %s", (who.id,))  # noqa: S608
            on.execute(f"UPDATE copied SET user_id = %s{more}", (other.id,))  # noqa: S608
            on.execute(f"INSERT INTO {table} SELECT * FROM copied")  # noqa: S608
            on.execute("DROP TABLE copied")
        conversation, turn, now = on.execute(
            "SELECT conversation_id, turn_number, expires_at - interval '1 minute' FROM cards WHERE user_id = %s",
            (who.id,),
        ).fetchone()
        card = UUID(asked.last.confirmation.id)
        place = {"user_id": who.id, "conversation": conversation, "turn": turn}
        yield on, place | {"id": card, "now": now, "state": "done"}
        on.rollback()


@pytest.mark.parametrize("name", ["card_find", "cards_of_turn", "cards_open", "card_settle"])
async def test_each_query_for_a_card_names_the_user_itself(twins, name):
    on, values = twins
    assert on.execute("SELECT count(*) FROM cards WHERE id = %(id)s", values).fetchone() == (2,)
    found = on.execute(statement(SQL, name), values)
    assert found.rowcount == 1
    if name in ("card_find", "cards_of_turn"):
        assert found.fetchone()[-1] == "en"  # the language of this user's turn, and not of the other's
    if name == "card_settle":
        left = "SELECT user_id = %(user_id)s FROM cards WHERE id = %(id)s AND state = 'pending'"
        assert on.execute(left, values).fetchall() == [(False,)]


async def test_a_card_is_over_after_ten_minutes(asked, chat, who, clock):
    clock.pass_by(minutes=11)
    with pytest.raises(Refused):
        await asked.answer("yes")
    reply = await asked("yes")
    assert reply.endswith('Delete "shred the letters"?')
    assert await count(chat, who) == 1
    assert await asked("yes") == 'I\'ve deleted "shred the letters".'


async def test_what_changed_since_is_asked_about_again_as_it_is_now(asked, chat, who, talk_with):
    elsewhere = await talk_with(chat, who)
    await elsewhere("rename shred the letters to shred the bills")
    reply = await asked("yes")
    assert reply.endswith('Delete "shred the bills"?')
    assert await count(chat, who) == 1
    assert await asked("yes") == 'I\'ve deleted "shred the bills".'


async def test_a_fresh_command_sets_the_question_aside_and_the_card_can_still_be_clicked(asked, chat, who):
    card = asked.last.confirmation
    await asked("add buy stamps")
    assert await asked("yes") != 'I\'ve deleted "shred the letters".'
    assert await count(chat, who) == 2
    done = await chat.confirm(who, card.id, card.digest, yes=True)
    assert done.reply == 'I\'ve deleted "shred the letters".'
    assert await count(chat, who) == 1


async def test_one_yes_by_word_answers_every_card_of_a_group(talk, chat, who):
    await talk("add shred the letters")
    await talk("add call the plumber")
    await talk("delete shred the letters and call the plumber")
    assert await talk("yes") == 'I\'ve deleted "shred the letters".\nI\'ve deleted "call the plumber".'
    assert await count(chat, who) == 0


async def test_a_question_that_is_asked_again_is_the_one_that_counts(asked, chat, who):
    before = asked.last.confirmation
    assert await asked("yes, what a day") == 'Delete "shred the letters"?'
    with pytest.raises(Refused):
        await chat.confirm(who, before.id, before.digest, yes=True)
    assert (await asked.answer("yes")).reply == 'I\'ve deleted "shred the letters".'


ALTERED = {
    "another tool": "UPDATE sayso.{} SET asked = replace(asked, 'delete_', 'complete_') WHERE user_id = %(user)s",
    "another text": "UPDATE sayso.{} SET asked = replace(asked, 'letters', 'bills') WHERE user_id = %(user)s",
    "another digest": "UPDATE sayso.{} SET asked = replace(asked, %(digest)s, 'x') WHERE user_id = %(user)s",
    "another task": "UPDATE sayso.{} SET asked = replace(asked, %(task)s, %(other)s) WHERE user_id = %(user)s",
}
MOVED = {
    "settled": "UPDATE sayso.cards SET state = 'declined', settled_at = now() WHERE user_id = %(user)s",
    "kept open": "UPDATE sayso.cards SET expires_at = expires_at + interval '1 hour' WHERE user_id = %(user)s",
    "another tool's": "UPDATE sayso.cards SET definition = '\\x00' WHERE user_id = %(user)s",
    "carried over": "UPDATE sayso.cards SET conversation_id = %(elsewhere)s WHERE user_id = %(user)s",
    "gone": "DELETE FROM sayso.cards WHERE user_id = %(user)s",
}


@pytest.mark.parametrize("how", ["the card", "a word"])
@pytest.mark.parametrize(
    "statement",
    [*(each.format("cards") for each in ALTERED.values()), *MOVED.values()],
    ids=[*ALTERED, *MOVED],
)
async def test_a_card_that_is_not_stored_as_it_was_shown_counts_for_nothing(asked, chat, who, url, statement, how):
    await alter(chat, who, url, statement, asked)
    if how == "the card":
        with pytest.raises(Refused):
            await asked.answer("yes")
    else:
        assert "deleted" not in await asked("yes")
    assert await count(chat, who) == 2


@pytest.mark.parametrize("statement", [each.format("turns") for each in ALTERED.values()], ids=ALTERED)
async def test_a_yes_counts_only_for_the_question_on_the_card(asked, chat, who, url, statement):
    await alter(chat, who, url, statement, asked)
    await asked("yes")
    assert asked.last.results == ()
    assert await count(chat, who) == 2


async def alter(chat, who, url, statement, asked):
    """Change what is stored, as somebody with SQL may."""
    elsewhere = await chat.open(who)
    await chat.message(who, elsewhere, "one", "add water the ferns")
    titles = {task.title: task.id for task in (await chat.tasks(who, ListTasks())).tasks}
    ids = {"task": titles["shred the letters"], "other": titles["water the ferns"], "elsewhere": elsewhere}
    values = ids | {"digest": asked.last.confirmation.digest}
    with psycopg.connect(url) as connection:
        assert connection.execute(statement, {"user": who.id, **values}).rowcount
