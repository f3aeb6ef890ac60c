"""Deeds: what machines destroy is asked about, however the words came to it."""

from __future__ import annotations

import pytest

from sayso.case import case_from_object
from sayso.decision import Call, Clarify, Confirm, Nothing
from talk import DECIDER


def machine(identifier, place):
    commands = [
        {"id": f"{identifier}-thaw", "name": "Defrost", "description": "", "destructive": True},
        {"id": f"{identifier}-on", "name": "Turn on", "description": ""},
    ]
    return {
        "kind": "machine",
        "id": identifier,
        "name": f"Freezer {place}",
        "serial": f"FZ-{identifier}",
        "description": "",
        "location": place,
        "connected": True,
        "commands": commands,
        "metrics": ["temperature"],
    }


FLEET = [machine("a", "north"), machine("b", "south")]
TURNED_ON = [
    {"role": "user", "content": "turn on freezer north"},
    {"role": "assistant", "content": "Done.", "shown": ["a"]},
]


def call(identifier, command):
    return {"device_id": identifier, "machine_command_id": f"{identifier}-{command}"}


def question(*calls):
    options = [
        {"label": f"{one['device_id']}: {one['machine_command_id']}", "tool": "machine_command_execute"}
        | {"arguments": one, "confidence": 0.5}
        for one in calls
    ]
    kinds = {"kind": "clarify", "tool": "machine_command_execute", "arguments": {}, "missing": ["device_id"]}
    return kinds | {"confidence": 0.5, "question": "Which?", "options": options, "reason": "ambiguous"}


def confirm(arguments):
    kinds = {"kind": "confirm", "tool": "machine_command_execute", "arguments": arguments, "reason": "destructive"}
    return kinds | {"confidence": 0.95, "question": "Shall I?"}


def proposing(machine):
    return {"tool": "machine_command_execute", "arguments": {"device_id": machine, "command": "turn on"}}


def decide(message, pending=None, history=(), fleet=FLEET, proposed=None):
    case = {"pack": "devices", "lang": "en", "now": "2026-03-10T09:00:00+01:00", "entities": fleet}
    case |= {"history": list(history), "pending": pending, "message": message, "proposed": proposed}
    return DECIDER.decide(case_from_object(case)).decisions


@pytest.mark.parametrize("message", ["the first one", "north", "1", "the one in the north"])
def test_picking_a_command_that_destroys_is_no_yes_to_it(message):
    (decision,) = decide(message, question(call("a", "thaw"), call("b", "thaw")))
    assert isinstance(decision, Confirm)
    assert (decision.reason, decision.arguments) == ("destructive", call("a", "thaw"))
    assert "Freezer north: Defrost" in decision.question


def test_picking_both_asks_about_each():
    decisions = decide("both", question(call("a", "thaw"), call("b", "thaw")))
    assert [type(one) for one in decisions] == [Confirm, Confirm]


def test_picking_what_to_do_with_one_machine_picks_one_thing():
    asked = question(call("a", "thaw"), call("a", "on"))
    (first,), (second,) = decide("the first", asked), decide("the second", asked)
    assert isinstance(first, Confirm)
    assert isinstance(second, Call)
    assert second.arguments == call("a", "on")


@pytest.mark.parametrize("message", ["defrost freezer north", "now defrost it"])
def test_saying_it_asks_first(message):
    (decision,) = decide(message, history=TURNED_ON)
    assert isinstance(decision, Confirm)
    assert decision.arguments == call("a", "thaw")


def test_both_means_both_whatever_was_spoken_of_before():
    decisions = decide("defrost both freezers", history=TURNED_ON)
    assert [(type(one), one.arguments) for one in decisions] == [
        (Confirm, call("a", "thaw")),
        (Confirm, call("b", "thaw")),
    ]


def test_a_yes_runs_what_was_asked_about_and_only_what_the_machine_still_has():
    (done,) = decide("yes", confirm(call("a", "thaw")))
    assert isinstance(done, Call)
    assert done.arguments == call("a", "thaw")
    (gone,) = decide("yes", confirm({"device_id": "a", "machine_command_id": "b-thaw"}))
    assert isinstance(gone, Clarify)
    assert gone.reason == "not_found"


def test_another_machine_has_commands_of_its_own():
    (decision,) = decide("no, the south one", confirm(call("a", "thaw")))
    assert isinstance(decision, Confirm)
    assert decision.arguments == call("b", "thaw")


@pytest.mark.parametrize("proposed", ["lamp", "lamp-hall", "Hall lamp"])
def test_a_proposal_does_not_find_what_the_words_name_and_nobody_has(proposed):
    lights = [
        FLEET[0] | {"id": "fridge", "name": "Kitchen fridge", "commands": [{"id": "light", "name": "Turn on light"}]},
        FLEET[0] | {"id": "lamp", "name": "Kitchen lamp", "commands": [{"id": "on", "name": "Turn on"}]},
    ]
    (decision,) = decide("turn on the lamp in the hall", fleet=lights, proposed=proposing(proposed))
    assert isinstance(decision, Clarify)
    assert decision.reason == "not_found"


