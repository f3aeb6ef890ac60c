"""Link: what the person's words for a thing point at."""

from __future__ import annotations

import pytest

from sayso.decision import Clarify
from talk import assistant, decide, say, task, tasks, user

LIST = (
    task("t1", "Buy milk"),
    task("t2", "Buy milk for Anna"),
    task("t3", "Back up the Mac"),
    task("t4", "Call the bank"),
    task("t5", "Finish the quarterly report"),
    task("t6", "Parking fine", status="completed"),
    task("t7", "Renew the parking permit"),
)
SHOWN = (user("show my tasks"), assistant("Here they are.", "t1", "t3", "t4", "t5"))
TWO = (user("what's due today?"), assistant("Two things.", "t3", "t4"))
ONE = (user("when do I call the bank?"), assistant("It has no date.", "t4"))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("t5", "t5"),
        ("T5", "t5"),
        ("task t5", "t5"),
        ("#t5", "t5"),
        ('"Back up the Mac"', "t3"),
        ("'back up the mac'", "t3"),
        ("«Call the bank»", "t4"),
        ("buy milk", "t1"),
        ("Buy milk for Anna", "t2"),
        ("the milk for Anna", "t2"),
        ("anna's milk", "t2"),
        ("the mac backup", "t3"),
        ("backup the mac", "t3"),
        ("the quarterly report", "t5"),
        ("report quarterly finish", "t5"),
        ("the quaterly reprot", "t5"),
        ("the bank one", "t4"),
        ("the call to the bank", "t4"),
        ("my parking permit task", "t7"),
    ],
)
def test_one_thing_is_found(words, found):
    assert say(f"complete {words}", LIST) == [f"call complete_task {found}"]


def test_several_that_fit_alike_are_all_offered():
    two = tasks("Call Anna", "Call Bob", "Water the plants")
    assert say("complete the call", two) == ["clarify ambiguous t1 t2"]


def test_the_same_title_twice_is_a_question_even_when_said_whole():
    assert say("complete buy milk", tasks("Buy milk", "Buy milk")) == ["clarify ambiguous t1 t2"]


def test_what_is_not_there_is_said_to_be_missing_with_what_comes_near():
    asks = decide("delete the bank statement reminder", LIST)[0]
    assert isinstance(asks, Clarify)
    assert asks.reason == "not_found"
    assert [option.label for option in asks.options] == ["Call the bank"]
    assert "Call the bank" in asks.question


@pytest.mark.parametrize("words", ["finish the yearly report", "renew the fishing permit", "buy milk for Otto"])
def test_another_word_in_the_place_of_one_of_the_name_is_asked_about(words):
    asks = decide(f"complete {words}", LIST)[0]
    assert isinstance(asks, Clarify)


def test_what_nothing_comes_near_has_no_options():
    asks = decide("delete the trumpet lesson", LIST)[0]
    assert (asks.reason, asks.options) == ("not_found", ())
    assert "trumpet lesson" in asks.question


def test_more_than_five_are_counted_in_the_question():
    many = tasks(*(f"Call client number {name}" for name in ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus")))
    asks = decide("delete the client call", many)[0]
    assert len(asks.options) == 5
    assert "2 more" in asks.question


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("the first one", ["t1"]),
        ("the second", ["t3"]),
        ("number 3", ["t4"]),
        ("#4", ["t5"]),
        ("the last one", ["t5"]),
        ("the third task", ["t4"]),
        ("the first two", ["t1", "t3"]),
        ("the last two", ["t4", "t5"]),
        ("the first and the third", ["t1", "t4"]),
    ],
)
def test_a_position_counts_down_the_last_list(words, found):
    assert say(f"complete {words}", LIST, SHOWN) == [f"call complete_task {identifier}" for identifier in found]


def test_a_position_counts_the_last_turn_that_showed_several():
    history = (*SHOWN, user("and the bank?"), assistant("No date yet.", "t4"))
    assert say("complete the second one", LIST, history) == ["call complete_task t3"]


def test_a_position_with_no_list_shown_is_a_question():
    assert say("complete the second one", LIST) == ["clarify missing task_identifier"]
    assert say("complete the second one", LIST, ONE) == ["clarify missing task_identifier"]


