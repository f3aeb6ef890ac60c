"""Lists that are narrowed and leafed through, over several turns."""

from __future__ import annotations

import pytest

from talk import assistant, decide, say, task, tasks, user

MANY = tasks("Water the ficus", "Call the plumber", "Tax return", "Return the drill", "Fix the bike lights", "Call Ada")


def shown(asked, *ids):
    return (user(asked), assistant("Here they are.", *ids))


FIRST = shown("show me 2 pending tasks", "t1", "t2")
SECOND = (*FIRST, *shown("next page", "t3", "t4"))
THIRD = (*SECOND, *shown("more", "t5", "t6"))


@pytest.mark.parametrize(
    ("history", "message", "arguments"),
    [
        (FIRST, "next page", {"filter": "pending", "limit": 2, "offset": 2}),
        (SECOND, "show more", {"filter": "pending", "limit": 2, "offset": 4}),
        (THIRD, "next", {"filter": "pending", "limit": 2, "offset": 6}),
        (THIRD, "previous page", {"filter": "pending", "limit": 2, "offset": 2}),
        (SECOND, "go back", {"filter": "pending", "limit": 2}),
        (FIRST, "previous", {"filter": "pending", "limit": 2}),
        (THIRD, "first page", {"filter": "pending", "limit": 2}),
        (SECOND, "show me 3 more", {"filter": "pending", "limit": 3, "offset": 4}),
    ],
)
def test_a_page_begins_where_the_last_one_ended(history, message, arguments):
    (decision,) = decide(message, MANY, history)
    assert (decision.tool, decision.arguments) == ("list_tasks", arguments)


def test_a_page_without_a_size_is_as_long_as_the_tool_makes_it():
    assert say("next page", MANY, shown("show my tasks", "t1", "t2")) == ["call list_tasks offset=50"]


def test_what_narrowed_the_list_still_holds_on_its_next_page():
    history = (*FIRST, *shown("only the high priority ones", "t1", "t2"))
    (decision,) = decide("next page", MANY, history)
    assert decision.arguments == {"filter": "pending", "limit": 2, "priority": "high", "offset": 2}


def test_a_narrower_list_begins_with_its_first_page():
    (decision,) = decide("only the high priority ones", MANY, THIRD)
    assert decision.arguments == {"filter": "pending", "limit": 2, "priority": "high"}


def test_a_list_that_nobody_asked_for_has_pages_too():
    assert say("show more", MANY, [assistant("Good morning.", "t1", "t2", "t3")]) == ["call list_tasks offset=50"]


@pytest.mark.parametrize("message", ["next page", "show more", "go back", "more", "continue", "previous"])
def test_where_no_list_was_shown_there_are_no_pages(message):
    assert say(message, MANY) == ["none out_of_scope"]
    assert say(message, MANY, [user("add milk"), assistant("Added.", "t1")])[0].startswith("none")


def test_the_offset_comes_from_the_conversation():
    (decision,) = decide("next page", MANY, FIRST)
    assert {name: proof.source for name, proof in decision.evidence.items()} == {
        "filter": "history",
        "limit": "history",
        "offset": "history",
    }


@pytest.mark.parametrize(
    ("message", "line"),
    [("pagina successiva", "call list_tasks offset=50"), ("torna indietro", "call list_tasks")],
)
def test_italian_pages(message, line):
    history = (user("mostrami le attività"), assistant("Eccole.", "t1", "t2"))
    assert say(message, MANY, history, lang="it") == [line]


def test_the_next_page_is_no_second_request():
    assert say("what's on the next page?", MANY, FIRST) == ["call list_tasks filter=pending limit=2 offset=2"]


def test_the_words_of_a_wish_are_no_title():
    assert say("I need to know what's on my list", MANY) == ["call list_tasks"]


def test_the_first_task_is_no_title():
    assert not any(line.startswith("call add_task") for line in say("add the first task", MANY))


def test_a_number_after_the_word_for_a_thing_counts_down_the_list():
    assert say("task 2 is done", MANY, FIRST) == ["call complete_task t2"]
    assert say("task number 2 completed", MANY, FIRST) == ["call complete_task t2"]


def test_the_language_that_explains_more_is_read():
    entities = (*MANY, task("t9", "Purchase a cinema ticket"))
    assert say("task completed purchase a cinema ticket", entities, lang=None) == ["call complete_task t9"]
    assert say("aggiungi un task: call the bank", lang=None) == ["call add_task title=call the bank"]


@pytest.mark.parametrize("verb", ["put", "write", "throw", "stick"])
def test_the_verb_of_a_command_is_no_part_of_a_name_for_a_list(verb):
    things = (task("t1", "Milk", list="groceries"),)
    assert say(f"{verb} cheese on the groceries list", things) == ["call add_task title=cheese list=groceries"]
