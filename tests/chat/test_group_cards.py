"""Cards for several things: one card with every item, one yes for what is left of it, one undo for all of it."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import psycopg
import pytest

from sayso.ledger.errors import Refused
from sayso.tasks.values import ListTasks

pytestmark = pytest.mark.anyio


@pytest.fixture
async def asked(talk):
    for message in ("add shred the letters tomorrow", "add call the plumber", "add feed the cat on friday"):
        await talk(message)
    await talk("delete shred the letters, call the plumber and feed the cat")
    return talk


@pytest.fixture
def titles(chat, who):
    async def listed():
        return {task.title for task in (await chat.tasks(who, ListTasks())).tasks or ()}

    return listed


ALL = {"shred the letters", "call the plumber", "feed the cat"}


def ids(card):
    return [item.id for item in card.items]


async def test_several_deletes_are_one_card_with_every_item(asked):
    (card,) = asked.last.confirmations
    assert card == asked.last.confirmation
    assert card.card == "Delete these tasks?"
    assert [(item.record["title"], item.record["due"]) for item in card.items] == [
        ("shred the letters", "2026-03-11"),
        ("call the plumber", None),
        ("feed the cat", "2026-03-13"),
    ]
    assert {item.tool for item in card.items} == {"delete_task"}
    assert card.undo_days == 30
    assert asked.last.reply == (
        "Delete these tasks?\n1. shred the letters · due tomorrow\n2. call the plumber\n3. feed the cat · due Friday"
    )


async def test_one_yes_deletes_all_and_one_undo_brings_all_back(asked, chat, who, titles):
    reply = await asked.answer("yes")
    assert await titles() == set()
    assert len({deed.undo for deed in reply.results}) == 1
    await chat.clicks.undo(who, int(reply.undo))
    assert await titles() == ALL
    assert await asked("undo") != reply.reply  # nothing of the group is left to take back
    assert await titles() == ALL - {"feed the cat"}


async def test_an_item_that_was_taken_out_stays_and_its_question_is_closed(asked, chat, who, titles):
    card = asked.last.confirmation
    first, second, third = ids(card)
    reply = await asked.answer("yes", items=[third, first])
    assert await titles() == {"call the plumber"}
    assert reply.settled == {first: "done", second: "declined", third: "done"}
    assert (await chat.conversation(who, asked.conversation, 50)).cards == []
    with pytest.raises(Refused):
        await asked.answer("yes", items=[second])
    assert await asked("undo")
    assert await titles() == ALL


async def test_a_no_leaves_all_of_it_and_closes_every_question(asked, titles):
    reply = await asked.answer("no")
    assert set(reply.settled.values()) == {"declined"}
    with pytest.raises(Refused):
        await asked.answer("yes")
    assert await titles() == ALL


async def test_a_yes_that_is_sent_often_counts_once(asked, titles):
    left = ids(asked.last.confirmation)[:2]
    first, *others = await asyncio.gather(*(asked.answer("yes", items=left) for _ in range(8)))
    assert all(other == first for other in others)
    assert len(first.results) == 2
    assert await titles() == {"feed the cat"}


async def test_of_two_different_answers_at_once_one_counts(asked, titles):
    one, two, three = ids(asked.last.confirmation)
    came = await asyncio.gather(
        asked.answer("yes", items=[one]), asked.answer("yes", items=[two, three]), return_exceptions=True
    )
    assert [isinstance(each, Refused) for each in came].count(True) == 1
    assert await titles() in (ALL - {"shred the letters"}, {"shred the letters"})


async def test_nothing_can_be_added_to_a_card(asked, chat, who, titles, talk_with):
    elsewhere = await talk_with(chat, who)
    await elsewhere("add water the ferns")
    await elsewhere("delete water the ferns")
    other = elsewhere.last.confirmation.id
    own = ids(asked.last.confirmation)
    for items in ([*own, other], [other], [*own, str(uuid4())], []):
        with pytest.raises(Refused):
            await asked.answer("yes", items=items)
    assert await titles() == ALL | {"water the ferns"}


async def test_an_item_is_no_card_of_its_own(asked, chat, who, titles):
    card = asked.last.confirmation
    for item in card.items[1:]:
        with pytest.raises(Refused):
            await chat.confirm(who, item.id, "0" * 64, yes=True)
    with pytest.raises(Refused):
        await asked.answer("yes", digest="0" * 64)
    assert await titles() == ALL


async def test_a_single_card_takes_no_other_item(talk, titles):
    await talk("add shred the letters")
    await talk("delete it")
    with pytest.raises(Refused):
        await talk.answer("yes", items=[str(uuid4())])
    await talk.answer("yes", items=[talk.last.confirmation.id])
    assert await titles() == set()


async def test_nobody_answers_for_another(asked, chat, other, titles):
    card = asked.last.confirmation
    with pytest.raises(Refused):
        await chat.confirm(other, card.id, card.digest, yes=True, items=ids(card))
    assert await titles() == ALL


async def test_a_card_for_several_is_over_after_ten_minutes(asked, titles, clock):
    clock.pass_by(minutes=11)
    with pytest.raises(Refused):
        await asked.answer("yes")
    assert await titles() == ALL


async def test_what_changed_since_is_asked_about_again_and_the_rest_is_done(asked, chat, who, titles, talk_with):
    elsewhere = await talk_with(chat, who)
    await elsewhere("rename call the plumber to call the electrician")
    reply = await asked.answer("yes")
    assert await titles() == {"call the electrician"}
    assert reply.confirmation.card == 'Delete "call the electrician"?'
    assert not reply.confirmation.items


async def test_the_history_shows_the_card_with_all_its_items(asked, chat, who):
    assert (await chat.conversation(who, asked.conversation, 50)).cards == [asked.last.confirmation]


async def test_an_item_that_was_dealt_with_is_off_the_card_and_the_old_card_is_refused(asked, chat, who, titles):
    before = asked.last.confirmation
    await asked("complete the plumber")
    assert asked.last.settled == {before.items[1].id: "superseded"}
    with pytest.raises(Refused):
        await chat.confirm(who, before.id, before.digest, yes=True)
    (card,) = (await chat.conversation(who, asked.conversation, 50)).cards
    assert ids(card) == [before.items[0].id, before.items[2].id]
    await chat.confirm(who, card.id, card.digest, yes=True)
    assert await titles() == {"call the plumber"}


async def test_where_one_item_is_left_it_is_a_card_of_its_own(talk, chat, who, titles):
    for message in ("add call the plumber", "add feed the cat", "delete call the plumber and feed the cat"):
        await talk(message)
    await talk("complete call the plumber")
    (card,) = (await chat.conversation(who, talk.conversation, 50)).cards
    assert (card.card, card.items) == ('Delete "feed the cat"?', ())
    await chat.confirm(who, card.id, card.digest, yes=True)
    assert await titles() == {"call the plumber"}


async def test_a_yes_by_word_answers_the_whole_card(asked, titles):
    await asked("yes")
    assert await titles() == set()
    assert len({deed.undo for deed in asked.last.results}) == 1


async def test_what_is_meant_by_a_description_is_one_card_as_well(talk, chat, who):
    await talk("add shred the letters today")
    await talk("add call the plumber today")
    await talk("push everything from today to tomorrow")
    card = talk.last.confirmation
    assert card.card == "Move these tasks to tomorrow?"
    assert [decision.reason for decision in talk.last.decisions] == ["several", "several"]
    assert [item.arguments["new_due"] for item in card.items] == ["2026-03-11", "2026-03-11"]
    await talk.answer("yes", items=ids(card)[:1])
    dues = sorted(task.due for task in (await chat.tasks(who, ListTasks())).tasks)
    assert dues == ["2026-03-10", "2026-03-11"]


async def test_in_italian(talk, titles):
    for message in ("aggiungi comprare il latte", "aggiungi chiamare la mamma domani"):
        await talk(message)
    await talk("elimina comprare il latte e chiamare la mamma")
    assert talk.last.reply == "Elimino queste attività?\n1. comprare il latte\n2. chiamare la mamma · per domani"
    await talk.answer("yes", items=ids(talk.last.confirmation)[1:])
    assert await titles() == {"comprare il latte"}


ALTERED = {
    "another text": "replace(asked, 'letters', 'bills')",
    "another heading": "replace(asked, 'Delete these', 'Keep these')",
    "another place": "replace(asked, '\"number\":2', '\"number\":4')",
    "another tool": "replace(asked, 'delete_task', 'complete_task')",
    "another group": 'replace(asked, \'"group":"delete_task"\', \'"group":"others"\')',
    "an item inside": 'replace(asked, \'"items":[]\', \'"items":[{"id":"1","card":"","tool":"","arguments":{}}]\')',
}


@pytest.mark.parametrize("how", ["the card", "a word"])
@pytest.mark.parametrize("change", ALTERED.values(), ids=ALTERED)
async def test_a_card_of_which_one_item_was_altered_counts_for_nothing(asked, who, url, titles, change, how):
    with psycopg.connect(url) as connection:
        statement = f"UPDATE sayso.cards SET asked = {change} WHERE user_id = %s AND asked <> {change}"  # noqa: S608
        assert connection.execute(statement, (who.id,)).rowcount
    if how == "the card":
        with pytest.raises(Refused):
            await asked.answer("yes")
    else:
        await asked("yes")
        assert asked.last.results == ()
    assert await titles() == ALL


async def test_an_item_of_which_the_row_is_gone_makes_the_card_void(asked, who, url, titles):
    with psycopg.connect(url) as connection:
        gone = "DELETE FROM sayso.cards WHERE user_id = %s AND id = %s"
        assert connection.execute(gone, (who.id, asked.last.confirmation.items[2].id)).rowcount
    with pytest.raises(Refused):
        await asked.answer("yes")
    assert await titles() == ALL


@pytest.fixture
async def two(talk):
    """Two questions that are no group."""
    await talk("add shred the letters")
    await talk("delete shred the letters and put candles on the shopping list")
    return talk


async def test_two_questions_that_are_no_group_are_two_cards(two, chat, who, titles):
    delete, add = two.last.confirmations
    assert (delete.card, delete.items) == ('Delete "shred the letters"?', ())
    assert (add.card, add.items) == ('You have no list "shopping" yet. Create it with "candles"?', ())
    await chat.confirm(who, add.id, add.digest, yes=True)
    assert await titles() == {"shred the letters", "candles"}
    await chat.confirm(who, delete.id, delete.digest, yes=True)
    assert await titles() == {"candles"}


async def test_a_yes_to_two_questions_asks_which_and_runs_nothing(two, chat, who, titles):
    before = two.last.confirmations
    assert "Which one do you mean?" in await two("yes")
    assert two.last.results == ()
    assert await titles() == {"shred the letters"}
    assert set(two.last.settled.items()) == {(card.id, "superseded") for card in before}
    assert [card.card for card in two.last.confirmations] == [card.card for card in before]
    assert len((await chat.conversation(who, two.conversation, 50)).cards) == 2


@pytest.mark.parametrize("first", [(), ("yes",)], ids=["at once", "after being asked which"])
async def test_a_yes_to_both_answers_both(two, titles, first):
    for message in (*first, "yes to both"):
        await two(message)
    assert await titles() == {"candles"}


async def test_a_no_answers_both(two, chat, who, titles):
    await two("no")
    assert await titles() == {"shred the letters"}
    assert (await chat.conversation(who, two.conversation, 50)).cards == []


async def test_two_questions_in_italian(talk, titles):
    await talk("aggiungi comprare il latte")
    await talk("elimina comprare il latte e aggiungi le candele alla lista della spesa")
    assert len(talk.last.confirmations) == 2
    assert "Quale intendi?" in await talk("sì")
    await talk("sì a tutte e due")
    assert await titles() == {"le candele"}
