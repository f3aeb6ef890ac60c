"""Commands whose description names a value, and metrics that are called like a command."""

from __future__ import annotations

import pytest

from sayso import Decider
from sayso.case import case_from_object
from sayso.decision import Call, Clarify

MIXER = {
    "kind": "machine",
    "id": "x1",
    "name": "Dough mixer",
    "serial": "DM-1",
    "description": "Spiral mixer",
    "location": "bakery",
    "connected": True,
    "commands": [
        {"id": "knead", "name": "Knead", "description": "Knead at rpm (value)"},
        {"id": "tilt", "name": "Tilt", "description": "Tilt the bowl"},
    ],
    "metrics": ["rpm", "remaining_minutes"],
}
SIGN = {
    "kind": "machine",
    "id": "x2",
    "name": "Shop sign",
    "serial": "SG-4",
    "description": "Sign above the door",
    "location": "street",
    "connected": True,
    "commands": [
        {"id": "turn_on", "name": "Turn on", "description": "Switch it on"},
        {"id": "turn_off", "name": "Turn off", "description": "Switch it off"},
    ],
    "metrics": ["is_on", "brightness"],
}
CABLEWAY = {
    "kind": "machine",
    "id": "x3",
    "name": "Teleferica",
    "serial": "TF-2",
    "description": "Trasporto merci",
    "location": "rifugio",
    "connected": True,
    "commands": [{"id": "giu", "name": "Manda a valle", "description": "Porta il carrello a valle"}],
    "metrics": [],
}


@pytest.fixture(scope="module")
def decide():
    decider = Decider.installed()

    def decided(message, lang="en"):
        return decider.decide(
            case_from_object(
                {
                    "pack": "devices",
                    "lang": lang,
                    "message": message,
                    "now": "2026-11-16T09:30:00+01:00",
                    "entities": [MIXER, SIGN, CABLEWAY],
                }
            )
        ).decisions[0]

    return decided


def test_a_command_that_wants_a_value_gets_it(decide):
    found = decide("knead at 120 rpm with the dough mixer")
    assert found.arguments == {"device_id": "x1", "machine_command_id": "knead", "value": 120}


def test_without_the_value_it_asks_for_it(decide):
    found = decide("start the dough mixer kneading")
    assert not isinstance(found, Call)
    found = decide("knead with the dough mixer")
    assert isinstance(found, Clarify)
    assert found.missing == ("value",)


def test_a_word_like_value_in_another_language_wants_none(decide):
    found = decide("manda a valle la teleferica", "it")
    assert isinstance(found, Call)
    assert "value" not in found.arguments


@pytest.mark.parametrize(
    ("message", "lang", "command"),
    [
        ("turn the shop sign on", "en", "turn_on"),
        ("turn on the shop sign", "en", "turn_on"),
        ("could you switch on the shop sign", "en", "turn_on"),
        ("please turn off the shop sign", "en", "turn_off"),
    ],
)
def test_a_command_is_no_reading_of_a_metric_with_its_name(decide, message, lang, command):
    found = decide(message, lang)
    assert isinstance(found, Call)
    assert found.arguments["machine_command_id"] == command


@pytest.mark.parametrize("message", ["is the shop sign on?", "can you tell me if the shop sign is on?"])
def test_a_question_still_reads_it(decide, message):
    found = decide(message)
    assert isinstance(found, Call)
    assert found.tool == "metrics_read"


@pytest.mark.parametrize("message", ["how long is left on the dough mixer?", "how many minutes are left on the mixer?"])
def test_the_remaining_time_is_read(decide, message):
    found = decide(message)
    assert isinstance(found, Call)
    assert found.arguments["metrics"] == ["remaining_minutes"]
