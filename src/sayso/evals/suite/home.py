"""Home Assistant's test sentences, in English and Italian: turning on and off, reading, and items of lists.

"is the shed window shut?" must come to a call that reads the shed window, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from sayso.decision import Nothing
from sayso.evals.suite.home_rows import DEV, TEST, Excluded, Row, right, rows
from sayso.evals.suite.sources import sample
from sayso.evals.suite.values import Contender, Figure, Miss, Section, Split, Table, Watch, percent, shown

TEXT = """That project's inventories become machines (`home.yaml`): an entity is a machine with its name, its area and
floor as the location, its kind (light, lock, curtain) as the description, the commands of its domain (a lock locks and
unlocks, a cover opens and closes) and its device class as the metric; entities of one name and area are one machine.
Connectivity and updates are what `device_firmware_detail` tells. An item of a list is a task; our contract has no lists
beside each other. Where the row of a question names neither a machine nor a kind, as most of 2026 do, the kind is the
one whose word ("lights") stands in the sentence. That project's sentence templates are read by nobody.

Right is the exact frame: one call, with exactly the machine and the command or metric that the slots of the row come to
in its inventory, or the task. Where they come to several machines, our rules do one at a time: a question whose options
are machines of that group, all of them or five, is right, and so is `none` with the reason `unsupported`; that refusal
is right as well where a row names no machine but a kind of them. To take an item off a list completes it, or asks
whether to delete it: that project had one intent for both.

Much of the data speaks of groups, where it is right to refuse: the second figure therefore counts only the rows that
come to one machine or item, and only what was done, not what was refused.

Left out are the rows below, and the intents that are neither turning on or off, nor reading, nor items of lists. The
sentences of 2025 were developed on; of those of 2026 only inventories and figures were looked at, by language and kind.
Before anything was changed for them, this measure gave 61.7 % in English and 51.7 % in Italian."""
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
    year = f"{TEST} that do not stand in {DEV}" if split == "test" else DEV
    return Section(
        name="home",
        title="Home Assistant: ha-intents",
        split=f"ha-intents, the sentences of {year}, {len(found):,} rows",
        text=TEXT,
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
