"""Reads machines from a file: YAML in full, or CSV with one machine per line.

    machines:
      - id: frigo-cucina
        name: Frigo cucina
        location: Cucina
        commands:
          - {id: set_temperature, name: Imposta temperatura, minimum: 1, maximum: 8, unit: °C}
          - {id: factory_reset, name: Ripristino di fabbrica, destructive: true}
        metrics: [{name: temperature, unit: °C}, door]

In CSV the columns are id, name, serial, description, location, aliases, firmware, commands and metrics. Separate
several values in one cell with `;`. A command is `id=Name`, with `!` at its end if it is destructive and `[1..8 °C]` if
it takes a value. A metric is `name` or `name [°C]`.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from sayso.devices.inventory.machine import Machine
from sayso.devices.inventory.registry import MOST
from sayso.errors import BadData
from sayso.files.yamlfile import parse
from sayso.identity.principal import is_storable

_COLUMNS = ("id", "name", "serial", "description", "location", "aliases", "firmware", "commands", "metrics")
_COMMAND = re.compile(r"^(?P<id>[^=\s]+)=(?P<name>[^\[!]+?)\s*(?:\[(?P<range>[^\]]*)\])?\s*(?P<destructive>!?)$")
_RANGE = re.compile(r"^(?P<minimum>-?[\d.]+)?\s*\.\.\s*(?P<maximum>-?[\d.]+)?\s*(?P<unit>.*)$")
_METRIC = re.compile(r"^(?P<name>[^\[]+?)\s*(?:\[(?P<unit>[^\]]*)\])?$")
_REMEDY = "See docs/devices.md for the format."


def read_fleet(path: Path) -> list[Machine]:
    """The machines of a file, or BadData with the place of the error and what to do."""
    rows = _from_csv(path) if path.suffix.lower() == ".csv" else _from_yaml(path)
    machines = [_machine(path, where, row) for where, row in rows]
    if not machines:
        raise BadData(str(path), "(file)", "the file has no machines", _REMEDY)
    if len(machines) > MOST:
        remedy = "Import the machines of each owner separately."
        raise BadData(str(path), "(file)", f"more than {MOST} machines", remedy)
    twice = [identifier for identifier, count in Counter(machine.id for machine in machines).items() if count > 1]
    if twice:
        raise BadData(str(path), twice[0], "two machines have this id", "Give each machine its own id.")
    return machines


def _from_yaml(path: Path) -> list[tuple[str, Any]]:
    content = parse(path)
    listed = content.get("machines") if isinstance(content, dict) else content
    if not isinstance(listed, list):
        raise BadData(str(path), "machines", "is not a list", _REMEDY)
    rows: list[tuple[str, Any]] = []
    for number, row in enumerate(listed, start=1):
        if isinstance(row, dict) and isinstance(row.get("metrics"), list):
            metrics = [{"name": each} if isinstance(each, str) else each for each in row["metrics"]]
            row = row | {"metrics": metrics}  # noqa: PLW2901
        rows.append((f"machine {number}", row))
    return rows


def _from_csv(path: Path) -> list[tuple[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise BadData(str(path), "(file)", "cannot be read as UTF-8", "Check that the file is there.") from problem
    reader = csv.DictReader(io.StringIO(text))
    if unknown := set(reader.fieldnames or ()) - set(_COLUMNS):
        raise BadData(str(path), min(unknown), "is not a column", f"The columns are {', '.join(_COLUMNS)}.")
    return [(f"line {reader.line_num}", _cells(path, f"line {reader.line_num}", row)) for row in reader]


def _cells(path: Path, where: str, row: dict[str, str | None]) -> dict[str, Any]:
    machine: dict[str, Any] = {name: value.strip() for name, value in row.items() if value and value.strip()}
    several = {name: [part.strip() for part in machine.get(name, "").split(";") if part.strip()] for name in _COLUMNS}
    machine["aliases"] = several["aliases"]
    machine["commands"] = [_command(path, where, text) for text in several["commands"]]
    machine["metrics"] = [_METRIC.match(text).groupdict() for text in several["metrics"]]  # type: ignore[union-attr]
    return machine


def _command(path: Path, where: str, text: str) -> dict[str, Any]:
    found = _COMMAND.match(text)
    given = _RANGE.match(found["range"]) if found and found["range"] is not None else None
    if found is None or (found["range"] is not None and given is None):
        raise BadData(str(path), where, f"{text!r} is not a command", "Write id=Name, id=Name! or id=Name [1..8 °C].")
    command: dict[str, Any] = {"id": found["id"], "name": found["name"], "destructive": bool(found["destructive"])}
    if given is not None:
        limits = {name: float(given[name]) for name in ("minimum", "maximum") if given[name]}
        command |= limits | {"takes_value": True, "unit": given["unit"].strip() or None}
    return command


def _machine(path: Path, where: str, row: Any) -> Machine:
    try:
        machine = msgspec.convert(row, Machine)
    except msgspec.ValidationError as problem:
        raise BadData(str(path), where, str(problem), _REMEDY) from problem
    if not is_storable(msgspec.json.encode(machine).decode()) or "\\u0000" in msgspec.json.encode(machine).decode():
        raise BadData(str(path), where, "holds characters that cannot be stored", "Take them out.")
    if observed := [name for name in ("connected", "last_seen") if getattr(machine, name) is not None]:
        raise BadData(str(path), where, f"{observed[0]} is set by Sayso", "Remove it.")
    for command in machine.commands:
        if command.minimum is not None and command.maximum is not None and command.minimum > command.maximum:
            raise BadData(str(path), where, f"{command.id}: the minimum is above the maximum", "Swap them.")
    for names in ([command.id for command in machine.commands], [metric.name for metric in machine.metrics]):
        if len(set(names)) < len(names):
            raise BadData(str(path), where, "two commands or metrics have the same name", "Give each its own.")
    return machine
