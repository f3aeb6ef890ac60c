"""Dialogue: answers to open questions, corrections, follow-ups and several wishes in one message."""

from __future__ import annotations

import pytest

from talk import asked, assistant, decide, reply_of, say, task, tasks, user, wanting, which

LIST = (
    task("t1", "Finish the report", due="2026-03-12"),
    task("t2", "Call the bank", due="2026-03-11T15:00"),
    task("t3", "Call Anna"),
    task("t4", "Buy milk"),
    task("t5", "Book the ferry", status="completed", description="Window seat"),
)
DELETE = asked("delete_task", "t1")
UNSURE = asked("complete_task", "t1")
CALLS = which("complete_task", LIST[1], LIST[2])
DELETES = which("delete_task", LIST[1], LIST[2])
DELETED = "call delete_task t1"
CONFIRM_DELETE = "confirm delete_task t1"
ASKED_AGAIN = "confirm delete_task t1"
LISTS = "call list_tasks"


# A question that wants a yes


@pytest.mark.parametrize(
    "message",
    [
        "yes",
        "Yes!",
        "yep",
        "yes please",
        "sure, go ahead",
        "ok do it",
        "um, yeah",
        "y",
        "👍",
        "yes yes yes",
        "of course",
    ],
)
def test_a_yes_runs_what_was_asked_about(message):
    assert say(message, LIST, pending=DELETE) == [DELETED]


@pytest.mark.parametrize(
    "message",
    ["yes, delete it", "yeah get rid of it", "yes, delete the report", "yes, please remove that one", "ok, bin it"],
)
def test_a_yes_that_says_the_act_again_is_a_yes(message):
    assert say(message, LIST, pending=DELETE) == [DELETED]


def test_a_yes_that_says_the_act_and_the_name_again_needs_no_comma():
    assert say("yes delete the report", LIST, pending=DELETE) == [DELETED]


def test_the_evidence_of_a_confirmed_call_is_the_question():
    call = decide("yes", LIST, pending=DELETE)[0]
    assert [proof.source for proof in call.evidence.values()] == ["pending"]


@pytest.mark.parametrize("message", ["yes, it's raining", "sure, my cat is on the table"])
def test_what_is_more_than_assent_is_no_yes_and_is_asked_again(message):
    assert say(message, LIST, pending=DELETE) == [ASKED_AGAIN]


@pytest.mark.parametrize("message", ["what a day", "hm", "really?", "she would say yes", "eggs too", "play some jazz"])
def test_what_does_not_answer_is_decided_by_itself_and_the_question_is_not_repeated(message):
    alone = [line.split()[0] for line in say(message, LIST)]
    assert [line.split()[0] for line in say(message, LIST, pending=DELETE)] == alone == ["none"]


@pytest.mark.parametrize("message", ["yes, the milk", "yes the milk", "ok, the milk one", "yes, buy milk please"])
def test_a_yes_beside_another_name_asks_about_that(message):
    assert say(message, LIST, pending=DELETE) == ["confirm delete_task t4"]


@pytest.mark.parametrize("message", ["yes, the report", "yes the report", "ok, the report one"])
def test_a_yes_beside_the_name_that_was_asked_about_is_a_yes(message):
    assert say(message, LIST, pending=DELETE) == [DELETED]


@pytest.mark.parametrize("message", ['the answer is "yes"', '"yes"', "«yes»", 'he wrote "yes"', "they told me yes"])
def test_a_quoted_or_reported_yes_is_none(message):
    assert DELETED not in say(message, LIST, pending=DELETE)


@pytest.mark.parametrize(
    "message", ['the answer is "yes"', '"yes"', "«yes»", "the answer is “yes”", 'la risposta è "sì"', 'yes "yes"']
)
def test_a_quoted_yes_does_not_pick_the_only_option(message):
    pending = which("complete_task", LIST[0])
    assert say("the answer is yes", LIST, pending=pending) == ["call complete_task t1"]
    assert "call complete_task t1" not in say(message, LIST, pending=pending)


