"""Words about reminders: lead times, taking a reminder off, and a reminder without a subject."""

from __future__ import annotations

import pytest

from sayso import Decider
from sayso.case import case_from_object
from sayso.decision import Call, Clarify, Nothing

NOW = "2026-11-16T09:30:00+01:00"
TASKS = [
    {"kind": "task", "id": "t1", "title": "Piano recital", "status": "pending", "due": "2026-11-20T18:00"},
    {"kind": "task", "id": "t2", "title": "Vaccino del cane", "status": "pending", "due": "2026-11-23T10:00"},
]


@pytest.fixture(scope="module")
def decide():
    decider = Decider.installed()

    def decided(message, lang):
        case = {"pack": "tasks", "lang": lang, "message": message, "now": NOW, "entities": TASKS}
        return decider.decide(case_from_object(case)).decisions[0]

    return decided


@pytest.mark.parametrize(
    ("message", "lang", "task", "lead"),
    [
        ("give me two hours' notice for the piano recital", "en", "t1", "PT2H"),
        ("set the piano recital reminder to 45 minutes before", "en", "t1", "PT45M"),
        ("the piano recital reminder should be a day before", "en", "t1", "P1D"),
        ("piano recital, remind me an hour before", "en", "t1", "PT1H"),
        ("make the piano recital reminder three quarters of an hour", "en", "t1", "PT45M"),
        ("sposta il promemoria del vaccino del cane a tre ore prima", "it", "t2", "PT3H"),
    ],
)
def test_a_lead_time_is_read_and_no_date_is_moved(decide, message, lang, task, lead):
    found = decide(message, lang)
    assert not isinstance(found, Nothing)
    assert found.arguments == {"task_identifier": task, "new_remind": lead}


@pytest.mark.parametrize(
    ("message", "lang", "task"),
    [
        ("turn off the piano recital reminder", "en", "t1"),
        ("no more reminders for the piano recital please", "en", "t1"),
        ("i don't need a reminder for the piano recital", "en", "t1"),
        ("togli il promemoria dal vaccino del cane", "it", "t2"),
        ("basta avvisi per il vaccino del cane", "it", "t2"),
    ],
)
def test_a_reminder_is_taken_off(decide, message, lang, task):
    found = decide(message, lang)
    assert not isinstance(found, Nothing)
    assert found.arguments == {"task_identifier": task, "new_remind": None}


@pytest.mark.parametrize("message", ["remind me friday at 7am", "remind me tomorrow at noon"])
def test_a_reminder_without_a_subject_asks_for_it(decide, message):
    found = decide(message, "en")
    assert isinstance(found, Clarify)
    assert (found.tool, found.missing) == ("add_task", ("title",))


@pytest.mark.parametrize(("message", "lang"), [("questa strada mi ricorda l'infanzia", "it")])
def test_what_is_not_surely_meant_never_runs(decide, message, lang):
    found = decide(message, lang)
    assert not isinstance(found, Call)
