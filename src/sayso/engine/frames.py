"""Frames: the pack's sentences as one automaton over words.

"put water the tomatoes on my list" fits "put {title} <on_list>", with title = water the tomatoes.
Each position keeps the best way to reach each state, so the work grows with the length of the message and not
with what is in it. Little words and politeness may be passed over at little cost, other words at a high one,
a negation never.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sayso.engine.pattern import Symbol

BEAM = 4.5
_SLOT_WORD = 0.004  # a word of a slot; so little that long titles cost nothing, enough to prefer the shorter
_NO_SKIP = 99.0


class Chunk(NamedTuple):
    """Words that a reader has read as a value: a date, a priority. `start` includes what announces it."""

    start: int
    end: int
    slot: str
    value: object
    core: int  # where the value itself begins
    strong: bool
    cost: float = 0.0
    floats: bool = True  # may stand anywhere in a sentence, not just where a frame has its slot


class View(NamedTuple):
    """What matching looks at, by position: classes with their ends and slips, values, costs of passing over."""

    edges: Sequence[Mapping[int, Sequence[tuple[int, float]]]]
    chunks: Mapping[int, Sequence[Chunk]]
    skips: Sequence[float]
    opens: Sequence[bool]  # whether what a person says in a slot may begin here


class Match(NamedTuple):
    """A frame that fits, and how."""

    act: str
    score: float
    slots: tuple[tuple[str, int, int], ...]
    chunks: tuple[Chunk, ...]
    literal: int  # words that the frame itself names
    skipped: float  # what was passed over, by cost
    slips: float
    start: int
    first: int  # the first word the frame names
    last: int


class _Node:
    """A state: what may follow, and the acts that may end here."""

    __slots__ = ("accepts", "chunks", "next", "number", "slot", "slots")

    def __init__(self, number: int, slot: str | None) -> None:
        self.number = number
        self.slot = slot
        self.next: dict[int, _Node] = {}
        self.slots: list[_Node] = []
        self.chunks: dict[str, _Node] = {}
        self.accepts: list[str] = []


# A path is how a state was reached: (score, path before, kind of step, from, to, what was read, cost).
# Plain tuples, since thousands are made for every message.
_Path = tuple[float, Any, int, int, int, Any, float]
_START, _READ, _SLOT, _CHUNK, _SKIP = range(5)
_States = dict[int, _Path]


class Frames:
    """All frames of a pack in one language, by mood."""

    def __init__(self) -> None:
        self._nodes: list[_Node] = []
        self._starts: dict[str, _Node] = {}

    def add(
        self, mood: str, act: str, sequence: Sequence[Symbol], ids: Mapping[str, int], typed: Iterable[str]
    ) -> None:
        """One sequence of an act. A typed slot takes a chunk, any other slot takes words."""
        node = self._starts.get(mood)
        if node is None:
            node = self._starts[mood] = self._node(None)
        for symbol in sequence:
            node = self._after(node, symbol, ids, typed)
        if act not in node.accepts:
            node.accepts.append(act)

    def begins(self, mood: str, cls: int) -> bool:
        """Whether a frame of this mood may begin with this class."""
        node = self._starts.get(mood)
        return node is not None and cls in node.next

    def match(self, moods: Iterable[str], start: int, end: int, view: View) -> list[Match]:
        """The best fit of every act and choice of slots over words[start:end], best first."""
        active: list[_States] = [{} for _ in range(end + 1)]
        root: _Path = (0.0, None, _START, start, start, None, 0.0)
        for mood in moods:
            node = self._starts.get(mood)
            if node is not None:
                active[start][node.number] = root
        for at in range(start, end):
            here = active[at]
            if here:
                floor = max([path[0] for path in here.values()]) - BEAM
                for number, path in here.items():
                    if path[0] >= floor:
                        self._step(self._nodes[number], path, at, end, active, view)
        return self._results(active[end], start)

    def _step(self, node: _Node, path: _Path, at: int, end: int, active: list[_States], view: View) -> None:
        """Everywhere a state can go with the next words."""
        score = path[0]
        following = active[at + 1]
        if node.next:
            edges = view.edges[at]
            for cls in node.next.keys() & edges.keys():
                for stop, cost in edges[cls]:
                    if stop <= end:
                        number = node.next[cls].number
                        _keep(active[stop], number, (score + stop - at - cost, path, _READ, at, stop, None, cost))
        for child in node.slots if view.opens[at] else ():
            _keep(following, child.number, (score - _SLOT_WORD, path, _SLOT, at, at + 1, child.slot, 0.0))
        for chunk in view.chunks.get(at, ()):
            if chunk.end <= end:
                self._take(node, path, chunk, active[chunk.end])
        if node.slot is not None:
            _keep(following, node.number, (score - _SLOT_WORD, *path[1:4], at + 1, *path[5:]))
        elif (skip := view.skips[at]) < _NO_SKIP:
            _keep(following, node.number, (score - skip, path, _SKIP, at, at + 1, None, skip))

    def _take(self, node: _Node, path: _Path, chunk: Chunk, into: _States) -> None:
        """A value where the frame has a slot for it, or anywhere between its words."""
        worth = path[0] - chunk.cost + 0.02 * (chunk.end - chunk.start)
        step = (path, _CHUNK, chunk.start, chunk.end, chunk, chunk.cost)
        child = node.chunks.get(chunk.slot)
        if child is not None:
            _keep(into, child.number, (worth + 0.8, *step))
        if node.slot is None and chunk.floats:
            _keep(into, node.number, (worth + 0.5, *step))

    def _results(self, final: _States, start: int) -> list[Match]:
        best: dict[tuple[str, int, tuple[str, ...]], Match] = {}
        for number, path in final.items():
            for act in self._nodes[number].accepts:
                match = _trace(act, path, start)
                key = (act, match.literal, tuple(slot for slot, _, _ in match.slots))
                if key not in best or best[key].score < match.score:
                    best[key] = match
        return sorted(best.values(), key=lambda match: -match.score)

    def _after(self, node: _Node, symbol: Symbol, ids: Mapping[str, int], typed: Iterable[str]) -> _Node:
        if symbol.kind == "slot" and symbol.name in typed:
            if symbol.name not in node.chunks:
                node.chunks[symbol.name] = self._node(None)
            return node.chunks[symbol.name]
        if symbol.kind == "slot":
            for child in node.slots:
                if child.slot == symbol.name:
                    return child
            node.slots.append(self._node(symbol.name))
            return node.slots[-1]
        cls = ids[symbol.name if symbol.kind == "class" else f"={symbol.name}"]
        if cls not in node.next:
            node.next[cls] = self._node(None)
        return node.next[cls]

    def _node(self, slot: str | None) -> _Node:
        node = _Node(len(self._nodes), slot)
        self._nodes.append(node)
        return node


def _keep(into: _States, number: int, path: _Path) -> None:
    held = into.get(number)
    if held is None or held[0] < path[0]:
        into[number] = path


def _trace(act: str, path: _Path, start: int) -> Match:
    slots: list[tuple[str, int, int]] = []
    chunks: list[Chunk] = []
    literal, skipped, slips, first, last = 0, 0.0, 0.0, -1, start
    step: _Path | None = path
    while step is not None:
        _, before, kind, at, end, what, cost = step
        if kind == _SLOT:
            slots.append((what, at, end))
        elif kind == _CHUNK:
            chunks.append(what)
        elif kind == _SKIP:
            skipped += cost
        elif kind == _READ:
            literal += end - at
            slips += cost
            first, last = at, max(last, end)
        step = before
    slots.reverse()
    chunks.reverse()
    return Match(act, path[0], tuple(slots), tuple(chunks), literal, skipped, slips, start, first, last)
