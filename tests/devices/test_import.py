"""Machines from files and from discovery messages."""

from __future__ import annotations

import json
import random

import pytest

from sayso.devices.inventory.discovery import discover, known_classes
from sayso.devices.inventory.fleetfile import read_fleet
from sayso.devices.link.topics import Topics
from sayso.errors import BadData, BadSetting

YAML = """
machines:
  - id: frigo-cucina
    name: Frigo cucina
    serial: FRG-1
    location: Cucina
    aliases: [frigorifero grande]
    commands:
      - {id: set_temperature, name: Imposta temperatura, minimum: 1, maximum: 8, unit: °C}
      - {id: factory_reset, name: Ripristino di fabbrica, destructive: true}
    metrics: [{name: temperature, unit: °C}, door]
"""
CSV = """id,name,serial,location,aliases,commands,metrics
frigo-cucina,Frigo cucina,FRG-1,Cucina,frigorifero grande,\
set_temperature=Imposta temperatura [1..8 °C];factory_reset=Ripristino di fabbrica!,temperature [°C];door
"""


@pytest.mark.parametrize(("name", "content"), [("fleet.yaml", YAML), ("fleet.csv", CSV)])
def test_a_file_of_either_kind_describes_the_same_machine(tmp_path, name, content):
    file = tmp_path / name
    file.write_text(content, "utf-8")
    (machine,) = read_fleet(file)
    assert (machine.id, machine.name, machine.serial, machine.location) == (
        "frigo-cucina", "Frigo cucina", "FRG-1", "Cucina",
    )  # fmt: skip
    assert machine.aliases == ("frigorifero grande",)
    set_temperature, reset = machine.commands
    assert (set_temperature.minimum, set_temperature.maximum, set_temperature.unit) == (1, 8, "°C")
    assert (set_temperature.is_valued, reset.is_valued, reset.destructive) == (True, False, True)
    assert [(metric.name, metric.unit) for metric in machine.metrics] == [("temperature", "°C"), ("door", None)]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.yaml", "machines: []", "no machine"),
        ("a.yaml", "machines: {a: 1}", "is not a list"),
        ("a.yaml", "machines: [{id: a/b, name: A}]", "machine 1"),
        ("a.yaml", "machines: [{id: a, name: A}, {id: a, name: B}]", "two machines"),
        ("a.yaml", "machines: [{id: a, name: A, colour: red}]", "colour"),
        ("a.yaml", "machines: [{id: a, name: A, connected: true}]", "set by Sayso"),
        (
            "a.yaml",
            "machines: [{id: a, name: A, commands: [{id: x, name: X, minimum: 9, maximum: 1}]}]",
            "minimum is above",
        ),
        ("a.csv", "id,name,colour\na,A,red\n", "colour"),
        ("a.csv", "id,name,commands\na,A,turn on\n", "is not a command"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_place(tmp_path, name, content, said):
    file = tmp_path / name
    file.write_text(content, "utf-8")
    with pytest.raises(BadData, match=said):
        read_fleet(file)


def test_topics_carry_the_owner_whatever_the_name():
    topics = Topics()
    for owner in ("ada", "https://issuer/ada", "a+b", "#", "ada/frigo", "名前"):
        topic = topics.of(owner, "frigo", "set")
        assert len(topic.split("/")) == 4
        assert not set(topic) & set("+#")
        assert topics.read(topic) == (owner, "frigo", ("set",))
    assert topics.read("other/ada/frigo/set") is None
    assert topics.read("sayso/ada/frigo") is None


@pytest.mark.parametrize(
    "layout", ["sayso/{owner}", "{machine}", "a/{owner}/{owner}/{machine}", "a/+/{owner}/{machine}"]
)
def test_a_layout_without_the_owner_is_refused(layout):
    with pytest.raises(BadSetting, match="SAYSO_MQTT_TOPICS"):
        Topics(layout)


HOME = {
    "light/bar": {"name": "Bar lamp", "command_topic": "bar/set", "state_topic": "bar/state",
                  "brightness_command_topic": "bar/bri/set", "brightness_state_topic": "bar/bri"},
    "light/z": {"name": "Zigbee lamp", "schema": "json", "command_topic": "z/set", "state_topic": "z",
                "brightness": True},
    "switch/plug": {"~": "plug", "name": "Plug", "cmd_t": "~/set", "stat_t": "~/state", "avty_t": "~/lwt"},
    "climate/hall": {"name": "Thermostat", "temperature_command_topic": "hall/set", "min_temp": 10, "max_temp": 25,
                     "temperature_state_topic": "hall/target", "current_temperature_topic": "hall/now",
                     "modes": ["heat", "off"], "mode_command_topic": "hall/mode/set", "mode_state_topic": "hall/mode"},
    "cover/blind": {"name": "Blind", "command_topic": "blind/set", "state_topic": "blind/state",
                    "set_position_topic": "blind/pos/set", "position_topic": "blind/pos"},
    "fan/loft": {"name": "Fan", "command_topic": "loft/set", "state_topic": "loft/state",
                 "percentage_command_topic": "loft/pct/set", "percentage_state_topic": "loft/pct"},
    "lock/door": {"name": "Front door", "command_topic": "door/set", "state_topic": "door/state"},
    "sensor/attic": {"name": "Attic temperature", "device_class": "temperature", "state_topic": "attic",
                     "value_template": "{{ value_json.temp | round(1) }}", "unit_of_measurement": "°C"},
    "binary_sensor/leak": {"name": "Leak", "device_class": "moisture", "state_topic": "leak"},
    "number/boiler": {"name": "Boiler limit", "command_topic": "boiler/set", "state_topic": "boiler",
                      "min": 40, "max": 70, "unit_of_measurement": "°C"},
    "button/bell": {"name": "Ring the bell", "command_topic": "bell/press"},
    "valve/garden": {"name": "Garden valve", "command_topic": "garden/set", "state_topic": "garden"},
    "vacuum/robot": {"name": "Robot", "command_topic": "robot/command", "state_topic": "robot/state"},
}  # fmt: skip


def announce(home, prefix="homeassistant"):
    return [(f"{prefix}/{topic}/config", json.dumps(body).encode()) for topic, body in home.items()]


def found(home, **more):
    options = {"prefix": "homeassistant", "owner": "ada", "topics": Topics()} | more
    return discover(announce(home, options["prefix"].replace("{owner}", "ada")), **options)


def test_ten_classes_and_more_are_imported_with_what_they_can_do():
    machines, left_out = found(HOME)
    assert left_out == []
    assert len({topic.split("/")[0] for topic in HOME} & set(known_classes())) >= 12
    commands = {machine.name: [command.id for command in machine.commands] for machine in machines}
    assert commands == {
        "Bar lamp": ["turn_on", "turn_off", "set_brightness"],
        "Zigbee lamp": ["turn_on", "turn_off", "set_brightness"],
        "Plug": ["turn_on", "turn_off"],
        "Thermostat": ["set_temperature", "set_mode_heat", "set_mode_off"],
        "Blind": ["open", "close", "stop", "set_position"],
        "Fan": ["turn_on", "turn_off", "set_speed"],
        "Front door": ["lock", "unlock"],
        "Attic temperature": [],
        "Leak": [],
        "Boiler limit": ["set"],
        "Ring the bell": ["press"],
        "Garden valve": ["open", "close"],
        "Robot": ["start", "stop", "pause", "return_to_base", "locate"],
    }
    by_name = {machine.name: machine for machine in machines}
    wire = by_name["Zigbee lamp"].command("set_brightness").wire
    assert (wire.topic, json.loads(wire.payload.replace("{value}", "7"))) == ("z/set", {"state": "ON", "brightness": 7})
    assert (wire.state_topic, wire.state_field) == ("z", "brightness")
    assert by_name["Plug"].wire.topic == "plug/lwt"
    assert by_name["Front door"].command("unlock").destructive
    assert (by_name["Thermostat"].command("set_temperature").maximum) == 25
    (attic,) = by_name["Attic temperature"].metrics
    assert (attic.name, attic.unit, attic.wire.field) == ("temperature", "°C", "temp")


def test_the_parts_of_one_device_are_one_machine():
    device = {"identifiers": ["frigo-1"], "name": "Frigo bar", "suggested_area": "Bar", "sw_version": "2.1"}
    home = {
        "switch/frigo/light": {"name": "Luce", "command_topic": "f/l/set", "state_topic": "f/l", "device": device},
        "switch/frigo/motor": {"name": "Motore", "command_topic": "f/m/set", "state_topic": "f/m", "device": device},
        "sensor/frigo/t": {"name": "T", "device_class": "temperature", "state_topic": "f/t", "device": device},
    }
    (machine,), left_out = found(home, language="it")
    assert left_out == []
    assert (machine.id, machine.name, machine.location, machine.firmware) == ("frigo-1", "Frigo bar", "Bar", "2.1")
    assert [command.name for command in machine.commands] == [
        "Accendi Luce", "Spegni Luce", "Accendi Motore", "Spegni Motore",
    ]  # fmt: skip
    assert len({command.id for command in machine.commands}) == 4


def test_a_device_that_announces_all_its_parts_at_once_is_one_machine():
    home = {
        "device/frigo": {
            "dev": {"ids": "frigo-1", "name": "Frigo"},
            "o": {"name": "maker"},
            "cmps": {
                "t": {"p": "sensor", "name": "Temperature", "device_class": "temperature", "stat_t": "f/t"},
                "l": {"p": "switch", "name": "Light", "cmd_t": "f/l/set", "stat_t": "f/l"},
            },
        }
    }
    (machine,), _ = found(home)
    assert [metric.name for metric in machine.metrics] == ["temperature", "light_state"]
    assert [command.id for command in machine.commands] == ["turn_on", "turn_off"]


def test_what_cannot_be_used_is_left_out_and_said():
    home = {
        "camera/a": {"name": "Camera", "topic": "a"},
        "sensor/b": {"name": "B", "state_topic": "b", "value_template": "{{ value_json.a * 2 }}"},
        "switch/c": {"name": "C", "command_topic": "sayso/bob/frigo/set"},
        "switch/d": {"name": "D", "command_topic": "sayso/+/frigo/set"},
        "switch/e": {"name": "E", "command_topic": "e/set"},
    }
    machines, left_out = found(home)
    assert [machine.name for machine in machines] == ["E"]
    assert len(left_out) == 4
    assert any("our own layout" in each for each in left_out)
    assert discover([("homeassistant/switch/x/config", b"{")], prefix="homeassistant", owner="a", topics=Topics())[1]
    assert discover([("homeassistant/switch/x/config", b"")], prefix="homeassistant", owner="a", topics=Topics()) == (
        [],
        [],
    )


def test_where_the_owner_is_in_the_prefix_a_device_names_its_owners_topics_alone():
    home = {
        "switch/own": {"name": "Own", "command_topic": "homes/ada/plug/set"},
        "switch/other": {"name": "Other", "command_topic": "homes/bob/plug/set"},
        "switch/near": {"name": "Near", "command_topic": "homes/ada2/plug/set"},
    }
    machines, left_out = found(home, prefix="homes/{owner}/homeassistant")
    assert [machine.name for machine in machines] == ["Own"]
    assert len(left_out) == 2


FOREIGN = "homes/bob/plug"
STEMS = (
    "action", "availability", "battery_level", "brightness_command", "brightness_state", "color_temp_command",
    "command", "current_temperature", "direction_state", "effect_state", "fan_mode_command", "image", "json_attributes",
    "latest_version", "mode_command", "mode_state", "percentage_command", "percentage_state", "position",
    "power_command", "preset_mode_state", "rgb_state", "send_command", "set_position", "state", "target_humidity_state",
    "temperature_command", "temperature_high_state", "temperature_state", "tilt_status", "url", "xy_state",
)  # fmt: skip
LONG = [f"{stem}_topic" for stem in STEMS]
SHORT = [
    "t", "topic", "act_t", "avty_t", "bri_cmd_t", "bri_stat_t", "cmd_t", "curr_temp_t", "json_attr_t", "l_ver_t",
    "mode_cmd_t", "mode_stat_t", "pct_cmd_t", "pct_stat_t", "pos_t", "set_pos_t", "stat_t", "temp_cmd_t", "temp_stat_t",
]  # fmt: skip


@pytest.mark.parametrize(
    "availability",
    [
        {"availability": [{"topic": FOREIGN}]},
        {"availability": [{"topic": "homes/ada/plug"}, {"topic": FOREIGN}]},
        {"avty": [{"t": FOREIGN}]},
        {"availability": {"topic": FOREIGN}},
        {"avty": {"t": FOREIGN}},
        {"~": "homes/bob", "availability": [{"topic": "~/plug"}]},
        {"~": "plug", "availability": [{"topic": "homes/bob/~"}]},
        {"availability": [{"topic": [FOREIGN]}]},
        {"availability": [{"topic": None}]},
        {"availability": [{"nested": [[{"topic": FOREIGN}]]}]},
        {"availability_topic": FOREIGN},
        {"avty_t": FOREIGN},
        {"availability": [{"topic": "homes/ada/+"}]},
        {"availability": [{"topic": "$share/x/homes/ada/plug"}]},
    ],
)
@pytest.mark.parametrize("at_once", [False, True])
def test_no_form_of_availability_leads_to_anothers_topic(availability, at_once):
    part = {"name": "Plug", "command_topic": "homes/ada/plug/set"}
    plug = {"switch/plug": part | availability}
    if at_once:
        whole = {key: value for key, value in availability.items() if key != "~"}
        base = {"~": availability["~"]} if "~" in availability else {}
        plug = {"device/plug": whole | {"cmps": {"a": part | base | {"p": "switch"}}}}
    machines, left_out = found(plug, prefix="homes/{owner}/homeassistant")
    assert machines == []
    assert len(left_out) == 1


def test_the_owners_own_availability_is_used_in_every_form():
    for form in ([{"topic": "~/lwt"}], [{"t": "~/lwt"}], {"topic": "~/lwt"}):
        body = {"~": "homes/ada/plug", "command_topic": "~/set", "avty": form}
        (machine,), left_out = found({"switch/plug": body}, prefix="homes/{owner}/homeassistant")
        assert left_out == []
        assert machine.wire.topic == "homes/ada/plug/lwt"


def random_topic(dice, base):
    own, foreign = (
        "homes/ada/plug",
        dice.choice([FOREIGN, "homes/ada2/x", "sayso/bob/frigo/online", "bob", "#", "$SYS/x"]),
    )
    whole = foreign if dice.random() < 0.05 else own
    return dice.choice([*[whole] * 6, "~/x", "~/x", "homes/ada/~", "x/~"]) if base else whole


def random_body(dice, depth=0):
    base = dice.choice(["", "homes/ada", "homes/ada/plug"] + ["homes/bob"] * (dice.random() < 0.2))
    body = {"~": base} if base else {}
    for key in dice.sample(LONG + SHORT, dice.randint(1, 6)):
        body[key] = random_topic(dice, base)
    for key in ("availability", "avty", "device", "dev", "extra"):
        if depth < 2 and dice.random() < 0.2:
            inner = random_body(dice, depth + 1)
            body[key] = dice.choice([inner, [inner], [inner, random_body(dice, depth + 1)], [[inner]], inner.get("t")])
    return body | dice.choice(
        [{}, {"schema": "json", "brightness": True}, {"modes": ["heat"]}, {"modes": 5, "cmps": [1]}]
    )


def random_message(dice):
    kinds = known_classes()
    if dice.random() < 0.7:
        return f"{dice.choice(kinds)}/x", random_body(dice)
    parts = {f"p{number}": random_body(dice) | {"p": dice.choice(kinds)} for number in range(dice.randint(1, 3))}
    return "device/x", random_body(dice) | {dice.choice(["cmps", "components"]): parts}


def wired(machine):
    """Every topic that we would listen to or write to for a machine."""
    wires = [each.wire for each in (machine, *machine.commands, *machine.metrics) if each.wire is not None]
    topics = [topic for wire in wires for topic in (wire.topic, getattr(wire, "state_topic", None))]
    return [topic for topic in topics if topic is not None]


def test_no_random_announcement_leads_to_a_topic_that_was_not_checked():
    dice, used, refused = random.Random(4), 0, 0
    for _ in range(1_500):
        kind, body = random_message(dice)
        machines, left_out = found({kind: body}, prefix="homes/{owner}/homeassistant")
        topics = [topic for machine in machines for topic in wired(machine)]
        assert [topic for topic in topics if not topic.startswith("homes/ada/") or set(topic) & set("+#")] == [], body
        used, refused = used + len(topics), refused + len(left_out)
    assert used > 200  # enough was let through, and enough was not
    assert refused > 200
