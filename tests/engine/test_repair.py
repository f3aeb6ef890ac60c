"""Self-correction within one message: what is dropped, what stays, and where every span points."""

from __future__ import annotations

import pytest

from sayso.case import case_from_object
from sayso.decider import Decider
from sayso.decision import Call, Confirm, Nothing
from sayso.engine.decide.room import Thresholds
from sayso.engine.repair.markers import is_there
from sayso.engine.text.tokens import normalise

DECIDER = Decider.installed(thresholds=Thresholds(reader=False))  # the rules alone
TASKS = [
    {"kind": "task", "id": "a", "title": "Oil the hinges", "status": "pending", "priority": "low", "due": None},
    {"kind": "task", "id": "b", "title": "Sand the bench", "status": "pending", "priority": "low", "due": "2026-03-20"},
    {"kind": "task", "id": "c", "title": "Learn No Wait, Sorry", "status": "pending", "priority": "low", "due": None},
]


def run(message, lang="en", **more):
    case = {"message": message, "now": "2026-03-10T09:00:00+01:00", "pack": "tasks", "lang": lang, "entities": TASKS}
    return DECIDER.run(case_from_object({**case, **more}))


def left(message, lang="en", **more):
    return " ".join(word.text for word in run(message, lang, **more).sheet.words)


@pytest.mark.parametrize(
    ("lang", "message", "expected"),
    [
        ("en", "add feed the hens for Friday, no wait, Saturday", "add feed the hens for Saturday"),
        ("en", "add feed the hens tomorrow at 4, sorry, 5pm", "add feed the hens tomorrow at 5pm"),
        ("en", "remind me at 4 to feed the hens, no wait, 5pm", "remind me to feed the hens 5pm"),
        ("en", "add phone Ida, sorry, Ina", "add phone Ina"),
        ("en", "add buy six, no, seven eggs", "add buy seven eggs"),
        ("en", "add ask the vet, or rather, the farrier", "add ask the farrier"),
        ("en", "delete the hinges, no wait, complete it", "complete it"),
        ("en", "delete the hinges, no wait, don't", ""),
        ("en", "add feed the hens, that's all, my bus is here", "add feed the hens"),
        ("it", "aggiungi nutrire le galline per venerdì, no aspetta, sabato", "aggiungi nutrire le galline per sabato"),
        ("it", "aggiungi passare dal fabbro, anzi dalla zia", "aggiungi passare dalla zia"),
        ("en", "mark the hinges as done, no wait, the bench", "mark the bench as done"),
        ("en", "add feed the hens tomorrow, er, Thursday", "add feed the hens Thursday"),
        ("it", "aggiungi nutrire le galline domani, ehm, giovedì", "aggiungi nutrire le galline giovedì"),
        ("it", "aggiungi sentire Ida, scusa, Ina", "aggiungi sentire Ina"),
    ],
)
def test_what_is_replaced_is_not_read(lang, message, expected):
    assert left(message, lang) == expected


@pytest.mark.parametrize(
    "message",
    [
        "add say sorry to Ida",
        "add buy Sorry Not Sorry",
        "add read I Mean It by Orr",
        'add "tea, no wait, coffee"',
        "delete learn no wait, sorry",
        "add fetch coffee, no sugar",
        "no, I meant Friday",
        "add feed the hens at 5, um, tomorrow",
        "the hinges are no longer needed, so forget that",
        "not Monday, I meant Friday",
        "add order robes, make that one urgent",
    ],
)
def test_what_merely_sounds_like_a_correction_stays_whole(message):
    assert left(message) == " ".join(word.text for word in run(message).grammar.read(normalise(message), NOW).words)


NOW = case_from_object({"message": "", "now": "2026-03-10T09:00:00+01:00"}).now


@pytest.mark.parametrize(
    ("message", "name", "said"),
    [
        ("add feed the hens for Friday, no wait, Saturday", "due", "Saturday"),
        ("add feed the hens for Friday, no wait, Saturday", "title", "feed the hens"),
        ("add phone Ida, sorry, Ina, on Friday", "title", "phone Ida, sorry, Ina"),
        ("tick off the hinges, scratch that, the bench", "task_identifier", "the bench"),
        ("delete the hinges, no wait, move it to Friday", "task_identifier", "it"),
        ("delete the hinges, no wait, move it to Friday", "new_due", "Friday"),
    ],
)
def test_spans_point_into_the_message_as_it_was_typed(message, name, said):
    (decision,) = run(message).answer.decisions
    start, end = decision.evidence[name].span
    assert message[start:end] == said


def test_a_text_over_a_dropped_stretch_leaves_it_out():
    (decision,) = run("add phone Ida, sorry, Ina, on Friday").answer.decisions
    assert decision.arguments["title"] == "phone Ina"


def test_a_guess_at_what_is_replaced_is_asked_about():
    (decision,) = run("add a task to phone Ida, no wait, text Ole").answer.decisions
    assert isinstance(decision, Confirm)
    assert (decision.reason, decision.arguments["title"]) == ("uncertain", "text Ole")


def test_a_command_taken_back_leaves_the_others():
    (decision,) = run("tick off the bench and delete the hinges, no wait, don't").answer.decisions
    assert isinstance(decision, Call)
    assert decision.arguments == {"task_identifier": "b"}


def test_an_answer_to_a_question_is_not_repaired():
    asked = {
        "kind": "confirm",
        "tool": "delete_task",
        "arguments": {"task_identifier": "a"},
        "confidence": 0.9,
        "question": "Delete it?",
        "reason": "destructive",
    }
    (decision,) = run("yes, no wait, don't", pending=asked).answer.decisions
    assert isinstance(decision, Nothing)
    assert decision.reason == "cancelled"


def test_most_messages_have_no_marker():
    found = run("add feed the hens on Friday")
    assert not is_there(found.sheet)


def test_a_text_without_a_stretch_says_the_rest():
    text = normalise("one two three").without((4, 8))
    assert [token.text for token in text.tokens] == ["one", "three"]
    assert text.said(0, 13) == "one three"
    assert text.said(4, 13) == "three"
    assert text.said(0, 5) == "one "
