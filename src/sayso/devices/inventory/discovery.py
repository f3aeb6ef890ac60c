"""Home Assistant's discovery: converts the messages in which devices announce themselves to machines.

A message under `homeassistant/switch/bar/config` names the command topic and the state topic of the switch. The
messages of one device make one machine. Unsupported parts (computing templates, classes without commands) are left out
and reported. The classes are in discovery.yaml.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sayso.devices.inventory.classes import Announced, CommandClass, MetricClass, Unusable, commands_of, metrics_of
from sayso.devices.inventory.machine import Command, Machine, MachineWire, Metric
from sayso.devices.link.topics import Topics, level
from sayso.files.datafile import read

_ODD = re.compile(r"[\x00-\x20/+#]+")


class _Class(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    commands: tuple[CommandClass, ...]
    metrics: tuple[MetricClass, ...]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    short: dict[str, str]
    classes: dict[str, _Class]
    names: dict[str, dict[str, str]]


class Discovered(NamedTuple):
    """The machines that were found, and the parts that were left out, each with the reason."""

    machines: list[Machine]
    left_out: list[str]


@cache
def _table() -> _Table:
    return read(Path(__file__).with_name("discovery.yaml"), _Table)


def known_classes() -> tuple[str, ...]:
    return tuple(_table().classes)


def discover(
    messages: Iterable[tuple[str, bytes]], *, prefix: str, owner: str, topics: Topics, language: str = "en"
) -> Discovered:
    """The machines that these messages announce. `prefix` is the prefix of their topics. If it contains {owner}, a
    message may name only topics of that owner. No message may name a topic of our own layout."""
    names = _table().names.get(language) or _table().names["en"]
    own = prefix.partition("{owner}")[0] + level(owner) + "/" if "{owner}" in prefix else None
    devices: dict[str, list[Announced]] = defaultdict(list)
    left_out: list[str] = []
    for topic, payload in messages:
        try:
            for announced in _announced(topic, payload, prefix.replace("{owner}", level(owner))):
                _check_topics(announced, topics, own)
                devices[announced.machine].append(announced)
        except Unusable as problem:
            left_out.append(f"{topic}: {problem}")
    machines = []
    for identifier, parts in devices.items():
        machine, without = _machine(identifier, parts, names)
        left_out += without
        if machine.commands or machine.metrics:
            machines.append(machine)
    return Discovered(machines, left_out)


def _announced(topic: str, payload: bytes, prefix: str) -> Iterator[Announced]:
    """The parts that a message announces. An empty message removes them, and so announces nothing."""
    levels = topic.removeprefix(f"{prefix}/").split("/")
    if len(levels) not in (3, 4) or levels[-1] != "config" or topic == "/".join(levels):
        raise Unusable("the topic is not a discovery topic")
    if not payload:
        return
    try:
        body = json.loads(payload)
    except (UnicodeDecodeError, ValueError, RecursionError) as problem:
        raise Unusable("the payload is not valid JSON") from problem
    if not isinstance(body, dict):
        raise Unusable("the payload is not a JSON object")
    body = _long(body)
    object_id = "_".join(levels[1:-1])
    if levels[0] != "device":
        yield _part(levels[0], object_id, body, {})
        return
    shared: dict[str, Any] = {
        name: body[name] for name in ("availability", "availability_topic", "state_topic") if name in body
    }
    components = body.get("components")
    for key, part in components.items() if isinstance(components, dict) else ():
        if isinstance(part, dict):
            yield _part(str(part.get("platform")), f"{object_id}_{key}", shared | part, body.get("device") or {})


def _part(kind: str, object_id: str, body: dict[str, Any], device: Any) -> Announced:
    if kind not in _table().classes:
        raise Unusable(f"the class {kind} is not supported")
    device = body.get("device") or device
    device = device if isinstance(device, dict) else {}
    ids = device.get("identifiers") or []
    ids = [ids] if isinstance(ids, str) else ids
    machine = str(ids[0]) if isinstance(ids, list) and ids else str(body.get("unique_id") or object_id)
    base = str(body.get("~", ""))
    body = {key: _based(value, base) if key.endswith("_topic") else value for key, value in body.items()}
    listed = body.get("availability") or []
    body["availability"] = [each | {k: _based(v, base) for k, v in each.items() if k == "topic"} for each in listed]
    machine = _ODD.sub("_", machine)[:200] or object_id[:200]
    return Announced(kind=kind, machine=machine, id=_ODD.sub("_", object_id)[:150], body=body, device=device)


def _long(body: dict[str, Any]) -> dict[str, Any]:
    """The message with full names instead of abbreviated keys, including nested objects."""
    short = _table().short
    found: dict[str, Any] = {}
    for key, value in body.items():
        name = short.get(key, key)
        if name == "device" and isinstance(value, dict):
            value = {short.get(one, one): two for one, two in value.items()}  # noqa: PLW2901
        elif name == "components" and isinstance(value, dict):
            value = {one: _long(two) if isinstance(two, dict) else two for one, two in value.items()}  # noqa: PLW2901
        elif name == "availability":
            listed = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
            value = [{{"t": "topic"}.get(k, short.get(k, k)): v for k, v in each.items()} for each in listed]  # noqa: PLW2901
        found[name] = value
    return found


def _based(value: Any, base: str) -> Any:
    if not isinstance(value, str) or not base:
        return value
    if value.startswith("~"):
        return base + value[1:]
    return value[:-1] + base if value.endswith("~") else value


def _check_topics(announced: Announced, topics: Topics, own: str | None) -> None:
    """Check every topic in the message at any depth, because a later release may use topics that are unused today."""
    for key, value in _named_topics(announced.body):
        if not isinstance(value, str) or not value or set(value) & set("+#\x00") or value.startswith("$"):
            raise Unusable(f"{key} is not a topic")
        if topics.reserves(value):
            raise Unusable(f"{key} is a topic of our own layout")
        if own is not None and not value.startswith(own):
            raise Unusable(f"{key} is not the owner's")


def _named_topics(body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every key for a topic with its value, including those within lists and objects. Home Assistant's abbreviated keys
    for topics are `t` and those that end with `_t`."""
    left: list[Any] = [body]
    while left:
        found = left.pop()
        if isinstance(found, list):
            left += found
        elif isinstance(found, dict):
            yield from ((key, value) for key, value in found.items() if f"_{key}".endswith(("_topic", "_t")))
            left += found.values()