def test_a_position_beyond_the_list_is_not_found():
    assert decide("complete number 9", LIST, SHOWN)[0].reason == "not_found"


def test_a_position_of_something_that_is_gone_is_not_found():
    history = (user("list"), assistant("Two.", "gone", "t4"))
    assert decide("complete the first one", LIST, history)[0].reason == "not_found"


def test_a_title_that_sounds_like_a_position_is_a_title():
    drafts = tasks("The second draft", "Buy milk", "Call the bank")
    history = (user("list"), assistant("Three.", "t3", "t2", "t1"))
    assert say("complete the second draft", drafts, history) == ["call complete_task t1"]


@pytest.mark.parametrize("words", ["it", "that", "that one", "this task", "that thing"])
def test_a_pronoun_with_one_thing_in_focus_is_that_thing(words):
    assert say(f"complete {words}", LIST, ONE) == ["call complete_task t4"]


def test_a_pronoun_with_several_in_focus_is_a_question_most_recent_first():
    assert say("complete it", LIST, TWO) == ["clarify ambiguous t4 t3"]


def test_a_pronoun_with_nothing_in_focus_is_a_question():
    assert say("complete it", LIST) == ["clarify missing task_identifier"]
    assert say("delete that", LIST) == ["clarify missing task_identifier"]


def test_a_pronoun_means_what_was_named_before_in_the_same_message():
    assert say("the bank call, mark it as done", LIST, ONE) == ["call complete_task t4"]
    assert say("the mac backup, mark it as done", LIST, ONE) == ["call complete_task t3"]


def test_a_topic_may_be_set_off_by_a_colon():
    assert say("the mac backup: mark it as done", LIST, ONE) == ["call complete_task t3"]


def test_a_pronoun_for_something_that_is_gone_is_a_question():
    history = (user("add tea"), assistant("Added.", "gone"))
    assert say("complete it", LIST, history) == ["clarify missing task_identifier"]


def test_focus_is_found_in_the_text_where_the_turn_does_not_say():
    history = (user("what about the bank?"), assistant('"Call the bank" has no date.'))
    assert say("complete it", LIST, history) == ["call complete_task t4"]


def test_when_one_reply_names_two_things_the_object_of_the_action_is_in_focus():
    history = (user("mark the mac backup as done"), assistant("Done. Next is Call the bank.", "t3", "t4"))
    assert say("delete it", LIST, history) == ["confirm delete_task t3"]


@pytest.mark.parametrize("words", ["both", "both of them", "those two", "them both"])
def test_both_is_one_decision_for_each(words):
    assert say(f"complete {words}", LIST, TWO) == ["call complete_task t3", "call complete_task t4"]


def test_both_of_a_name_is_one_decision_for_each():
    calls = tasks("Call Anna", "Call Bob", "Water the plants")
    assert say("complete both calls", calls) == ["call complete_task t1", "call complete_task t2"]


def test_both_with_no_two_things_in_sight_is_a_question():
    assert say("complete both", LIST) == ["clarify missing task_identifier"]


@pytest.mark.parametrize(
    "message",
    [
        "delete all my tasks",
        "complete everything",
        "mark all of them as done",
        "delete every task",
    ],
)
def test_the_whole_list_is_never_changed_at_once(message):
    assert say(message, LIST, SHOWN) == ["none unsupported"]


def test_completed_ones_are_no_candidates_for_completing():
    assert say("complete the parking one", LIST) == ["call complete_task t7"]
    assert say("complete buy milk", (task("t1", "Buy milk", status="completed"), task("t2", "Buy milk"))) == [
        "call complete_task t2"
    ]


def test_a_completed_one_is_no_candidate_even_when_its_whole_name_is_said():
    assert decide("complete parking fine", LIST)[0].reason == "not_found"


def test_pending_ones_are_no_candidates_for_reopening():
    assert say("reopen the parking one", LIST) == ["call update_task t6 new_status=pending"]


def test_every_one_is_a_candidate_for_deleting():
    assert say("delete the parking one", LIST) == ["clarify ambiguous t6 t7"]
