"""Sentences that a pack itself can say: its patterns, with a phrase picked for each class and a filler for each slot.

"<add> {title} <to_list>" → "pop sharpen the knives on my to-do list"
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from sayso.engine.grammar.facts import classes_of
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.text.patterns import Choice, Series, Symbol, Tree, parse

Fillers = Mapping[str, Sequence[str]]


class Sampler:
    """Makes sentences of one pack in one language."""

    def __init__(self, grammar: Grammar, fillers: Fillers, seed: int) -> None:
        self._grammar, self._fillers = grammar, fillers
        self._classes = {name: list(patterns) for name, patterns in classes_of(grammar.book, grammar.language)}
        self._trees: dict[str, Tree] = {}
        self._random = random.Random(seed)  # noqa: S311  the same sentences every time

    def sentences(self, each: int) -> Iterator[str]:
        """Make `each` sentences for every pattern of an act that has a tool and needs no earlier turn."""
        for name, patterns in self._grammar.book.acts.items():
            act = self._grammar.pack.acts[name]
            if act.tool is None or act.narrows or act.again or act.previous:
                continue
            lead = "mood:plan" if act.mood == ("plan",) else ""
            for pattern in patterns:
                for _ in range(each):
                    said = self._say(self._tree(pattern))
                    yield " ".join((self._phrase(lead), said)) if lead else self._asked(said, "command" in act.mood)

    def _asked(self, said: str, command: bool) -> str:
        """Now and then with "could you" before it."""
        return f"{self._phrase('mood:request')} {said}" if command and self._random.random() < 0.3 else said

    def _say(self, tree: Tree) -> str:
        match tree:
            case Symbol():
                return self._symbol(tree)
            case Series():
                return " ".join(filter(None, map(self._say, tree.parts)))
            case Choice():
                if tree.maybe and self._random.random() < 0.5:
                    return ""
                return self._say(self._random.choice(tree.ways))

    def _symbol(self, symbol: Symbol) -> str:
        if symbol.kind == "word":
            return symbol.name
        if symbol.kind == "class":
            return self._phrase(symbol.name)
        return self._filler(symbol.name)

    def _phrase(self, name: str) -> str:
        patterns = self._classes.get(name)
        return self._say(self._tree(self._random.choice(patterns))) if patterns else ""

    def _filler(self, name: str) -> str:
        slot = self._grammar.pack.slots[name]
        if slot.type == "one_of":
            return self._filler(self._random.choice(slot.choices))
        if slot.type == "value":
            values = [key for key in self._classes if key.startswith(f"value:{slot.of}=")]
            return self._phrase(self._random.choice(values)) if values else ""
        known = self._fillers.get(name) or self._fillers.get(slot.of or "") or ("2",)
        return self._random.choice(known)

    def _tree(self, pattern: str) -> Tree:
        found = self._trees.get(pattern)
        if found is None:
            found = self._trees[pattern] = parse(pattern)
        return found
