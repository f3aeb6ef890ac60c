"""Tools without a pack: does a wrong or incomplete proposal end in a question, and does a right one pass?

"Send Rossi some money" with an amount of 100 that a model made up must ask for the amount.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks.suite.catalogue_rows import Row, rows
from benchmarks.suite.values import Figure, Section, Table, Watch, percent, sample
from sayso.case import Case, Proposal, Turn
from sayso.decider import Decider
from sayso.decision import Answer, Call, Confirm

BRIEF = """Sayso knows only the schemas of the tools, and a script proposes calls: correct ones, ones with missing
arguments, and ones for which no tool fits. Correct proposals fail mostly because of values that nobody said:
computed, world knowledge, or chosen by meaning."""
TEXT = """BFCL v4 and ACEBench, without a pack and without a model: Sayso knows only the tools' schemas, and a
script proposes the calls. Correct proposals are the rows' gold. If the gold is to ask first, the call is proposed
too early (BFCL, miss_param), or with invented required arguments (ACEBench, special_incomplete). If no tool fits,
one is proposed with invented values, or with numbers and words from the message, which evidence cannot distinguish
from intended values; then the only question is whether the message is about the tool at all. Risks are not
declared, so every call requires confirmation; the measure counts whether the arguments are unchanged, and a
confirmation does not count as a question.

Correct proposals fail because of values that nobody said: computed ("a decade" as 10 years passes, 52 cards of a
deck do not), world knowledge (the state of a city, a currency's code) or chosen from a list by meaning (a funny
film as "Comedy"). Sayso asks for each of them, or leaves it out if the tool does not require it. One in twenty asks
for its tool in words that neither its name nor its description contains."""
_NOW = datetime(2026, 3, 10, 9, 0, tzinfo=UTC)
_KINDS = {
    "right": "pass unchanged",
    "missing": "asked about",
    "irrelevant, made up": "asked about or no call",
    "irrelevant, taken": "asked about or no call",
}
_GOALS = {"right": 99, "missing": 90, "irrelevant, made up": 90, "irrelevant, taken": 90}


def measure(data: Path, contenders: int, most: int | None, watch: Watch) -> Section:
    """The share that comes out as it should, by kind and source."""
    found = sample(list(rows(data)), most)
    decider = Decider.installed()
    # One catalogue for all: each row's tool under a name of its own.
    tools = [{**row.tool, "name": _name(row, number)} for number, row in enumerate(found)]
    decider.add_tools("rows", msgspec.json.encode({"tools": tools}))
    of: Counter[tuple[str, str]] = Counter((row.kind, row.source) for row in found)
    good: Counter[tuple[str, str]] = Counter()
    for number, row in enumerate(watch(found, "tools without a pack")):
        good[row.kind, row.source] += right(row, decider.decide(_case(row, number)))
    lines = [(kind, source, f"{good[kind, source]} / {of[kind, source]}") for kind, source in sorted(of)]
    return Section(
        name="catalogues",
        title="Tools without a pack: BFCL and ACEBench",
        split=f"bfcl and acebench, test, {len(found):,} proposed calls",
        text=TEXT,
        brief=BRIEF,
        figures=tuple(_figure(kind, good, of, contenders) for kind in _KINDS),
        tables=(Table(("proposal", "source", "as it should be"), tuple(lines)),),
    )


def right(row: Row, answer: Answer) -> bool:
    """A right proposal passes whole, with what equals a default perhaps left out; any other does not run."""
    one = answer.decisions[0]
    runs = isinstance(one, (Call, Confirm))
    if row.kind != "right" or not isinstance(one, (Call, Confirm)):
        return runs == (row.kind == "right")
    properties = row.tool["inputSchema"].get("properties", {})
    wanted = {key: value for key, value in row.arguments.items() if properties.get(key, {}).get("default") != value}
    return all(key in one.arguments and _same(one.arguments[key], value) for key, value in wanted.items())


def _same(one: object, other: object) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return float(one) == float(other)
    return one == other or str(one) == str(other)


def _name(row: Row, number: int) -> str:
    return f"{row.tool['name']} {number}"


def _case(row: Row, number: int) -> Case:
    *before, message = row.texts
    return Case(
        message=message,
        now=_NOW,
        pack="rows",
        lang="en",
        history=tuple(Turn(role="user", content=text) for text in before),
        proposed=Proposal(tool=_name(row, number), arguments=row.arguments),
    )


def _figure(kind: str, good: Counter[tuple[str, str]], of: Counter[tuple[str, str]], contenders: int) -> Figure:
    total = sum(count for key, count in of.items() if key[0] == kind)
    reached = sum(count for key, count in good.items() if key[0] == kind)
    values = (percent(reached, total), *("–" for _ in range(contenders - 1)))
    met = 100 * reached >= _GOALS[kind] * total
    return Figure(f"proposals without a pack, {kind}: {_KINDS[kind]}", f"≥ {_GOALS[kind]} %", values, met)
