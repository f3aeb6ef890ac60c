"""Reads the cardinal or ordinal that begins at a word.

"set the freezer to minus eighteen" → read(words, 4) → (-18, 6). "la terza" → read_ordinal(words, 1) → (3, 2).
Words, digits and mixtures ("2 million", "diciannove virgola cinque"); a word may be glued ("duecentoventi") or
hyphenated ("twenty-five"). The algorithm knows that small numbers stand after large ones and nothing else: which
words there are is in languages/*/numbers.yaml. A language that counts in another order lists its numbers to 99.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sayso.engine.text.tokens import bare
from sayso.engine.values.specs import NumberSpec

Number = int | float

_DECIMAL = re.compile(r"\d{1,3}([.,])\d{3}(?:\1\d{3})*|\d{1,12}[.,]\d{1,6}")
_LONGEST_FIGURE = 15  # digits; beyond it is a serial number, not an amount
_LONGEST_WORD = 40


class Numbers:
    """The number words of one language, compiled once."""

    def __init__(self, spec: NumberSpec) -> None:
        self._small = _with_bare(spec.cardinals)
        self._large = _with_bare(spec.multipliers)
        self._ordinals = _phrases(spec.ordinals)
        self._phrases = _phrases(spec.phrases)
        self._fractions = _phrases(spec.fractions)
        self._ones = frozenset(spec.ones)
        self._starts = frozenset((*self._small, *self._large, *self._phrases, *self._ones))
        self._joiners = frozenset(spec.joiners)
        self._negatives = frozenset((*spec.negatives, "-", "−"))
        self._points = frozenset(spec.points)
        self._thousands = spec.thousands_mark
        self._marks = spec.ordinal_marks
        self._endings, self._vowels = spec.ordinal_endings, ("", *spec.ordinal_vowels)
        pieces = sorted({*self._small, *self._large}, key=len, reverse=True)
        self._piece_lengths = range(max(map(len, pieces)), 0, -1)
        self._glued = re.compile(f"(?:{'|'.join(map(re.escape, pieces))})+") if spec.glued else None
        self.vocabulary = frozenset(_words_of(spec))

    def read(self, words: Sequence[str], at: int) -> tuple[Number, int] | None:
        """The cardinal that begins at words[at], with the index after it."""
        if at >= len(words):
            return None
        if words[at] in self._negatives:
            positive = self._positive(words, at + 1)
            return positive and (-positive[0], positive[1])
        return self._positive(words, at)

    def read_ordinal(self, words: Sequence[str], at: int) -> tuple[int, int] | None:
        """The ordinal that begins at words[at]; counted from the end it is negative."""
        if at >= len(words):
            return None
        named = _longest(self._ordinals, words, at)
        if named is not None:
            return int(named[0]), named[1]
        word = words[at]
        if word[:1].isdecimal():
            return self._figure_ordinal(words, at)
        return self._ending_ordinal(word, at) or self._tens_ordinal(words, at)

    def whole(self, words: Sequence[str], at: int) -> tuple[int, int] | None:
        """The whole number at words[at], without sign, fraction or phrase: what an hour or a day can be."""
        word = words[at]
        if word.isdecimal():
            return (int(word), at + 1) if len(word) <= _LONGEST_FIGURE else None
        total = current = 0
        end, joined = at, False
        while end < len(words):
            pieces = self._pieces(words[end])
            if pieces is None:
                if not self._may_join(words, end, total + current, joined):
                    break
                joined, end = True, end + 1
                continue
            sums = _add(total, current, pieces, fresh=end == at)
            if sums is None:
                break
            (total, current), joined, end = sums, False, end + 1
        end -= joined
        return (total + current, end) if end > at else None

    def below_sixty(self) -> frozenset[str]:
        """The words for what hours, minutes and days can be, glued ones included."""
        words = {word for word, value in self._small.items() if value < 60}
        if self._glued is not None:
            tens = [word for word, value in self._small.items() if value in (20, 30, 40, 50)]
            words.update(ten + unit for ten in tens for unit, value in self._small.items() if 0 < value < 10)
        return frozenset(words)

    def ordinal_words(self) -> frozenset[str]:
        """The words that ordinals begin with."""
        return frozenset(self._ordinals)

    def knows(self, word: str) -> bool:
        """Whether a number may begin with this word."""
        return word in self._starts or word[:1].isdecimal() or self._pieces(word) is not None

    def may_be_ordinal(self, word: str) -> bool:
        """Whether an ordinal may begin with this word; cheap, and not always right when it says yes."""
        shaped = word[:1].isdecimal() or "-" in word or word.endswith(self._endings)
        return shaped or word in self._ordinals or self.knows(word)

    def _positive(self, words: Sequence[str], at: int) -> tuple[Number, int] | None:
        if at >= len(words):
            return None
        named = _longest(self._phrases, words, at)
        if named is not None:
            return named
        first = words[at]
        if first in self._ones:
            return self.whole(words, at + 1) if self._is_large(words, at + 1) else None
        if first[:1].isdecimal() and not first.isdecimal():
            return self._figures(first, at)
        whole = self.whole(words, at)
        if whole is None:
            return None
        value, end = whole
        if first.isdecimal() and self._is_large(words, end):
            value, end = value * self._large[words[end]], end + 1
        return self._decimals(words, value, end)

    def _is_large(self, words: Sequence[str], at: int) -> bool:
        """Whether the word here is "thousand" or the like."""
        return at < len(words) and words[at] in self._large

    def _figures(self, word: str, at: int) -> tuple[Number, int] | None:
        """As in "19.5", "19,5", "1,500": a mark before three digits groups thousands if the language writes it so."""
        match = _DECIMAL.fullmatch(word)
        if match is None:
            return None
        mark = match.group(1)
        if mark is not None and mark == self._thousands:
            return int(word.replace(mark, "")), at + 1
        return (float(word.replace(",", ".")), at + 1) if word.count(mark or ",") <= 1 else None

    def _decimals(self, words: Sequence[str], value: int, end: int) -> tuple[Number, int]:
        fraction = _longest(self._fractions, words, end)
        if fraction is not None:
            return value + fraction[0], fraction[1]
        if end + 1 >= len(words) or words[end] not in self._points:
            return value, end
        digits, at = "", end + 1
        while at < len(words) and (part := self.whole(words, at)) is not None and len(digits) < 6:
            digits, at = digits + str(part[0]), part[1]
        return (float(f"{value}.{digits}"), at) if digits else (value, end)

    def _pieces(self, word: str) -> tuple[int, ...] | None:
        """The numbers a word is made of: "twenty-five" → 20, 5."""
        value = self._small.get(word)
        if value is None:
            value = self._large.get(word)
        if value is not None:
            return (value,)
        if "-" in word[1:]:
            parts = [self._small.get(part, self._large.get(part)) for part in word.split("-")]
            return None if None in parts else tuple(part for part in parts if part is not None)
        if self._glued is None or len(word) > _LONGEST_WORD or self._glued.fullmatch(word) is None:
            return None
        return self._unglue(word)

    def _unglue(self, word: str) -> tuple[int, ...] | None:
        """Longest pieces first, from the right, so that every end is worked out once."""
        ways: dict[int, tuple[int, ...]] = {len(word): ()}
        for start in range(len(word) - 1, -1, -1):
            for length in self._piece_lengths:
                rest = ways.get(start + length)
                if rest is None:
                    continue
                piece = word[start : start + length]
                value = self._small.get(piece, self._large.get(piece))
                if value is not None and _add(0, 0, (value, *rest), fresh=True) is not None:
                    ways[start] = (value, *rest)
                    break
        return ways.get(0)

    def _may_join(self, words: Sequence[str], end: int, so_far: int, joined: bool) -> bool:
        if joined or so_far < 100 or so_far % 100 or words[end] not in self._joiners or end + 1 >= len(words):
            return False
        following = self._pieces(words[end + 1])
        return following is not None and following[0] < 100

    def _figure_ordinal(self, words: Sequence[str], at: int) -> tuple[int, int] | None:
        word = words[at]
        if word.isdecimal():
            marked = at + 1 < len(words) and not words[at + 1].isalnum() and words[at + 1] in self._marks
            return (int(word), at + 2) if marked and len(word) <= 4 else None
        for mark in self._marks:
            figure = word.removesuffix(mark)
            if figure != word and figure.isdecimal() and len(figure) <= 4:
                return int(figure), at + 1
        return None

    def _ending_ordinal(self, word: str, at: int) -> tuple[int, int] | None:
        for ending in self._endings:
            stem = word.removesuffix(ending)
            if stem == word or not stem:
                continue
            for vowel in self._vowels:
                pieces = self._pieces(stem + vowel)
                sums = pieces and _add(0, 0, pieces, fresh=True)
                if sums:
                    return sum(sums), at + 1
        return None

    def _tens_ordinal(self, words: Sequence[str], at: int) -> tuple[int, int] | None:
        """As in "twenty first", "twenty-first", "hundred and first"."""
        head, _, tail = words[at].rpartition("-")
        if head:
            value = self._hyphened_ordinal(head, tail)
            return None if value is None else (value, at + 1)
        whole = self.whole(words, at)
        if whole is None or whole[0] % 10 or whole[1] >= len(words):
            return None
        end = whole[1] + (words[whole[1]] in self._joiners)
        unit_read = _longest(self._ordinals, words, end)
        if unit_read is None or not 0 < unit_read[0] < 10:
            return None
        return whole[0] + int(unit_read[0]), unit_read[1]

    def _hyphened_ordinal(self, head: str, tail: str) -> int | None:
        tens = self._pieces(head)
        unit = next((value for rest, value in self._ordinals.get(tail, ()) if not rest), None)
        return sum(tens) + int(unit) if tens and unit and 0 < unit < 10 else None


def _add(total: int, current: int, pieces: Iterable[int], fresh: bool) -> tuple[int, int] | None:
    """Sums after these pieces, or None if they do not go on the number: 20 then 5 does, 5 then 20 does not."""
    for value in pieces:
        if value >= 1000:
            if total and total <= value:
                return None
            total, current = total + (current or 1) * value, 0
        elif value == 100:
            if current > 99:
                return None
            current = (current or 1) * 100
        elif fresh or (total and not current) or _fits_under(value, current):
            current += value
        else:
            return None
        fresh = False
    return total, current


def _fits_under(value: int, current: int) -> bool:
    """After hundreds anything below, after tens a unit."""
    if current % 100 == 0:
        return current > 0
    return 0 < value < 10 and current % 10 == 0 and current % 100 >= 20


Phrases = dict[str, tuple[tuple[tuple[str, ...], float], ...]]


def _phrases(entries: Mapping[str, float]) -> Phrases:
    """Phrases by their first word, longest first."""
    found: dict[str, list[tuple[tuple[str, ...], float]]] = {}
    for phrase, value in entries.items():
        for written in {phrase, bare(phrase)}:
            first, *rest = written.split()
            found.setdefault(first, []).append((tuple(rest), value))
    return {first: tuple(sorted(group, key=lambda one: -len(one[0]))) for first, group in found.items()}


def _longest(phrases: Phrases, words: Sequence[str], at: int) -> tuple[Number, int] | None:
    for rest, value in phrases.get(words[at], ()) if at < len(words) else ():
        end = at + 1 + len(rest)
        if not rest or tuple(words[at + 1 : end]) == rest:
            return (int(value) if value == int(value) else value), end
    return None


def _with_bare(entries: Mapping[str, int]) -> dict[str, int]:
    return {written: value for word, value in entries.items() for written in (bare(word), word)}


def _words_of(spec: NumberSpec) -> Iterable[str]:
    yield from (*spec.ones, *spec.joiners, *spec.negatives, *spec.points)
    for entries in (spec.cardinals, spec.multipliers, spec.ordinals, spec.phrases, spec.fractions):
        for phrase in entries:
            yield from phrase.split()
