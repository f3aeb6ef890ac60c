"""Device classes: the commands and metrics of an announced device."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from sayso.devices.inventory.machine import Command, CommandWire, Metric, MetricWire

_FIELD = re.compile(r"^\{\{\s*value_json(?P<path>(?:\.\w+|\[['\"]\w+['\"]\])+)\s*(?:\|[^{}]*)?\}\}$")
_STEP = re.compile(r"\w+")
_PLAIN = re.compile(r"^\{\{\s*value\s*(?:\|[^{}]*)?\}\}$")
_VALUE = re.compile(r"\{\{\s*value\s*(?:\|[^{}]*)?\}\}")
_UNITS = {"C": "°C", "F": "°F"}

Key = tuple[str | float | None, ...]  # keys of a message, and the default value as the last one


class CommandClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command of a device class. A device has it if it announces the topic."""

    id: str
    topic: str
    payload: Key = ()
    value: bool = False
    each: str | None = None  # a key with a list: one command for each entry
    destructive: bool = False
    command_template: str | None = None
    minimum: Key = ()
    maximum: Key = ()
    unit: Key = ()
    said: str | None = None
    template: tuple[str, ...] = ()
    state: Key = ()
    json: dict[str, str] | None = None  # the payload for a device that takes JSON
    json_topic: str | None = None
    json_if: str | None = None
    json_state: str | None = None  # the field in which such a device confirms it


class MetricClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A metric of a device class. A device has it if it announces the topic. Without a name, it has the device's
    name."""

    name: str | None
    topic: str
    template: tuple[str, ...] = ()
    unit: Key = ()
    yes: Key = ()
    no: Key = ()
    json_topic: str | None = None
    json_if: str | None = None
    json_state: str | None = None


class Unusable(Exception):
    """A message needs something that is not supported. The text says what."""


class Announced(NamedTuple):
    """One part of a device, from its discovery message."""

    kind: str
    machine: str
    id: str
    body: dict[str, Any]
    device: dict[str, Any]

    @property
    def name(self) -> str:
        name = self.body.get("name")
        return name if isinstance(name, str) and name else self.id

    @property
    def takes_json(self) -> bool:
        return bool(self.body.get("schema") == "json")

    def first(self, keys: Key) -> Any:
        """The value of the first of these keys that the message has, otherwise the default."""
        for key in keys[:-1]:
            if isinstance(key, str) and self.body.get(key) is not None:
                return self.body[key]
        return keys[-1] if keys else None


def commands_of(
    part: Announced, shapes: Sequence[CommandClass], names: dict[str, str], *, alone: bool
) -> Iterator[Command]:
    for shape in shapes:
        topic = _topic(part, shape)
        if topic is None:
            continue
        if shape.each is None:
            payload = _payload(part, shape)
            if payload is not None:
                yield _command(part, shape, topic, payload, names, alone=alone)
            continue
        options = part.body.get(shape.each)
        for option in options if isinstance(options, list) else ():
            yield _command(part, shape, topic, str(option), names, alone=alone, option=str(option))


def _topic(part: Announced, shape: CommandClass) -> str | None:
    if part.takes_json and shape.json_topic:
        wanted = part.body.get(shape.json_topic) if part.body.get(shape.json_if or "") else None
    else:
        wanted = part.body.get(shape.topic)
    return wanted if isinstance(wanted, str) else None


def _payload(part: Announced, shape: CommandClass) -> str | None:
    if part.takes_json and shape.json is not None:
        return json.dumps(shape.json).replace('"{value}"', "{value}")
    if not shape.value:
        payload = part.first(shape.payload)
        return None if payload is None else str(payload)
    template = part.body.get(shape.command_template or "")
    if template is None:
        return "{value}"
    filled = _VALUE.sub("{value}", str(template))
    if "{{" in filled or "{%" in filled:
        raise Unusable(f"{shape.command_template} computes")
    return filled


def _command(
    part: Announced,
    shape: CommandClass,
    topic: str,
    payload: str,
    names: dict[str, str],
    *,
    alone: bool,
    option: str | None = None,
) -> Command:
    said, field = part.body.get(shape.said or ""), None
    if shape.json_state and (part.takes_json or not shape.template):
        said, field = part.body.get("state_topic"), shape.json_state
    elif said is not None:
        field = _field(part, shape.template)
    state = option or ("{value}" if shape.value else part.first(shape.state))
    if part.takes_json and shape.json is not None:
        state = "{value}" if shape.value else shape.json["state"]
    identifier = "_".join(filter(None, (shape.id, option and re.sub(r"\W+", "_", option))))
    name = names[shape.id].format(entity=part.name, option=option)
    if not alone:
        identifier = f"{part.id}.{identifier}"
        name = name if "{entity}" in names[shape.id] else names["of"].format(command=name, entity=part.name)
    unit = part.first(shape.unit)
    return msgspec.convert(
        {
            "id": identifier,
            "name": name[:200],
            "destructive": shape.destructive,
            "takes_value": shape.value,
            "minimum": _number(part.first(shape.minimum)),
            "maximum": _number(part.first(shape.maximum)),
            "unit": None if unit is None else _UNITS.get(str(unit), str(unit)),
            "wire": CommandWire(
                topic=topic,
                payload=payload,
                state_topic=said if isinstance(said, str) and state is not None else None,
                state_field=field,
                state=None if state is None else str(state),
            ),
        },
        Command,
    )


def metrics_of(part: Announced, shapes: Sequence[MetricClass], *, alone: bool) -> Iterator[Metric]:
    for shape in shapes:
        topic, field = part.body.get(shape.topic), None
        if part.takes_json and shape.json_state:
            topic = part.body.get(shape.json_topic or shape.topic)
            topic = topic if not shape.json_if or part.body.get(shape.json_if) else None
        if not isinstance(topic, str):
            continue
        by_json = shape.json_state and (part.takes_json or not shape.template)
        field = shape.json_state if by_json else _field(part, shape.template)
        unit = part.first(shape.unit)
        name = shape.name or _key(str(part.body.get("device_class") or part.name))
        is_part = shape.name is not None and not alone and part.kind not in ("climate", "vacuum")
        named = f"{_key(part.name)}_{name}" if is_part else name
        yield Metric(
            name=named[:200],
            unit=None if unit is None else _UNITS.get(str(unit), str(unit)),
            wire=MetricWire(topic=topic, field=field, yes=_text(part, shape.yes), no=_text(part, shape.no)),
        )


def _field(part: Announced, templates: Sequence[str]) -> str | None:
    """The field of a JSON object that the template reads; None for the payload itself. Unusable if it computes
    something."""
    for name in templates:
        template = part.body.get(name)
        if template is None:
            continue
        text = str(template).strip()
        if _PLAIN.match(text):
            return None
        if found := _FIELD.match(text):
            return ".".join(_STEP.findall(found["path"]))
        raise Unusable(f"{name} computes")
    return None


def _key(name: str) -> str:
    return re.sub(r"\W+", "_", name.casefold()).strip("_") or "value"


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(part: Announced, keys: Key) -> str | None:
    value = part.first(keys)
    return None if value is None else str(value)
