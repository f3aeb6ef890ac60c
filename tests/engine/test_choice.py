"""Which of the options a reply picks, in both languages."""

from __future__ import annotations

import pytest

from talk import Entity, assistant, say, task, tasks, user, wanting, which

EN = (
    task("t1", "Finish the report", due="2026-03-12"),
    task("t2", "Call the bank", due="2026-03-11T15:00"),
    Entity({"kind": "task", "id": "t3", "title": "Call Anna", "status": "pending", "priority": "high", "due": None}),
    task("t4", "Buy milk"),
    task("t5", "Clean the kitchen"),
    task("t6", "Renew the passport"),
)
IT = tuple(
    Entity({**one.as_dict(), "title": title})
    for one, title in zip(
        EN,
        [
            "Finire la relazione",
            "Chiamare la banca",
            "Chiamare Anna",
            "Comprare il latte",
            "Pulire la cucina",
            "Rinnovare il passaporto",
        ],
        strict=True,
    )
)
ASKED_AGAIN = ["clarify ambiguous t1 t2 t3 t4 t5"]


def picks(message, lang="en", tool="complete_task", options=slice(0, 5)):
    entities = EN if lang == "en" else IT
    return say(message, entities, pending=which(tool, *entities[options]), lang=lang)


def completes(*ids):
    return [f"call complete_task {one}" for one in ids]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("I'd go with the third", 3),
        ("let's take number two", 2),
        ("my choice is the second", 2),
        ("I'll have number one", 1),
        ("what about the fourth one", 4),
        ("#4", 4),
        ("no.4", 4),
        ("I want no. 5", 5),
        ("(2)", 2),
        ("3rd one please", 3),
        ("option b", 2),
        ("c", 3),
        ("the top one", 1),
        ("the one at the bottom", 5),
        ("select the lower choice", 5),
        ("the very last one", 5),
        ("the last but one", 4),
        ("the second from the bottom", 4),
        ("the second from the top", 2),
    ],
)
def test_an_english_place(message, place):
    assert picks(message) == completes(f"t{place}")


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("opta per la seconda", 2),
        ("scelgo la numero 3", 3),
        ("scegli la n. 2", 2),
        ("l'opzione 4", 4),
        ("opzione c", 3),
        ("la due", 2),
        ("andrei sulla quarta", 4),
        ("che mi dici dell'ultima", 5),
        ("direi la penultima", 4),
        ("quella in alto", 1),
        ("mi piace quella più in basso", 5),
        ("la scelta in fondo", 5),
        ("l'ultima in basso", 5),
        ("ultima", 5),
    ],
)
def test_an_italian_place(message, place):
    assert picks(message, "it") == completes(f"t{place}")


@pytest.mark.parametrize(
    ("message", "lang", "found"),
    [
        ("the kitchen one", "en", "t5"),
        ("the reprot", "en", "t1"),
        ("Anna's", "en", "t3"),
        ("it's the report", "en", "t1"),
        ("finish the report", "en", "t1"),
        ("the one due tomorrow", "en", "t2"),
        ("the urgent one", "en", "t3"),
        ("the one with high priority", "en", "t3"),
        ("quella della banca", "it", "t2"),
        ("quella che scade domani", "it", "t2"),
        ("quella urgente", "it", "t3"),
        ("la seconda", "en", "t2"),
        ("the third one", "it", "t3"),
    ],
)
def test_a_part_of_a_name_or_what_it_has(message, lang, found):
    assert picks(message, lang) == completes(found)


@pytest.mark.parametrize(
    ("message", "lang", "found"),
    [
        ("the first, no, the second", "en", "t2"),
        ("wait, make that the fourth", "en", "t4"),
        ("the milk, I mean the kitchen", "en", "t5"),
        ("not the bank, Anna", "en", "t3"),
        ("the second, not the first", "en", "t2"),
        ("la prima, anzi la terza", "it", "t3"),
        ("la quarta, volevo dire la quinta", "it", "t5"),
        ("non la prima, la seconda", "it", "t2"),
        ("no, aspetta, la seconda", "it", "t2"),
    ],
)
def test_a_correction_in_the_same_breath_counts(message, lang, found):
    assert picks(message, lang) == completes(found)


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("the second, wait", "en"),
        ("the second… no", "en"),
        ("not the first one", "en"),
        ("the seventh", "en"),
        ("option 9", "en"),
        ("doesn't matter", "en"),
        ("I'm not sure", "en"),
        ("la seconda, aspetta", "it"),
        ("una qualsiasi", "it"),
        ("la settima", "it"),
        ("la seconda o la quarta", "it"),
        ("the next one", "en"),
        ("what about next one", "en"),
        ("it's finished", "en"),
        ("that's a good one", "en"),
        ("i like r n b", "en"),
        ("finished", "en"),
    ],
)
def test_what_is_taken_back_or_open_picks_nothing(message, lang):
    assert not any(line.startswith(("call", "confirm")) for line in picks(message, lang))