@pytest.mark.parametrize("message", ["eggs too", "and eggs", "also eggs"])
def test_one_more_of_what_is_asked_about_is_no_yes_to_that(message):
    assert say(message, LIST, pending=asked("add_task", title="bread")) == ["call add_task title=eggs"]


@pytest.mark.parametrize("message", ["yes, delete call the bank", "yes, delete the milk one"])
def test_a_yes_with_another_thing_never_deletes_the_first(message):
    assert DELETED not in say(message, LIST, pending=DELETE)


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("right, no", "en"),
        ("yes and no", "en"),
        ("yes... no", "en"),
        ("yes but not now", "en"),
        ("yes, don't", "en"),
        ("fine, leave it", "en"),
        ("ok never mind", "en"),
        ("I'm not sure", "en"),
        ("ok, lascia perdere", "it"),
        ("certo che no", "it"),
    ],
)
def test_a_yes_that_is_taken_back_deletes_nothing(message, lang):
    assert DELETED not in say(message, LIST, pending=DELETE, lang=lang)


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("ok, forget it", "en"),
        ("right, cancel that", "en"),
        ("great, cancel it", "en"),
        ("yes, scratch that", "en"),
        ("yes, wait", "en"),
        ("okay, undo that", "en"),
        ("yes, mark it as done instead", "en"),
        ("sì, anzi no", "it"),
    ],
)
def test_a_yes_that_is_cancelled_in_the_same_breath_deletes_nothing(message, lang):
    assert DELETED not in say(message, LIST, pending=DELETE, lang=lang)


@pytest.mark.parametrize(("message", "lang"), [("sure?", "en"), ("yes?", "en"), ("ok?", "en"), ("sicuro?", "it")])
def test_a_yes_that_asks_back_deletes_nothing(message, lang):
    assert DELETED not in say(message, LIST, pending=DELETE, lang=lang)


@pytest.mark.parametrize(
    ("message", "line"),
    # the act said again is no yes: it is asked about once more
    [("do not delete it", "none cancelled"), ("delete it", CONFIRM_DELETE), ("please delete it", CONFIRM_DELETE)],
)
def test_it_in_an_answer_is_what_was_asked_about(message, line):
    assert say(message, LIST, pending=DELETE) == [line]


def test_a_yes_with_a_further_command_is_both():
    assert say("yep, and then show me the list", LIST, pending=DELETE) == [DELETED, "call list_tasks"]


@pytest.mark.parametrize(
    "message", ["no", "nope", "no thanks", "don't", "never mind", "cancel", "no, keep it", "leave it"]
)
def test_a_no_runs_nothing(message):
    assert say(message, LIST, pending=DELETE) == ["none cancelled"]


def test_a_no_is_answered_with_a_word():
    assert reply_of(decide("no", LIST, pending=DELETE)[0])


def test_a_no_with_a_fresh_command_is_the_command_alone():
    assert say("no, keep it, but show the list", LIST, pending=DELETE) == ["call list_tasks"]
    assert say("no, complete buy milk instead", LIST, pending=DELETE) == ["call complete_task t4"]


def test_a_no_with_another_name_asks_about_that_one():
    assert say("no, the bank one", LIST, pending=DELETE) == ["confirm delete_task t2"]
    assert say("no, buy milk", LIST, pending=DELETE) == ["confirm delete_task t4"]


def test_another_value_changes_what_was_asked_about():
    pending = asked("add_task", title="call mom", due="2026-03-12")
    assert say("friday", LIST, pending=pending) == ["confirm add_task title=call mom due=2026-03-13"]
    assert say("no, friday", LIST, pending=pending) == ["confirm add_task title=call mom due=2026-03-13"]


def test_make_it_changes_what_was_asked_about():
    pending = asked("add_task", title="call mom", due="2026-03-12")
    assert say("make it friday", LIST, pending=pending) == ["confirm add_task title=call mom due=2026-03-13"]


