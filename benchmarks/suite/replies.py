"""Replies to an open question, in English and Italian: yes, no, never mind, the second one.

"opt for the last one", asked which of five tasks is done, completes the fifth.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from benchmarks.suite.values import Contender, Figure, Miss, Section, Table, Watch, percent, sample, shown
from sayso.case import Case
from sayso.decision import Answer, Call, Clarify, Confirm, Nothing, Option, Pending
from sayso.evals.training import scene
from sayso.evals.training.sources import Row, Split, rows
from sayso.files.datafile import read

BRIEF = """Answers to "delete the third task?" and "complete which of these five?". Thanks or praise are not an
explicit yes: nothing may run."""
TEXT = """Each reply answers an open question about the list of ten tasks: "delete the third task?", or "complete
which of these five?". Correct is: after a yes, exactly the call in question; after a no or a "never mind", `none`;
after a choice, the call with that option; after "none of them", no call and no confirmation. Choices by left and
right are left out. A number beyond the list must not choose anything. Thanks, praise or "ok for now" are not an
explicit yes, although the data counts them as a confirmation: nothing may run."""
LANGUAGES = {"en": "English", "it": "Italian"}
IDENTIFIER = "task_identifier"

Question = Literal["confirm", "choose"]


class Reply(msgspec.Struct, frozen=True):
    """Which questions a reply answers, and what is right then."""

    questions: tuple[Question, ...]
    right: Literal["done", "dropped", "chosen", "untouched"]


class Asked(msgspec.Struct, frozen=True):
    """A question: the tool, and which or how many of the tasks it is about."""

    tool: str
    option: int = 0
    options: int = 0


class Mapping(msgspec.Struct, frozen=True):
    """replies.yaml."""

    intents: dict[str, Reply]
    confirm: Asked
    choose: Asked
    places: dict[str, dict[int, str]]
    unsaid: dict[str, str]


class Trial(NamedTuple):
    """A reply to one question."""

    row: Row
    intent: str
    question: Question
    place: int


@cache
def mapping() -> Mapping:
    """The mapping of replies to outcomes."""
    return read(Path(__file__).with_suffix(".yaml"), Mapping)


def measure(data: Path, contenders: list[Contender], split: Split, most: int | None, watch: Watch) -> Section:
    """The share of replies that came to what they should, by language and intent."""
    replies = [row for row in rows(data, "ms-skills-lu", split) if row.intent.startswith("general/")]
    trials = [trial for row in sample(replies, most) for trial in _trials(row)]
    of = Counter((trial.row.lang, trial.intent) for trial in trials)
    right: list[Counter[tuple[str, str]]] = [Counter() for _ in contenders]
    misses: list[Miss] = []
    for trial in watch(trials, "replies"):
        case = _case(trial)
        for number, (contender, count) in enumerate(zip(contenders, right, strict=True)):
            answer = contender.decide(case)
            good = _right(trial, answer)
            count[trial.row.lang, trial.intent] += good
            if not good and not number and split == "dev":
                misses.append(
                    Miss(f"{trial.row.lang} {trial.intent} to {trial.question}", trial.row.text, shown(answer))
                )
    return Section(
        name="replies",
        title="Replies to open questions: ms-skills-lu",
        split=f"ms-skills-lu, {'test' if split == 'test' else 'train and dev'}, {len(trials):,} replies",
        text=TEXT,
        brief=BRIEF,
        figures=_figures(right, of),
        tables=(_table(contenders, right, of),),
        misses=tuple(misses),
    )


def _trials(row: Row) -> list[Trial]:
    intent = row.intent.partition("/")[2]
    reply = mapping().intents.get(intent)
    place = _place(row) if reply and reply.right == "chosen" else 0
    if reply is None or (reply.right == "chosen" and not place):
        return []
    return [Trial(row, intent, question, place) for question in reply.questions]


def _place(row: Row) -> int:
    """Which place a choice names: 0 for none that a list has."""
    text = row.text.casefold()
    return next((place for place, pattern in mapping().places[row.lang].items() if re.search(pattern, text)), 0)


def _case(trial: Trial) -> Case:
    entities = scene.tasks(trial.row.lang)
    return scene.case(trial.row.text, entities, scene.shown(trial.row.lang, entities), _pending(trial))


def _pending(trial: Trial) -> Pending:
    entities = scene.tasks(trial.row.lang)
    if trial.question == "confirm":
        asked = mapping().confirm
        one = entities[asked.option - 1]
        return Confirm(
            tool=asked.tool,
            arguments={IDENTIFIER: one.id},
            confidence=0.95,
            question=f"{one.text('title')}?",
            reason="destructive",
        )
    asked = mapping().choose
    options = tuple(
        Option(label=one.text("title"), tool=asked.tool, arguments={IDENTIFIER: one.id})
        for one in entities[: asked.options]
    )
    return Clarify(
        tool=asked.tool, missing=(IDENTIFIER,), confidence=0.6, question="?", options=options, reason="ambiguous"
    )


def _right(trial: Trial, answer: Answer) -> bool:
    decisions = answer.decisions
    untouched = not any(isinstance(one, (Call, Confirm)) for one in decisions)
    match mapping().intents[trial.intent].right:
        case "done" if re.fullmatch(mapping().unsaid[trial.row.lang], trial.row.text.casefold()):
            return not any(isinstance(one, Call) for one in decisions)
        case "done":
            return _is_call(decisions, mapping().confirm, mapping().confirm.option, trial)
        case "dropped":
            return all(isinstance(one, Nothing) for one in decisions)
        case "untouched":
            return untouched
        case "chosen":
            asked = mapping().choose
            place = trial.place if trial.place > 0 else asked.options + 1 + trial.place
            return untouched if place > asked.options else _is_call(decisions, asked, place, trial)


def _is_call(decisions: tuple[object, ...], asked: Asked, place: int, trial: Trial) -> bool:
    wanted = scene.tasks(trial.row.lang)[place - 1].id
    return (
        len(decisions) == 1
        and isinstance(one := decisions[0], Call)
        and one.tool == asked.tool
        and one.arguments == {IDENTIFIER: wanted}
    )


def _figures(right: list[Counter[tuple[str, str]]], of: Counter[tuple[str, str]]) -> tuple[Figure, ...]:
    total = sum(of.values())
    good = [sum(count.values()) for count in right]
    return (Figure("replies", "≥ 97 %", tuple(percent(one, total) for one in good), good[0] >= 0.97 * total),)


def _table(contenders: list[Contender], right: list[Counter[tuple[str, str]]], of: Counter[tuple[str, str]]) -> Table:
    lines = [
        (LANGUAGES[lang], f"`{intent}`", *(f"{count[lang, intent]} / {of[lang, intent]}" for count in right))
        for lang, intent in sorted(of)
    ]
    return Table(("language", "reply", *(one.name for one in contenders)), tuple(lines))
