"""Runs the measures, one after the other. What has no data here is left out and said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.suite import catalogues, dates, decisions, false_writes, gate, home, replies, todo
from benchmarks.suite.baselines import by_keywords, never
from benchmarks.suite.decisions import Files
from benchmarks.suite.values import Contender, Section, Watch
from sayso.decider import Decider
from sayso.evals.compare import Tools
from sayso.evals.facts import facts_of_all
from sayso.evals.training.sources import Split
from sayso.packs.load import installed_packs

QUICK = {"gate": 1500, "false-writes": 400, "todo": 150, "home": 200, "replies": 150, "dates": 200, "catalogues": 300}


class Plan(NamedTuple):
    """What is to be measured, on what."""

    files: Files
    data: Path | None
    split: Split = "test"
    quick: bool = False

    def most(self, measure: str) -> int | None:
        """How many rows of a source are taken."""
        return QUICK[measure] if self.quick else None


class Team(NamedTuple):
    """Who decides, and what the tools are."""

    contenders: list[Contender]
    tools: Tools
    packs: frozenset[str]


def team(decider: Decider) -> Team:
    """Sayso first, then the baselines."""
    names = installed_packs()
    contenders = [
        Contender("Sayso", decider.decide),
        Contender("keywords", by_keywords),
        Contender("always none", never),
    ]
    return Team(contenders, facts_of_all(decider.pack(name).pack for name in names), frozenset(names))


def measure(plan: Plan, who: Team, names: tuple[str, ...], watch: Watch) -> Iterator[Section]:
    """The sections of these measures, as they are done."""
    for name in names:
        if name == "decisions":
            if plan.files.cases:
                yield decisions.measure(plan.files, who.contenders, who.tools, who.packs, watch)
        elif plan.data is not None:
            yield _ON_DATA[name](plan.data, plan, who, watch)


def _gate(data: Path, plan: Plan, who: Team, watch: Watch) -> Section:
    return gate.measure(data, who.contenders, plan.split, plan.most("gate"), watch)


def _false_writes(data: Path, plan: Plan, who: Team, watch: Watch) -> Section:
    return false_writes.measure(data, who.contenders, who.tools, plan.split, plan.most("false-writes"), watch)


def _todo(data: Path, plan: Plan, who: Team, watch: Watch) -> Section:
    return todo.measure(data, who.contenders, plan.split, plan.most("todo"), watch)


def _home(data: Path, plan: Plan, who: Team, watch: Watch) -> Section:
    return home.measure(data, who.contenders, plan.split, plan.most("home"), watch)


def _replies(data: Path, plan: Plan, who: Team, watch: Watch) -> Section:
    return replies.measure(data, who.contenders, plan.split, plan.most("replies"), watch)


def _dates(data: Path, plan: Plan, who: Team, watch: Watch) -> Section:
    return dates.measure(data, len(who.contenders), plan.split, plan.most("dates"), watch)


def _catalogues(data: Path, plan: Plan, who: Team, watch: Watch) -> Section:
    return catalogues.measure(data, len(who.contenders), plan.most("catalogues"), watch)


_ON_DATA: dict[str, Callable[[Path, Plan, Team, Watch], Section]] = {
    "gate": _gate,
    "false-writes": _false_writes,
    "todo": _todo,
    "home": _home,
    "replies": _replies,
    "dates": _dates,
    "catalogues": _catalogues,
}
MEASURES = ("decisions", *_ON_DATA)
