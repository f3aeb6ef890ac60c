"""Matches the pack's sentences against a message, as one automaton over words.

"put water the tomatoes on my list" fits "put {title} <on_list>", with title = water the tomatoes.
Each position keeps the best path to each state, so the work grows with the length of the message and not
with its content. Skipping little words and politeness costs little, skipping other words costs much, and a negation
is never skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sayso.engine.text.automaton import Automaton, Block, Key, State
from sayso.engine.text.patterns import Symbol, parse

BEAM = 4.0
_SLOT_WORD = 0.004  # a word of a slot; small enough for long titles, large enough to prefer the shorter
_NO_SKIP = 99.0


_Edges = Mapping[int, Sequence[tuple[int, float]]]


class Chunk(NamedTuple):
    """Words that a reader has read as a value: a date, a priority. `start` includes the words that announce it."""

    start: int
    end: int
    slot: str
    value: object
    core: int  # where the value itself begins
    strong: bool
    cost: float = 0.0
    floats: bool = True  # allowed anywhere in a sentence, not only at a slot of the frame


class View(NamedTuple):
    """The input of matching, by position: classes with their ends and slips, values, costs of skipping."""

    edges: Sequence[_Edges]
    chunks: Mapping[int, Sequence[Chunk]]
    skips: Sequence[float]
    opens: Sequence[bool]  # whether the text in a slot may begin here


class Match(NamedTuple):
    """A frame that matches, and how."""

    act: str
    score: float
    slots: tuple[tuple[str, int, int], ...]
    chunks: tuple[Chunk, ...]
    literal: int  # words that the frame itself names
    skipped: float  # the skipped words, by cost
    slips: float
    start: int
    first: int  # the first word the frame names
    last: int


# A path says how a state was reached: (score, path before, kind of step, from, to, what was read, cost).
# Plain tuples, since thousands are made for every message.
_Path = tuple[float, Any, int, int, int, Any, float]
_START, _READ, _SLOT, _CHUNK, _SKIP = range(5)
_Paths = dict[int, _Path]


class _Moves(NamedTuple):
    """The transitions of a state, by kind of step; `slot` is the slot whose words the state is reading."""

    words: dict[int, int]
    slots: tuple[tuple[str, int], ...]
    chunks: dict[str, int]
    floats: frozenset[str]  # values that are allowed here beside the frame, because its tool takes them
    slot: str | None
    needs: frozenset[int] | None  # the frame needs one of these classes to continue or end


class Frames:
    """All frames of a pack in one language, by mood."""

    def __init__(
        self,
        ids: Mapping[str, int],
        typed: frozenset[str],
        takes: Mapping[str, frozenset[str]],
        blocks: Mapping[str, Block[str]],
    ) -> None:
        self._ids, self._typed, self._takes, self._blocks = ids, typed, takes, blocks
        self._automaton: Automaton[str] = Automaton()
        self._waiting: dict[str, list[tuple[str, str]]] = {}  # compiled when a message first needs their mood
        self._starts: dict[str, frozenset[str]] = {}
        self._begun: dict[tuple[str, ...], int | None] = {}
        self._moves: dict[int, _Moves] = {}

    def add(self, moods: tuple[str, ...], act: str, pattern: str) -> None:
        """A frame of an act. A typed slot takes a chunk, any other slot takes words."""
        self._begun.clear()
        start = "+".join(sorted(moods))
        self._starts[start] = frozenset(moods)
        self._waiting.setdefault(start, []).append((act, pattern))

    def _key(self, symbol: Symbol) -> Key:
        if symbol.kind == "slot":
            return ("chunk" if symbol.name in self._typed else "slot", symbol.name)
        return self._ids[symbol.name if symbol.kind == "class" else f"={symbol.name}"]

    def _start_of(self, moods: tuple[str, ...]) -> int | None:
        """The one state in which frames of these moods begin, so that their common beginnings are read once."""
        if moods not in self._begun:
            names = [name for name, known in self._starts.items() if not known.isdisjoint(moods)]
            for name in names:
                self._fill(self._automaton, name, self._waiting.pop(name, ()))
            state = self._automaton.start(*names)
            self._begun[moods] = None if state is None else state.number
        return self._begun[moods]

    def _fill(self, automaton: Automaton[str], start: str, waiting: Iterable[tuple[str, str]]) -> None:
        if waiting and start in self._blocks:
            automaton.graft(start, self._blocks[start])
            return
        for act, pattern in waiting:
            automaton.add(start, act, parse(pattern), self._key)

    def kept(self) -> dict[str, Block[str]]:
        """The frames by their start, for storage. None of them may have been read yet."""
        found = {}
        for start, waiting in self._waiting.items():
            automaton: Automaton[str] = Automaton()
            self._fill(automaton, start, waiting)
            found[start] = automaton.block(start)
        return found

    def _moves_from(self, number: int) -> _Moves:
        moves = self._moves.get(number)
        if moves is None:
            moves = self._moves[number] = self._work_out(number)
        return moves

    def _work_out(self, number: int) -> _Moves:
        state = self._automaton.states[number]
        self._automaton.work_out(state)
        words: dict[int, int] = {}
        slots: list[tuple[str, int]] = []
        chunks: dict[str, int] = {}
        for key, after in state.next.items():
            if isinstance(key, int):
                words[key] = after.number
            elif key[0] == "slot":
                slots.append((key[1], after.number))
            else:
                chunks[key[1]] = after.number
        own = self._automaton.key_of(state)
        slot = own[1] if isinstance(own, tuple) and own[0] == "slot" else None
        needs = None if state.labels or slots or chunks else frozenset(words)
        return _Moves(words, tuple(slots), chunks, self._floats(state, begun=own != ""), slot, needs)

    def _floats(self, state: State[str], *, begun: bool) -> frozenset[str]:
        """The values allowed beside a frame. Before it begins, only those that every act takes, such as a date."""
        takes = [self._takes[act] for act in self._automaton.reaches(state)]
        return frozenset[str]().union(*takes) if begun else frozenset.intersection(*takes)

    def begins(self, mood: str, cls: int) -> bool:
        """Whether a frame of this mood may begin with this class."""
        start = self._start_of((mood,))
        return start is not None and cls in self._moves_from(start).words

    def match(self, moods: tuple[str, ...], start: int, end: int, view: View) -> Iterator[Match]:
        """The best fit of every act and choice of slots over words[start:end], best first."""
        active: list[_Paths] = [{} for _ in range(end + 1)]
        root: _Path = (0.0, None, _START, start, start, None, 0.0)
        number = self._start_of(moods)
        if number is not None:
            active[start][number] = root
        ahead = _classes_ahead(view.edges, start, end)
        for at in range(start, end):
            if active[at]:
                self._step(at, end, active, view, ahead[at - start])
        return self._results(active[end], start)

    def _step(self, at: int, end: int, active: list[_Paths], view: View, ahead: frozenset[int]) -> None:
        """Advances every reached state over the next words. This is the code that runs most often."""
        here, following, edges = active[at], active[at + 1], view.edges[at]
        opens, chunks, skip = view.opens[at], view.chunks.get(at, ()), view.skips[at]
        classes, known = edges.keys(), self._moves
        floor = max([path[0] for path in here.values()]) - BEAM
        for number, path in here.items():
            score, before, kind, first, _, what, cost = path
            words, slots, _, _, slot, needs = moves = known.get(number) or self._moves_from(number)
            if score < floor or (needs is not None and needs.isdisjoint(ahead)):
                continue
            if not classes.isdisjoint(words.keys()):  # it searches only the smaller of two views
                _read(words, path, at, end, edges, active)
            if opens and slots:
                _open(slots, path, at, following)
            for chunk in chunks:
                _take(number, moves, path, chunk, end, active)
            if slot is not None:
                worth, step = score - _SLOT_WORD, (before, kind, first, at + 1, what, cost)
            elif skip < _NO_SKIP:
                worth, step = score - skip, (path, _SKIP, at, at + 1, None, skip)
            else:
                continue
            held = following.get(number)
            if held is None or held[0] < worth:
                following[number] = (worth, *step)

    def _results(self, final: _Paths, start: int) -> Iterator[Match]:
        """The matches, traced back on demand, because callers seldom use more than the first."""
        states = self._automaton.states
        ended = [(number, path) for number, path in final.items() if states[number].labels]
        seen: set[tuple[str, int, tuple[str, ...], int]] = set()
        for number, path in sorted(ended, key=lambda pair: -pair[1][0]):
            traced = _trace(path, start)
            slots = tuple([slot for slot, _, _ in traced.slots])
            opened = traced.slots[0][1] if slots else -1  # "put | down milk" and "put down | milk" are two
            for act in states[number].labels:
                key = (act, traced.literal, slots, opened)
                if key not in seen:
                    seen.add(key)
                    yield Match(act, *traced[1:])


def _classes_ahead(edges: Sequence[_Edges], start: int, end: int) -> list[frozenset[int]]:
    """For every place, the classes of the words there and after it."""
    found: list[frozenset[int]] = []
    ahead: frozenset[int] = frozenset()
    for at in range(end - 1, start - 1, -1):
        if not ahead.issuperset(edges[at]):
            ahead = ahead.union(edges[at])
        found.append(ahead)
    found.reverse()
    return found


def _read(words: dict[int, int], path: _Path, at: int, end: int, edges: _Edges, active: list[_Paths]) -> None:
    """A word or phrase that the frame names."""
    for cls in words.keys() & edges.keys():
        for stop, cost in edges[cls]:
            if stop <= end:
                _keep(active[stop], words[cls], (path[0] + stop - at - cost, path, _READ, at, stop, None, cost))


def _open(slots: Sequence[tuple[str, int]], path: _Path, at: int, following: _Paths) -> None:
    """The first word of a text in a slot."""
    score = path[0] - _SLOT_WORD
    for name, child in slots:
        held = following.get(child)
        if held is None or held[0] < score:
            following[child] = (score, path, _SLOT, at, at + 1, name, 0.0)


def _take(number: int, moves: _Moves, path: _Path, chunk: Chunk, end: int, active: list[_Paths]) -> None:
    """A value at a slot of the frame, or anywhere between its words."""
    if chunk.end > end:
        return
    into = active[chunk.end]
    worth = path[0] - chunk.cost + 0.02 * (chunk.end - chunk.start)
    step = (path, _CHUNK, chunk.start, chunk.end, chunk, chunk.cost)
    child = moves.chunks.get(chunk.slot)
    if child is not None:
        _keep(into, child, (worth + 0.8, *step))
    if moves.slot is None and chunk.floats and chunk.strong and chunk.slot in moves.floats:
        _keep(into, number, (worth + 0.5, *step))


def _keep(into: _Paths, number: int, path: _Path) -> None:
    held = into.get(number)
    if held is None or held[0] < path[0]:
        into[number] = path


def _trace(path: _Path, start: int) -> Match:
    """The steps of a path, as a match whose act is not set yet."""
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
    return Match("", path[0], tuple(slots), tuple(chunks), literal, skipped, slips, start, first, last)