def test_a_proposal_tells_which_of_those_that_the_words_name():
    (decision,) = decide("turn on freezer south", proposed=proposing("Freezer south"))
    assert isinstance(decision, Call)
    assert decision.arguments == call("b", "on")


@pytest.mark.parametrize("message", ["of course", "sure, of course", "add 12 and 30", "12"])
def test_neither_a_yes_nor_a_number_alone_is_a_command(message):
    commands = [{"id": "go", "name": "Start course"}, {"id": "set", "name": "Set temperature", "minimum": 0}]
    (decision,) = decide(message, fleet=[FLEET[0] | {"name": "Washer", "commands": commands}])
    assert isinstance(decision, Nothing)


@pytest.mark.parametrize(
    ("lang", "message"),
    [
        ("en", "turn on the freezer trolley"),
        ("en", "turn on the porch freezer"),
        ("it", "accendi il freezer della cantina"),
    ],
)
def test_half_a_name_and_a_word_that_is_not_in_it_name_another_machine(lang, message):
    case = {"message": message, "pack": "devices", "lang": lang, "entities": FLEET[:1], "now": "2026-03-10T09:00:00Z"}
    (decision,) = DECIDER.decide(case_from_object(case)).decisions
    assert isinstance(decision, Clarify)


@pytest.mark.parametrize(
    "message", ["turn on the freezer mate", "turn on the bloody freezer", "turn on the freezer now"]
)
def test_what_is_said_beside_half_a_name_names_nothing(message):
    case = {"message": message, "pack": "devices", "lang": "en", "entities": FLEET[:1], "now": "2026-03-10T09:00:00Z"}
    (decision,) = DECIDER.decide(case_from_object(case)).decisions
    assert isinstance(decision, Call)


@pytest.mark.parametrize(
    ("lang", "message"), [("en", "turn on all the machines"), ("it", "accendi tutti i macchinari che si comincia")]
)
def test_all_the_machines_are_several(lang, message):
    case = {"message": message, "pack": "devices", "lang": lang, "entities": FLEET, "now": "2026-03-10T09:00:00Z"}
    (decision,) = DECIDER.decide(case_from_object(case)).decisions
    assert isinstance(decision, Nothing)
    assert decision.reason == "unsupported"


@pytest.mark.parametrize(
    ("lang", "message"),
    [("en", "tell Otto to turn on freezer north"), ("it", "di' a Otto di accendere il freezer north")],
)
def test_what_somebody_is_to_be_told_is_not_done(lang, message):
    case = {"message": message, "pack": "devices", "lang": lang, "entities": FLEET, "now": "2026-03-10T09:00:00Z"}
    (decision,) = DECIDER.decide(case_from_object(case)).decisions
    assert isinstance(decision, Nothing)


def test_a_machine_may_be_told_itself():
    case = {"message": "tell the freezer to turn on", "pack": "devices", "lang": "en", "entities": FLEET[:1]}
    (decision,) = DECIDER.decide(case_from_object({**case, "now": "2026-03-10T09:00:00Z"})).decisions
    assert isinstance(decision, Call)


def test_a_machine_with_a_number_that_none_has_is_not_read():
    fleet = [machine("a", "3") | {"name": "Tank 3"}, machine("b", "7") | {"name": "Tank 7"}]
    case = {"pack": "devices", "lang": "en", "entities": fleet, "now": "2026-03-10T09:00:00Z"}
    asked, read = (
        DECIDER.decide(case_from_object({**case, "message": f"what is the temperature of tank {number}?"})).decisions[0]
        for number in (5, 7)
    )
    assert isinstance(asked, Clarify)
    assert isinstance(read, Call)


def test_a_number_after_a_hyphen_may_be_said_apart():
    fleet = [machine("a", "1") | {"name": "CHILL-1"}, machine("b", "2") | {"name": "CHILL-2"}]
    case = {"message": "turn on chill 2", "pack": "devices", "lang": "en", "entities": fleet}
    (decision,) = DECIDER.decide(case_from_object({**case, "now": "2026-03-10T09:00:00Z"})).decisions
    assert isinstance(decision, Call)
    assert decision.arguments == call("b", "on")


@pytest.mark.parametrize(
    "message",
    ["turn on freezer north, no wait, freezer south", "turn freezer north on, sorry, the south one"],
)
def test_another_machine_takes_the_place_of_the_first(message):
    (done,) = decide(message)
    assert (type(done), done.arguments) == (Call, call("b", "on"))
