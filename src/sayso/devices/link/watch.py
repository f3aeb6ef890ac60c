"""Translates the messages of devices that use their own topics, and waits for their confirmations."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sayso.devices.inventory.machine import CommandWire, Machine, MachineWire, MetricWire
from sayso.devices.inventory.registry import Reading, Seen
from sayso.devices.link.gather import Gather
from sayso.devices.link.topics import Topics

_CLOSE = 0.51  # numbers that differ by less are equal, since devices round them


@dataclass(eq=False)
class Said:
    """The state that a device must report, and whether it did."""

    watch: Watch
    how: CommandWire
    wanted: str
    was_so: bool
    future: asyncio.Future[None]

    def is_so(self) -> bool:
        """Whether the last reported state is the expected one."""
        return self.watch.says(self.how, self.wanted)


class Watch:
    """The topics of these devices, the machines that each belongs to, and the last message on each."""

    def __init__(self, gather: Gather, topics: Topics, clock: Callable[[], datetime]) -> None:
        self._gather, self._layout, self._clock = gather, topics, clock
        self._metrics: dict[str, dict[tuple[str, str, str], MetricWire]] = defaultdict(dict)
        self._online: dict[str, dict[tuple[str, str], MachineWire]] = defaultdict(dict)
        self._last: dict[str, str] = {}
        self._said: dict[str, list[Said]] = defaultdict(list)
        self.topics: set[str] = set()

    def add(self, owner: str, machines: Iterable[Machine]) -> list[str]:
        """Add machines. Returns the topics to subscribe to."""
        wanted: set[str] = set()
        for machine in machines:
            if machine.wire is None:
                continue
            if machine.wire.topic:
                self._online[machine.wire.topic][owner, machine.id] = machine.wire
                wanted.add(machine.wire.topic)
            for metric in machine.metrics:
                if metric.wire is not None:
                    self._metrics[metric.wire.topic][owner, machine.id, metric.name] = metric.wire
                    wanted.add(metric.wire.topic)
            wanted |= {each.wire.state_topic for each in machine.commands if each.wire and each.wire.state_topic}
        new = sorted(topic for topic in wanted - self.topics if not self._layout.reserves(topic))
        self.topics.update(new)
        return new

    def hear(self, topic: str, payload: bytes) -> bool:
        """Handle a message on one of these topics. Returns False for any other topic."""
        if topic not in self.topics:
            return False
        text = payload.decode("utf-8", "replace")
        self._last[topic] = text
        now = self._clock()
        for (owner, machine), how in self._online.get(topic, {}).items():
            if text in (how.online, how.offline):
                self._gather.see(owner, Seen(machine, now, text == how.online))
        for (owner, machine, name), metric in self._metrics.get(topic, {}).items():
            value = _value(text, metric.field)
            if value is not None:
                self._gather.read(owner, [Reading(machine, name, now, _meaning(value, metric))])
                self._gather.see(owner, Seen(machine, now))
        for said in self._said.get(topic, ()):
            if said.is_so() and not said.future.done():
                said.future.set_result(None)
        return True

    def expect(self, how: CommandWire, value: float | None) -> Said | None:
        """The state that a device will report after the command; None if it reports none."""
        if how.state_topic is None or how.state is None:
            return None
        wanted = how.state.replace("{value}", "" if value is None else str(value))
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        said = Said(self, how, wanted, self.says(how, wanted), future)
        self._said[how.state_topic].append(said)
        return said

    def forget(self, said: Said) -> None:
        self._said[said.how.state_topic or ""].remove(said)

    def says(self, how: CommandWire, wanted: str) -> bool:
        """Whether the last reported state of a device is this."""
        last = self._last.get(how.state_topic or "")
        found = None if last is None else _value(last, how.state_field)
        if found is None:
            return False
        with suppress(ValueError, TypeError):
            return abs(float(found) - float(wanted)) < _CLOSE
        return str(found).casefold() == wanted.casefold()


def _value(text: str, field: str | None) -> Any:
    """The value in a message: the payload itself, or a field of a JSON object; None if it is missing."""
    if field is None:
        return text[:1000].replace("\x00", "")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    for step in field.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found if isinstance(found, str | int | float | bool) else None


def _meaning(value: Any, how: MetricWire) -> Any:
    """The value as true, false, a number or a text."""
    if how.yes is not None and str(value).casefold() == how.yes.casefold():
        return True
    if how.no is not None and str(value).casefold() == how.no.casefold():
        return False
    if isinstance(value, str):
        with suppress(ValueError):
            number = float(value)
            return number if abs(number) < 1e300 else value
    return value