def _machine(identifier: str, parts: list[Announced], names: dict[str, str]) -> tuple[Machine, list[str]]:
    """The machine for all parts of one device, and the parts that were left out."""
    commands: dict[str, Command] = {}
    metrics: dict[str, Metric] = {}
    left_out: list[str] = []
    alone = len([part for part in parts if _table().classes[part.kind].commands]) < 2
    for part in parts:
        shape = _table().classes[part.kind]
        try:
            for command in commands_of(part, shape.commands, names, alone=alone):
                commands.setdefault(command.id, command)
            for metric in metrics_of(part, shape.metrics, alone=len(parts) == 1):
                metrics.setdefault(metric.name, metric)
        except (Unusable, msgspec.ValidationError) as problem:
            left_out.append(f"{part.kind} {part.id}: {problem}")
    device, first = parts[0].device, parts[0]
    machine = Machine(
        id=identifier,
        name=(_text(device.get("name")) or first.name)[:200],
        serial=_text(device.get("serial_number"))[:200],
        description=" ".join(filter(None, (_text(device.get("manufacturer")), _text(device.get("model")))))[:1000],
        location=_text(device.get("suggested_area"))[:200],
        firmware=_text(device.get("sw_version"))[:200] or None,
        commands=tuple(commands.values()),
        metrics=tuple(metrics.values()),
        wire=_availability(parts),
    )
    return machine, left_out


def _availability(parts: list[Announced]) -> MachineWire:
    """The topic on which the device reports its availability: the first one that is named."""
    for part in parts:
        listed = part.body["availability"]
        told, key = (listed[0], "topic") if listed else (part.body, "availability_topic")
        if key in told:
            return MachineWire(
                topic=told[key],
                online=str(told.get("payload_available", "online")),
                offline=str(told.get("payload_not_available", "offline")),
            )
    return MachineWire()


def _text(value: Any) -> str:
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""
