"""Runs the reader's network on integers: a message's features in, scores of acts, tags and clause boundaries out.

The layers are those of `training/network.py`. Every number is a fixed-point integer with 8 bits after the point. States
are at most 2¹² and weights at most 2⁹ in size, so a sum over a few hundred inputs stays within a lane of 32 bits.

A vector is one large integer with a lane for each number. Multiplying such an integer by a small one multiplies every
lane at once, in C. The network is small enough for this to take less time than importing an array library would, and
integers give the same answer on every machine.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import compress
from operator import add, mul
from struct import Struct
from typing import NamedTuple

import msgspec

from sayso.engine.reader.features import Features, runs_of

POINT = 8  # bits after the point
_ONE = 1 << POINT
_MOST = (1 << 12) - 1
_COMPRESSED = b"\x78"  # how zlib begins; a map of msgpack begins otherwise
_KEPT = 30_000  # words whose projections are kept


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """The result of training, as integers. Arrays are little-endian: `table` of 8 bits, all others of 32."""

    acts: tuple[str, ...]
    slots: tuple[str, ...]
    classes: tuple[str, ...]  # the word classes that are flags
    size: int
    width: int
    window: int
    scale: float  # of the table's numbers
    table: bytes
    word: bytes  # size × (window · width): what a word adds to the states around it
    word_bias: bytes
    flags: bytes  # (OWN_FLAGS + classes) × (window · width)
    wide_bias: bytes
    narrow: bytes  # (3 · width) × width
    narrow_bias: bytes
    gather: bytes  # (2 · width) × width
    gather_bias: bytes
    context: bytes  # CONTEXT_FLAGS × width
    action: bytes  # width × acts
    action_bias: bytes
    bend: bytes  # width × width
    bend_bias: bytes
    tag: bytes  # width × (tags + 1); the last one says whether a clause begins
    tag_bias: bytes
    made: dict[str, str] = {}  # how it was made: seed, versions, hash of the corpus


def weights_of(data: bytes) -> Weights:
    """The weights in a file that `bytes_of` wrote, or in an older one that is not compressed."""
    return msgspec.msgpack.decode(zlib.decompress(data) if data[:1] == _COMPRESSED else data, type=Weights)


def bytes_of(weights: Weights) -> bytes:
    """The weights as a file. Rows of a table rarely repeat: the filtered strategy makes it a little smaller."""
    packing = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_FILTERED)
    return packing.compress(msgspec.msgpack.encode(weights)) + packing.flush()


class Scores(NamedTuple):
    """The output of the network for a message, as log odds up to a constant."""

    acts: list[float]
    tags: list[list[float]]  # for each word
    breaks: list[float]  # for each word: whether a clause begins there


class Network:
    """The layers, ready to run."""

    def __init__(self, weights: Weights) -> None:
        width, window = weights.width, weights.window
        self._width, self._window, self._size, self._scale = width, window, weights.size, weights.scale
        self._table = memoryview(weights.table).cast("b")
        self._rows = len(weights.table) // weights.size
        self._word = Matrix(weights.word, weights.word_bias)
        self._projected: dict[str, tuple[int, ...]] = {}
        self._seen: dict[tuple[str, tuple[int, ...]], list[int]] = {}
        flags = pack_rows(weights.flags, width)  # a row for each flag and place of the window
        self._flags = [tuple(flags[at : at + window]) for at in range(0, len(flags), window)]
        (self._wide_bias,) = pack_rows(weights.wide_bias, width)
        self._narrow = Matrix(weights.narrow, weights.narrow_bias)
        self._gather = Matrix(weights.gather, weights.gather_bias)
        self._context = pack_rows(weights.context, width)
        self._action = Matrix(weights.action, weights.action_bias)
        self._bend = Matrix(weights.bend, weights.bend_bias)
        self._tag = Matrix(weights.tag, weights.tag_bias)
        self._lanes, self._all = lanes(width), lanes(width * window)
        self._act_lanes, self._tag_lanes = lanes(self._action.width), lanes(self._tag.width)
        self._nothing = [0] * width

    def __call__(self, features: Features) -> Scores:
        """The scores of a message of at least one word."""
        states = self._states(features)
        count = len(states)
        most = list(map(max, *states)) if count > 1 else states[0]
        mean = [total // count for total in map(sum, zip(*states, strict=True))]
        packed = self._gather((*most, *mean)) + sum(map(self._context.__getitem__, features.context))
        whole = self._lanes.positive(packed, POINT, _MOST)
        acts = self._act_lanes.fractions(self._action(whole))
        bend = [lane >> POINT for lane in self._lanes.signed(self._bend(whole))]
        scores = [self._tagged(map(add, state, bend)) for state in states]
        return Scores(acts, [one[:-1] for one in scores], [one[-1] for one in scores])

    def _tagged(self, state: map[int]) -> list[float]:
        bent = [value if value > 0 else 0 for value in state]  # noqa: FURB136  a call of `max` takes longer
        return self._tag_lanes.fractions(self._tag(bent))

    def _states(self, features: Features) -> list[list[int]]:
        """A state for each word, from the word and its neighbours."""
        parts = [self._part(word, flags) for word, flags in zip(features.words, features.flags, strict=True)]
        count, half = len(parts), self._window // 2
        near: list[list[int]] = []
        for at in range(count):
            first, last = max(0, at - half), min(count, at + half + 1)
            total = sum([parts[place][place - at + half] for place in range(first, last)], self._wide_bias)
            near.append(self._lanes.positive(total, POINT, _MOST))
        padded = [self._nothing, *near, self._nothing]
        found: list[list[int]] = []
        for at, state in enumerate(near):
            around = self._narrow((*padded[at], *state, *padded[at + 2]))
            found.append(list(map(add, state, self._lanes.positive(around, POINT, _MOST))))
        return found

    def _part(self, word: str, flags: tuple[int, ...]) -> list[int]:
        """What a word with its flags adds to the states around it, by distance."""
        known = self._seen.get((word, flags))
        if known is None:
            if len(self._seen) >= _KEPT:
                self._seen.clear()
                self._projected.clear()
            here = self._projected.get(word)
            if here is None:
                here = self._projected[word] = self._project(word)
            rows = [self._flags[flag] for flag in flags]
            known = self._seen[word, flags] = [sum(column) for column in zip(here, *rows, strict=True)]
        return known

    def _project(self, word: str) -> tuple[int, ...]:
        size, table = self._size, self._table
        runs = runs_of(word, self._rows)
        sums = map(sum, zip(*[table[run * size : run * size + size] for run in runs], strict=True))
        vector = [round(total * self._scale * _ONE / len(runs)) for total in sums]
        return _parts(self._all.signed(self._word(vector)), self._width)


def _parts(numbers: Sequence[int], width: int) -> tuple[int, ...]:
    """Packed stretches of this width."""
    return tuple(pack(numbers[at : at + width]) for at in range(0, len(numbers), width))


_HALF = 1 << 31
_LANE = 4  # bytes


class Lanes:
    """Packs and unpacks vectors of one width."""

    def __init__(self, width: int) -> None:
        self._struct = Struct(f"<{width}i")
        self._bias = int.from_bytes(self._struct.pack(*[-_HALF] * width), "little")  # 2³¹ in every lane

    def pack(self, values: Iterable[int]) -> int:
        """One integer with these numbers as lanes."""
        return self.read(self._struct.pack(*values))

    def read(self, data: bytes) -> int:
        """The same for numbers that are stored as little-endian integers with a sign."""
        return (int.from_bytes(data, "little") ^ self._bias) - self._bias

    def signed(self, packed: int) -> tuple[int, ...]:
        """The lanes as signed integers."""
        return self._struct.unpack((packed + self._bias ^ self._bias).to_bytes(self._struct.size, "little"))

    def fractions(self, packed: int) -> list[float]:
        """The lanes as fractions, after a product of two fixed-point numbers."""
        return [lane / (_ONE * _ONE) for lane in self.signed(packed)]

    def positive(self, packed: int, shift: int, most: int) -> list[int]:
        """The lanes divided by 2^shift, negative ones as zero, none above `most`."""
        top = most + 1 << shift
        return [0 if lane <= 0 else lane >> shift if lane < top else most for lane in self.signed(packed)]


@cache
def lanes(width: int) -> Lanes:
    """The lanes of a width."""
    return Lanes(width)


def pack(values: Sequence[int]) -> int:
    """One integer with these numbers as lanes."""
    return lanes(len(values)).pack(values)


def pack_rows(data: bytes, width: int) -> list[int]:
    """The rows of a matrix of little-endian numbers of 32 bits, each as one integer."""
    size, read = width * _LANE, lanes(width).read
    return [read(data[at : at + size]) for at in range(0, len(data), size)]


class Matrix:
    """A linear map: one packed row for each input. Rows and bias are little-endian numbers of 32 bits."""

    def __init__(self, rows: bytes, bias: bytes) -> None:
        self.width = len(bias) // _LANE
        self._rows = pack_rows(rows, self.width)
        (self._bias,) = pack_rows(bias, self.width)

    def __call__(self, vector: Sequence[int]) -> int:
        """The packed image of a vector. Half of its numbers or more are zero, and their rows add nothing."""
        packed: int = sum(map(mul, compress(vector, vector), compress(self._rows, vector)), self._bias)
        return packed
