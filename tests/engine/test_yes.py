"""Only an explicit yes to that very question deletes; and a question that we would not have asked runs nothing."""

from __future__ import annotations

import pytest

from sayso import Call, Decider, MalformedCase, case_from_json, case_from_object
from sayso.engine.decide.room import Thresholds

DECIDER = Decider.installed(thresholds=Thresholds(reader=False))  # the rules alone
TITLES = {"a1": "Buy milk", "a2": "Call grandma", "a3": "Renew passport", "a5": "Mend the tap"}
ENTITIES = [{"kind": "task", "id": key, "title": title, "status": "pending"} for key, title in TITLES.items()]
ASKED = {"kind": "confirm", "confidence": 0.97, "question": "Delete it?", "reason": "destructive"}
DELETE = {**ASKED, "tool": "delete_task", "arguments": {"task_identifier": "a3"}}

YES = [
    "yes",
    "yep",
    "ok",
    "sure",
    "yes please",
    "yeah delete it",
    "yes, I want to delete it",
    "go ahead",
    "do it",
    "confirm",
    "👍",
    "ok, delete",
    "yes delete the passport one",
    "sì",
    "certo",
    "sì dai, toglilo",
]
NO_YES = [
    "sì, l'altro",
    "yes the first",
    "ok 👎",
    "yes 👎",
    "👍👎",
    "👎👍",
    "ok ❌",
    "ok 🚫",
    "yes 🙅",
    "yes 🛑",
    "ok forget it",
    "yes forget that",
    "ok drop it",
    "yes cancel that",
    "ok annulla",
    "sì annulla",
    "maybe yes",
    "yes maybe",
    "ok maybe",
    "magari",
    "magari sì",
    "yes but",
    "ok and",
    "sì ma",
    "sì però",
    "yes!?",
    "say yes",
    "~~yes~~",
    "yeah right",
    "right now",
    "cool",
    "great",
    "i don't want it",
    "yes, wait",
    "sure?",
    "yes, it's raining",
]


def decide(message, pending, now="2026-03-10T09:00:00+01:00"):
    case = {"message": message, "now": now, "entities": ENTITIES, "pending": pending}
    return DECIDER.decide(case_from_object(case)).decisions


def deleted(decisions):
    return [
        decision.arguments for decision in decisions if isinstance(decision, Call) and decision.tool == "delete_task"
    ]


@pytest.mark.parametrize("message", YES)
def test_an_explicit_yes_deletes(message):
    assert deleted(decide(message, DELETE)) == [{"task_identifier": "a3"}]


@pytest.mark.parametrize("message", NO_YES)
def test_anything_less_deletes_nothing(message):
    assert deleted(decide(message, DELETE)) == []


@pytest.mark.parametrize(
    "asked",
    [
        {"tool": "rm_rf", "arguments": {"x": 1}},
        {"tool": "delete_task", "arguments": {}},
        {"tool": "delete_task", "arguments": {"task_identifier": 3}},
        {"tool": "delete_task", "arguments": {"task_identifier": ["a1", "a3"]}},
        {"tool": "delete_task", "arguments": {"task_identifier": "a3", "force": True}},
        {"tool": "delete_task", "arguments": {"task_identifier": "gone"}},
        {"tool": "add_task", "arguments": {"title": "", "priority": "mega"}},
    ],
)
def test_a_yes_runs_only_what_the_tools_allow(asked):
    assert not any(isinstance(decision, Call) for decision in decide("yes", {**ASKED, **asked}))


@pytest.mark.parametrize("message", ["yes", "what?", "I don't know", "boh"])
def test_what_is_no_title_is_not_taken_for_one(message):
    question = {"kind": "clarify", "tool": "add_task", "missing": ["title"], "confidence": 0.5, "question": "What?"}
    assert not any(isinstance(one, Call) for one in decide(message, {**question, "reason": "missing"}))


@pytest.mark.parametrize("now", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
@pytest.mark.parametrize(
    "message", ["remind me to eat tomorrow", "add eat last friday", "ricordami di mangiare domani"]
)
def test_a_clock_beyond_the_calendar_is_no_crash(message, now):
    assert decide(message, None, now)


def test_json_that_is_nested_too_deep_is_no_case():
    with pytest.raises(MalformedCase):
        case_from_json('{"a":' * 50_000)


def test_a_number_in_a_name_is_no_value_for_the_question():
    machines = [
        {"kind": "machine", "id": f"k{n}", "name": f"Kiln {n}", "commands": [{"id": f"k{n}-vent", "name": "Vent"}]}
        for n in (1, 2)
    ]
    vent = {"device_id": "k1", "machine_command_id": "k1-vent"}
    pending = {"kind": "confirm", "tool": "machine_command_execute", "arguments": vent, "confidence": 0.9}
    pending |= {"question": "Vent kiln 1?", "reason": "destructive"}
    case = {"pack": "devices", "now": "2026-03-10T09:00:00+01:00", "entities": machines, "pending": pending}
    (one,) = DECIDER.decide(case_from_object({**case, "message": "kiln 2 I think"})).decisions
    assert not isinstance(one, Call)
