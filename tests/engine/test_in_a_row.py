"""Several things in one breath: which of them are things of their own, and none of them is lost."""

from __future__ import annotations

import pytest

from talk import assistant, decide, say, task, tasks, user

OURS = tasks("Oil the hinges", "Candles, matches and string", "Fish and chips")


@pytest.mark.parametrize(
    ("message", "titles"),
    [
        ("add ring the vet and empty the attic", ["ring the vet", "empty the attic"]),
        ("add ring the vet, empty the attic and mop the floor", ["ring the vet", "empty the attic", "mop the floor"]),
        ("remind me to ring the vet and to empty the attic", ["ring the vet", "empty the attic"]),
        ("add:\n- candles\n- string", ["candles", "string"]),
        ("add tape and glue separately", ["tape", "glue"]),
        ("add wash and dry the car", ["wash and dry the car"]),
        ("add ring Ann and tell her the news", ["ring Ann and tell her the news"]),
        ("add buy tape, glue and string", ["buy tape, glue and string"]),
        ("add ring Ann and ask whether she comes", ["ring Ann and ask whether she comes"]),
    ],
)
def test_each_thing_to_do_is_a_task_and_a_list_of_goods_is_one(message, titles):
    assert say(message) == [f"call add_task title={title}" for title in titles]


@pytest.mark.parametrize("message", ["add ring the vet, oh and candles", "add ring the vet. also candles"])
def test_an_afterthought_is_asked_about(message):
    assert say(message) == ["call add_task title=ring the vet", "confirm add_task title=candles"]


@pytest.mark.parametrize("story", ["the alarm went off twice", "my tea went cold", "him upstairs has his music on"])
def test_a_story_is_no_wish(story):
    assert say(f"long day, {story}, anyway add ring the vet") == ["call add_task title=ring the vet"]


def test_one_part_of_a_list_is_not_all_of_it():
    assert say("complete matches", OURS) == ["confirm complete_task t2"]
    assert say("complete candles, matches and string", OURS) == ["call complete_task t2"]


def test_the_first_of_two_parts_stands_for_both():
    assert say("complete the fish", OURS) == ["call complete_task t3"]


def test_what_is_not_there_is_said_beside_what_is():
    assert say("complete the hinges and the trampoline", OURS) == [
        "call complete_task t1",
        "clarify not_found task_identifier",
    ]


def test_a_value_counts_only_right_after_something_was_made_or_changed():
    made = [user("add oil the hinges"), assistant('I\'ve added "Oil the hinges" to your list.', "t1")]
    shown = [user("show oil the hinges"), assistant("1. Oil the hinges", "t1")]
    assert say("with high priority", OURS, made) == ["call update_task t1 new_priority=high"]
    assert say("with high priority", OURS, shown) == ["none out_of_scope"]


def test_not_done_after_all_asks_only_after_a_completion():
    done = (task("t1", "Ring Ann", status="completed"),)
    completed = [user("I rang Ann"), assistant('Well done! "Ring Ann" is completed.', "t1")]
    assert say("I didn't ring her", done, completed) == ["confirm update_task t1 new_status=pending"]
    assert say("I didn't ring her", done) == ["none out_of_scope"]


SEWING = (task("t1", "Wool", list="Sewing"), task("t2", "Ring Jean"))


@pytest.mark.parametrize(
    ("message", "lang", "titles"),
    [
        ("buttons on the sewing list", "en", ["buttons"]),
        ("buttons and needles to the sewing list", "en", ["buttons", "needles"]),
        ("buttons, a zip and red thread for the sewing list", "en", ["buttons", "a zip", "red thread"]),
        ("buttons & needles need to go on the sewing list", "en", ["buttons", "needles"]),
        ("need buttons and needles on the sewing list", "en", ["buttons", "needles"]),
        ("bottoni, aghi e filo rosso nella lista sewing", "it", ["bottoni", "aghi", "filo rosso"]),
    ],
)
def test_things_for_a_list_need_no_verb(message, lang, titles):
    kinds = "call", "confirm"
    found = [one.partition(" ")[::2] for one in say(message, SEWING, lang=lang)]
    assert all(kind in kinds for kind, _ in found)
    assert [rest for _, rest in found] == [f"add_task title={title} list=Sewing" for title in titles]


@pytest.mark.parametrize("message", ["wool is on the sewing list", "I can't see anything on the sewing list"])
def test_a_remark_about_a_list_adds_nothing(message):
    assert not any(line.startswith("call add_task") for line in say(message, SEWING))


FORM = (task("t1", "Allowance form", due="2026-03-20"), task("t2", "Ring Jean"))


@pytest.mark.parametrize(
    "message",
    [
        "make the form high priority and move it to friday",
        "make the allowance form high priority and bring it forward to the thirteenth",
        "set the form to high priority and put it off to the 13th",
    ],
)
def test_two_changes_of_one_thing_are_one(message):
    (line,) = say(message, FORM)
    assert line.split(" ", 1)[1] == "update_task t1 new_priority=high new_due=2026-03-13"


@pytest.mark.parametrize(
    "message",
    [
        "make a list called Camping with a tent, a stove and matches",
        "start a list called Camping with a tent, a stove and matches",
        "create a Camping list with a tent, a stove and matches",
    ],
)
def test_a_new_list_with_things_is_one_question(message):
    found = decide(message, SEWING)
    assert [one.arguments["title"] for one in found] == ["a tent", "a stove", "matches"]
    assert {one.arguments["list"] for one in found} == {"Camping"}
    assert len({one.group for one in found}) == 1


@pytest.mark.parametrize(
    ("message", "lang"),
    [("complete the wool on the sewing list", "en"), ("spunta wool nella lista sewing", "it")],
)
def test_a_task_that_is_named_with_its_list_is_not_added(message, lang):
    (line,) = say(message, SEWING, lang=lang)
    assert line.split(" ", 1)[1] == "complete_task t1"


def test_something_to_do_for_a_list_stays_whole():
    (line,) = say("add talk to the boss about the raise and the holidays to the sewing list", SEWING)
    assert "title=talk to the boss about the raise and the holidays list=Sewing" in line


@pytest.mark.parametrize(
    ("message", "lang", "titles"),
    [
        ("red thread, sewing list", "en", ["red thread"]),
        ("buttons and red thread - sewing list", "en", ["buttons", "red thread"]),
        ("filo rosso, lista sewing", "it", ["filo rosso"]),
        ("need 2 m of velvet ribbon, a zip and pins on the sewing list", "en",
         ["2 m of velvet ribbon", "a zip", "pins"]),
    ],
)  # fmt: skip
def test_a_list_after_a_comma_is_what_the_things_are_for(message, lang, titles):
    found = decide(message, SEWING, lang=lang)
    assert [(one.tool, one.arguments) for one in found] == [
        ("add_task", {"title": title, "list": "Sewing"}) for title in titles
    ]


@pytest.mark.parametrize("message", ["sewing list", "ok thanks, sewing list please"])
def test_a_list_alone_is_shown(message):
    assert say(message, SEWING) == ["call list_tasks list=Sewing filter=pending"]
