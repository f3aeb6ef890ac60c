"""Fits: which of the person's things a word fits, and by how much it tells them from the others.

"fire" fits "Mandatory fire training", "traning" fits it less, and a word of its description less again. A word that
few things have tells more than one that many have.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from sayso.engine.shortlist import Posting
from sayso.engine.slips import Slips

_SLIP = 0.8  # what a match through a slip counts
_ASIDE = 0.6  # what a match in a further field counts
_LONGEST = 40  # characters of two words written as one
_REMEMBERED = 2_000


class Fit(NamedTuple):
    """How much a word tells, and which things it fits by what share."""

    weight: float
    shares: tuple[tuple[float, Posting], ...]
    things: int


class Fits:
    """The words of all things: `names` by thing, `further` for the things that have more to say than their name."""

    def __init__(self, names: Sequence[tuple[str, ...]], further: Iterable[tuple[int, Iterable[str]]]) -> None:
        self._names, self._further_stems = names, further
        self._remembered: dict[str, Fit] = {}

    @cached_property
    def _postings(self) -> dict[str, Posting]:
        """By every stem of the names."""
        found: dict[str, Posting] = {}
        for number, name in enumerate(self._names):
            for stem in {*name}:
                if stem not in found:
                    found[stem] = Posting()
                found[stem].numbers.append(number)
        return found

    @cached_property
    def _further(self) -> dict[str, Posting]:
        """By every stem of the further fields, such as the description."""
        found: dict[str, Posting] = defaultdict(Posting)
        for number, stems in self._further_stems:
            for stem in {*stems}:
                found[stem].numbers.append(number)
        return found

    @cached_property
    def _slips(self) -> Slips:
        return Slips(self._postings)

    def warm(self) -> None:
        """Make every table now."""
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
        """The things with the one or two words that may be meant; the likelier of them counts."""
        shares: list[tuple[float, Posting]] = []
        taken: set[int] = set()
        for known, slips in self._slips.suggest(stem)[:2] if len(stem) > 3 else ():
            numbers = self._postings[known].numbers
            left = Posting([number for number in numbers if number not in taken]) if taken else self._postings[known]
            shares.append((_SLIP if slips == 1 else _SLIP * 0.85, left))
            taken.update(numbers)
        return shares
