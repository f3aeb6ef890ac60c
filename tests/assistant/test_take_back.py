"""Undo by word: the last deed is taken back, a group of them at once, and what was just added is dropped."""

from __future__ import annotations

import asyncio

import pytest

from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.decider import Decider
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.tasks.store.memory import MemoryTasks
from talk import DECIDER, NOW

ASSISTANT = Assistant(DECIDER, load_answers(pack_folder("tasks")))
WITH_READER = Assistant(Decider.installed(), ASSISTANT.answers)


def left(*messages, assistant=ASSISTANT):
    """The titles that are on the list after these messages."""
    hands = MemoryTasks(lambda: NOW, user={"id": "ada", "name": "Ada"}, language="en")
    conversation = Conversation(assistant, hands, clock=lambda: NOW)

    async def talk():
        for message in messages:
            await conversation.say(message)
        return sorted(thing.text("title") for thing in await hands.things("") if thing.text("status") == "pending")

    return asyncio.run(talk())


BOTH = ("add oil the hinges", "add mow the lawn")


@pytest.mark.parametrize(
    "message", ["undo", "bring them back", "Oh, I still need them. Undo that.", "cancel", "annulla"]
)
def test_a_group_is_taken_back_at_once(message):
    assert left(*BOTH, "delete oil the hinges and mow the lawn", "yes") == []
    assert left(*BOTH, "delete oil the hinges and mow the lawn", "yes", message) == ["mow the lawn", "oil the hinges"]


@pytest.mark.parametrize("message", ["scratch that", "no, forget that one", "undo", "cancel that"])
def test_what_was_just_added_is_dropped(message):
    assert left(*BOTH, message) == ["oil the hinges"]


def test_scratch_that_means_nothing_later_on():
    assert left(*BOTH, "show my tasks", "scratch that") == ["mow the lawn", "oil the hinges"]


@pytest.mark.parametrize("message", ["buy eggs, milk and bread", "call mum tomorrow", "show my tasks", "no"])
def test_what_was_asked_about_is_not_added_without_a_yes(message):
    assert left("I need to pick up the kids at 4") == []
    assert "pick up the kids" not in left("I need to pick up the kids at 4", message)


def test_undo_goes_back_step_by_step():
    assert left(*BOTH, "undo", "undo") == []


def test_cancel_answers_an_open_question_and_takes_nothing_back():
    assert left(*BOTH, "delete mow the lawn", "cancel") == ["mow the lawn", "oil the hinges"]


def test_a_command_beside_an_undo_is_not_lost():
    assert "buy candles" in left(*BOTH, "undo that, add buy candles")


def test_two_questions_that_are_no_group_are_answered_by_yes_to_both():
    asked = (*BOTH, "delete mow the lawn. I should buy candles")
    assert left(*asked, "yes") == ["mow the lawn", "oil the hinges"]
    assert left(*asked, "yes to both") == ["buy candles", "oil the hinges"]


@pytest.mark.parametrize("message", ["I got that wrong... undo what I just did", "undo that lol, wrong one"])
def test_the_reader_undoes_the_last_change_where_the_rules_cannot(message):
    assert left(*BOTH, message, assistant=WITH_READER) == ["oil the hinges"]


def test_undo_everything_undoes_nothing():
    assert left(*BOTH, "undo everything", assistant=WITH_READER) == ["mow the lawn", "oil the hinges"]
