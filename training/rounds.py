"""Training examples out of the labelled rounds: the act of each case, and tags where the rules decide it rightly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from sayso.case import to_json
from sayso.decider import Decider
from sayso.engine.reader.features import MOST_WORDS
from sayso.evals.compare import as_expected
from sayso.evals.dataset import Labelled, files_in, load
from sayso.evals.facts import facts_of
from training.examples import Example, read, tags_of
from training.notation import SLOTS, Span

ROUNDS = Path(__file__).parent.parent / "benchmarks" / "decisions"
LAST = 52  # later rounds are for testing
NOTHING = "none"  # no tool; which mood is not known
_SLOT_OF = {"task_identifier": "task", "device_id": "device", "machine_command_id": "command", "metrics": "metric"}
_NUMBER = re.compile(r"round-(\d+)-")


def training_files(folder: Path = ROUNDS) -> list[Path]:
    """The rounds that are trained on, oldest first."""
    numbered = sorted((int(found[1]), path) for path in files_in(folder) if (found := _NUMBER.match(path.name)))
    return [path for number, path in numbered if number <= LAST]


def examples_of_rounds(
    files: Iterable[Path], decider: Decider, pack: str, classes: tuple[str, ...]
) -> Iterator[Example]:
    """An example of each case of a pack that has neither an open question nor a proposed call."""
    for labelled in load(files):
        case = labelled.case
        if case.pack == pack and case.pending is None and case.proposed is None:
            found = _example(labelled, decider, classes)
            if found is not None:
                yield found


def _example(labelled: Labelled, decider: Decider, classes: tuple[str, ...]) -> Example | None:
    case, outcome = labelled.case, labelled.expect[0]
    acts = {pattern.get("tool") or (NOTHING if pattern["kind"] == "none" else None) for pattern in outcome}
    answer = msgspec.json.decode(to_json(decider.decide(case)))
    reading = read(decider, case.pack, answer["lang"], case, classes)
    words = reading.sheet.words[:MOST_WORDS]
    if not words or len(acts) != 1 or None in acts:
        return None
    tags: list[str] | None = None
    if acts == {NOTHING}:
        tags = tags_of(words, ())
    elif len(outcome) == 1 and as_expected(
        labelled.expect, answer["decisions"], facts_of(decider.pack(case.pack).pack)
    ):
        tags = tags_of(words, _spans(answer["decisions"][0]))
    breaks = [0] * len(words) if len(outcome) == 1 else None
    return Example(reading.features(), acts.pop(), tags, breaks, labelled.group, case.message)


def _spans(decision: dict[str, Any]) -> Iterator[Span]:
    for name, evidence in decision.get("evidence", {}).items():
        slot = _SLOT_OF.get(name, name)
        if slot in SLOTS and evidence["source"] == "message" and "span" in evidence:
            yield Span(slot, *evidence["span"])
