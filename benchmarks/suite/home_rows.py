"""Rows of Home Assistant's test sentences: the case that each makes, and what is right to come of it.

"turn off the hall light" with the slots area Hall and domain light aims at the command "Turn off" of every light there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from benchmarks.suite.home_things import Home, Intent, Thing, home, mapping
from sayso.case import Case
from sayso.decision import Answer, Call, Clarify, Confirm, Nothing
from sayso.evals.training import scene
from sayso.evals.training.sources import Split
from sayso.record import Entity

DEV, TEST = "2025", "2026"
COMMAND, READ, DETAIL = "machine_command_execute", "metrics_read", "device_firmware_detail"
ALL = "all"  # as a name, in that project's slots
ITEM = "item"
MOST = 5  # options of a question
_WORD = re.compile(r"\w+")

Target: TypeAlias = tuple[str, str, str]  # the tool, the machine, and the command or the metric


class Aim(NamedTuple):
    """What the words of a row speak of.

    A group was not named one by one, but by its kind or place. Where nothing in particular was asked of a thing, all
    that it measures will do.
    """

    targets: frozenset[Target]
    group: bool = False
    anything: bool = False


class Row(NamedTuple):
    """A sentence with its inventory and what it aims at; `item` is what is to be on a list."""

    lang: str
    intent: str
    text: str
    case: Case
    aim: Aim
    wish: str
    item: str = ""
    home: Home | None = None


class Excluded(NamedTuple):
    """A sentence that is not part of the measure, with the reason."""

    lang: str
    reason: str


def rows(data: Path, split: Split) -> Iterator[Row | Excluded]:
    """The sentences of 2025 to develop on; those of 2026 that were not there before to test on."""
    folder = data / "ha-intents"
    for lang in ("en", "it") if folder.is_dir() else ():
        seen = {line["text"].casefold() for line in _lines(folder / f"{lang}_{DEV}.jsonl")}
        year = TEST if split == "test" else DEV
        fixtures = {line["fixture"]: line for line in _lines(folder / f"fixtures_{lang}_{year}.jsonl")}
        homes = {name: home(fixture, lang) for name, fixture in fixtures.items()}
        once: set[str] = set()
        for line in _lines(folder / f"{lang}_{year}.jsonl"):
            text = line["text"].casefold()
            if line["intent"] not in mapping().intents or text in once:
                continue
            once.add(text)
            if split == "test" and text in seen:
                yield Excluded(lang, "the same text is in the sentences of 2025")
            else:
                yield _row(lang, line, homes.get(line["fixture"]))


def _row(lang: str, line: dict[str, Any], inventory: Home | None) -> Row | Excluded:
    text, slots, intent = line["text"], line["slots"], mapping().intents[line["intent"]]
    if ITEM in slots:
        return _list_row(lang, line, intent.wish)
    if slots.get("domain") and not {*_either(slots["domain"])} & mapping().domains.keys():
        return Excluded(lang, "about persons, who are no machines")
    if any(not _is_said(text, area) for area in _either(slots.get("area"))):
        return Excluded(lang, "the area is that of the device that listens: not in the words, nor in our contract")
    if not slots.keys() & {"name", "domain", "device_class"} and not intent.domain:
        kinds = [
            name for name, words in mapping().words[lang].said.items() if {*words} & {*_WORD.findall(text.lower())}
        ]
        if len(kinds) != 1:
            return Excluded(lang, "neither the row nor its words say of which kind")
        slots = {**slots, "domain": kinds[0]}
    aim = aim_of(inventory, line["intent"], slots) if inventory is not None else Aim(frozenset())
    if inventory is None or not aim.targets:
        return Excluded(lang, "the inventory has nothing of that kind there")
    case = _case(text, inventory.machines)
    return Row(lang, line["intent"], text, case, aim, intent.wish, home=inventory)


def _list_row(lang: str, line: dict[str, Any], wish: str) -> Row:
    """An item of a list is a task, beside those of the small list; on which list is not a notion of ours."""
    item = _either(line["slots"][ITEM])[0]
    entities = scene.tasks(lang)
    if wish != "add":
        entities = (*entities, scene.task("item", title=item))
    case = scene.case(line["text"], entities)
    return Row(lang, line["intent"], line["text"], case, Aim(frozenset()), wish, item)


def aim_of(inventory: Home, intent: str, slots: dict[str, Any]) -> Aim:
    """What slots come to in an inventory."""
    wish, named = mapping().intents[intent], slots.get("name", ALL) != ALL
    things = [thing for thing in inventory.things if _fits(thing, wish, slots, named)]
    targets = frozenset(_target(thing, wish) for thing in things)
    anything = named and not slots.keys() & {"state", "device_class"}
    return Aim(targets, not named, anything)


def _fits(thing: Thing, intent: Intent, slots: dict[str, Any], named: bool) -> bool:
    """A named item may be at an unknown place."""
    domains = _either(slots.get("domain") or intent.domain)
    if (domains and thing.domain not in domains) or not _matches(slots.get("device_class"), thing.kind):
        return False
    if intent.wish != "read" and not thing.command(intent.wish):
        return False
    if named and not _matches(slots["name"], thing.name):
        return False
    places = ((slots.get("area"), thing.area), (slots.get("floor"), thing.floor))
    return all(_matches(wanted, place) or (named and not place) for wanted, place in places)


def _target(thing: Thing, intent: Intent) -> Target:
    if intent.wish != "read":
        return (COMMAND, thing.machine, thing.command(intent.wish))
    if not thing.metrics:
        return (DETAIL, thing.machine, "")
    return (READ, thing.machine, intent.metric if intent.metric in thing.metrics else thing.metrics[-1])


def _matches(wanted: Any, there: str) -> bool:
    return not wanted or there.casefold() in [one.casefold() for one in _either(wanted)]


def _either(value: Any) -> list[str]:
    """A slot may give several spellings."""
    return [str(one).strip() for one in (value if isinstance(value, list) else [value]) if one]


def _is_said(text: str, name: str) -> bool:
    return name.casefold() in text.casefold()


def _case(text: str, machines: tuple[Entity, ...]) -> Case:
    return msgspec.structs.replace(scene.case(text, machines), pack="devices")


def right(row: Row, answer: Answer) -> bool:
    """Exactly what the words speak of, and nothing else."""
    if row.item:
        return _listed(row, answer)
    first, targets = answer.decisions[0], row.aim.targets
    if isinstance(first, Nothing):
        return len(answer.decisions) == 1 and row.aim.group and first.reason == "unsupported"
    if isinstance(first, Clarify):
        offered = {hit for one in first.options for hit in hits(row, one.tool, one.arguments)}
        whole = offered == targets or (len(offered) == MOST and offered < targets)
        return len(answer.decisions) == 1 and len(targets) > 1 and first.reason == "ambiguous" and whole
    calls = [one for one in answer.decisions if isinstance(one, Call)]
    done = {hit for one in calls for hit in hits(row, one.tool, one.arguments)}
    return len(calls) == len(answer.decisions) and done == targets


def hits(row: Row, tool: str | None, arguments: dict[str, Any]) -> Iterator[Target]:
    """What a call reaches. To read all that a machine measures is to read it where it measures one thing only."""
    machine = next((one for one in row.case.entities if one.id == arguments.get("device_id")), None)
    if tool is None or machine is None or arguments.get("value") is not None:
        yield ("", "", "")
    elif tool == READ:
        wanted = {part for _, device, part in row.aim.targets if device == machine.id}
        metrics = arguments.get("metrics") or (wanted if row.aim.anything else machine["metrics"])
        yield from ((READ, machine.id, name) for name in metrics)
    else:
        yield (tool, machine.id, str(arguments.get("machine_command_id", "")))


def _listed(row: Row, answer: Answer) -> bool:
    """What goes off a list is done, or deleted where the words may mean that: then it is asked first."""
    if len(answer.decisions) != 1:
        return False
    first = answer.decisions[0]
    if isinstance(first, Call) and row.wish == "add":
        spoken = {name: value for name, value in first.arguments.items() if value not in (None, "", "medium")}
        return first.tool == "add_task" and {k: str(v).casefold() for k, v in spoken.items()} == {
            "title": row.item.casefold()
        }
    this = isinstance(first, Call | Confirm) and first.arguments == {"task_identifier": "item"}
    if isinstance(first, Call):
        return this and first.tool == "complete_task" and row.wish == "complete"
    return this and isinstance(first, Confirm) and first.tool == "delete_task"


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_bytes().split(b"\n"):
        if line.strip():
            yield msgspec.json.decode(line, type=dict[str, Any])
