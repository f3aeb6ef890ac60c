"""A yes to a question about a machine runs that command and no other; beside another machine's name it is no yes."""

from __future__ import annotations

import pytest

from sayso.case import Case
from sayso.decision import Confirm
from sayso.record import Entity
from talk import DECIDER, NOW, line

RESET = {"device_id": "m1", "machine_command_id": "m1-reset"}
ASKED = Confirm(
    tool="machine_command_execute", arguments=RESET, confidence=0.9, question="Reset it?", reason="destructive"
)


def machine(identifier, name, *commands):
    return Entity(
        {
            "kind": "machine",
            "id": identifier,
            "name": name,
            "commands": [{"id": f"{identifier}-{one}", "name": one, "destructive": one == "reset"} for one in commands],
            "metrics": ["temperature"],
        }
    )


MACHINES = (machine("m1", "Kitchen fridge", "reset", "light on"), machine("m2", "Oven", "reset", "light on"))


def say(message, lang="en"):
    case = Case(message=message, now=NOW, pack="devices", entities=MACHINES, pending=ASKED, lang=lang)
    return [line(decision) for decision in DECIDER.decide(case).decisions]


@pytest.mark.parametrize("message", ["yes", "yes, the fridge", "yes the kitchen fridge", "ok, reset it"])
def test_a_yes_runs_the_command_that_was_asked_about(message):
    assert say(message) == ["call machine_command_execute device_id=m1 machine_command_id=m1-reset"]


@pytest.mark.parametrize("message", ["yes, the oven", "yes the oven", "ok the oven", "yes, reset the oven"])
def test_a_yes_beside_another_machine_asks_about_that_one(message):
    assert say(message) == ["confirm machine_command_execute device_id=m2 machine_command_id=m2-reset"]


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("the oven", "en"),
        ("sì, il forno", "it"),
        ("yes, both", "en"),
        ('the answer is "yes"', "en"),
        ("yes, it is cold", "en"),
        ("yes, turn on the light of the oven", "en"),
    ],
)
def test_anything_less_resets_nothing(message, lang):
    assert not any("reset" in told and told.startswith("call") for told in say(message, lang))