@pytest.mark.parametrize(
    ("message", "lang", "found"),
    [
        ("the second and the third", "en", ("t2", "t3")),
        ("1 and 4", "en", ("t1", "t4")),
        ("the milk and the kitchen", "en", ("t4", "t5")),
        ("la prima e la quinta", "it", ("t1", "t5")),
    ],
)
def test_several_are_a_decision_each(message, lang, found):
    assert picks(message, lang) == completes(*found)


@pytest.mark.parametrize(("message", "lang"), [("both", "en"), ("all of them", "en"), ("tutt'e due", "it")])
def test_both_of_two(message, lang):
    assert picks(message, lang, options=slice(1, 3)) == completes("t2", "t3")


def test_all_of_more_than_two_is_more_than_one_may_take():
    assert picks("all of them") == ["none unsupported"]


@pytest.mark.parametrize(
    ("message", "lang", "left"),
    [
        ("the first or the second", "en", "t1 t2"),
        ("the call", "en", "t2 t3"),
    ],
)
def test_what_fits_some_is_asked_about_those(message, lang, left):
    assert picks(message, lang) == [f"clarify ambiguous {left}"]


@pytest.mark.parametrize(
    ("message", "lang"), [("maybe the second?", "en"), ("forse la seconda", "it"), ("call the insurance bank", "en")]
)
def test_a_choice_in_doubt_is_confirmed_first(message, lang):
    assert picks(message, lang) == ["confirm complete_task t2"]


def test_a_doubt_within_a_name_is_none():
    entities = tasks("Buy trick or treat sweets", "Call Anna")
    assert say("buy trick or treat sweets", entities, pending=which("complete_task", *entities)) == completes("t1")


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("none of the above", "en"),
        ("neither one", "en"),
        ("I don't like any of those", "en"),
        ("I'll take none of them", "en"),
        ("forget I asked", "en"),
        ("nessuna delle precedenti", "it"),
        ("non voglio nessuna di queste", "it"),
        ("nessuna, lascia stare", "it"),
    ],
)
def test_none_of_them(message, lang):
    assert picks(message, lang) == ["none cancelled"]


def test_what_was_not_offered_is_confirmed_first():
    assert picks("the passport actually") == ["confirm complete_task t6"]


def test_what_is_done_already_cannot_be_chosen():
    entities = (*EN, task("t7", "Return the books", status="completed"))
    assert say("return", entities, pending=which("complete_task", *entities[:5])) == ["none out_of_scope"]


def test_picking_for_a_delete_is_no_yes():
    assert picks("number 2, definitely", tool="delete_task") == ["confirm delete_task t2"]
    assert picks("the first and the last", tool="delete_task") == ["confirm delete_task t1", "confirm delete_task t5"]


def test_a_fresh_command_about_an_option_is_no_choice():
    assert picks("add buy milk") == ["call add_task title=buy milk"]


def test_a_choice_may_be_followed_by_a_command():
    assert picks("the second one and show me the list") == [*completes("t2"), "call list_tasks"]


LISTED = (
    user("show my tasks"),
    assistant("Three.", "t1", "t2", "t3"),
    user("what about Anna?"),
    assistant("Call Anna.", "t3"),
)


@pytest.mark.parametrize(
    ("message", "found"),
    [("complete the top one", "t1"), ("complete the one at the bottom", "t3"), ("complete it", "t3")],
)
def test_a_list_has_a_top_and_a_bottom_without_a_question_too(message, found):
    assert say(message, EN, LISTED) == completes(found)


@pytest.mark.parametrize(
    ("message", "lang"),
    [("when do we call", "en"), ("who cleans the kitchen?", "en"), ("quando si chiama la banca?", "it")],
)
def test_a_question_back_picks_nothing(message, lang):
    assert not any(line.startswith(("call complete_task", "confirm")) for line in picks(message, lang))


def test_it_first_is_no_place_in_a_list():
    assert "call complete_task t1" not in say("complete it first", EN, LISTED)


@pytest.mark.parametrize(
    ("message", "lang", "line"),
    [
        ("call it Order the cake", "en", "call add_task title=Order the cake"),
        ("the title is Book flights", "en", "call add_task title=Book flights"),
        ("to water the plants", "en", "call add_task title=water the plants"),
        ("intitolala Comprare il pane", "it", "call add_task title=Comprare il pane"),
        ("si chiama Pagare il bollo", "it", "call add_task title=Pagare il bollo"),
    ],
)
def test_a_title_is_taken_without_what_announces_it(message, lang, line):
    assert say(message, EN, pending=wanting("add_task", "title"), lang=lang) == [line]


def test_a_place_may_sound_like_a_verb():
    pending = wanting("complete_task", "task_identifier")
    shown = (user("mostrami le attività"), assistant("Tre.", "t1", "t2", "t3"))
    assert say("l'ultima", IT, shown, pending, lang="it") == completes("t3")


def test_a_date_that_is_proposed_is_the_date_that_was_asked_for():
    pending = wanting("update_task", "new_due", task_identifier="t1")
    assert say("how about saturday", EN, pending=pending) == ["call update_task t1 new_due=2026-03-14"]
    assert say("facciamo venerdì alle 10", IT, pending=pending, lang="it") == [
        "call update_task t1 new_due=2026-03-13T10:00"
    ]
