"""Sayso and hassil on Home Assistant's test sentences: the exact frame, and the time of both in one shuffled run.

hassil gets templates of ours (home.yaml) and each row's own names and areas, built before; that project's
templates, which these rows test, would pass them all and are not read. What hassil recognises is judged as Sayso is: it
must come to the same machines and the same command or metric.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from benchmarks.suite.home import LANGUAGES
from benchmarks.suite.home_rows import Row, aim_of, right, rows
from benchmarks.suite.home_things import Home, mapping
from sayso.decider import Decider

WORDS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
INTENTS = {
    "on": "HassTurnOn",
    "off": "HassTurnOff",
    "read": "HassGetState",
    "temperature": "HassClimateGetTemperature",
    "add": "add",
    "complete": "complete",
}


NOTE = (
    "Test rows of `python -m benchmarks suite --measure home`. hassil has templates of ours and is told the language; "
    "the project's own pass these rows by construction. Right are the same machines and the same command or metric. "
    "For a group, a question or refusal of Sayso counts as right."
)


class Job(NamedTuple):
    """A row for a contender: what it does, and whether it does it right."""

    run: Callable[[], Any]
    right: Callable[[], bool]
    lang: str


def jobs(decider: Decider, data: Path) -> dict[str, list[Job]]:
    """The rows of the test sentences for both."""
    found = [row for row in rows(data, "test") if isinstance(row, Row)]
    built = {lang: intents(lang) for lang in LANGUAGES}
    return {
        "Sayso": [_ours(decider, row) for row in found],
        "hassil, our templates": [_theirs(built[row.lang], row) for row in found],
    }


def shares(done: list[Job]) -> list[str]:
    """How many were right, by language."""
    cells = []
    for lang in LANGUAGES:
        good = [job.right() for job in done if job.lang == lang]
        cells.append(f"{sum(good)} / {len(good)} = {100 * sum(good) / max(1, len(good)):.1f} %")
    return cells


def _ours(decider: Decider, row: Row) -> Job:
    return Job(lambda: decider.decide(row.case), lambda: right(row, decider.decide(row.case)), row.lang)


def _theirs(built: Any, row: Row) -> Job:
    recognize = import_module("hassil.recognize").recognize_best
    lists = _lists(row.home)

    def run() -> Any:
        return recognize(row.text, built, slot_lists=lists, language=row.lang)

    def good() -> bool:
        found = run()
        if found is None:
            return False
        slots = {name: str(entity.value) for name, entity in found.entities.items()}
        return _same(row, found.intent.name, slots)

    return Job(run, good, row.lang)


def _same(row: Row, intent: str, said: dict[str, str]) -> bool:
    if row.item:
        told = said.get("item", "").strip().casefold()
        return intent == ("add" if row.wish == "add" else "complete") and told == row.item.casefold()
    if intent not in mapping().intents or row.home is None:
        return False
    aim = aim_of(row.home, intent, _slots(row.home, said))
    return aim.targets == row.aim.targets


def _slots(home: Home, said: dict[str, str]) -> dict[str, str]:
    """What hassil found, under that project's names."""
    slots = {"name": said["name"]} if "name" in said else {}
    if "place" in said:
        floors = {floor.casefold() for floor in home.floors}
        slots["floor" if said["place"].casefold() in floors else "area"] = said["place"]
    if "kind" in said:
        slots["domain" if said["kind"] in mapping().domains else "device_class"] = said["kind"]
    if "measure" in said:
        slots["device_class"] = said["measure"]
    return slots


def _lists(home: Home | None) -> dict[str, Any]:
    make = import_module("hassil.intents").TextSlotList.from_strings
    names = {thing.name for thing in home.things} if home is not None else set()
    places = {*home.areas, *home.floors} if home is not None else set()
    return {"name": make(sorted(names), name="name"), "place": make(sorted(places), name="place")}


def intents(lang: str) -> Any:
    """Our templates of a language, for hassil."""
    words = WORDS[lang]
    what = "<the> {name} [{kind}] [<where>]|[{kind}] <the> {name} [<where>]|<the> [{place}] {kind} [<where>]"
    return import_module("hassil.intents").Intents.from_dict(
        {
            "language": lang,
            "intents": {name: {"data": [{"sentences": words[key]}]} for key, name in INTENTS.items()},
            "lists": {
                "kind": {"values": _values(words["kinds"])},
                "measure": {"values": _values(words["measures"])},
                "item": {"wildcard": True},
                "list": {"wildcard": True},
            },
            "expansion_rules": {**words["rules"], "what": f"({what}|<the> {{place}} {{name}})"},
        }
    )


def _values(words: dict[str, list[str]]) -> list[dict[str, str]]:
    return [{"in": word, "out": name} for name, each in words.items() for word in each]
