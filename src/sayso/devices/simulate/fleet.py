"""Builds a fleet of simulated machines."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from sayso.devices.inventory.machine import Command, Machine, Metric
from sayso.devices.simulate.kinds import KINDS, Kind
from sayso.files.datafile import read

FIRMWARE = "1.4.2"


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: tuple[str, ...]
    names: dict[str, dict[str, str]]
    places: dict[str, tuple[str, ...]]
    descriptions: dict[str, dict[str, str]]
    commands: dict[str, tuple[dict[str, Any], ...]]
    metrics: dict[str, dict[str, str | None]]
    refusals: dict[str, dict[str, str]]


class Simulated(NamedTuple):
    """A machine's description, and its simulated behaviour."""

    machine: Machine
    inside: Kind


@cache
def _words() -> _Words:
    return read(Path(__file__).with_name("fleet.yaml"), _Words)


def languages() -> tuple[str, ...]:
    return tuple(_words().names)


def make_fleet(count: int, *, language: str = "en", seed: int = 1) -> list[Simulated]:
    """A fleet of `count` machines. The same seed gives the same fleet."""
    words, chance = _words(), Random(seed)  # noqa: S311  the fleet must be reproducible
    kinds, places = words.kinds, words.places[language]
    fleet = []
    for number in range(count):
        kind, place = kinds[number % len(kinds)], places[number // len(kinds) % len(places)]
        again = number // (len(kinds) * len(places))
        fleet.append(Simulated(_machine(kind, place, again, language), KINDS[kind](Random(chance.random()))))  # noqa: S311
    return fleet


def _machine(kind: str, place: str, again: int, language: str) -> Machine:
    words = _words()
    name = words.names[language]["at"].format(kind=words.names[language][kind], place=place)
    suffix = f" {again + 1}" if again else ""
    identifier = f"{kind}-{place}{suffix}".replace(" ", "-")
    return Machine(
        id=identifier,
        name=name + suffix,
        serial=f"SIM-{identifier}".upper(),
        description=words.descriptions[language][kind],
        location=place,
        commands=tuple(_command(each, language) for each in words.commands[kind]),
        metrics=tuple(Metric(name=metric, unit=unit) for metric, unit in words.metrics[kind].items()),
    )


def _command(row: dict[str, Any], language: str) -> Command:
    known = {name: row[name] for name in ("id", "destructive", "minimum", "maximum", "unit") if name in row}
    return msgspec.convert(known | {"name": row[language], "takes_value": "minimum" in row}, Command)


def refusal(reason: str, inside: Kind, language: str) -> str:
    """The reason of a refusal, in words."""
    text = _words().refusals[language].get(reason, reason)
    measured = {name: str(value) for name, value in inside.measure().items()}
    return text.format(**({"temperature": "–", "fault": "–"} | measured))
