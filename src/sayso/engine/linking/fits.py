"""Scores which of the user's things a word matches, and keeps the best of very many.

"fire" matches "Mandatory fire training", "traning" matches it less, and a word of its description even less. A rare
word counts more than one that many things have.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from itertools import compress, pairwise
from operator import or_
from typing import NamedTuple

from sayso.engine.lexicon.lexicon import Slips

_SLIP = 0.8  # the weight of a match with a typo
_ASIDE = 0.6  # the weight of a match in a further field
_LONGEST = 40  # characters of two words written as one
_REMEMBERED = 2_000


class Fit(NamedTuple):
    """How much a word says, and which things it matches, by share."""

    weight: float
    shares: tuple[tuple[float, Posting], ...]
    things: int


class Fits:
    """The words of all things: `names` by thing, `further` for things with fields beside their name."""

    def __init__(self, names: Sequence[tuple[str, ...]], further: Iterable[tuple[int, Iterable[str]]]) -> None:
        self._names, self._further_stems = names, further
        self._remembered: dict[str, Fit] = {}

    @cached_property
    def _postings(self) -> dict[str, Posting]:
        """The things by every stem of their names."""
        found: dict[str, Posting] = {}
        for number, name in enumerate(self._names):
            for stem in {*name}:
                if stem not in found:
                    found[stem] = Posting()
                found[stem].numbers.append(number)
        return found

    @cached_property
    def _further(self) -> dict[str, Posting]:
        """The things by every stem of their further fields, such as the description."""
        found: dict[str, Posting] = defaultdict(Posting)
        for number, stems in self._further_stems:
            for stem in {*stems}:
                found[stem].numbers.append(number)
        return found

    @cached_property
    def _slips(self) -> Slips:
        return Slips(self._postings)

    def warm(self) -> None:
        """Builds every table now."""
        self._known("")
        self._slips.warm()

    def of(self, stem: str) -> Fit:
        fit = self._remembered.get(stem)
        if fit is None:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            fit = self._remembered[stem] = self._work_out(stem)
        return fit

    def _work_out(self, stem: str) -> Fit:
        shares = self._known(stem) or self._misspelt(stem)
        things = sum(len(posting.numbers) for _, posting in shares)
        weight = math.log(1 + len(self._names) / max(things, 1))
        return Fit(max(weight, 0.3), tuple(shares), things)

    def _known(self, stem: str) -> list[tuple[float, Posting]]:
        named = self._postings.get(stem)
        aside = self._aside(stem)
        if named is None:
            return [(_ASIDE, Posting(sorted(aside)))] if aside else []
        rest = aside.difference(named.numbers) if aside else aside
        return [(1.0, named), (_ASIDE, Posting(sorted(rest)))] if rest else [(1.0, named)]

    def _aside(self, stem: str) -> set[int]:
        """The things that have the word in a further field, or as two in their name ("backup" for "Back up")."""
        further = self._further.get(stem)
        found = set(further.numbers) if further is not None else set()
        for cut in range(1, len(stem)) if len(stem) <= _LONGEST else ():
            first, second = self._postings.get(stem[:cut]), self._postings.get(stem[cut:])
            if first is not None and second is not None:
                pair = (stem[:cut], stem[cut:])
                rarer = min(first.numbers, second.numbers, key=len)
                found.update(number for number in rarer if pair in pairwise(self._names[number]))
        return found

    def _misspelt(self, stem: str) -> list[tuple[float, Posting]]:
        """The things with the one or two words that may be meant; the more likely word counts."""
        shares: list[tuple[float, Posting]] = []
        taken: set[int] = set()
        for known, slips in self._slips.suggest(stem)[:2] if len(stem) > 3 else ():
            numbers = self._postings[known].numbers
            left = Posting([number for number in numbers if number not in taken]) if taken else self._postings[known]
            shares.append((_SLIP if slips == 1 else _SLIP * 0.85, left))
            taken.update(numbers)
        return shares


_FINE = 255  # the full score, in steps
_LONGEST_SHORTLIST = 15  # words of a name that still count when the shorter of two names comes first
# for each of four binary digits, its value in a small number
_DIGITS = [bytes(ord("0") + (value >> place & 1) for value in range(256)) for place in range(4)]


class Posting:
    """The things that a word matches, by number, in order."""

    __slots__ = ("_bits", "numbers")

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        self.numbers = array("I", numbers)
        self._bits: int | None = None

    @property
    def bits(self) -> int:
        """The same as one number with a bit for each thing; cached, because only frequent words use it."""
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
    """The bits of a number, in order; at least `most` if it has that many."""
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
    """Columns in which a short name counts more than a long one. Their digits are lower than those of the score."""
    ranks = bytes([_LONGEST_SHORTLIST - length if length < _LONGEST_SHORTLIST else 0 for length in lengths])[::-1]
    return [int(ranks.translate(digits) or b"0", 2) for digits in _DIGITS]


def best(gains: Sequence[tuple[int, float]], below: Sequence[int], most: int, allowed: int | None) -> list[int]:
    """The numbers of the things with the highest sums of gains, in order; at most `most` of them."""
    columns: list[int] = []
    for bits, share in gains:
        _add(columns, bits, max(1, round(share * _FINE)))
    even = reduce(or_, (bits for bits, _ in gains), 0)
    if allowed is not None:
        even &= allowed
    sure, count = 0, 0  # things that are certainly among the best; of `even`, not all are
    for column in reversed([*below, *columns]):
        ahead = even & column
        more = ahead.bit_count()
        if count + more > most:
            even = ahead
        else:
            sure, count, even = sure | ahead, count + more, even ^ ahead
    return sorted([*numbers_of(sure, count), *numbers_of(even, most - count)[: most - count]])


def _add(columns: list[int], bits: int, steps: int) -> None:
    """Adds `steps` to the sum of every thing that has a bit."""
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
