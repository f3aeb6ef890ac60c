"""What a message comes to when people talk the way they do: told in passing, joked, called out, polite, short."""

from __future__ import annotations

import pytest

from sayso.case import case_from_object
from sayso.decider import Decider
from sayso.engine.decide.room import Thresholds

DECIDER = Decider.installed(thresholds=Thresholds(reader=False))  # the rules alone
TASKS = [
    ("boiler", "Ring Sofia about the boiler", "2026-03-13T10:00"),
    ("edits", "Chapter 4 edits", None),
    ("report", "Submit expense report", "2026-03-12"),
    ("card", "Post nana's birthday card", "2026-03-11"),
    ("visa", "Visa form", None),
    ("gravel", "Pick up gravel", "2026-03-14T08:00"),
    ("gutters", "Clean the gutters", None),
    ("dentist", "Dentist checkup", "2026-03-20T09:00"),
    ("sofa", "Sell the old sofa", None),
]


def said(message, history=(), pending=None, lang="en"):
    """The decisions, each as its kind, its tool and what is in its arguments."""
    entities = [
        {"kind": "task", "id": name, "title": title, "status": "pending", "priority": "medium", "due": due}
        for name, title, due in TASKS
    ]
    case = {"message": message, "now": "2026-03-10T09:00:00+01:00", "pack": "tasks", "lang": lang}
    answer = DECIDER.decide(case_from_object({**case, "entities": entities, "history": history, "pending": pending}))
    return [_short(one) for one in answer.decisions]


def _short(decision):
    kind = type(decision).__name__.lower()
    if kind == "nothing":
        return "none"
    values = " ".join(str(value) for value in decision.arguments.values())
    return f"{kind} {(decision.tool or '').partition('_')[0]} {values}".strip()


@pytest.mark.parametrize(
    "message",
    [
        "so Priya says to me, just delete the gutters and be done with it, and I said no chance",
        "and then she tells me, cancel the dentist, as if",
        "he was like, scrap the visa form, we don't need it",
        "I told her, mark the visa form done, and she did nothing",
    ],
)
def test_what_somebody_else_said_in_an_anecdote_is_no_command(message):
    assert said(message) == ["none"]


def test_what_follows_from_what_somebody_said_is_one():
    assert said("Priya says, it's cancelled, so delete the dentist") == ["confirm delete dentist"]
    assert said("like I said, add milk") == ["call add milk"]


@pytest.mark.parametrize(
    "message",
    [
        "if anybody asks, the visa form is done",
        "the visa form is done!!! jk",
        "the gutters are done... I wish",
        "visa form's finished, not really though",
        "delete the gutters, just kidding",
        "the visa form is done. It isn't.",
    ],
)
def test_what_is_not_so_is_not_done(message):
    assert said(message) == ["none"]


def test_what_is_meant_in_earnest_still_counts():
    assert said("the visa form is done, no kidding") == ["call complete visa"]
    assert said("if you must know, the visa form is done") == ["call complete visa"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("add 'Wax the skis' for when we leave on the 28th", "call add Wax the skis 2026-03-28"),
        ("create a task 'Book flights' before prices go up, by thursday", "call add Book flights 2026-03-12"),
        ("add 'Wax the skis' and chuck a note on it saying not too much", "call add Wax the skis not too much"),
        ("add buy paint. put a note on it: white gloss", "call add buy paint white gloss"),
        ("add watch 'Dune' with Tom", "call add watch 'Dune' with Tom"),
        ("add ring the vet, needs to be done by friday", "call add ring the vet 2026-03-13"),
        ("dude add order cake, has to be ready by friday", "call add order cake 2026-03-13"),
    ],
)
def test_a_title_ends_where_something_is_said_beside_it(message, expected):
    assert said(message) == [expected]


def test_several_quotations_are_several_tasks():
    assert said("add 'Call Bob' and 'Email Ann'") == ["call add Call Bob", "call add Email Ann"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("put the visa form down for friday", "call update visa 2026-03-13"),
        ("pencil the gutters in for saturday", "call update gutters 2026-03-14"),
        ("put ring the plumber down for friday", "call add ring the plumber 2026-03-13"),
        ("put down order a skip on friday", "call add order a skip 2026-03-13"),
        ("move the report to friday, not this one, the one after", "call update report 2026-03-20"),
        ("make the visa form sunday, half two in the afternoon", "call update visa 2026-03-15T14:30"),
    ],
)
def test_what_is_on_the_list_is_put_down_for_a_day_and_not_added_again(message, expected):
    assert said(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("gonnae add buy tatties tae ma list", "call add buy tatties"),
        ("shift the dentist tae thursday", "call update dentist 2026-03-12T09:00"),
        ("could ye tick aff the gutters", "call complete gutters"),
        ("dinnae delete the gutters", "none"),
        ("babe can u put walk the dog in there for 6pm today x", "call add walk the dog 2026-03-10T18:00"),
        ("add buy ice xx", "call add buy ice"),
        ("quick reminder to call bob, 3pm tomorrow", "call add call bob 2026-03-11T15:00"),
    ],
)
def test_dialects_and_pet_names_are_understood(message, expected):
    assert said(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("gravel pickup: 7:30 instead of 8", "call update gravel 2026-03-14T07:30"),
        ("visa form → tomorrow 7am pls", "call update visa 2026-03-11T07:00"),
        ("visa form -> friday", "call update visa 2026-03-13"),
        ("gutters for saturday please", "call update gutters 2026-03-14"),
        ("dentist checkup move 2 the 18th", "call update dentist 2026-03-18T09:00"),
        ("dentist, can you make one week later?", "call update dentist 2026-03-27T09:00"),
        ("the visa form is not for thursday, please make sunday", "call update visa 2026-03-15"),
        ("can the dentist go to 4pm instead", "confirm update dentist 2026-03-20T16:00"),
        ("could the dentist be moved to friday?", "confirm update dentist 2026-03-13T09:00"),
    ],
)
def test_a_thing_and_a_new_date_are_a_change(message, expected):
    assert said(message) == [expected]


