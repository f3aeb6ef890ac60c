"""False writes: how many messages that are not for us would have changed something?

"play my new playlist", said to somebody's task list, must never add a task.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.suite.values import Contender, Figure, Miss, Section, Table, Watch, decides, sample, seen, shown
from sayso.evals.compare import Tools
from sayso.evals.facts import UNKNOWN
from sayso.evals.training import scene
from sayso.evals.training.sources import SOURCES, Row, Split, out_of_domain, rows

BRIEF = """Messages that are not for Sayso, sent with an empty list and with a list of ten tasks. A false write is
a call to a writing tool without a question first."""
TEXT = """Every row that is out of our domain, sent once with an empty list and once with a list of ten tasks. A
false write is a call, without a question first, to a tool that writes. "Asked or read" counts the other accepted
rows: a question, a confirmation, or a call to a tool that only reads. Texts that their source also labels as ours,
or as close to ours, are left out."""
LISTS = ("empty list", "ten tasks")


class Pile:
    """The counts of one contender."""

    def __init__(self) -> None:
        self.of: Counter[tuple[str, ...]] = Counter()
        self.writes: Counter[tuple[str, ...]] = Counter()
        self.taken: Counter[tuple[str, ...]] = Counter()

    def add(self, key: tuple[str, ...], writes: bool, taken: bool) -> None:
        self.of[key] += 1
        self.writes[key] += writes
        self.taken[key] += taken and not writes


def measure(
    data: Path, contenders: list[Contender], tools: Tools, split: Split, most: int | None, watch: Watch
) -> Section:
    """The rate of calls to a writing tool."""
    found = [row for source in SOURCES for row in sample(out_of_domain(rows(data, source, split)), most)]
    piles = [Pile() for _ in contenders]
    misses: list[Miss] = []
    for row in watch(found, "false writes"):
        for number, (contender, pile) in enumerate(zip(contenders, piles, strict=True)):
            for words in LISTS:
                answer = contender.decide(scene.case(row.text, scene.tasks(row.lang) if words == LISTS[1] else ()))
                writes = any(
                    one.kind == "call" and not tools.get(one.tool or "", UNKNOWN).reads
                    for one in map(seen, answer.decisions)
                )
                pile.add((_group(row), words), writes, decides(answer))
                if writes and not number and split == "dev":
                    misses.append(Miss(f"{row.source} {row.intent}, {words}", row.text, shown(answer)))
    names = "chatterbot (all of it is for testing)" if split == "test" else "no chatterbot, it is for testing only"
    return Section(
        name="false-writes",
        title="False writes out of our domain",
        split=f"{split} splits of ms-skills-lu, xSID, CLINC150 and HWU64, {names}; {len(found):,} rows",
        text=TEXT,
        brief=BRIEF,
        figures=_figures(piles),
        tables=(_table(contenders, piles),),
        misses=tuple(dict.fromkeys(misses)),
    )


def _group(row: Row) -> str:
    return f"{row.source} {row.lang}"


def _figures(piles: list[Pile]) -> tuple[Figure, ...]:
    rates = [1000 * sum(pile.writes.values()) / max(sum(pile.of.values()), 1) for pile in piles]
    return (Figure("false writes in 1,000 rows", "≤ 1", tuple(f"{rate:.2f}" for rate in rates), rates[0] <= 1.0),)


def _table(contenders: list[Contender], piles: list[Pile]) -> Table:
    head = ["source", "list", "rows"]
    for contender in contenders:
        head += [f"{contender.name}: writes", "in 1,000", "asked or read"]
    lines = [_line([*key], piles, [key]) for key in piles[0].of]
    lines += [_line(["all", words], piles, [key for key in piles[0].of if key[1] == words]) for words in LISTS]
    return Table(tuple(head), tuple(lines))


def _line(start: list[str], piles: list[Pile], keys: list[tuple[str, ...]]) -> tuple[str, ...]:
    of = sum(piles[0].of[key] for key in keys)
    cells = [*start, f"{of:,}"]
    for pile in piles:
        writes = sum(pile.writes[key] for key in keys)
        cells += [f"{writes}", f"{1000 * writes / max(of, 1):.2f}", f"{sum(pile.taken[key] for key in keys)}"]
    return tuple(cells)
