"""Random proposals: does any value that nobody said reach the arguments of a decision?

    python -m benchmarks proposals        3,000 proposed calls
    python -m benchmarks proposals-long   100,000

Every proposal is made of values of three kinds: some that stand in the message, some of the person's own things, and
canaries that nobody can have said. The keys are right, misnamed or unknown, the values in the right type or another.
An argument that the words alone do not lead to must stand in the message or name a thing that the message or the
history speaks of; a canary must never come through. Exits with 1 after the first ten that do.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import track

from sayso.case import Case, Proposal
from sayso.decider import Decider
from sayso.decision import Decision, Nothing
from sayso.engine.grammar.pack import Param
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.linking.units import said
from sayso.engine.pipeline import Run
from sayso.engine.slots.arguments import in_form
from sayso.evals.dataset import load
from sayso.record import Entity

SHOWN = 10
CANARIES = (
    "zqv-771",
    "Quarzovento",
    "2041-07-29",
    "2041-07-29T04:44",
    "urgentissimoso",
    918273.5,
    -77123,
    True,
    {"a": 1},
)
MISNAMED = ("{}Name", "the_{}", "{}", "{}", "{}", "{}_value", "X{}")


def values(case: Case, param: Param, dice: random.Random) -> Any:
    """A value that may or may not have been said."""
    words = case.message.split() or ["?"]
    at = dice.randrange(len(words))
    said = " ".join(words[at : at + dice.randint(1, 6)])
    enum = [one for one in param.schema.get("enum", ()) if one is not None]
    things = [name for one in case.entities for name in (one.id, one.text("title") or one.text("name"))]
    parts = [part for entity in case.entities for part in _parts(entity)]
    numbers = [float(found) for found in re.findall(r"\d{1,6}", case.message)]
    pools = [[said], list(CANARIES), enum, things, parts, numbers, [case.message]]
    value = dice.choice(dice.choice([pool for pool in pools if pool]))
    shape = dice.random()
    if shape < 0.1:
        return [value]
    if shape < 0.15:
        return msgspec.json.encode(value).decode()
    return str(value) if shape < 0.25 else value


def proposal(case: Case, alone: tuple[Decision, ...], decider: Decider, dice: random.Random) -> Proposal:
    """A call of any tool; half of the time what the words come to or leave open, with some values changed."""
    tools = decider.pack(case.pack).pack.tools
    calls = [(one.tool, option) for one in alone if not isinstance(one, Nothing) and one.tool for option in _calls(one)]
    name, known = dice.choice(calls) if calls and dice.random() < 0.5 else (dice.choice(list(tools)), {})
    arguments: dict[str, Any] = {}
    for key, param in tools[name].params.items():
        if key in known and dice.random() < 0.8:
            arguments[key] = known[key]
        elif dice.random() < 0.7:
            arguments[dice.choice(MISNAMED).format(key)] = values(case, param, dice)
    if dice.random() < 0.2:
        arguments["confirm"] = True
    return Proposal(tool=name, arguments=msgspec.json.encode(arguments).decode() if dice.random() < 0.1 else arguments)


def _calls(decision: Any) -> list[dict[str, Any]]:
    return [decision.arguments, *(option.arguments for option in getattr(decision, "options", ()))]


def unsupported(case: Case, alone: tuple[Decision, ...], run: Run) -> Iterator[str]:
    """The values of a decision that neither the words alone lead to nor the case bears out."""
    calls = [call for one in alone if not isinstance(one, Nothing) for call in _calls(one)]
    known = {_key(value) for call in calls for value in call.values()}
    for one in run.answer.decisions:
        if isinstance(one, Nothing):
            continue
        for name, value in one.arguments.items():
            if any(_key(value) == _key(canary) for canary in CANARIES):
                yield f"{name} = {value!r}, a canary"
            elif (
                _key(value) not in known
                and not _implied(run, one, name, value)
                and not _borne_out(case, run, one.tool or "", name, value)
            ):
                yield f"{name} = {value!r}"
            evidence = getattr(one, "evidence", None)
            if evidence is not None and name not in evidence:
                yield f"{name} = {value!r} has no evidence"


def _implied(run: Run, decision: Any, name: str, value: Any) -> bool:
    """Whether another argument of the same call implies it: reading a named list shows its open tasks."""
    params = run.grammar.pack.tools[decision.tool].params if decision.tool else {}
    return any(params[given].implies.get(name) == value for given in decision.arguments if given in params)


def _key(value: Any) -> str:
    return msgspec.json.encode(value).decode().casefold()


def _borne_out(case: Case, run: Run, tool: str, name: str, value: Any) -> bool:
    """By other means than the decider's: letters in common, what was shown, what the readers read."""
    param = run.grammar.pack.tools[tool].params[name]
    kind = run.grammar.pack.slots[param.slot].type if param.slot else ""
    if kind == "entity":
        return any(entity.id == value and _is_about(case, run, entity) for entity in case.entities)
    if kind == "part":
        wanted = value if isinstance(value, list) else [value]
        return all(any(one in _parts(entity) for entity in case.entities) for one in wanted)
    if kind in ("date", "value", "number"):
        chunks = [chunk for chunks in run.sheet.chunks.values() for chunk in chunks if chunk.slot == param.slot]
        things = [None, *case.entities]
        return any(in_form(chunk, param, thing, case.now, name) == value for chunk in chunks for thing in things)
    return _flat(str(value)) in _flat(case.message)


