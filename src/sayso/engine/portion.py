"""Portion: words that name one part of a thing whose name lists several.

"the eggs are done" says little of "milk, eggs and bread": whether all of it is done is better asked.
"""

from __future__ import annotations

from sayso.engine.grammar import Grammar, Sheet
from sayso.engine.normalise import normalise
from sayso.engine.target import Target

_LONGEST = 200  # characters of a name that is looked at
_LIST = 3  # parts that are a list, of which the first is one among others
_BETWEEN = frozenset(",;+&")


def is_portion(grammar: Grammar, sheet: Sheet, target: Target, label: str) -> bool:
    """Whether only one of the parts that a thing's name lists was named."""
    if target.pronoun or target.span is None or target.source != "message":
        return False
    marked = not _BETWEEN.isdisjoint(label) or not grammar.links.isdisjoint(label.casefold().split())
    parts = parts_of(grammar, label) if marked and len(label) <= _LONGEST else []
    start, end = target.span
    said = {sheet.stems[at] for at, word in enumerate(sheet.words) if start <= word.start and word.end <= end}
    named = [place for place, part in enumerate(parts) if not said.isdisjoint(part)]
    return len(named) == 1 and (named[0] > 0 or len(parts) >= _LIST)  # of two, the first often stands for both


def parts_of(grammar: Grammar, name: str) -> list[frozenset[str]]:
    """The telling words of each part of a name, between commas and linking words."""
    words, edges, stems = grammar.look_at(normalise(name))
    links = grammar.cls["link"]
    parts: list[set[str]] = [set()]
    for at, word in enumerate(words):
        if word.low in _BETWEEN or any(cost == 0 for _, cost in edges[at].get(links, ())):
            parts.append(set())
        elif word.kind != "mark" and stems[at] not in grammar.little:
            parts[-1].add(stems[at])
    return [frozenset(part) for part in parts if part]
