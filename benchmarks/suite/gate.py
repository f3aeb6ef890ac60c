"""The gate: of all that people say to assistants, does Sayso take up what is ours, and nothing else?

CLINC150: 150 intents and what fits none of them. "read back my to do list" is ours, "what is my credit limit" is not.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.suite.values import (
    Contender,
    Figure,
    Miss,
    Section,
    Table,
    Watch,
    decides,
    percent,
    sample,
    shown,
)
from sayso.evals.training import scene
from sayso.evals.training.sources import Row, Split, rows, side

BRIEF = """Does Sayso accept the messages that belong to the tasks pack, and only those? Precision is the share of
accepted rows that are ours; recall is the share of ours that was accepted. A question counts as accepted."""
TEXT = """Separates CLINC150's intents that belong to the tasks pack from all its other intents and its out-of-scope
rows. Sayso accepts a row if it decides anything other than `none`: a call, a confirmation or a question. Precision
is the share of accepted rows that are ours; recall is the share of ours that was accepted. A refusal with a reason,
such as clearing a whole list, is `none`. The user has a list of ten tasks. The last table counts only rows that
were accepted with that confidence. Rows such as "i need to order checks", which CLINC150 assigns to other intents,
are plans by our rules: Sayso answers with a question, which counts against us here."""
STEPS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95)


class Count:
    """How often what was ours, and what was not, was taken up."""

    def __init__(self) -> None:
        self.of: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self.ours: set[str] = set()
        self.sure: list[tuple[float, bool]] = []  # the confidence of what was taken up, and whether it is ours

    def add(self, row: Row, ours: bool, taken: bool, sure: float) -> None:
        self.of[row.intent] += 1
        self.taken[row.intent] += taken
        if ours:
            self.ours.add(row.intent)
        if taken:
            self.sure.append((sure, ours))

    def sum(self, counter: Counter[str], ours: bool) -> int:
        return sum(number for intent, number in counter.items() if (intent in self.ours) == ours)

    def at(self, least: float) -> str:
        """Precision and recall of what was taken up with at least this confidence."""
        sides = [ours for sure, ours in self.sure if sure >= least]
        if not sides:
            return "–"
        return f"{percent(sum(sides), len(sides))} at {percent(sum(sides), max(self.sum(self.of, True), 1))}"

    @property
    def precision(self) -> float:
        right = self.sum(self.taken, True)
        return right / max(right + self.sum(self.taken, False), 1)

    @property
    def recall(self) -> float:
        return self.sum(self.taken, True) / max(self.sum(self.of, True), 1)


def measure(data: Path, contenders: list[Contender], split: Split, most: int | None, watch: Watch) -> Section:
    """Precision and recall of taking a message up."""
    found = sample([row for row in rows(data, "clinc150", split) if side(row) != "either"], most)
    counts = [Count() for _ in contenders]
    misses: list[Miss] = []
    for row in watch(found, "gate"):
        case = scene.case(row.text, scene.tasks(row.lang))
        ours = side(row) == "ours"
        for number, (contender, count) in enumerate(zip(contenders, counts, strict=True)):
            answer = contender.decide(case)
            taken = decides(answer)
            count.add(row, ours, taken, max(one.confidence for one in answer.decisions))
            if taken != ours and not number and split == "dev":
                misses.append(Miss(f"{'missed' if ours else 'taken up'} {row.intent}", row.text, shown(answer)))
    return Section(
        name="gate",
        title="The gate: CLINC150",
        split=f"CLINC150, {'test' if split == 'test' else 'train and val'}, {len(found):,} rows",
        text=TEXT,
        brief=BRIEF,
        figures=_figures(counts),
        tables=_tables(contenders, counts),
        misses=tuple(misses),
    )


def _figures(counts: list[Count]) -> tuple[Figure, ...]:
    return (
        Figure(
            "gate: precision",
            "≥ 99 %",
            tuple(percent(count.precision, 1) if sum(count.taken.values()) else "–" for count in counts),
            counts[0].precision >= 0.99,
        ),
        Figure("gate: recall", "≥ 85 %", tuple(percent(count.recall, 1) for count in counts), counts[0].recall >= 0.85),
    )


def _tables(contenders: list[Contender], counts: list[Count]) -> tuple[Table, ...]:
    head = ("", *(one.name for one in contenders))
    first = counts[0]
    recalls = [
        (f"`{intent}`", *(f"{count.taken[intent]} / {count.of[intent]}" for count in counts))
        for intent in sorted(first.ours)
    ]
    others = [
        (f"`{intent}`", *(f"{count.taken[intent]} / {count.of[intent]}" for count in counts))
        for intent, taken in first.taken.most_common()
        if intent not in first.ours and taken
    ]
    steps = [(f"≥ {step}", *(count.at(step) for count in counts)) for step in STEPS]
    total = tuple(f"{count.sum(count.taken, False)} / {count.sum(count.of, False)}" for count in counts)
    return (
        Table(("ours, taken up", *head[1:]), tuple(recalls)),
        Table(("not ours, taken up all the same", *head[1:]), (("all", *total), *others[:15])),
        Table(("confidence", *(f"{name}: precision at recall" for name in head[1:])), tuple(steps)),
    )