def test_a_fresh_command_drops_the_question():
    assert say("add water the plants", LIST, pending=DELETE) == ["call add_task title=water the plants"]
    assert say("show my tasks", LIST, pending=DELETE) == ["call list_tasks"]


@pytest.mark.parametrize("message", ["yes", "yes, delete it", "go ahead"])
def test_a_target_that_is_gone_is_not_found(message):
    decisions = decide(message, LIST, pending=asked("delete_task", "gone"))
    assert [(one.reason, one.tool) for one in decisions] == [("not_found", "delete_task")]


@pytest.mark.parametrize("message", ["yes", "sure", "ok", "no", "👍", "the second one"])
def test_without_an_open_question_an_answer_answers_nothing(message):
    assert not any(line.startswith(("call", "confirm")) for line in say(message, LIST))


# A question that wants one of several


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("the first one", "t2"),
        ("the second", "t3"),
        ("2", "t3"),
        ("number 1", "t2"),
        ("the last one", "t3"),
        ("Call Anna", "t3"),
        ("anna", "t3"),
        ("the bank one", "t2"),
        ("I mean the one for the bank", "t2"),
        ("t3", "t3"),
        ("the bnak one", "t2"),
    ],
)
def test_an_option_is_picked_by_number_name_or_part_of_a_name(message, found):
    assert say(message, LIST, pending=CALLS) == [f"call complete_task {found}"]


@pytest.mark.parametrize("message", ["the second one", "anna", "Call Anna"])
def test_picking_among_the_options_of_a_delete_asks_for_a_yes(message):
    assert say(message, LIST, pending=DELETES) == ["confirm delete_task t3"]


def test_a_yes_to_a_question_between_two_picks_none():
    assert say("yes", LIST, pending=CALLS) == ["clarify ambiguous t2 t3"]
    assert say("yes", LIST, pending=DELETES) == ["clarify ambiguous t2 t3"]


def test_a_yes_to_the_only_option_picks_it_but_deletes_nothing():
    assert say("yes", LIST, pending=which("complete_task", LIST[1])) == ["call complete_task t2"]
    assert say("yes", LIST, pending=which("delete_task", LIST[1])) == ["confirm delete_task t2"]


@pytest.mark.parametrize("message", ["both", "both of them", "the first two"])
def test_both_in_answer_to_which_is_two_decisions(message):
    assert say(message, LIST, pending=CALLS) == ["call complete_task t2", "call complete_task t3"]
    assert say(message, LIST, pending=DELETES) == ["confirm delete_task t2", "confirm delete_task t3"]


def test_the_other_arguments_of_an_option_are_kept():
    pending = which("update_task", LIST[1], LIST[2], new_priority="high")
    assert say("anna", LIST, pending=pending) == ["call update_task t3 new_priority=high"]


@pytest.mark.parametrize("message", ["never mind", "neither", "no", "forget it"])
def test_which_one_may_be_answered_with_none(message):
    assert say(message, LIST, pending=CALLS) == ["none cancelled"]


def test_a_fresh_command_drops_the_choice():
    assert say("show my tasks", LIST, pending=CALLS) == ["call list_tasks"]


def test_what_picks_nothing_is_decided_by_itself():
    assert say("purple", LIST, pending=CALLS) == ["none out_of_scope"]


def test_a_picked_option_that_is_gone_is_not_found():
    gone = which("complete_task", LIST[1], task("gone", "Call Otto"))
    assert decide("the second one", LIST, pending=gone)[0].reason == "not_found"


# A question that wants a value


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("order new name badges", "call add_task title=order new name badges"),
        ('"Order Badges"', "call add_task title=Order Badges"),
        ("call mom tomorrow", "call add_task title=call mom due=2026-03-11"),
        ("never mind", "none cancelled"),
        ("show my tasks", "call list_tasks"),
    ],
)
def test_a_title_that_was_asked_for_is_taken(message, line):
    assert say(message, LIST, pending=wanting("add_task", "title")) == [line]


