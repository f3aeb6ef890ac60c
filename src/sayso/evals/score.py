"""Computes accuracy, wrong writes, unconfirmed deletes and calibration from cases and answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from sayso.case import Case, to_json
from sayso.decision import Answer
from sayso.errors import SaysoError
from sayso.evals.compare import Json, Tools, as_expected, matches
from sayso.evals.dataset import Labelled
from sayso.evals.facts import UNKNOWN


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """How one case came out. `calls` holds the confidence of every call and whether it was right."""

    id: str
    message: str
    group: str
    tags: tuple[str, ...]
    lang: str
    right: bool
    wrong_write: bool
    unconfirmed_delete: bool
    calls: tuple[tuple[float, bool], ...]
    expect: list[list[dict[str, Any]]]
    got: list[dict[str, Any]]


class Tally(msgspec.Struct, frozen=True):
    """So many right of so many."""

    right: int
    of: int

    @property
    def rate(self) -> float:
        return self.right / max(self.of, 1)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a run, and what lies behind them."""

    accuracy: float
    total: Tally
    wrong_writes: tuple[str, ...]
    wrong_write_rate: float
    unconfirmed_deletes: tuple[str, ...]
    ece: float
    calls: int
    groups: dict[str, Tally]
    tags: dict[str, Tally]
    misses: tuple[Verdict, ...]


def judge(labelled: Labelled, answer: Answer | None, tools: Tools) -> Verdict:
    """Compare one answer with what was expected; no answer at all is wrong."""
    decisions: list[dict[str, Any]] = msgspec.json.decode(to_json(answer))["decisions"] if answer else []
    allowed = [pattern for outcome in labelled.expect for pattern in outcome if pattern["kind"] == "call"]
    calls = [
        (decision, any(matches(pattern, decision, tools) for pattern in allowed))
        for decision in decisions
        if decision["kind"] == "call"
    ]
    wrong = [call for call, good in calls if not good and not tools.get(call["tool"], UNKNOWN).reads]
    return Verdict(
        id=labelled.case.id,
        message=labelled.case.message,
        group=labelled.group,
        tags=labelled.tags,
        lang=labelled.case.lang or (answer.lang if answer else ""),
        right=as_expected(labelled.expect, decisions, tools),
        wrong_write=bool(wrong),
        unconfirmed_delete=any(_destroys(call, labelled.case, tools) for call in wrong),
        calls=tuple((call["confidence"], good) for call, good in calls),
        expect=labelled.expect,
        got=decisions,
    )


def judge_all(cases: Iterable[Labelled], decide: Callable[[Case], Answer], tools: Tools) -> Iterable[Verdict]:
    """Decide and judge, case by case, as they are asked for. A case that is refused has no answer."""
    for one in cases:
        try:
            answer = decide(one.case)
        except SaysoError:
            yield judge(one, None, tools)
        else:
            yield judge(one, answer, tools)


def report(verdicts: Iterable[Verdict]) -> Report:
    """Sum the verdicts up."""
    all_of_them = list(verdicts)
    total = _tally(all_of_them)
    wrong = tuple(verdict.id for verdict in all_of_them if verdict.wrong_write)
    calls = [call for verdict in all_of_them for call in verdict.calls]
    return Report(
        accuracy=total.rate,
        total=total,
        wrong_writes=wrong,
        wrong_write_rate=len(wrong) / max(total.of, 1),
        unconfirmed_deletes=tuple(verdict.id for verdict in all_of_them if verdict.unconfirmed_delete),
        ece=expected_calibration_error(calls),
        calls=len(calls),
        groups=_tallies((verdict.group, verdict) for verdict in all_of_them),
        tags=_tallies((tag, verdict) for verdict in all_of_them for tag in verdict.tags),
        misses=tuple(verdict for verdict in all_of_them if not verdict.right),
    )


def expected_calibration_error(calls: list[tuple[float, bool]]) -> float:
    """How far confidence is from being a probability: ten bins, weighted by how many calls fall into each."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for confidence, good in calls:
        bins[min(int(confidence * 10), 9)].append((confidence, good))
    gaps = (abs(sum(confidence for confidence, _ in each) - sum(good for _, good in each)) for each in bins.values())
    return sum(gaps) / max(len(calls), 1)


def _destroys(call: Json, case: Case, tools: Tools) -> bool:
    """A tool that destroys, or a command that its machine marks as destructive."""
    commands = [command for entity in case.entities for command in entity.get("commands", ())]
    danger = {command["id"] for command in commands if command.get("destructive")}
    named = {value for value in call["arguments"].values() if isinstance(value, str)}
    return tools.get(call["tool"], UNKNOWN).destructive or bool(danger & named)


def _tally(verdicts: list[Verdict]) -> Tally:
    return Tally(sum(verdict.right for verdict in verdicts), len(verdicts))


def _tallies(pairs: Iterable[tuple[str, Verdict]]) -> dict[str, Tally]:
    piles: Mapping[str, list[Verdict]] = defaultdict(list)
    for key, verdict in pairs:
        piles[key].append(verdict)
    return {key: _tally(pile) for key, pile in sorted(piles.items(), key=lambda pair: (-len(pair[1]), pair[0]))}
