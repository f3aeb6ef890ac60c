"""Made: what comes later in a message may mean what the message itself makes, and then means nothing else."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from sayso.decision import Call, Clarify, Confirm
from talk import asked, assistant, decide, say, task, tasks, user, wanting

LIST = tasks("Sweep the yard", "Order flour", "Renew the lease")
DONE = (task("t1", "Sweep the yard", status="completed"), *LIST[1:])
ABOUT_YARD = (user("when is the yard due?"), assistant("It has no date.", "t1"))
YARD_DONE = (user("the yard is swept"), assistant('Marked "Sweep the yard" as done.', "t1"))
SHOWN = (user("show my tasks"), assistant("1. Order flour 2. Renew the lease", "t2", "t3"))
SCENES = {"nothing": (LIST, ()), "one": (LIST, ABOUT_YARD), "one done": (DONE, YARD_DONE), "two": (LIST, SHOWN)}

LATER = [
    ("add phone Greta and then mark it as done", "en", "phone Greta", "call complete_task phone Greta"),
    ("add phone Greta, then tick it off", "en", "phone Greta", "call complete_task phone Greta"),
    ("new task: oil the hinges. Then complete it", "en", "oil the hinges", "call complete_task oil the hinges"),
    ("remind me to post the parcel and check it off", "en", "post the parcel", "call complete_task post the parcel"),
    ("add phone Greta and delete it", "en", "phone Greta", "confirm delete_task phone Greta"),
    ("put oil the hinges on my list and remove that one", "en", "oil the hinges", "confirm delete_task oil the hinges"),
    ("add post the parcel; delete that", "en", "post the parcel", "confirm delete_task post the parcel"),
    ("add oil the hinges, then complete oil the hinges", "en", "oil the hinges", "call complete_task oil the hinges"),
    ("add oil the hinges. Delete oil the hinges.", "en", "oil the hinges", "confirm delete_task oil the hinges"),
    (
        "aggiungi telefona a Greta e poi segnalo come fatto",
        "it",
        "telefona a Greta",
        "call complete_task telefona a Greta",
    ),
    ("aggiungi oliare i cardini, poi completalo", "it", "oliare i cardini", "call complete_task oliare i cardini"),
    ("segnati di spedire il pacco e spuntalo", "it", "spedire il pacco", "call complete_task spedire il pacco"),
    ("aggiungi telefona a Greta e cancellalo", "it", "telefona a Greta", "confirm delete_task telefona a Greta"),
    ("crea oliare i cardini. Elimina quello.", "it", "oliare i cardini", "confirm delete_task oliare i cardini"),
    (
        'aggiungi "Spedire il pacco" e rinominalo in Spedire la scatola',
        "it",
        "Spedire il pacco",
        "call update_task Spedire il pacco new_title=Spedire la scatola",
    ),
    (
        "aggiungi oliare i cardini, poi completa oliare i cardini",
        "it",
        "oliare i cardini",
        "call complete_task oliare i cardini",
    ),
]


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize(("message", "lang", "title", "line"), LATER)
def test_it_is_what_was_just_added_whatever_was_spoken_of_before(message, lang, title, line, scene):
    things, history = SCENES[scene]
    assert say(message, things, history, lang=lang) == [f"call add_task title={title}", line]


@pytest.mark.parametrize(("message", "lang", "title"), [row[:3] for row in LATER])
def test_what_is_new_is_proved_by_where_its_name_was_said(message, lang, title):
    added, later = decide(message, LIST, ABOUT_YARD, lang=lang)
    proof = later.evidence["task_identifier"]
    assert later.arguments["task_identifier"] == title
    assert (proof.source, proof.entity) == ("message", UNSET)
    assert proof.span == added.evidence["title"].span
    assert message[slice(*proof.span)].strip('"') == title


@pytest.mark.parametrize(
    ("message", "lang"), [("add phone Greta and delete it", "en"), ("aggiungi telefona a Greta e cancellalo", "it")]
)
def test_the_question_before_a_delete_names_what_is_new(message, lang):
    later = decide(message, LIST, ABOUT_YARD, lang=lang)[1]
    assert isinstance(later, Confirm)
    assert later.reason == "destructive"
    assert later.arguments["task_identifier"] in later.question


@pytest.mark.parametrize(
    ("message", "lang", "line"),
    [
        ("add phone Greta and mark it high priority", "en", "call add_task title=phone Greta priority=high"),
        ("add phone Greta and move it to Friday", "en", "call add_task title=phone Greta due=2026-03-13"),
        ("add oil the hinges, then make them urgent", "en", "call add_task title=oil the hinges priority=high"),
        ("aggiungi oliare i cardini e mettilo urgente", "it", "call add_task title=oliare i cardini priority=high"),
        ("aggiungi telefona a Greta e spostalo a venerdì", "it", "call add_task title=telefona a Greta due=2026-03-13"),
    ],
)
@pytest.mark.parametrize("scene", SCENES)
def test_what_is_said_of_a_new_thing_is_still_one_call(message, lang, line, scene):
    things, history = SCENES[scene]
    assert say(message, things, history, lang=lang) == [line]


def test_it_is_the_last_that_was_named_or_made():
    added, flour = "call add_task title=phone Greta", "call complete_task t2"
    assert say("complete order flour, add phone Greta and delete it", LIST) == [
        flour,
        added,
        "confirm delete_task phone Greta",
    ]
    assert say("add phone Greta, complete order flour and delete it", LIST) == [added, flour, "confirm delete_task t2"]
    assert say("complete order flour, add phone Greta and make it urgent", LIST) == [flour, f"{added} priority=high"]


@pytest.mark.parametrize("scene", SCENES)
def test_both_are_the_two_that_were_added(scene):
    things, history = SCENES[scene]
    assert say("add phone Greta and add oil the hinges, then mark both as done", things, history) == [
        "call add_task title=phone Greta",
        "call add_task title=oil the hinges",
        "call complete_task phone Greta",
        "call complete_task oil the hinges",
    ]


def test_a_place_in_a_list_is_still_counted_in_the_list():
    assert say("add phone Greta and delete the second one", LIST, SHOWN) == [
        "call add_task title=phone Greta",
        "confirm delete_task t3",
    ]


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("I need to phone Greta. mark it as done", "en"),  # asked about: a plan is no order
        ("add a task and mark it as done", "en"),  # asked for: it has no title
        ("add a task and make it urgent", "en"),
        (f"add {'carry the boxes up ' * 15}and delete it", "en"),  # too long for a title
        ("devo telefonare a Greta, segnalo come fatto", "it"),
        ("aggiungi un'attività e cancellala", "it"),
        ("add t2 and mark it as done", "en"),  # its name is another's id
        ("complete the piano lesson and delete it", "en"),  # nobody knows which
        ("elimina la lezione di piano e segnala come fatta", "it"),
        ("add Jo to my contacts and mark it as done", "en"),  # nothing that we make
        ("add phone Greta, no wait, mark it as done", "en"),  # taken back
        ("aggiungi telefona a Greta, anzi no, cancellalo", "it"),
    ],
)
@pytest.mark.parametrize("scene", ["one", "one done", "two"])
def test_what_leans_on_what_is_not_sure_to_be_there_is_asked_about(message, lang, scene):
    things, history = SCENES[scene]
    later = decide(message, things, history, lang=lang)[-1]
    assert isinstance(later, Clarify)
    assert later.missing == ("task_identifier",)
    assert later.options == ()


@pytest.mark.parametrize(
    ("message", "lang", "lines"),
    [
        ("yes, and mark it as done", "en", ["call add_task title=oil the hinges", "call complete_task oil the hinges"]),
        ("sure, then delete it", "en", ["call add_task title=oil the hinges", "confirm delete_task oil the hinges"]),
        (
            "sì, e poi segnalo come fatto",
            "it",
            ["call add_task title=oil the hinges", "call complete_task oil the hinges"],
        ),
        ("yes and make it urgent", "en", ["call add_task title=oil the hinges priority=high"]),
        ("make it friday", "en", ["confirm add_task title=oil the hinges due=2026-03-13"]),
        ("yes, and add phone Greta", "en", ["call add_task title=oil the hinges", "call add_task title=phone Greta"]),
        ("no, add phone Greta", "en", ["call add_task title=phone Greta"]),
        ("no, mark it as done", "en", ["clarify missing task_identifier"]),
        ("mark it as done", "en", ["clarify missing task_identifier"]),
    ],
)
def test_asked_whether_to_add_something_it_is_that_and_nothing_else(message, lang, lines):
    assert say(message, LIST, ABOUT_YARD, asked("add_task", title="oil the hinges"), lang) == lines


def test_what_the_question_would_make_is_proved_by_the_question():
    later = decide("yes, and mark it as done", LIST, ABOUT_YARD, asked("add_task", title="oil the hinges"))[1]
    assert isinstance(later, Call)
    assert (later.evidence["task_identifier"].source, later.evidence["task_identifier"].entity) == ("pending", UNSET)


@pytest.mark.parametrize("message", ["phone Greta and mark it as done", "phone Greta, then delete it"])
def test_asked_for_a_title_it_is_not_what_was_spoken_of_before(message):
    assert all(not line.endswith(" t1") for line in say(message, LIST, ABOUT_YARD, wanting("add_task", "title")))
