"""Shortlist: the few of very many things that fit best, found without looking at each.

The things that a word fits are the bits of one large number. Adding such numbers column by column, like sums on paper,
scores a hundred thousand things at once; the best are then read off the columns from the highest down.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import compress
from operator import or_

_FINE = 255  # the full score, in steps
_LONGEST = 15  # words of a name that still count when the shorter of two names goes first
# for each of four binary digits, what a small number has there
_DIGITS = [bytes(ord("0") + (value >> place & 1) for value in range(256)) for place in range(4)]


class Posting:
    """The things that a word fits, by number, in order."""

    __slots__ = ("_bits", "numbers")

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        self.numbers = array("I", numbers)
        self._bits: int | None = None

    @property
    def bits(self) -> int:
        """The same as one number with a bit for each thing; kept, since only frequent words come to need it."""
        if self._bits is None:
            self._bits = bits_of(self.numbers)
        return self._bits


def bits_of(numbers: Sequence[int]) -> int:
    """A number with these bits; the highest must come last."""
    held = bytearray((numbers[-1] >> 3) + 1 if numbers else 0)
    for number in numbers:
        held[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(held, "little")


def numbers_of(bits: int, most: int) -> list[int]:
    """Which bits a number has, in order, at least so many if it has them."""
    words = array("Q", bits.to_bytes((bits.bit_length() + 63) // 64 * 8, "little"))
    found: list[int] = []
    for place in compress(range(len(words)), words):
        word, first = words[place], 64 * place
        while word:
            lowest = word & -word
            found.append(first + lowest.bit_length() - 1)
            word ^= lowest
        if len(found) >= most:
            break
    return found


def by_length(lengths: Iterable[int]) -> list[int]:
    """Columns in which a short name counts more than a long one; they stand below those of the score."""
    ranks = bytes([_LONGEST - length if length < _LONGEST else 0 for length in lengths])[::-1]
    return [int(ranks.translate(digits) or b"0", 2) for digits in _DIGITS]


def best(gains: Sequence[tuple[int, float]], below: Sequence[int], most: int, allowed: int | None) -> list[int]:
    """The numbers of the things with the highest sums of gains, at most so many and in order."""
    columns: list[int] = []
    for bits, share in gains:
        _add(columns, bits, max(1, round(share * _FINE)))
    even = reduce(or_, (bits for bits, _ in gains), 0)
    if allowed is not None:
        even &= allowed
    sure, count = 0, 0  # things that are certainly among the best; of `even` not all can be
    for column in reversed([*below, *columns]):
        ahead = even & column
        more = ahead.bit_count()
        if count + more > most:
            even = ahead
        else:
            sure, count, even = sure | ahead, count + more, even ^ ahead
    return sorted([*numbers_of(sure, count), *numbers_of(even, most - count)[: most - count]])


def _add(columns: list[int], bits: int, steps: int) -> None:
    """Add so many steps to the sum of every thing that has a bit."""
    place = 0
    while steps:
        if steps & 1:
            carry, here = bits, place
            while carry:
                if here >= len(columns):
                    columns.extend([0] * (here + 1 - len(columns)))
                columns[here], carry = columns[here] ^ carry, columns[here] & carry
                here += 1
        steps >>= 1
        place += 1
