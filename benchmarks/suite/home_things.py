"""Home Assistant's inventories as machines: an entity is a machine, its area and floor are the location.

{"name": "Front Door", "domain": "lock", "area": "Hall"} → a machine "Front Door" in "Hall", a lock, that can lock and
unlock and tells its state. Entities of one name and area ("Phone": battery, charging) are one machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sayso.files.datafile import read
from sayso.record import Entity

HOME = Path(__file__).parent


class Domain(msgspec.Struct, frozen=True):
    """What the machines of a domain can do and tell."""

    on: str = ""
    off: str = ""
    more: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()


class Intent(msgspec.Struct, frozen=True):
    """What an intent asks for."""

    wish: str
    domain: str = ""
    metric: str = ""


class Words(msgspec.Struct, frozen=True):
    """What machines and commands are called in a language, and how a kind of them is said."""

    kinds: dict[str, str]
    said: dict[str, tuple[str, ...]]
    commands: dict[str, str]


class Mapping(msgspec.Struct, frozen=True):
    """home.yaml."""

    domains: dict[str, Domain]
    measuring: tuple[str, ...]
    details: tuple[str, ...]
    intents: dict[str, Intent]
    words: dict[str, Words]


@cache
def mapping() -> Mapping:
    """What home.yaml holds."""
    return read(HOME / "home.yaml", Mapping)


class Thing(NamedTuple):
    """An entity of that project, and the machine that it is part of."""

    machine: str
    name: str
    domain: str
    kind: str  # the device class
    area: str
    floor: str

    @property
    def metrics(self) -> tuple[str, ...]:
        """What its state is called with us; nothing where device_firmware_detail tells it."""
        if self.kind in mapping().details:
            return ()
        measures = self.kind and self.domain in mapping().measuring
        return (self.kind,) if measures else mapping().domains[self.domain].metrics

    def command(self, wish: str) -> str:
        """The id of the command that a wish comes to, empty where there is none."""
        name = getattr(mapping().domains[self.domain], wish)
        return f"{self.machine}-{name}" if name else ""


class Home(NamedTuple):
    """An inventory: that project's entities, and the machines that stand for them."""

    things: tuple[Thing, ...]
    machines: tuple[Entity, ...]
    areas: tuple[str, ...]
    floors: tuple[str, ...]


def home(fixture: dict[str, Any], lang: str) -> Home:
    """The inventory of a fixture."""
    things = tuple(_things(fixture))
    together: dict[str, list[Thing]] = {}
    for thing in things:
        together.setdefault(thing.machine, []).append(thing)
    machines = tuple(_machine(name, each, lang) for name, each in together.items())
    areas, floors = (tuple(one["name"] for one in fixture.get(key, ())) for key in ("areas", "floors"))
    return Home(things, machines, areas, floors)


def _things(fixture: dict[str, Any]) -> Iterator[Thing]:
    floors = {one.get("id", one["name"]): one["name"] for one in fixture.get("floors", ())}
    areas = {one.get("id", one["name"]): one for one in fixture.get("areas", ())}
    machines: dict[tuple[str, str], str] = {}
    for one in fixture.get("entities", ()):
        domain = one.get("domain") or one["id"].partition(".")[0]
        if domain not in mapping().domains or one.get("is_exposed") is False:
            continue
        area = areas.get(one.get("area"), {"name": ""})
        floor = one.get("floor") or area.get("floor", "")
        name = plain(one["name"])
        machine = machines.setdefault((name, area["name"]), f"m{len(machines) + 1}")
        kind = (one.get("attributes") or {}).get("device_class", "")
        yield Thing(machine, name, domain, kind, area["name"], floors.get(floor, floor))


def plain(name: str) -> str:
    """A name without the marks for what may be left out: "Trader Joe[']s"."""
    return name.replace("[", "").replace("]", "")


def _machine(identifier: str, things: list[Thing], lang: str) -> Entity:
    words, first = mapping().words[lang], things[0]
    commands = _once(
        name
        for thing in things
        for domain in (mapping().domains[thing.domain],)
        for name in (domain.on, domain.off, *domain.more)
        if name
    )
    kinds = _once(words.kinds.get(thing.kind) or words.kinds.get(thing.domain, "") for thing in things)
    return Entity(
        {
            "kind": "machine",
            "id": identifier,
            "name": first.name,
            "serial": "",
            "description": ", ".join(kind for kind in kinds if kind),
            "location": ", ".join(place for place in (first.area, first.floor) if place),
            "connected": True,
            "commands": [
                {"id": f"{identifier}-{name}", "name": words.commands[name], "description": ""} for name in commands
            ],
            "metrics": _once(metric for thing in things for metric in thing.metrics),
        }
    )


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
