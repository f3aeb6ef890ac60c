"""A conversation held in memory: it remembers what was said, asked and done, and forgets what was taken back."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
import pytest

from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.decider import Decider
from sayso.packs.answers import Answers, load_answers
from sayso.packs.load import pack_folder
from sayso.tasks.store.memory import MemoryTasks

NOW = datetime.fromisoformat("2026-11-15T11:00:00+01:00")

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module")
def assistant():
    return Assistant(Decider.installed(), load_answers(pack_folder("tasks")))


class Clock:
    """A clock that a test may put forward."""

    def __init__(self):
        self.now = NOW

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def hands(clock):
    return MemoryTasks(clock)


@pytest.fixture
def conversation(assistant, hands, clock):
    return Conversation(assistant, hands, clock=clock)


async def said(conversation, *messages):
    """The answer to the last of these messages."""
    for message in messages:
        reply = await conversation.say(message)
    return reply


async def titles(hands):
    return [thing.text("title") for thing in await hands.things("")]


async def test_what_was_listed_can_be_pointed_at(conversation):
    reply = await said(
        conversation, "add buy milk", "add a task to call Bob", "show my tasks", "complete the second one"
    )
    assert reply.reply == 'Well done! "call Bob" is completed.'


async def test_a_question_is_answered_by_the_next_message(conversation, hands):
    asked = await said(conversation, "add buy milk", "add buy bread", "delete buy")
    assert [option.label for option in asked.decisions[0].options] == ["buy milk", "buy bread"]
    card = await conversation.say("the second one")
    assert card.confirmation.card == 'Delete "buy bread"?'
    assert await titles(hands) == ["buy milk", "buy bread"]
    assert (await conversation.say("yes")).reply == 'I\'ve deleted "buy bread".'
    assert await titles(hands) == ["buy milk"]


async def test_a_card_can_be_answered_by_itself_and_once(conversation, hands):
    card = (await said(conversation, "add buy milk", "delete buy milk")).confirmation
    assert (await conversation.settle(card, yes=True)).reply == 'I\'ve deleted "buy milk".'
    again = await conversation.settle(card, yes=True)
    assert again.reply.startswith("That question was already answered")
    assert again.results == ()
    assert await titles(hands) == []


async def test_a_no_to_a_card_leaves_everything(conversation, hands):
    card = (await said(conversation, "add buy milk", "delete buy milk")).confirmation
    assert (await conversation.settle(card, yes=False)).reply == "All right, I left everything as it is."
    assert (await conversation.settle(card, yes=True)).results == ()
    assert await titles(hands) == ["buy milk"]


async def test_a_card_that_took_too_long_is_asked_again(conversation, hands, clock):
    card = (await said(conversation, "add buy milk", "delete buy milk")).confirmation
    clock.now += timedelta(hours=1)
    reply = await conversation.settle(card, yes=True)
    assert reply.confirmation.id != card.id
    assert await titles(hands) == ["buy milk"]


async def test_a_card_for_several_can_be_answered_for_some(conversation, hands):
    card = (
        await said(conversation, "add buy milk", "add call Bob", "add feed the cat", "delete milk, Bob and the cat")
    ).confirmation
    items = [item.id for item in card.items]
    assert len(items) == 3
    assert (await conversation.settle(card, yes=True, items=[*items, "x"])).results == ()
    done = await conversation.settle(card, yes=True, items=items[1:])
    assert done.settled == dict(zip(items, ("declined", "done", "done"), strict=True))
    assert await titles(hands) == ["buy milk"]
    assert (await conversation.settle(card, yes=True)).results == ()
    await conversation.undo()
    assert len(await titles(hands)) == 3


async def test_without_words_for_several_each_question_is_a_card_and_one_yes_answers_all(assistant, hands, clock):
    answers = Answers({"en": msgspec.structs.replace(assistant.answers.book("en"), several=None)})
    conversation = Conversation(Assistant(assistant.decider, answers), hands, clock=clock)
    asked = await said(conversation, "add buy milk", "add call Bob", "delete the milk and Bob")
    assert [card.card for card in asked.confirmations] == ['Delete "buy milk"?', 'Delete "call Bob"?']
    await conversation.say("yes")
    assert await titles(hands) == []


async def test_things_are_taken_back_one_after_the_other(conversation, hands):
    await said(conversation, "add buy milk", "add a task to call Bob", "complete buy milk")
    for left in (["buy milk", "call Bob"], ["buy milk"], []):
        assert (await conversation.undo()).reply.startswith("I've undone that.")
        assert await titles(hands) == left
    assert (await conversation.undo()).reply == "There is nothing to undo."


async def test_undo_may_be_said_in_words(conversation, hands):
    reply = await said(conversation, "add buy milk", "oops, undo that please")
    assert reply.reply == 'I\'ve undone that. "buy milk" is off your list again.'
    assert await titles(hands) == []


async def test_the_language_is_found_and_kept(conversation):
    assert (await conversation.say("aggiungi comprare il latte")).reply == 'Ho aggiunto "comprare il latte" alla lista.'
    assert (conversation.lang, (await conversation.undo()).reply) == (
        "it",
        'Ho annullato la modifica. "comprare il latte" non è più nella lista.',
    )


async def test_a_language_that_was_asked_for_is_spoken(assistant, hands, clock):
    conversation = Conversation(assistant, hands, clock=clock, lang="it")
    assert (await conversation.say("ok")).reply.startswith("Eccomi")


async def test_what_was_chosen_goes_first_the_next_time(conversation):
    await said(conversation, "add buy milk", "add buy bread", "complete buy", "the second one", "/")
    asked = await said(conversation, "reopen buy bread", "complete buy")
    assert asked.decisions[0].options[0].label == "buy bread"


async def test_why_is_kept_with_its_words(conversation):
    await said(conversation, "add buy milk", "mark it as done")
    case, answer = conversation.decided
    assert (case.message, answer.decisions[0].tool) == ("mark it as done", "complete_task")
    assert answer.decisions[0].evidence["task_identifier"].entity == "t1"


async def test_what_was_put_back_is_what_is_spoken_of(conversation):
    await said(conversation, "add a task to buy milk", "add a task to call Bob", "delete buy milk", "yes", "undo that")
    assert (await conversation.say("mark it as done")).reply == 'Well done! "buy milk" is completed.'


class Full:
    """A file on a disk that is full for a while."""

    def __init__(self):
        self.full = False

    def stamp(self):
        return None

    def save(self, _kept):
        if self.full:
            raise OSError("no space left on device")


async def test_what_could_not_be_taken_back_now_can_be_later(assistant, clock):
    file = Full()
    conversation = Conversation(assistant, MemoryTasks(clock, file=file), clock=clock)
    await conversation.say("add a task to buy milk")
    file.full = True
    assert (await conversation.undo()).reply.startswith("I can't reach your tasks")
    assert (await conversation.say("add a task to buy bread")).reply.startswith("I can't reach your tasks")
    file.full = False
    assert (await conversation.undo()).reply == 'I\'ve undone that. "buy milk" is off your list again.'