@pytest.mark.parametrize(
    ("missing", "message", "line"),
    [
        ("new_due", "friday", "call update_task t1 new_due=2026-03-13"),
        ("new_due", "tomorrow at 5pm", "call update_task t1 new_due=2026-03-11T17:00"),
        ("new_priority", "high", "call update_task t1 new_priority=high"),
        ("new_priority", "no rush", "call update_task t1 new_priority=low"),
        ("new_title", "Send the report", "call update_task t1 new_title=Send the report"),
    ],
)
def test_a_value_that_was_asked_for_is_taken(missing, message, line):
    pending = wanting("update_task", missing, task_identifier="t1")
    assert say(message, LIST, pending=pending) == [line]


def test_a_thing_that_was_asked_for_is_taken():
    assert say("the milk", LIST, pending=wanting("complete_task", "task_identifier")) == ["call complete_task t4"]
    assert say("the milk", LIST, pending=wanting("delete_task", "task_identifier")) == ["confirm delete_task t4"]


# Corrections and follow-ups


ADDED = (user("add call mom on monday"), assistant('Added "Call mom" for Monday.', "t9"))
WITH_MOM = (*LIST, task("t9", "Call mom", due="2026-03-16"))


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("no, I meant Tuesday", "new_due=2026-03-17"),
        ("sorry, I meant friday", "new_due=2026-03-13"),
        ("actually make it high", "new_priority=high"),
        ("actually, make it wednesday", "new_due=2026-03-11"),
        ("no, not monday, tuesday", "new_due=2026-03-17"),
    ],
)
def test_a_correction_changes_the_thing_in_focus(message, change):
    assert say(message, WITH_MOM, ADDED) == [f"call update_task t9 {change}"]


def test_a_correction_with_nothing_in_focus_changes_nothing():
    assert not any(line.startswith("call") for line in say("no, I meant Tuesday", LIST))


LISTED = (user("show my pending tasks"), assistant("Four.", "t1", "t2", "t3", "t4"))


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("only the high priority ones", "call list_tasks filter=pending priority=high"),
        ("which of those are due tomorrow?", "call list_tasks filter=pending due=tomorrow"),
        ("and the completed ones?", "call list_tasks filter=completed"),
        ("what about the overdue ones?", "call list_tasks filter=overdue"),
    ],
)
def test_a_follow_up_narrows_the_last_list_or_replaces_its_filter(message, line):
    assert say(message, LIST, LISTED) == [line]


def test_no_the_other_one_does_the_same_to_the_other_and_puts_the_first_back():
    history = (
        user("complete the call"),
        assistant("Which one?", "t2", "t3"),
        user("complete call the bank"),
        assistant("Done.", "t2"),
    )
    entities = tuple(task("t2", "Call the bank", status="completed") if one.id == "t2" else one for one in LIST)
    assert say("no, the other one", entities, history) == [
        "call update_task t2 new_status=pending",
        "call complete_task t3",
    ]


def test_no_the_other_one_after_a_delete_asks_first():
    history = (
        user("delete the call"),
        assistant("Which?", "t2", "t3"),
        user("delete call anna"),
        assistant("Gone.", "t3"),
    )
    assert say("no, the other one", LIST, history) == ["confirm delete_task t2"]


def test_no_the_other_one_of_three_is_left_alone():
    history = (
        user("list"),
        assistant("Three.", "t1", "t2", "t3"),
        user("complete the report"),
        assistant("Done.", "t1"),
    )
    assert not any(line.startswith("call") for line in say("no, the other one", LIST, history))


# Several wishes in one message


