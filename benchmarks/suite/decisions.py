"""Labelled decisions in their full context: how many are right, how bad the wrong ones, how true the confidence."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from benchmarks.suite import known, reliability
from benchmarks.suite.values import Contender, Figure, Miss, Section, Table, Watch, percent
from sayso.evals.compare import Tools
from sayso.evals.dataset import Labelled, load
from sayso.evals.score import Report, Verdict, judge_all, report

BRIEF = """Development cases of the decision benchmark, and the project's own rounds of new cases, each with its
context. Correct means all decisions of a case with all arguments. A wrong write is a call to a writing tool that no
acceptable outcome contains. ECE says how far the confidence is from a probability."""
TEXT = """The development cases of the decision benchmark, and our own rounds of new cases. Each round was scored
once when it was new (those figures are kept beside the cases) and has been a development round since. Correct means
all decisions of a case, in order, with all their arguments. A wrong write is a call to a tool that writes and that
no acceptable outcome contains; an unconfirmed delete is one to a destructive tool. ECE says how far confidence is
from a probability, over all calls."""

GOALS = {"seed-conformance": 1.0, "dev-tasks-en": 0.94, "dev-tasks-it": 0.94, "dev-hard": 0.92}


class Files(NamedTuple):
    """Where the cases lie, and where the known misses are kept."""

    cases: tuple[Path, ...]
    misses: Path | None = None
    keep: bool = False


def measure(files: Files, contenders: list[Contender], tools: Tools, packs: frozenset[str], watch: Watch) -> Section:
    """Every labelled case of an installed pack, decided by every contender."""
    cases = load(files.cases)
    ours = [one for one in cases if one.case.pack in packs]
    verdicts = [
        list(judge_all(list(watch(ours, f"decisions: {contender.name}")), contender.decide, tools))
        for contender in contenders
    ]
    reports = [report(each) for each in verdicts]
    left_out = len(cases) - len(ours)
    return Section(
        name="decisions",
        title="Decisions in context",
        split=f"development cases, {len(ours):,}"
        + (f"; {left_out} of packs not installed left out" if left_out else ""),
        text=f"{TEXT}\n\n{_known(files, ours, verdicts[0])}",
        brief=BRIEF,
        figures=_figures(verdicts, reports),
        tables=(_by_file(contenders, verdicts), _by_tag(contenders, verdicts)),
        pictures=(("reliability.svg", reliability.picture(verdicts[0])),),
        misses=tuple(Miss(one.id, one.message, known.came_out(one)) for one in verdicts[0] if not one.right),
    )


def _known(files: Files, cases: list[Labelled], verdicts: list[Verdict]) -> str:
    if files.misses is None:
        return ""
    change = known.compare(known.read(files.misses), verdicts, frozenset(one.case.id for one in cases))
    if files.keep:
        known.write(files.misses, verdicts)
    return known.words(change)


def _figures(verdicts: list[list[Verdict]], reports: list[Report]) -> tuple[Figure, ...]:
    first = reports[0]
    figures = []
    for file, goal in GOALS.items():
        own = [report(one for one in each if one.group == file) for each in verdicts]
        if own[0].total.of:
            words = f"{goal:.0%}".replace("%", " %")
            figures.append(
                Figure(f"right, {file}", "100 %" if goal == 1 else f"≥ {words}", _rates(own), own[0].accuracy >= goal)
            )
    wrong = tuple(percent(len(each.wrong_writes), each.total.of) for each in reports)
    deletes = tuple(str(len(each.unconfirmed_deletes)) for each in reports)
    errors = tuple(f"{each.ece:.3f}" if each.calls else "–" for each in reports)
    return (
        *figures,
        Figure("right, all files", "", _rates(reports)),
        Figure("wrong writes", "≤ 0.3 %", wrong, first.wrong_write_rate <= 0.003),
        Figure("unconfirmed deletes", "0", deletes, not first.unconfirmed_deletes),
        Figure("ECE", "≤ 0.04", errors, first.ece <= 0.04),
    )


def _rates(reports: list[Report]) -> tuple[str, ...]:
    return tuple(percent(each.total.right, each.total.of) for each in reports)


def _by_file(contenders: list[Contender], verdicts: list[list[Verdict]]) -> Table:
    """Sayso's figures for each file, and the share that the others have right."""
    groups = (*dict.fromkeys(one.group for one in verdicts[0]), None)
    rows = []
    for group in groups:
        own, *others = ([one for one in each if group in {None, one.group}] for each in verdicts)
        rows.append((group or "all", *_cells(own), *_rates([report(each) for each in others])))
    head = ("file", "right", "of", "share", "wrong writes", "unconfirmed deletes", "ECE", "calls")
    return Table((*head, *(one.name for one in contenders[1:])), tuple(rows))


def _cells(verdicts: list[Verdict]) -> tuple[str, ...]:
    own = report(verdicts)
    share = percent(own.total.right, own.total.of)
    counts = (str(len(own.wrong_writes)), str(len(own.unconfirmed_deletes)))
    return (
        str(own.total.right),
        str(own.total.of),
        share,
        *counts,
        f"{own.ece:.3f}" if own.calls else "–",
        str(own.calls),
    )


def _by_tag(contenders: list[Contender], verdicts: list[list[Verdict]]) -> Table:
    tags = [report(each).tags for each in verdicts]
    rows = tuple(
        (f"`{tag}`", str(tally.of), *(percent(each[tag].right, each[tag].of) for each in tags))
        for tag, tally in tags[0].items()
        if tally.of >= 20
    )
    return Table(("tag, twenty cases or more", "cases", *(one.name for one in contenders)), rows)