@pytest.mark.parametrize(
    "message",
    ["saw the dentist on friday", "the gutters on saturday were awful", "dentist yesterday"],
)
def test_what_is_told_of_a_thing_with_a_date_changes_nothing(message):
    assert said(message) == ["none"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I should be most obliged if you would tick off the gutters", ["call complete gutters"]),
        ("be so good as to move the dentist to wednesday", ["call update dentist 2026-03-11T09:00"]),
        ("might I trouble you to delete the visa form", ["confirm delete visa"]),
        ("have the goodness to mark the gutters as done", ["call complete gutters"]),
        (
            "kindly strike out the visa form and mark the gutters as done",
            ["confirm delete visa", "call complete gutters"],
        ),
    ],
)
def test_however_politely_it_is_asked_for(message, expected):
    assert said(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("the visa form has gone through so you can tick that", "call complete visa"),
        ("visa form: finished, thank god. Gutters: not yet.", "call complete visa"),
        ("the visa form's in my bag", "none"),
        ("the gutters went well", "none"),
    ],
)
def test_what_went_its_way_is_done(message, expected):
    assert said(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("gutters are sparkling 🧼✨ tick that off", "call complete gutters"),
        ("been up that ladder all day tick off the gutters please", "call complete gutters"),
        ("Sofia said tick that off", "none"),
        ("I do not want to tick that off", "none"),
        ("Sofia is away", "none"),
        ("what all have I got with sofia in it", "call list sofia"),
        ("what's still left for the choir?", "call list pending choir"),
        ('append "bring photos" to visa form', "call update visa bring photos"),
        ("whose name is on this account?", "call get"),
    ],
)
def test_commands_and_questions_without_ceremony(message, expected):
    assert said(message) == [expected]


@pytest.mark.parametrize("message", ["not the visa form, the other", "no not the visa form, the other one"])
def test_of_two_the_one_that_is_not_denied_is_meant(message):
    options = [
        {"label": name, "tool": "complete_task", "arguments": {"task_identifier": name}, "confidence": 0.5}
        for name in ("visa", "gutters")
    ]
    question = {
        "kind": "clarify",
        "tool": "complete_task",
        "arguments": {},
        "missing": ["task_identifier"],
        "confidence": 0.5,
        "question": "Which one?",
        "options": options,
        "reason": "ambiguous",
    }
    assert said(message, pending=question) == ["call complete gutters"]


@pytest.mark.parametrize(
    "message",
    [
        "remind me to... never mind",
        "put down... no, forget it",
        "I'll want a reminder about the ferry, but not yet",
        "I painted half of the gutters and my arms hurt",
        "submit the... actually nothing",
    ],
)
def test_what_is_only_begun_put_off_or_half_done_is_not_done(message):
    assert said(message) == ["none"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("add answer the letter from Tuesday", ["call add answer the letter from Tuesday"]),
        ("add sort slides with note take those of last Friday", ["call add sort slides take those of last Friday"]),
        ("add answer the letter by Tuesday", ["call add answer the letter 2026-03-17"]),
        (
            "two things to add: air the tent by Friday, and pay the club next Monday",
            ["call add air the tent 2026-03-13", "call add pay the club 2026-03-16"],
        ),
    ],
)
def test_a_date_that_says_which_thing_is_meant_is_no_due_date(message, expected):
    assert said(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("nah move it to sunday", "call update report 2026-03-15"),
        ("moveee it to sundayyy", "call update report 2026-03-15"),
    ],
)
def test_neither_a_no_nor_letters_drawn_out_stand_in_the_way(message, expected):
    history = [
        {"role": "user", "content": "when is the expense report due?"},
        {"role": "assistant", "content": "On Thursday.", "shown": ["report"]},
    ]
    assert said(message, history) == [expected]


@pytest.mark.parametrize(
    "message",
    [
        "tell Otto to clean the gutters",
        "and not one good night this week",
        "we're out of gravel again",
    ],
)
def test_what_is_told_of_others_or_of_want_is_no_command(message):
    history = [
        {"role": "user", "content": "add pick up gravel"},
        {"role": "assistant", "content": "Added."},
    ]
    assert said(message, history) == ["none"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("l'orto l'ho finito", ["call complete orto"]),
        ("l'orto va rimandato a venerdì", ["call update orto 2026-03-13"]),
        ("segna annaffiato l'orto", ["call complete orto"]),
    ],
)
def test_italian_says_the_thing_first(message, expected):
    things = [{"kind": "task", "id": "orto", "title": "Annaffiare l'orto", "status": "pending", "due": None}]
    case = {"message": message, "now": "2026-03-10T09:00:00+01:00", "pack": "tasks", "lang": "it", "entities": things}
    found = [_short(one) for one in DECIDER.decide(case_from_object(case)).decisions]
    assert found == expected or found == [one.replace("call", "confirm") for one in expected]


@pytest.mark.parametrize(
    ("lang", "message"),
    [
        ("en", "everything but the gutters is done"),
        ("en", "tick off all except the visa form"),
        ("it", "ho fatto tutto tranne il dentist checkup"),
    ],
)
def test_what_is_excepted_is_not_what_is_done(lang, message):
    assert said(message, lang=lang) == ["none"]