def _is_about(case: Case, run: Run, entity: Entity) -> bool:
    """A word in common, to four letters; or it was shown or spoken of before; or it goes by a synonym that was said."""
    told = " ".join([case.message, *(turn.content for turn in case.history)])
    names = " ".join(str(entity.get(key) or "") for key in ("title", "name", "location", "description", "serial", "id"))
    shared = {word[:4] for word in _flat(told).split()} & {word[:4] for word in _flat(names).split()}
    if shared or any(entity.id in (turn.shown or ()) for turn in case.history):
        return True
    units = said(Stretch(run.sheet, 0, len(run.sheet.words)))
    things = run.scene.inventory.stock.things("", ()) if run.scene.inventory is not None else ()
    fields = [unit for thing in things if thing.id == entity.id for _, names in thing.fields for unit in names]
    return any(unit.fits(other) for unit in units for other in fields)


def _parts(entity: Entity) -> list[str]:
    held = [part for key in ("commands", "metrics") for part in entity.get(key) or ()]
    return [part["id"] if isinstance(part, dict) else part for part in held]


def _flat(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--proposals", type=int, default=3_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("files", nargs="+", type=Path, help="files of cases to propose calls for")
    chosen = options.parse_args()
    console = Console()
    decider = Decider.installed()
    cases = [msgspec.structs.replace(one.case, proposed=None) for one in load(chosen.files)]
    alone: dict[str, tuple[Decision, ...]] = {}
    dice = random.Random(chosen.seed)
    faults: list[str] = []
    used = 0
    for _ in track(range(chosen.proposals), description="proposals", console=console, disable=not console.is_terminal):
        case = dice.choice(cases)
        if case.id not in alone:
            alone[case.id] = decider.decide(case).decisions
        offered = proposal(case, alone[case.id], decider, dice)
        run = decider.run(msgspec.structs.replace(case, proposed=offered))
        used += run.answer.decisions != alone[case.id]
        faults += [f"{case.message!r} + {offered}: {fault}" for fault in unsupported(case, alone[case.id], run)]
        if len(faults) >= SHOWN:
            break
    for fault in faults:
        console.print(f"[red]✗[/] {fault}", highlight=False, soft_wrap=True)
    console.print(
        f"{chosen.proposals:,} proposals over {len(cases):,} cases: {used:,} changed what the words alone come to, "
        f"{len(faults)} values without evidence"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
