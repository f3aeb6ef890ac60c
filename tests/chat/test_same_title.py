"""A title that is open already: adding it again is asked about first, in the chat service and in the terminal."""

from __future__ import annotations

import pytest

from sayso.tasks.values import ListTasks

pytestmark = pytest.mark.anyio


@pytest.fixture
def titles(chat, who):
    async def listed():
        return sorted(task.title for task in (await chat.tasks(who, ListTasks())).tasks or ())

    return listed


async def test_the_same_title_is_asked_about_and_added_on_a_yes(talk, titles):
    await talk("add buy milk")
    assert await talk("add Buy Milk tomorrow") == '"buy milk" is already on your list. Add it again, due tomorrow?'
    (card,) = talk.last.confirmations
    assert card.card == talk.last.reply
    assert await titles() == ["buy milk"]
    assert await talk("yes") == 'I\'ve added "Buy Milk" to your list, due tomorrow.'
    assert await titles() == ["Buy Milk", "buy milk"]


async def test_a_click_on_the_card_adds_it_once(talk, titles):
    await talk("add buy milk")
    await talk("add buy milk")
    await talk.answer("yes")
    await talk.answer("yes")
    assert await titles() == ["buy milk", "buy milk"]


async def test_a_no_leaves_the_list_as_it_is(talk, titles):
    await talk("add buy milk")
    await talk("add buy milk")
    await talk("no")
    assert await titles() == ["buy milk"]


async def test_in_italian(talk, titles):
    await talk("aggiungi comprare il latte")
    assert await talk("aggiungi comprare il latte") == '"comprare il latte" è già nella lista. La aggiungo di nuovo?'
    await talk("sì")
    assert await titles() == ["comprare il latte", "comprare il latte"]


@pytest.mark.parametrize("before", ["complete buy milk", "undo"])
async def test_what_is_done_or_gone_is_not_said_to_be_there(talk, before):
    await talk("add buy milk")
    await talk(before)
    assert "already" not in await talk("add buy milk")


async def test_another_title_is_added_at_once(talk):
    await talk("add buy milk")
    assert await talk("add call mum") == 'I\'ve added "call mum" to your list.'


async def test_it_is_found_on_a_long_list(talk, chat, who, titles):
    for number in range(40):
        await chat.message(who, talk.conversation, f"errand {number}", f"add errand {number} of many")
    await talk("add buy milk")
    for number in range(40, 45):
        await chat.message(who, talk.conversation, f"errand {number}", f"add errand {number} of many")
    assert (await talk("add buy milk")).startswith('"buy milk" is already on your list.')
    assert (await titles()).count("buy milk") == 1
