"""Turns: answered once and the same ever after, one at a time, on any replica."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from sayso.ledger.errors import MessageReused, NoConversation
from sayso.tasks import operations
from sayso.tasks.values import ListTasks, UpdateTask

pytestmark = pytest.mark.anyio


async def titles(service, who):
    return sorted(task.title for task in (await service.tasks(who, ListTasks())).tasks)


async def test_what_is_said_is_done_and_answered(talk, chat, who):
    assert await talk("add a task to water the ferns") == 'I\'ve added "water the ferns" to your list.'
    assert await talk("mark it as done") == 'Well done! "water the ferns" is completed.'
    assert await titles(chat, who) == ["water the ferns"]
    (deed,) = talk.last.results
    assert deed.result["task"]["status"] == "completed"


async def test_a_message_that_is_sent_again_has_one_effect_and_the_same_answer(chat, who):
    conversation = await chat.open(who)
    first, *others = await asyncio.gather(*(chat.message(who, conversation, "one", "add buy stamps") for _ in range(8)))
    assert all(other == first for other in others)
    assert await titles(chat, who) == ["buy stamps"]


async def test_an_id_that_is_used_for_another_message_is_refused(chat, who):
    conversation = await chat.open(who)
    await chat.message(who, conversation, "one", "add buy stamps")
    with pytest.raises(MessageReused):
        await chat.message(who, conversation, "one", "add buy envelopes")
    assert await titles(chat, who) == ["buy stamps"]


async def test_two_messages_alike_are_two_tasks_after_a_yes(talk, chat, who):
    await talk("add buy stamps")
    await talk("add buy stamps")
    assert await titles(chat, who) == ["buy stamps"]
    await talk("yes")
    assert await titles(chat, who) == ["buy stamps", "buy stamps"]


async def test_nobody_speaks_in_anothers_conversation(chat, who, other):
    conversation = await chat.open(who)
    await chat.open(other)
    for somebody in (other, who):
        with pytest.raises(NoConversation):
            await chat.message(somebody, conversation if somebody is other else uuid4(), "one", "add buy stamps")


async def test_another_replica_goes_on_with_a_conversation(open_chat, who, talk_with):
    async with open_chat() as one, open_chat() as two:
        talk = await talk_with(one, who)
        await talk("add call the plumber")
        reply = await two.message(who, talk.conversation, "x", "delete it")
        assert reply.reply == 'Delete "call the plumber"?'
        assert await talk("yes") == 'I\'ve deleted "call the plumber".'


async def test_several_wishes_of_one_message_are_done_in_order(talk, chat, who):
    reply = await talk("add wash the curtains and show me my list")
    assert reply.splitlines() == [
        'I\'ve added "wash the curtains" to your list.',
        "You have one task:",
        "1. wash the curtains",
    ]
    assert [deed.tool for deed in talk.last.results] == ["add_task", "list_tasks"]
    assert await titles(chat, who) == ["wash the curtains"]


async def test_what_was_chosen_among_several_goes_first_the_next_time(talk):
    await talk("add call the bank")
    await talk("add call the vet")
    await talk("change the priority of call to high")
    first = [option.label for option in talk.last.decisions[0].options]
    await talk("the second one")
    await talk("show my tasks")
    await talk("change the priority of call to low")
    assert [option.label for option in talk.last.decisions[0].options] == list(reversed(first))


async def test_conversations_can_be_read_back(talk, chat, who):
    await talk("add buy stamps")
    await talk("show my tasks")
    turns = (await chat.conversation(who, talk.conversation, 10)).turns
    assert [turn.message for turn in turns] == ["add buy stamps", "show my tasks"]
    assert turns[-1].reply == talk.last


@pytest.mark.parametrize(
    ("words", "undo", "left"),
    [
        ("mark buy stamps as done", "undo that", ("pending", "buy stamps", "medium")),
        ("rename buy stamps to buy envelopes", "take that back please", ("pending", "buy stamps", "medium")),
        ("make buy stamps high priority", "annulla", ("pending", "buy stamps", "medium")),
    ],
)
async def test_what_was_done_last_is_taken_back(talk, chat, who, words, undo, left):
    await talk("add buy stamps")
    await talk(words)
    await talk(undo)
    (task,) = (await chat.tasks(who, ListTasks())).tasks
    assert (task.status, task.title, task.priority) == left


async def test_undo_goes_back_one_after_the_other_until_there_is_nothing_left(talk, chat, who):
    await talk("add buy stamps")
    await talk("delete it")
    await talk("yes")
    assert await titles(chat, who) == []
    await talk("undo")
    assert await titles(chat, who) == ["buy stamps"]
    assert (await chat.undo(who)).reply.startswith("I've undone that.")
    assert await titles(chat, who) == []
    assert await talk("undo") == "There is nothing to undo."


async def test_what_was_changed_since_is_not_taken_back(talk, chat, who):
    await talk("add buy stamps")
    await talk("make it high priority")
    (task,) = (await chat.tasks(who, ListTasks())).tasks
    async with chat.acting(who) as (on, person):
        await operations.update(on, person, UpdateTask(task_identifier=task.id, new_title="buy many stamps"))
    assert "changed since" in await talk("undo")
    (task,) = (await chat.tasks(who, ListTasks())).tasks
    assert (task.title, task.priority) == ("buy many stamps", "high")
