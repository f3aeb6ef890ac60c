"""To-do sentences of somebody else's assistant, in English and Italian: is the tool the right one?

"spunta le banane dalla mia lista della spesa", with bananas on the list, asks for complete_task.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import msgspec

from benchmarks.suite.values import (
    Contender,
    Figure,
    Miss,
    Section,
    Table,
    Watch,
    percent,
    sample,
    seen,
    shown,
)
from sayso.case import Case
from sayso.decision import Answer
from sayso.evals.training import scene
from sayso.evals.training.sources import Row, Split, rows
from sayso.files.datafile import read

BRIEF = """Is the first decision about the tool that the intent asks for? A refusal to change a whole list is
correct."""
TEXT = """Correct at the level of the tool: the first decision, whether a call, a confirmation or a question, is
about the tool that the intent asks for. Named tasks are on the list; marking, deleting and paging happen after the
list was shown. Sayso refuses to delete or complete a whole list, so `none` with the reason `unsupported` is correct
there too."""
LANGUAGES = {"en": "English", "it": "Italian"}


class Wish(msgspec.Struct, frozen=True):
    """What an intent asks for, and in which scene."""

    tool: str
    after_list: bool = False
    named: bool = False


class Refused(msgspec.Struct, frozen=True):
    """What our rules refuse."""

    tools: tuple[str, ...]
    reason: str


class Mapping(msgspec.Struct, frozen=True, rename={"whole": "all"}):
    """todo.yaml."""

    intents: dict[str, Wish]
    thing: str
    list: str
    whole: str
    refused: Refused


@cache
def mapping() -> Mapping:
    """The mapping of intents to tools."""
    return read(Path(__file__).with_suffix(".yaml"), Mapping)


def measure(data: Path, contenders: list[Contender], split: Split, most: int | None, watch: Watch) -> Section:
    """The share of rows with the right tool, by language and intent."""
    ours = [row for row in rows(data, "ms-skills-lu", split) if _intent(row) in mapping().intents]
    found = sample([row for row in ours if row.intent.startswith("todo/")], most)
    right: list[Counter[tuple[str, str]]] = [Counter() for _ in contenders]
    of = Counter((row.lang, _intent(row)) for row in found)
    misses: list[Miss] = []
    for row in watch(found, "to-do intents"):
        case = _case(row)
        for number, (contender, count) in enumerate(zip(contenders, right, strict=True)):
            answer = contender.decide(case)
            good = _right(row, answer)
            count[row.lang, _intent(row)] += good
            if not good and not number and split == "dev":
                misses.append(Miss(f"{row.lang} {_intent(row)}", row.text, shown(answer)))
    return Section(
        name="todo",
        title="To-do intents: ms-skills-lu",
        split=f"ms-skills-lu, {'test' if split == 'test' else 'train and dev'}, {len(found):,} rows of the domain todo",
        text=TEXT,
        brief=BRIEF,
        figures=_figures(right, of),
        tables=(_table(contenders, right, of),),
        misses=tuple(misses),
    )


def _intent(row: Row) -> str:
    return row.intent.partition("/")[2]


def _case(row: Row) -> Case:
    wish = mapping().intents[_intent(row)]
    entities = scene.tasks(row.lang)
    named = [text for name, text in row.marks if name == mapping().thing] if wish.named else []
    entities = (*entities, *(scene.task(f"n{place}", title=text) for place, text in enumerate(named, 1)))
    return scene.case(row.text, entities, scene.shown(row.lang, entities) if wish.after_list else ())


def _right(row: Row, answer: Answer) -> bool:
    wanted, first = mapping().intents[_intent(row)].tool, seen(answer.decisions[0])
    refused = mapping().refused
    names = {name for name, _ in row.marks}
    whole = mapping().whole in names or (mapping().list in names and mapping().thing not in names)
    if wanted in refused.tools and whole and first.kind == "none" and first.reason == refused.reason:
        return True
    return first.tool == wanted


def _figures(right: list[Counter[tuple[str, str]]], of: Counter[tuple[str, str]]) -> tuple[Figure, ...]:
    figures = []
    for lang, name in LANGUAGES.items():
        total = sum(number for key, number in of.items() if key[0] == lang)
        rates = [sum(number for key, number in count.items() if key[0] == lang) for count in right]
        values = tuple(percent(rate, total) for rate in rates)
        figures.append(Figure(f"to-do intents, {name}", "≥ 95 %", values, rates[0] >= 0.95 * total))
    return tuple(figures)


def _table(contenders: list[Contender], right: list[Counter[tuple[str, str]]], of: Counter[tuple[str, str]]) -> Table:
    lines = [
        (
            LANGUAGES[lang],
            f"`{intent}` → `{mapping().intents[intent].tool}`",
            *(f"{count[lang, intent]} / {of[lang, intent]}" for count in right),
        )
        for lang, intent in sorted(of)
    ]
    return Table(("language", "intent", *(one.name for one in contenders)), tuple(lines))
