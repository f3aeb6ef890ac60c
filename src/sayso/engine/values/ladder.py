"""Matches grammar rules in rungs, each built only of atoms and of the rungs below it.

"a week from tomorrow at 5pm": length "a week" and date "tomorrow" make a day, the day and the time make the whole.
No rung can contain itself, so every message is read in linear time. Rules are patterns from YAML, in
the notation of `engine/text/patterns.py`; a slot is an atom ({month}) or a lower rung ({date}). The modules of `dates`
hold a function for each rule, under the rule's name, that gives its meaning. A slot said twice is numbered: "from {day}
to {day2}".
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sayso.engine.text.patterns import Symbol, expand, symbols
from sayso.engine.values.when import Context

_BRACKETS = re.compile(r"[\[\]()|]")
WORD = object()  # the value of an atom that is only a word and fills no slot

# Slots that nothing without a digit can fill, and those that only words of time fill.
FIGURES = frozenset(
    {
        *("{digital}", "{dotted}", "{hhmm}", "{figures}", "{date_time}", "{month_figures}", "{measure}", "{nth}"),
        *("{dotted_date}", "{compact}", "{yy}", "{brief}", "{day_year}"),
    }
)
WORDS_OF_TIME = frozenset(
    {
        *("{weekday}", "{month}", "{unit}", "{part}", "{day_word}", "{part_word}", "{fraction}", "{named_time}"),
        *("{holiday}", "{weekdays}", "{quarter}"),
    }
)

Meaning = Callable[..., Any]
Atoms = Sequence[tuple[str, object, int]]  # key, value, index after it


class Rule(NamedTuple):
    meaning: Meaning
    names: tuple[str, ...]
    rank: int  # of two readings of the same words, the rule written first wins
    opening: bool  # only after the beginning of a clause or a preposition
    closing: bool  # only if the clause ends, or continues with a word that may follow a time


class Node:
    """The position of a reader inside the rules of one rung."""

    __slots__ = ("ends", "kinds", "rule", "steps")

    def __init__(self) -> None:
        self.steps: dict[str, Node] = {}
        self.kinds: list[tuple[int, Node]] = []  # lower rungs that may come next
        self.rule: Rule | None = None
        self.ends = True  # nothing may come next

    def step(self, key: str, lower: int | None) -> Node:
        """The node after this key, which is that of a lower rung or of an atom."""
        self.ends = False
        if lower is None:
            known = self.steps.get(key)
            if known is None:
                known = self.steps[key] = Node()
            return known
        following = next((node for kind, node in self.kinds if kind == lower), None)
        if following is None:
            following = Node()
            self.kinds.append((lower, following))
        return following


class Found(NamedTuple):
    end: int
    value: Any
    rule: Rule


class Ladder:
    """All rungs, compiled. `silent` is the meaning of rules whose matches are dropped.

    Rules may also use the rungs of `below`, another ladder, which is shared and not compiled again.
    """

    def __init__(
        self,
        rungs: Mapping[str, Mapping[str, Sequence[str]]],
        meanings: Mapping[str, Meaning],
        silent: Meaning,
        below: Ladder | None = None,
    ) -> None:
        self._silent = silent
        self.kinds: dict[str, int] = dict(below.kinds) if below is not None else {}
        self.roots: list[Node] = list(below.roots) if below is not None else []
        start = len(self.roots)
        self.kinds |= {name: index for index, name in enumerate(rungs, start)}
        self.roots += [Node() for _ in rungs]
        self.sequences: list[tuple[str, ...]] = []
        self._rank = 0
        self._symbols: dict[Symbol, tuple[str, int | None, str | None]] = {}
        self._checked: set[tuple[Meaning, frozenset[str]]] = set()
        for index, (kind, rules) in enumerate(rungs.items(), start):
            for name, patterns in rules.items():
                meaning = meanings.get(name)
                if meaning is None:
                    raise ValueError(f"{kind}.{name}: no such meaning; there are {', '.join(sorted(meanings))}")
                for pattern in patterns:
                    self._add(index, f"{kind}.{name}", pattern, meaning)
        known = below.firsts if below is not None else []
        self.firsts: list[frozenset[str]] = [*known, *(self._first(index) for index in range(start, len(self.roots)))]

    def _add(self, kind: int, place: str, pattern: str, meaning: Meaning) -> None:
        opening, closing = pattern.startswith("^"), pattern.endswith("$")
        for sequence in expand(_unmarked(pattern)):
            self._rank += 1
            node, names, keys = self.roots[kind], [], []
            for symbol in sequence:
                key, lower, slot = self._meant(symbol)
                if slot is not None:
                    names.append(slot)
                if lower is not None and lower >= kind:
                    raise ValueError(f'{place}: "{pattern}" uses {key}, which is not below it')
                node = node.step(key, lower)
                keys.append(key)
            self._check(place, pattern, meaning, frozenset(names))
            if node.rule is None:
                node.rule = Rule(meaning, tuple(names), self._rank, opening, closing)
            if meaning is not self._silent:
                self.sequences.append(tuple(keys))

    def _meant(self, symbol: Symbol) -> tuple[str, int | None, str | None]:
        """Its key, the rung it refers to and the slot it fills; the same wherever it is used."""
        found = self._symbols.get(symbol)
        if found is None:
            key, slot = _key(symbol.kind, symbol.name), symbol.name if symbol.kind == "slot" else None
            found = self._symbols[symbol] = key, self.kinds.get(key[1:-1]) if slot else None, slot
        return found

    def _check(self, place: str, pattern: str, meaning: Meaning, names: frozenset[str]) -> None:
        """Checks that the slots of a pattern are what its meaning takes, so that loading finds a mistake in YAML."""
        if (meaning, names) in self._checked:
            return
        self._checked.add((meaning, names))
        if meaning is self._silent or _takes(meaning, names):
            return
        try:
            inspect.signature(meaning).bind(None, **dict.fromkeys(names))
        except TypeError as problem:
            raise ValueError(f'{place}: "{pattern}": {problem}') from problem

    def _first(self, kind: int) -> frozenset[str]:
        root = self.roots[kind]
        return frozenset(root.steps).union(*(self._first(lower) for lower, _ in root.kinds))


class RuleReader:
    """One message being read: the atoms at each place, and each rung computed at most once per place."""

    def __init__(self, ladder: Ladder, atoms: Sequence[Atoms], context: Context, budget: int) -> None:
        self.atoms = (*atoms, ())  # there is nothing at the end
        self.budget = budget
        self._roots, self._firsts, self._context = ladder.roots, ladder.firsts, context
        self._keys = [[atom[0] for atom in here] for here in atoms]
        self._memo: dict[int, tuple[Found, ...]] = {}

    def at(self, kind: int, place: int) -> tuple[Found, ...]:
        """Every reading of that rung that begins there, at most one per end."""
        key = place * len(self._roots) + kind
        found = self._memo.get(key)
        if found is not None:
            return found
        ends: dict[int, Found] = {}
        if not self._firsts[kind].isdisjoint(self._keys[place]):
            self._walk(self._roots[kind], place, (), ends)
        found = self._memo[key] = tuple(ends.values())
        return found

    def _walk(self, node: Node, place: int, values: tuple[object, ...], ends: dict[int, Found]) -> None:
        self.budget -= 1
        if self.budget < 0:
            return
        steps = node.steps
        for key, value, end in self.atoms[place]:
            following = steps.get(key)
            if following is not None:
                self._enter(following, end, values if value is WORD else (*values, value), ends)
        for kind, following in node.kinds:
            for end, value, _ in self.at(kind, place):
                self._enter(following, end, (*values, value), ends)

    def _enter(self, node: Node, place: int, values: tuple[object, ...], ends: dict[int, Found]) -> None:
        rule = node.rule
        if rule is not None:
            rival = ends.get(place)
            if rival is None or rule.rank < rival.rule.rank:
                value = rule.meaning(self._context, **dict(zip(rule.names, values, strict=True)))
                if value is not None:
                    ends[place] = Found(place, value, rule)
        if self.atoms[place] and not node.ends:
            self._walk(node, place, values, ends)


def telling_keys(ladder: Ladder, words_of: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Keys of which every reading contains at least one: a figure, a word of time, a number, or else a rare word.

    `words_of` gives the words of a key; the longer they are, the rarer.
    """
    keys = set(FIGURES | WORDS_OF_TIME)
    for sequence in ladder.sequences:
        if keys.isdisjoint(sequence) and not any(key[1:-1] in ladder.kinds for key in sequence):
            slots = [key for key in sequence if key[0] == "{"]
            keys.add(max(slots or sequence, key=lambda key: min(map(len, words_of[key]))))
    return frozenset(keys)


def keys_of(rungs: Mapping[str, Mapping[str, Sequence[str]]]) -> set[str]:
    """The keys that the rules of all rungs name, without compiling them."""
    patterns = (pattern for rules in rungs.values() for patterns in rules.values() for pattern in patterns)
    said = set(_BRACKETS.sub(" ", " ".join(map(_unmarked, patterns))).split())  # each once: most are said often
    return {_key(symbol.kind, symbol.name) for symbol in symbols(" ".join(said))}


def _takes(meaning: Meaning, names: frozenset[str]) -> bool:
    """Whether a function takes a context and these names, by its code object: much faster than by its signature."""
    code, defaults = meaning.__code__, meaning.__defaults__ or ()
    params = code.co_varnames[1 : code.co_argcount]
    return names.issuperset(params[: len(params) - len(defaults)]) and names.issubset(params)


def _unmarked(pattern: str) -> str:
    return pattern.removeprefix("^").removesuffix("$")


def _key(kind: str, name: str) -> str:
    if kind == "slot":
        return "{" + name.rstrip("0123456789") + "}"
    return f"<{name}>" if kind == "class" else name
