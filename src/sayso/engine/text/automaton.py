"""Compiles many patterns into one automaton over symbols.

Patterns become positions with what may follow them (by Glushkov), which is quick to make. States are sets of
positions, worked out when a message first leads there and kept: a grammar of thousands of sentences starts in
milliseconds, and soon runs as fast as a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Generic, TypeVar

import msgspec

from sayso.engine.text.patterns import Series, Symbol, Tree

Label = TypeVar("Label")
Key = str | int | tuple[str, str]
_Ends = tuple[bool, list[int], list[int]]  # may be empty; where it may begin; where it may end


class State(Generic[Label]):
    """A set of positions: where its symbols lead, and the labels of the patterns that may end here."""

    __slots__ = ("_positions", "ahead", "labels", "next", "number")

    def __init__(self, number: int, positions: frozenset[int], labels: tuple[Label, ...]) -> None:
        self.number = number
        self.labels = labels
        self.next: dict[Key, State[Label]] = {}
        self.ahead: dict[Key, list[int]] | None = None  # where each symbol leads, once it was looked for
        self._positions = positions

    @property
    def positions(self) -> frozenset[int]:
        return self._positions


class Block(msgspec.Struct, Generic[Label], frozen=True, array_like=True):
    """The positions of the patterns of one start, as they can be kept and put into an automaton again."""

    keys: list[Key]
    follow: list[tuple[int, ...]]
    ends: list[tuple[int, tuple[Label, ...]]]  # positions at which patterns end
    owners: list[tuple[int, Label]]  # so many positions in a row are of patterns with this label
    firsts: list[int]


class Automaton(Generic[Label]):
    """Patterns with labels, from any number of starts."""

    def __init__(self) -> None:
        self._keys: list[Key] = []
        self._follow: list[tuple[int, ...]] = []  # by position: how far on that which follows stands
        self._labels: list[tuple[Label, ...]] = []
        self._firsts: dict[str, list[int]] = {}
        self._starts: dict[tuple[str, ...], State[Label]] = {}
        self._states: dict[frozenset[int], State[Label]] = {}
        self._owners: list[Label | None] = []  # by position: what its pattern says; nothing for a start
        self.states: list[State[Label]] = []

    def add(self, start: str, label: Label, tree: Tree, key: Callable[[Symbol], Key]) -> None:
        """A pattern; `key` says how a symbol is looked up."""
        _, firsts, lasts = self._place(tree, key)
        self._own(label)
        self._firsts.setdefault(start, []).extend(firsts)
        self._end(lasts, label)

    def add_words(self, start: str, label: Label, words: Iterable[str]) -> None:
        """A pattern that is a plain sequence of words."""
        before = -1
        for word in words:
            here = self._position(word)
            if before < 0:
                self._firsts.setdefault(start, []).append(here)
            else:
                self._follow[before] = (here - before,)
            before = here
        self._own(label)
        if before >= 0:
            self._end([before], label)

    def block(self, start: str) -> Block[Label]:
        """All that was added, to be kept; it must be of this one start, and no state asked for yet."""
        owners = [(len(list(run)), label) for label, run in groupby(self._owners) if label is not None]
        ends = [(place, labels) for place, labels in enumerate(self._labels) if labels]
        return Block(self._keys, self._follow, ends, owners, self._firsts.get(start, []))

    def graft(self, start: str, block: Block[Label]) -> None:
        """Patterns that were kept: the same as if they had been added now."""
        here = len(self._keys)
        self._keys += block.keys
        self._follow += block.follow
        self._labels += [()] * len(block.keys)
        for place, labels in block.ends:
            self._labels[here + place] = labels
        for count, label in block.owners:
            self._owners += [label] * count
        self._firsts.setdefault(start, []).extend([here + first for first in block.firsts])

    def start(self, *names: str) -> State[Label] | None:
        """The state in which patterns of any of these starts begin."""
        if names not in self._starts:
            firsts = [first for name in names for first in self._firsts.get(name, ())]
            if not firsts:
                return None
            # a position of its own whose followers are all the beginnings
            here = len(self._keys)
            self._keys.append("")
            self._follow.append(tuple([first - here for first in firsts]))
            self._labels.append(())
            self._owners.append(None)
            self._starts[names] = self._state(frozenset({len(self._keys) - 1}))
        return self._starts[names]

    def work_out(self, state: State[Label]) -> None:
        """Find where all symbols lead from a state."""
        for key, positions in self._ahead(state).items():
            state.next[key] = self._state(frozenset(positions))

    def step(self, state: State[Label], key: Key) -> State[Label] | None:
        """The state to which a symbol leads. It is made when it is first needed: a lexicon has thousands of words."""
        ahead = state.ahead if state.ahead is not None else self._ahead(state)
        positions = ahead.get(key)
        if positions is None:
            return None
        after = state.next.get(key)
        if after is None:
            after = state.next[key] = self._state(frozenset(positions))
        return after

    def _ahead(self, state: State[Label]) -> dict[Key, list[int]]:
        """The positions to which each symbol leads."""
        found: dict[Key, list[int]] = {}
        keys = self._keys
        for position in state.positions:
            for step in self._follow[position]:
                found.setdefault(keys[position + step], []).append(position + step)
        state.ahead = found
        return found

    def key_of(self, state: State[Label]) -> Key:
        """The symbol that leads to a state; all its positions have the same one."""
        return self._keys[next(iter(state.positions))]

    def reaches(self, state: State[Label]) -> frozenset[Label]:
        """The labels of all patterns that go on from a state."""
        owners = self._owners
        found = {owners[position] for position in state.positions}
        if None in found:
            found |= {owners[position + step] for position in state.positions for step in self._follow[position]}
        return frozenset(label for label in found if label is not None)

    def _own(self, label: Label) -> None:
        """All positions that were added since are of a pattern with this label."""
        self._owners.extend([label] * (len(self._keys) - len(self._owners)))

    def _state(self, positions: frozenset[int]) -> State[Label]:
        state = self._states.get(positions)
        if state is None:
            labels = dict.fromkeys(label for position in sorted(positions) for label in self._labels[position])
            state = self._states[positions] = State(len(self.states), positions, tuple(labels))
            self.states.append(state)
        return state

    def _end(self, positions: list[int], label: Label) -> None:
        for position in positions:
            if label not in self._labels[position]:
                self._labels[position] = (*self._labels[position], label)

    def _position(self, key: Key) -> int:
        here = len(self._keys)
        self._keys.append(key)
        self._follow.append(())
        self._labels.append(())
        return here

    def _place(self, tree: Tree, key: Callable[[Symbol], Key]) -> _Ends:
        if isinstance(tree, Symbol):
            here = [self._position(key(tree))]
            return False, here, here
        if isinstance(tree, Series):
            return self._in_order([self._place(part, key) for part in tree.parts])
        empty, firsts, lasts = tree.maybe, list[int](), list[int]()
        for way in tree.ways:
            may, begins, ends = self._place(way, key)
            empty = empty or may
            firsts += begins
            lasts += ends
        return empty, firsts, lasts

    def _in_order(self, parts: list[_Ends]) -> _Ends:
        empty = True
        firsts: list[int] = []
        lasts: list[int] = []
        for may, begins, ends in parts:
            for last in lasts:
                self._follow[last] += tuple([begin - last for begin in begins])
            if empty:
                firsts = firsts + begins
            lasts = lasts + ends if may else ends
            empty = empty and may
        return empty, firsts, lasts
