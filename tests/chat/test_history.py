"""A conversation is shown again after a reload as it stood: words, deeds, ways back, open cards and questions."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from sayso.assistant.values import Card
from sayso.chat.turns.model import ModelTier
from sayso.decision import Clarify

pytestmark = pytest.mark.anyio


async def read(chat, who, talk):
    return await chat.conversation(who, talk.conversation, 50)


async def test_words_decisions_evidence_and_deeds_are_there_again(talk, chat, who):
    await talk("add a task to water the ferns")
    (turn,) = (await read(chat, who, talk)).turns
    assert (turn.message, turn.client_message_id, turn.reply) == ("add a task to water the ferns", "m1", talk.last)
    first, last = turn.reply.decisions[0].evidence["title"].span
    assert turn.message[first:last] == "water the ferns"
    assert turn.reply.results[0].undo


async def test_only_what_can_still_be_taken_back_is_offered(talk, chat, who):
    await talk("add buy stamps and add buy envelopes")
    first, second = (deed.undo for deed in talk.last.results)
    await chat.clicks.undo(who, int(second))
    (turn,) = (await read(chat, who, talk)).turns
    assert [deed.undo for deed in turn.reply.results] == [first, None]
    assert turn.reply.undo == first
    again = await chat.message(who, talk.conversation, "m1", "add buy stamps and add buy envelopes")
    assert again == talk.last  # an answer that is given again is the same to the letter


async def test_an_open_card_can_be_answered_after_a_reload(talk, chat, who):
    await talk("add buy stamps")
    await talk("delete it")
    (card,) = (await read(chat, who, talk)).cards
    assert isinstance(card, Card)
    assert card == talk.last.confirmation
    assert (card.record["title"], card.record["version"], card.undo_days) == ("buy stamps", 1, 30)
    reply = await chat.confirm(who, card.id, card.digest, yes=True)
    assert reply.results[0].result["status"] == "success"
    after = await read(chat, who, talk)
    assert after.cards == []
    assert after.turns[-1].message == "Yes"


async def test_a_card_that_is_over_or_was_superseded_is_not_shown_as_open(talk, chat, who, clock):
    await talk("add buy stamps")
    await talk("delete it")
    clock.pass_by(minutes=11)
    assert (await read(chat, who, talk)).cards == []
    await talk("delete buy stamps")
    (card,) = (await read(chat, who, talk)).cards
    await talk("add feed the cat")
    assert [one.id for one in (await read(chat, who, talk)).cards] == [card.id]  # set aside, it can still be clicked
    assert card == (await read(chat, who, talk)).turns[-2].reply.confirmation


async def test_an_open_question_has_its_options_after_a_reload(talk, chat, who):
    await talk("add call the bank")
    await talk("add call the vet")
    await talk("yes")
    await talk("mark call as done")
    question = (await read(chat, who, talk)).question
    assert isinstance(question, Clarify)
    assert [option.label for option in question.options] == [o.label for o in talk.last.decisions[0].options]
    await talk("the second one")
    assert (await read(chat, who, talk)).question is None


async def test_a_conversation_in_which_nothing_was_said_is_empty(chat, who):
    conversation = await chat.open(who)
    history = await chat.conversation(who, conversation, 50)
    assert (history.turns, history.cards, history.question, history.thinking) == ([], [], None, None)


class Slow:
    """A model that talks, once it may."""

    def __init__(self):
        self.asked, self.may = asyncio.Event(), asyncio.Event()

    async def answer(self, **_):
        self.asked.set()
        await self.may.wait()
        return "Ferns like the shade."


async def test_a_message_that_waits_for_a_model_is_shown_as_waiting_and_its_answer_as_the_models(
    open_chat, who, talk_with
):
    model = Slow()
    tier = ModelTier(model, [], deadline=5, claims=lambda *_: True)
    async with open_chat(model=tier) as chat:
        talk = await talk_with(chat, who)
        await talk("add water the ferns")
        waiting = asyncio.create_task(talk("what do ferns like"))
        await model.asked.wait()
        history = await read(chat, who, talk)
        thinking = history.thinking
        assert (thinking.client_message_id, thinking.message) == ("m2", "what do ferns like")
        assert [turn.message for turn in history.turns] == ["add water the ferns"]
        model.may.set()
        assert await waiting == "Ferns like the shade."
        history = await read(chat, who, talk)
        assert history.thinking is None
        assert [turn.reply.by_model for turn in history.turns] == [False, True]
        kinds = {entry.kind: entry.body for entry in await chat.trail(who, 0, 100)}
        assert '"by_model":true' in kinds["reply"]


async def test_conversations_are_listed_with_the_one_used_last_first(chat, who, other, talk_with, clock):
    first, second = await talk_with(chat, who), await talk_with(chat, who)
    clock.pass_by(minutes=1)
    await second("add buy stamps")
    clock.pass_by(minutes=1)
    await first("show my tasks")
    clock.pass_by(minutes=1)
    empty = await chat.open(who)
    await chat.open(other)
    listed = await chat.conversations(who, 10)
    assert [(each.id, each.words) for each in listed] == [
        (empty, None), (first.conversation, "show my tasks"), (second.conversation, "add buy stamps")
    ]  # fmt: skip
    assert len(await chat.conversations(who, 1)) == 1


async def test_over_http_it_is_as_described(client):
    conversation = (await client.post("/v1/conversations")).json()["id"]
    for number, words in enumerate(("add buy stamps", "delete it")):
        body = {"client_message_id": f"m{number}", "content": words}
        await client.post(f"/v1/conversations/{conversation}/messages", json=body)
    history = (await client.get(f"/v1/conversations/{conversation}/messages")).json()
    assert set(history) == {"turns", "cards", "question", "thinking"}
    assert history["cards"][0]["card"] == 'Delete "buy stamps"?'
    (listed,) = (await client.get("/v1/conversations")).json()["conversations"]
    assert (listed["id"], listed["words"]) == (conversation, "delete it")
    assert (await client.get(f"/v1/conversations/{uuid4()}/messages")).status_code == 404
