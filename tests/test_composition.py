"""The settings of composing: what they change, and that a wrong one stops the program."""

from __future__ import annotations

import pytest

from sayso.case import case_from_object
from sayso.composition import thresholds
from sayso.decider import Decider
from sayso.decision import Call, Clarify, Confirm, Nothing, Option, composition_status
from sayso.errors import BadSetting

LAMPS = [
    {"kind": "machine", "id": f"l{n}", "name": f"Lamp {n}", "commands": [{"id": f"l{n}-on", "name": "Turn on"}]}
    for n in range(1, 9)
]
RAISED = {
    "message": "delete water the cactus the plant has died",
    "entities": [{"kind": "task", "id": "t1", "title": "Water the cactus", "status": "pending"}],
    "proposed": {"tool": "delete_task", "arguments": {"task_identifier": "t1"}},
}


def decide(data, **environment):
    case = case_from_object({"now": "2026-03-10T09:00:00+01:00", **data})
    return Decider.installed(thresholds=thresholds(environment)).decide(case)


def test_unset_means_the_defaults():
    assert (thresholds({}).compose, thresholds({}).inferred, thresholds({}).options) == (True, 0.9, 5)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SAYSO_COMPOSITION", "perhaps"),
        ("SAYSO_COMPOSITION_THRESHOLD", "0.2"),
        ("SAYSO_COMPOSITION_THRESHOLD", "1.1"),
        ("SAYSO_COMPOSITION_THRESHOLD", "nan"),
        ("SAYSO_COMPOSITION_THRESHOLD", "high"),
        ("SAYSO_MAX_SUGGESTIONS", "0"),
        ("SAYSO_MAX_SUGGESTIONS", "21"),
        ("SAYSO_MAX_SUGGESTIONS", "-1"),
        ("SAYSO_MAX_SUGGESTIONS", "many"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_by_name(name, value):
    with pytest.raises(BadSetting, match=name):
        thresholds({name: value})


def test_composing_can_be_switched_off():
    assert isinstance(decide(RAISED).decisions[0], Confirm)
    assert isinstance(decide(RAISED, SAYSO_COMPOSITION="off").decisions[0], Clarify)


def test_as_many_options_are_offered_as_are_set():
    case = {"pack": "devices", "message": "lamp on", "entities": LAMPS}
    assert len(decide(case).decisions[0].options) == 5
    (few,) = decide(case, SAYSO_MAX_SUGGESTIONS="2").decisions
    assert len(few.options) == 2
    assert "6" in few.question  # how many more there are


def test_what_was_chosen_before_goes_first_and_settles_nothing():
    case = {"pack": "devices", "message": "lamp on", "entities": LAMPS[:3]}
    (before,) = decide(case).decisions
    (after,) = decide({**case, "preferences": [{"said": "lamp", "chose": "l3", "times": 40}]}).decisions
    assert isinstance(after, Clarify)
    assert [option.arguments["device_id"] for option in before.options] == ["l1", "l2", "l3"]
    assert [option.arguments["device_id"] for option in after.options] == ["l3", "l1", "l2"]
    assert after.options[0].confidence == pytest.approx(before.options[0].confidence + 0.1)


def test_a_choice_about_something_else_changes_nothing():
    case = {"pack": "devices", "message": "lamp on", "entities": LAMPS[:3]}
    preferences = [{"said": "fan", "chose": "l3", "times": 9}, {"said": "lamp", "chose": "l2", "times": -5}]
    assert decide({**case, "preferences": preferences}).decisions == decide(case).decisions


def test_after_a_reading_what_sets_a_value_is_offered():
    machine = {
        "kind": "machine",
        "id": "k1",
        "name": "Kiln",
        "commands": [{"id": "k1-set", "name": "Set temperature"}, {"id": "k1-stop", "name": "Stop"}],
        "metrics": ["temperature"],
    }
    answer = decide({"pack": "devices", "message": "how hot is the kiln?", "entities": [machine]})
    (offer,) = answer.next
    assert (offer.tool, offer.arguments) == (
        "machine_command_execute",
        {"device_id": "k1", "machine_command_id": "k1-set"},
    )


def test_every_decision_has_a_status():
    option = Option(label="a", tool="x", arguments={})
    asked = {"tool": "x", "confidence": 0.5, "question": "?"}
    statuses = [
        composition_status(Call(tool="x", arguments={}, confidence=0.9)),
        composition_status(Confirm(arguments={}, reason="destructive", **asked)),
        composition_status(Clarify(reason="ambiguous", options=(option,), **asked)),
        composition_status(Clarify(reason="not_found", **asked)),
        composition_status(Nothing(confidence=0.9, reason="smalltalk")),
    ]
    assert statuses == ["completed", "needs_clarification", "needs_clarification", "failed", "failed"]