@pytest.mark.parametrize(
    ("message", "lines"),
    [
        ("create a task to water the plants and show me my list", ["call add_task title=water the plants", LISTS]),
        ("complete the report and delete buy milk", ["call complete_task t1", "confirm delete_task t4"]),
        ("mark the milk as done, then list my tasks", ["call complete_task t4", LISTS]),
        ("delete the report. also complete buy milk", ["confirm delete_task t1", "call complete_task t4"]),
        ("complete the call and add buy bread", ["clarify ambiguous t2 t3", "call add_task title=buy bread"]),
        ("complete buy milk, show my list, and who am I?", ["call complete_task t4", LISTS, "call get_user_info"]),
        ("add buy milk and eggs", ["call add_task title=buy milk and eggs"]),
        ("add 'complete the report and delete it'", ["call add_task title=complete the report and delete it"]),
    ],
)  # fmt: skip
def test_each_wish_is_a_decision_of_its_own_in_order(message, lines):
    assert say(message, LIST) == lines


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("move the report to friday and make it high priority", {"new_due": "2026-03-13", "new_priority": "high"}),
        (
            "rename the report to Send the report and set it to low priority",
            {"new_title": "Send the report", "new_priority": "low"},
        ),
    ],
)
def test_several_changes_to_one_thing_are_one_call(message, change):
    (call,) = decide(message, LIST)
    assert (call.tool, call.arguments) == ("update_task", {"task_identifier": "t1", **change})


def test_a_verb_said_once_may_serve_two_things():
    assert say("move the report to friday and the milk to monday", LIST) == [
        "call update_task t1 new_due=2026-03-13",
        "call update_task t4 new_due=2026-03-16",
    ]


def test_the_same_wish_twice_is_one():
    assert say("complete the report, mark the report as done", LIST) == ["call complete_task t1"]


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("add water the plants and mark it high priority", "call add_task title=water the plants priority=high"),
        pytest.param(
            "add water the plants and make it due friday",
            "call add_task title=water the plants due=2026-03-13",
        ),
        pytest.param(
            "add water the plants and set it for friday",
            "call add_task title=water the plants due=2026-03-13",
        ),
        ("add water the plants, it's urgent", "call add_task title=water the plants priority=high"),
    ],
)
def test_what_is_said_of_the_new_task_belongs_to_it(message, line):
    assert say(message, LIST) == [line]


def test_a_moved_task_keeps_its_time_and_a_shift_is_reckoned_from_its_own_date():
    assert say("move call the bank to friday", LIST) == ["call update_task t2 new_due=2026-03-13T15:00"]
    history = (user("when is the report due?"), assistant("On the 12th.", "t1"))
    assert say("push it by a week", LIST, history) == ["call update_task t1 new_due=2026-03-19"]


def test_a_note_is_appended_and_a_description_is_replaced():
    seat = (task("t1", "Book the ferry", description="Window seat"),)
    assert say("add a note to book the ferry: no pets", seat) == [
        "call update_task t1 new_description=Window seat\nno pets"
    ]
    assert say("change the description of book the ferry to no pets", seat) == [
        "call update_task t1 new_description=no pets"
    ]


def test_italian_answers_count_as_english_ones_do():
    things = tasks("Pagare la bolletta", "Chiamare Anna")
    pending = asked("delete_task", "t1")
    assert say("sì", things, pending=pending, lang="it") == [DELETED]
    assert say("no, lascia stare", things, pending=pending, lang="it") == ["none cancelled"]
    assert say("sì, sta piovendo", things, pending=pending, lang="it") == [ASKED_AGAIN]


@pytest.mark.parametrize("act", ["mark {} as done", "complete {}"])
def test_none_of_three_things_is_lost(act):
    names = "finish the report, call the bank and buy milk"
    lines = say(act.format(names), LIST)
    assert len(lines) == len(set(lines)) == 3
    assert all(line.startswith("call complete_task") for line in lines)


def test_a_quotation_is_the_whole_title():
    assert say('add "pick up keys" tomorrow and bin finish the report', LIST) == [
        "call add_task title=pick up keys due=2026-03-11",
        "confirm delete_task t1",
    ]
