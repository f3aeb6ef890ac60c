"""Several things at once: one decision for each, and one question where they need one."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from sayso.decision import Clarify, Confirm
from talk import DECIDER, assistant, case, decide, say, task, user

THINGS = (
    task("t1", "Oil the hinges", due="2026-03-10"),
    task("t2", "Mow the lawn", due="2026-03-10T15:00"),
    task("t3", "Sweep the yard", due="2026-03-12"),
    task("t4", "Buy candles"),
    task("t5", "Fold the towels", status="completed"),
    task("t6", "Sort the nails", status="completed"),
)
SHOWN = (user("show my tasks"), assistant("Here they are.", "t1", "t2", "t3"))
TOWELS = ["confirm delete_task t5", "confirm delete_task t6"]
TOMORROW = ["confirm update_task t1 new_due=2026-03-11", "confirm update_task t2 new_due=2026-03-11T15:00"]


def reasons(decisions):
    return {(one.reason, one.group) for one in decisions if isinstance(one, Confirm)}


@pytest.mark.parametrize(
    ("message", "lang", "lines"),
    [
        ("clear all completed", "en", TOWELS),
        ("delete the completed ones", "en", TOWELS),
        ("get rid of everything that's done", "en", TOWELS),
        ("delete the done ones", "en", TOWELS),
        ("clear out the completed ones", "en", TOWELS),
        ("togli le cose fatte", "it", TOWELS),
        ("elimina tutte quelle completate", "it", TOWELS),
        ("push everything from today to tomorrow", "en", TOMORROW),
        ("move all of today's tasks to tomorrow", "en", TOMORROW),
        ("push the rest of today's to tomorrow", "en", TOMORROW),
        ("sposta a domani tutto quello di oggi", "it", TOMORROW),
        ("move everything left for today to tomorrow", "en", TOMORROW),
        ("move everything that's still open for today to tomorrow", "en", TOMORROW),
        ("sposta a domani tutto quello che è rimasto di oggi", "it", TOMORROW),
        ("tick them all off", "en", [f"confirm complete_task {one}" for one in ("t1", "t2", "t3")]),
    ],
)
def test_things_that_are_described_are_one_group(message, lang, lines):
    assert say(message, THINGS, SHOWN, lang=lang) == lines
    assert reasons(decide(message, THINGS, SHOWN, lang=lang)) == {("several", "several")}


TODAYS = ["confirm complete_task t1", "confirm complete_task t2"]


@pytest.mark.parametrize(
    ("message", "lang", "lines"),
    [
        ("complete everything due today", "en", TODAYS),
        ("tick off all tasks due today", "en", TODAYS),
        ("mark everything for today as done", "en", TODAYS),
        ("everything due today is done", "en", TODAYS),
        ("i've done everything due today", "en", TODAYS),
        ("tick off all of today's tasks", "en", TODAYS),
        ("completa tutto per oggi", "it", TODAYS),
        ("spunta tutte le attività di oggi", "it", TODAYS),
        ("delete everything due thursday", "en", ["confirm delete_task t3"]),
        ("delete anything that's done", "en", TOWELS),
        ("get rid of anything completed", "en", TOWELS),
    ],
)
def test_a_date_means_some_and_not_the_whole_list(message, lang, lines):
    assert say(message, THINGS, lang=lang) == lines


def test_a_date_to_go_to_deletes_nothing():
    (line,) = say("everything due today can go to friday", THINGS)
    assert "delete_task" not in line


def test_anything_alone_is_the_whole_list():
    assert say("delete anything", THINGS) == ["none unsupported"]
    assert say("don't delete anything", THINGS) == ["none out_of_scope"]


LATE = (
    task("t1", "Oil the hinges", due="2026-03-09"),
    task("t2", "Mow the lawn", due="2026-03-10T08:00"),
    task("t3", "Sweep the yard", due="2026-03-10"),
    task("t4", "Buy candles"),
    task("t5", "Fold the towels", status="completed", due="2026-03-01"),
)
MOVED = ["confirm update_task t1 new_due=2026-03-13", "confirm update_task t2 new_due=2026-03-13T08:00"]


@pytest.mark.parametrize(
    ("message", "lang", "lines"),
    [
        ("move everything overdue to friday", "en", MOVED),
        ("push all overdue tasks to friday", "en", MOVED),
        ("move the overdue ones to friday", "en", MOVED),
        ("push the late ones to friday", "en", MOVED),
        ("sposta a venerdì tutto quello che è scaduto", "it", MOVED),
        ("sposta tutte le attività scadute a venerdì", "it", MOVED),
        ("complete everything overdue", "en", TODAYS),
        ("completa tutte quelle in ritardo", "it", TODAYS),
        ("delete all overdue tasks", "en", ["confirm delete_task t1", "confirm delete_task t2"]),
        ("elimina tutte le scadute", "it", ["confirm delete_task t1", "confirm delete_task t2"]),
    ],
)
def test_overdue_things_are_open_ones_whose_date_is_past(message, lang, lines):
    assert say(message, LATE, lang=lang) == lines


def test_a_period_may_be_where_things_come_from_or_go():
    week = [f"confirm update_task {one} new_due=2026-03-16" for one in ("t1", "t2", "t3")]
    assert say("move everything from this week to next week", THINGS) == week
    assert say("move everything to next week", THINGS) == [*week, "confirm update_task t4 new_due=2026-03-16"]


def test_several_things_never_get_one_name():
    assert say("rename everything to chores", THINGS) == ["none unsupported"]
    assert say("rename the shed list to yard", (task("t1", "Nails", list="shed"), task("t2", "Oil", list="shed"))) == [
        "clarify missing task_identifier"
    ]


@pytest.mark.parametrize("message", ["delete mow the lawn and buy candles", "remove the lawn + the candles"])
def test_named_things_that_are_deleted_are_one_group(message):
    assert say(message, THINGS) == ["confirm delete_task t2", "confirm delete_task t4"]
    assert reasons(decide(message, THINGS)) == {("destructive", "delete_task")}


def test_one_question_is_no_group():
    (one,) = decide("delete mow the lawn", THINGS)
    assert one.group is UNSET


def test_named_things_that_are_done_are_done_at_once():
    assert say("i did the lawn and the yard", THINGS) == ["call complete_task t2", "call complete_task t3"]
    assert say("complete 1 and 3", THINGS, SHOWN) == ["call complete_task t1", "call complete_task t3"]


@pytest.mark.parametrize("message", ["delete the candles and bread", "delete the candles, the lawn and bread"])
def test_a_name_that_is_not_there_is_not_found_and_never_added(message):
    after_an_add = (user("add buy candles"), assistant('I\'ve added "Buy candles" to your list.', "t4"))
    lines = say(message, THINGS, after_an_add)
    assert lines[-1] == "clarify not_found task_identifier"
    assert not any("add_task" in line for line in lines)


@pytest.mark.parametrize("message", ["delete all tasks", "wipe everything", "delete everything", "complete everything"])
def test_the_whole_list_is_one_at_a_time(message):
    assert say(message, THINGS, SHOWN) == ["none unsupported"]


def test_of_a_group_only_a_yes_or_a_no_counts():
    first = decide("delete mow the lawn and buy candles", THINGS)[0]
    assert say("yes", THINGS, pending=first) == ["call delete_task t2"]
    assert say("no", THINGS, pending=first) == ["none cancelled"]
    assert say("friday", THINGS, pending=first) == say("friday", THINGS)


@pytest.mark.parametrize(
    ("message", "lang"), [("search ann", "en"), ("email", "en"), ("task", "en"), ("search ann", "it")]
)
def test_a_word_that_both_languages_have_changes_no_language(message, lang):
    assert DECIDER.decide(case(message, THINGS, lang=lang)).lang == lang


def test_a_description_that_nothing_fits_is_not_found():
    (one,) = decide("elimina quelle urgenti", THINGS, lang="it")
    assert isinstance(one, Clarify)
    assert one.reason == "not_found"


ON_LISTS = (
    task("t1", "Oil the hinges", list="Shed"),
    task("t2", "Sort the nails", list="Shed"),
    task("t3", "Buy candles", list="Market"),
    task("t4", "Mow the lawn"),
)


@pytest.mark.parametrize(
    ("message", "lang", "deed"),
    [
        ("tick off everything on the shed list", "en", "confirm complete_task {}"),
        ("mark the whole shed list as done", "en", "confirm complete_task {}"),
        ("I've done everything on the shed list", "en", "confirm complete_task {}"),
        ("spunta tutta la lista shed", "it", "confirm complete_task {}"),
        ("segna tutto nella lista shed come fatto", "it", "confirm complete_task {}"),
        ("delete everything on the shed list", "en", "confirm delete_task {}"),
        ("set everything on the shed list to high priority", "en", "confirm update_task {} new_priority=high"),
        ("move everything on the shed list to friday", "en", "confirm update_task {} new_due=2026-03-13"),
        ("move everything from the shed list to the market list", "en", "confirm update_task {} new_list=Market"),
    ],
)
def test_everything_on_a_list_is_what_is_on_that_list(message, lang, deed):
    assert say(message, ON_LISTS, lang=lang) == [deed.format(one) for one in ("t1", "t2")]


@pytest.mark.parametrize("name", ["garden", "shopping", "work", "groceries"])
def test_a_usual_name_of_a_list_is_read_like_any_other(name):
    things = (task("t1", "Hinges", list=name), task("t2", "Nails", list=name), task("t3", "Lawn"))
    moved = ["confirm update_task t1 new_due=2026-03-13", "confirm update_task t2 new_due=2026-03-13"]
    assert say(f"move everything on the {name} list to friday", things) == moved


@pytest.mark.parametrize("message", ["tick off everything", "complete everything"])
def test_everything_without_a_list_is_one_at_a_time(message):
    assert say(message, ON_LISTS) == ["none unsupported"]
