"""Vector arithmetic on plain integers: a vector is one large integer with a lane of 32 bits for each number.

Multiplying such an integer by a small one multiplies every lane at once, in C. The reader's network is small enough for
this to take less time than importing an array library would, and integers give the same answer on every machine.
The caller guarantees that no lane leaves ±2³¹: see `network.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from operator import mul
from struct import Struct

_HALF = 1 << 31


class Lanes:
    """Packs and unpacks vectors of one width."""

    def __init__(self, width: int) -> None:
        self._struct = Struct(f"<{width}I")
        self._bias = int.from_bytes(self._struct.pack(*[_HALF] * width), "little")

    def pack(self, values: Iterable[int]) -> int:
        """One integer with these numbers as lanes."""
        return int.from_bytes(self._struct.pack(*[value + _HALF for value in values]), "little") - self._bias

    def raw(self, packed: int) -> tuple[int, ...]:
        """The lanes, each with 2³¹ added."""
        return self._struct.unpack((packed + self._bias).to_bytes(self._struct.size, "little"))

    def signed(self, packed: int) -> list[int]:
        """The lanes as they are."""
        return [lane - _HALF for lane in self.raw(packed)]

    def positive(self, packed: int, shift: int, most: int) -> list[int]:
        """The lanes divided by 2^shift, negative ones as zero, none above `most`."""
        top = (most + 1 << shift) + _HALF
        return [0 if lane <= _HALF else (lane - _HALF) >> shift if lane < top else most for lane in self.raw(packed)]


@cache
def lanes(width: int) -> Lanes:
    """The lanes of a width."""
    return Lanes(width)


def pack(values: Sequence[int]) -> int:
    """One integer with these numbers as lanes."""
    return lanes(len(values)).pack(values)


class Matrix:
    """A linear map: one packed row for each input."""

    def __init__(self, rows: Sequence[Sequence[int]], bias: Sequence[int]) -> None:
        self._rows = [pack(row) for row in rows]
        self._bias = pack(bias)
        self.width = len(bias)

    def __call__(self, vector: Iterable[int]) -> int:
        """The packed image of a vector."""
        packed: int = sum(map(mul, vector, self._rows), self._bias)
        return packed
