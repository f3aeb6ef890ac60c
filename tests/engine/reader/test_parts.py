"""The learned reader about machines: its words go through the rules' own steps, and it may doubt their commands."""

import pytest

from sayso import Case, Decider
from sayso.decision import Call, Clarify, Confirm, Nothing
from sayso.engine.decide.room import Room, Thresholds
from sayso.engine.decide.wording import Voice
from sayso.engine.reader.compare import Trust
from sayso.engine.reader.decisions import draft, slots_of
from sayso.engine.reader.features import OWN_FLAGS, Extractor, fit_flags
from sayso.engine.reader.read import NOTHING, Prediction, Value
from sayso.engine.reader.witnesses import Verdict, weigh
from sayso.record import Entity
from talk import NOW

RULES = Decider.installed(thresholds=Thresholds(reader=False))
COMMAND, READ = "machine_command_execute", "metrics_read"


def machine(identifier, name, commands=(), metrics=()):
    own = [{"id": f"{identifier}-{at}", "name": command, "description": ""} for at, command in enumerate(commands)]
    fields = {"serial": "", "description": "", "location": "", "connected": True}
    return Entity(
        {"kind": "machine", "id": identifier, "name": name, **fields, "commands": own, "metrics": list(metrics)}
    )


MACHINES = (
    machine("o1", "Deck oven 1", ["Steam", "Set temperature"], ["temperature"]),
    machine("o2", "Deck oven 2", ["Steam", "Set temperature"], ["temperature"]),
    machine("fan", "Ceiling fan", ["Turn on", "Turn off"], ["speed"]),
    machine("hb", "Heat blanket", ["Turn on", "Turn off"], ["power"]),
)


def run(message):
    return RULES.run(Case(message=message, now=NOW, pack="devices", lang="en", entities=MACHINES))


def room_of(found):
    voice = Voice(found.grammar, found.scene.things)
    return Room(found.grammar, found.sheet, found.scene, NOW, voice, Thresholds(), None, (0, len(found.sheet.words)))


def said(found, act, chance=0.97, certainty=0.97, **values):
    """A prediction over the whole message; each value is given by its words."""
    lows = found.sheet.lows
    spans = []
    for slot, words in values.items():
        parts = words.split()
        at = next(at for at in range(len(lows)) if list(lows[at : at + len(parts)]) == parts)
        spans.append(Value(slot, at, at + len(parts)))
    return Prediction(0, len(lows), act, chance, "command", tuple(spans), certainty, {act: chance})


def judged(message, act, chance=0.97, certainty=0.97, **values) -> Verdict:
    found = run(message)
    prediction = said(found, act, chance, certainty, **values)
    return weigh(room_of(found), list(found.answer.decisions), (prediction,), Trust())


def test_the_words_of_a_machine_and_its_command_become_a_call():
    found = run("hit the steam on oven 2")
    made = draft(room_of(found), said(found, COMMAND, command="steam", machine="oven 2"))
    assert made is not None
    (one,) = made.decisions
    assert isinstance(one, Call)
    assert one.arguments == {"device_id": "o2", "machine_command_id": "o2-0"}


def test_a_value_is_read_from_the_words_that_are_marked():
    found = run("oven 1 wants to be at 220 for the loaves")
    made = draft(room_of(found), said(found, COMMAND, machine="oven 1", value="220"))
    assert made is not None
    (one,) = made.decisions
    assert isinstance(one, Call)
    assert one.arguments == {"device_id": "o1", "machine_command_id": "o1-1", "value": 220}


def test_a_machine_that_fits_two_is_asked_about():
    found = run("hit the steam on the oven")
    made = draft(room_of(found), said(found, COMMAND, command="steam", machine="the oven"))
    assert made is not None
    (one,) = made.decisions
    assert isinstance(one, Clarify)
    assert {option.arguments["device_id"] for option in one.options} == {"o1", "o2"}


@pytest.mark.parametrize(
    "message", ["the fan goes off tomorrow at 9am", "don't turn off the fan", "turn off the fan when it rains"]
)
def test_a_command_that_is_denied_or_for_later_comes_to_nothing(message):
    found = run(message)
    assert (
        draft(room_of(found), said(found, COMMAND, machine="the fan", command="off" if "off" in message else ""))
        is None
    )


def test_a_command_that_the_reader_surely_denies_is_dropped():
    message = "turn off the ceiling fan"
    assert [type(one) for one in run(message).answer.decisions] == [Call]
    assert [type(one) for one in judged(message, NOTHING, 0.99).decisions] == [Nothing]


def test_a_command_to_another_machine_is_asked_about():
    found = run("turn off the heat blanket")
    rules = list(run("turn off the ceiling fan").answer.decisions)
    prediction = said(found, COMMAND, command="turn off", machine="the heat blanket")
    judgement = weigh(room_of(found), rules, (prediction,), Trust())
    assert judgement.agreement == "differ"
    assert [type(one) for one in judgement.decisions] == [Confirm]


def test_a_command_runs_where_the_reader_is_unsure():
    found = judged("turn off the ceiling fan", COMMAND, 0.7, 0.4, command="turn off", machine="the ceiling fan")
    assert [type(one) for one in found.decisions] == [Call]
    assert found.agreement == "agree"


def test_several_commands_of_the_rules_run_beside_a_reader_that_sees_one():
    found = judged("turn off the ceiling fan and turn on the heat blanket", COMMAND, machine="the ceiling fan")
    assert [type(one) for one in found.decisions] == [Call, Call]


def test_what_the_rules_do_not_understand_is_read_by_the_reader():
    message = "what would you say the ceiling fan is doing for speed"
    found = judged(message, READ, machine="the ceiling fan", metrics="speed")
    assert [one.arguments for one in found.decisions] == [{"device_id": "fan", "metrics": ["speed"]}]


def test_words_that_fit_a_machine_or_its_parts_are_flagged():
    found = run("heat blanket power")
    names = tuple(fit_flags(found.grammar))
    features = Extractor(found.grammar, names)(found.sheet, found.scene)
    flagged = [{names[flag - OWN_FLAGS] for flag in flags if flag >= OWN_FLAGS} for flags in features.flags]
    assert flagged == [{"fits:name", "best:name"}, {"fits:name", "best:name"}, {"fits:metric", "best:metric"}]


def test_a_command_takes_the_words_of_a_measure_and_a_reading_takes_no_command():
    takes = slots_of(RULES.pack("devices").pack)
    assert {"machine", "command", "metrics", "value"} <= takes[COMMAND]
    assert {"machine", "metrics"} <= takes[READ]
    assert "command" not in takes[READ]


@pytest.mark.parametrize(
    "message",
    [
        "turn on the ceiling fan around dusk",  # a time that nothing reads
        "turn the ceiling fan on 4",  # a figure that no value takes
        "my brother forgot to turn on the ceiling fan",
    ],
)
def test_a_command_beside_which_words_are_left_over_is_not_run(message):
    decider = Decider.installed()
    found = decider.decide(Case(message=message, now=NOW, pack="devices", lang="en", entities=MACHINES)).decisions
    assert not any(isinstance(one, Call) for one in found)


def test_a_reason_in_another_part_of_the_message_leaves_a_command_alone():
    decider = Decider.installed()
    case = Case(
        message="it smells of smoke, turn on the ceiling fan", now=NOW, pack="devices", lang="en", entities=MACHINES
    )
    assert [type(one) for one in decider.decide(case).decisions] == [Call]
