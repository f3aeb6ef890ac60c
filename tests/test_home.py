"""Home Assistant's sentences as cases: inventories become machines, and only the exact frame is right."""

from __future__ import annotations

import json

import pytest

from benchmarks.suite import home
from benchmarks.suite.baselines import never
from benchmarks.suite.home_rows import Excluded, Row, right, rows
from benchmarks.suite.values import Contender, unwatched
from sayso.decision import Answer, Call, Clarify, Confirm, Nothing, Option

FIXTURE = {
    "fixture": "f",
    "floors": [{"name": "Ground", "id": "g"}],
    "areas": [{"name": "Shed", "id": "s", "floor": "g"}, {"name": "Attic", "id": "a"}],
    "entities": [
        {"name": "Bench lamp", "id": "light.bench", "area": "s"},
        {"name": "Work lamp", "id": "light.work", "area": "s"},
        {"name": "Hatch", "id": "lock.hatch", "area": "a"},
        {"name": "Kayak", "id": "binary_sensor.k1", "attributes": {"device_class": "moisture"}},
        {"name": "Kayak", "id": "binary_sensor.k2", "attributes": {"device_class": "vibration"}},
        {"name": "Mia", "id": "person.mia"},
    ],
}
LINES = [
    ("light the bench lamp", "HassTurnOn", {"name": "Bench lamp"}, {}),
    ("shed lamps out", "HassTurnOff", {"domain": "light", "area": "Shed"}, {}),
    ("hatch shut tight?", "HassGetState", {"name": "Hatch", "state": "locked"}, {}),
    ("is the kayak soaked", "HassGetState", {"name": "Kayak", "device_class": "moisture"}, {}),
    ("twine for the list", "HassListAddItem", {"item": "twine", "name": "Shop"}, {}),
    ("twine is bought", "HassListCompleteItem", {"item": "twine", "name": "Shop"}, {}),
    ("mia about?", "HassGetState", {"domain": "person", "name": "Mia"}, {}),
    ("lights here", "HassTurnOn", {"domain": "light", "area": "Shed"}, {"area": "Shed"}),
    ("attic lamps on", "HassTurnOn", {"domain": "light", "area": "Attic"}, {}),
    ("five minutes", "HassStartTimer", {}, {}),
]


@pytest.fixture
def data(tmp_path):
    """The data in small: the same shapes, other sentences."""
    folder = tmp_path / "ha-intents"
    folder.mkdir()
    keys = ("text", "intent", "slots", "context")
    lines = [json.dumps({"fixture": "f", **dict(zip(keys, line, strict=True))}) for line in LINES]
    for lang in ("en", "it"):
        (folder / f"fixtures_{lang}_2025.jsonl").write_text(json.dumps(FIXTURE))
        (folder / f"fixtures_{lang}_2026.jsonl").write_text(json.dumps(FIXTURE))
        (folder / f"{lang}_2025.jsonl").write_text("\n".join(lines) if lang == "en" else "")
        (folder / f"{lang}_2026.jsonl").write_text("\n".join(lines[:1]) if lang == "en" else "")
    return tmp_path


@pytest.fixture
def found(data):
    return {row.text: row for row in rows(data, "dev") if isinstance(row, Row)}


def machine(row, name):
    return next(one for one in row.case.entities if one["name"] == name)


def says(*decisions):
    return Answer(id="", lang="en", decisions=decisions)


def command(row, name, verb):
    one = machine(row, name)
    return {"device_id": one.id, "machine_command_id": f"{one.id}-{verb}"}


def test_an_inventory_becomes_machines(found):
    row = found["light the bench lamp"]
    lamp, kayak = machine(row, "Bench lamp"), machine(row, "Kayak")
    assert (lamp["location"], lamp["description"]) == ("Shed, Ground", "Light")
    assert [one["name"] for one in lamp["commands"]] == ["Turn on", "Turn off", "Set brightness"]
    assert kayak["metrics"] == ["moisture", "vibration"]
    assert [one["name"] for one in machine(row, "Hatch")["commands"]] == ["Lock", "Unlock"]


def test_what_is_left_out_says_why(data):
    reasons = [row.reason for row in rows(data, "dev") if isinstance(row, Excluded)]
    assert [reason.split()[0] for reason in reasons] == ["about", "the", "the"]
    assert len(reasons) == len(set(reasons))


def test_what_stood_there_before_is_no_test(data):
    (row,) = rows(data, "test")
    assert isinstance(row, Excluded)


def test_one_machine_needs_exactly_that_call(found):
    row = found["light the bench lamp"]
    tool = "machine_command_execute"
    assert right(row, says(Call(tool=tool, arguments=command(row, "Bench lamp", "turn_on"), confidence=1)))
    assert not right(row, says(Call(tool=tool, arguments=command(row, "Bench lamp", "turn_off"), confidence=1)))
    assert not right(row, says(Call(tool=tool, arguments=command(row, "Work lamp", "turn_on"), confidence=1)))
    assert not right(row, says(Nothing(confidence=1, reason="unsupported")))


def test_a_group_is_asked_about_or_refused(found):
    row = found["shed lamps out"]

    def asks(*names):
        options = [
            Option(label="", tool="machine_command_execute", arguments=command(row, name, "turn_off"), confidence=1)
            for name in names
        ]
        return says(Clarify(tool=None, confidence=1, question="?", reason="ambiguous", options=tuple(options)))

    assert right(row, asks("Bench lamp", "Work lamp"))
    assert not right(row, asks("Bench lamp"))
    assert right(row, says(Nothing(confidence=1, reason="unsupported")))
    assert not right(row, says(Nothing(confidence=1, reason="out_of_scope")))


def test_the_metric_counts_where_a_machine_has_several(found):
    row = found["is the kayak soaked"]
    kayak = machine(row, "Kayak").id

    def reads(*metrics):
        return says(Call(tool="metrics_read", arguments={"device_id": kayak, "metrics": list(metrics)}, confidence=1))

    assert right(row, reads("moisture"))
    assert not right(row, reads("vibration"))
    assert not right(row, reads())


def test_an_item_is_a_task(found):
    add, done = found["twine for the list"], found["twine is bought"]
    assert right(add, says(Call(tool="add_task", arguments={"title": "Twine"}, confidence=1)))
    assert not right(add, says(Call(tool="add_task", arguments={"title": "twine for the list"}, confidence=1)))
    item = {"task_identifier": "item"}
    assert right(done, says(Call(tool="complete_task", arguments=item, confidence=1)))
    assert right(
        done, says(Confirm(tool="delete_task", arguments=item, confidence=1, question="?", reason="destructive"))
    )
    assert not right(done, says(Call(tool="delete_task", arguments=item, confidence=1)))


def test_the_measure_counts_by_language_and_kind(data):
    section = home.measure(data, [Contender("never", never)], "dev", None, unwatched)
    assert len(section.misses) == 6
    assert {row[1] for row in section.tables[0].rows} >= {"HassTurnOff, several machines", "HassTurnOn, by name"}
    assert not section.figures[0].met
    assert not home.measure(data, [Contender("never", never)], "test", None, unwatched).misses
