"""Home Assistant's test sentences, in English and Italian: turning on and off, reading, and items of lists.

"is the shed window shut?" must come to a call that reads the shed window, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.suite.home_rows import DEV, TEST, Excluded, Row, right, rows
from benchmarks.suite.values import Contender, Figure, Miss, Section, Table, Watch, percent, sample, shown
from sayso.decision import Nothing
from sayso.evals.training.sources import Split

BRIEF = """Inventories of Home Assistant become machines. Correct is one call with exactly the machine and the
command or metric of the row. If a row means several machines, a question with these machines or a refusal is
correct; the second figure counts only rows that mean one machine or item."""
TEXT = """That project's inventories become machines (`home.yaml`): an entity is a machine with its name, its area
and floor as the location, its kind (light, lock, curtain) as the description, the commands of its domain (a lock
locks and unlocks) and its device class as the metric; entities with the same name and area are one machine.
`device_firmware_detail` covers connectivity and updates. An item of a list is a task. If the row of a question
names neither a machine nor a kind, as in most rows of 2026, the kind is the one whose word ("lights") the sentence
contains. Sayso does not use that project's sentence templates.

Correct is the exact frame: one call, with exactly the machine and the command or metric that the slots of the row
denote in its inventory, or the task. If they denote several machines, a question whose options are machines of that
group, all of them or five, is correct, and so is `none` with the reason `unsupported`; that refusal is also correct
if a row names only a kind of machine. Taking an item off a list completes it, or asks whether to delete it.

In much of the data a refusal is correct. The second figure therefore counts only rows that denote one machine or
item, and only what was done.

The rows below are left out, and so are intents other than turning on or off, reading, and list items. The sentences
of 2025 were used in development; of those of 2026 only inventories and figures were looked at, by language and
kind. Before any change for them, this measure gave 61.7 % in English and 51.7 % in Italian."""
LANGUAGES = {"en": "English", "it": "Italian"}
GOALS = {"en": 90, "it": 88}


def measure(data: Path, contenders: list[Contender], split: Split, most: int | None, watch: Watch) -> Section:
    """The share of rows with the exact frame, by language and intent."""
    read = list(rows(data, split))
    found = sample([row for row in read if isinstance(row, Row)], most)
    left_out = Counter((row.lang, row.reason) for row in read if isinstance(row, Excluded))
    of = Counter((row.lang, kind(row)) for row in found)
    good: list[Counter[tuple[str, str]]] = [Counter() for _ in contenders]
    done: list[Counter[str]] = [Counter() for _ in contenders]
    misses: list[Miss] = []
    for row in watch(found, "home sentences"):
        for number, contender in enumerate(contenders):
            answer = contender.decide(row.case)
            ok = right(row, answer)
            good[number][row.lang, kind(row)] += ok
            done[number][row.lang] += ok and is_single(row) and not isinstance(answer.decisions[0], Nothing)
            if not ok and not number and split == "dev":
                misses.append(Miss(f"{row.lang} {kind(row)}", row.text, shown(answer)))
    year = f"{TEST} that are not in {DEV}" if split == "test" else DEV
    return Section(
        name="home",
        title="Home Assistant: ha-intents",
        split=f"ha-intents, the sentences of {year}, {len(found):,} rows",
        text=TEXT,
        brief=BRIEF,
        figures=(
            *(_figure(lang, good, of) for lang in LANGUAGES),
            *(_single(lang, done, found) for lang in LANGUAGES),
        ),
        tables=(_table(contenders, good, of), _excluded(left_out)),
        misses=tuple(misses),
    )


def kind(row: Row) -> str:
    """The intent, and whether one machine or a group was meant."""
    if row.item:
        return row.intent
    several = len(row.aim.targets) > 1
    return f"{row.intent}, {'several machines' if several else 'a kind, one machine' if row.aim.group else 'by name'}"


def _figure(lang: str, good: list[Counter[tuple[str, str]]], of: Counter[tuple[str, str]]) -> Figure:
    total = sum(number for key, number in of.items() if key[0] == lang)
    rates = [sum(number for key, number in count.items() if key[0] == lang) for count in good]
    values = tuple(percent(rate, total) for rate in rates)
    name = f"home sentences, exact frame, {LANGUAGES[lang]}"
    return Figure(name, f"≥ {GOALS[lang]} %", values, 100 * rates[0] >= GOALS[lang] * total)


def is_single(row: Row) -> bool:
    """One machine, or one item: there is exactly one thing to do."""
    return len(row.aim.targets) < 2


def _single(lang: str, done: list[Counter[str]], found: list[Row]) -> Figure:
    total = sum(is_single(row) for row in found if row.lang == lang)
    values = tuple(percent(count[lang], total) for count in done)
    return Figure(f"home sentences of one machine or item, done, {LANGUAGES[lang]}", "", values)


def _table(contenders: list[Contender], good: list[Counter[tuple[str, str]]], of: Counter[tuple[str, str]]) -> Table:
    lines = [
        (LANGUAGES[lang], what, *(f"{count[lang, what]} / {of[lang, what]}" for count in good))
        for lang, what in sorted(of)
    ]
    return Table(("language", "intent", *(one.name for one in contenders)), tuple(lines))


def _excluded(left_out: Counter[tuple[str, str]]) -> Table:
    reasons = sorted({reason for _, reason in left_out})
    lines = [(reason, *(str(left_out[lang, reason]) for lang in LANGUAGES)) for reason in reasons]
    return Table(("left out", *LANGUAGES.values()), tuple(lines))
