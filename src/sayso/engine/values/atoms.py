"""Finds what may begin at each word of a message, before any grammar: a number, a month, a weekday.

"l'8 alle 9" → l' | 8: {mday} {hour} … | alle: <alle> | 9: {hour} …; one word may be several things, and one thing
several words.
Keys are those of the rules: a word itself, its <class>, or a {slot} with the value that fills it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sayso.engine.text.tokens import bare
from sayso.engine.values.figures import Figures, split_range
from sayso.engine.values.ladder import WORD, WORDS_OF_TIME, Atoms
from sayso.engine.values.numbers import Numbers
from sayso.engine.values.specs import DateSpec
from sayso.engine.values.when import FIRST_YEAR, LAST_YEAR, full_year

CARDINALS = ("{count}", "{hour}", "{minute}", "{mday}", "{year}", "{hundred}")  # slots that any number fills
_RANGES = (("{hour}", 0, 24), ("{minute}", 0, 59), ("{mday}", 1, 31), ("{year}", FIRST_YEAR, LAST_YEAR))
_LONGEST = 30  # words after the last that may be a date
_RUNS = re.compile(r"\d+[^\W\d_]{2}\b|\d+|[^\W\d_]+|[-/.]")


class Lexer:
    """The words of one language's dates, compiled once. `keys` are those that rules mention; `further` adds slots with
    the phrases that fill them."""

    def __init__(
        self,
        spec: DateSpec,
        keys: Iterable[str],
        numbers: Numbers,
        month_first: bool,
        further: Iterable[tuple[str, Iterable[tuple[str, Any]]]] = (),
    ) -> None:
        self._numbers = numbers
        units = {word: unit for unit, words in spec.units.items() for word in words}
        halves = [{half: frozenset(words.get(half, ())) for half in ("am", "pm")} for words in _meridiems(spec)]
        self._figures = Figures(halves[0], halves[1], units, spec.short_units, month_first)
        self._lexicon, self.words_of = _lexicon(spec, keys, further)
        below = numbers.below_sixty()
        self.words_of |= {key: [*self.words_of.get(key, ()), *below] for key in CARDINALS}
        self.words_of["{ordinal}"] = [*numbers.ordinal_words()]
        self.spellings = {word: tuple(phrase.split()) for word, phrase in spec.spellings.items()}
        self.spellings |= {word + ending: (word, ending) for ending in spec.endings for word in below}
        self._elisions, self._possessives = spec.elisions, spec.possessives
        self._endings = spec.endings
        self._index_words(spec)

    def _index_words(self, spec: DateSpec) -> None:
        """The words that tell a time, and those of months and weekdays."""
        self.words = frozenset(
            word for first, entries in self._lexicon.items() for rest, _, _ in entries for word in (first, *rest)
        )
        self._telling = frozenset(
            word for key in WORDS_OF_TIME for word in self.words_of.get(key, ()) if " " not in word
        )
        self._months = frozenset(word for group in spec.months for word in (*group, *map(bare, group)))
        self._named = frozenset(word for group in (*spec.months, *spec.weekdays) for word in group)
        self._shortened = frozenset(word for word in self._named if len(word) < 5)

    def split(self, words: Sequence[str]) -> tuple[list[str], list[int]]:
        """Words as the rules expect them: "l'8" → l' 8, "13-15" → 13 - 15, "oct. 2" → oct 2, "mezzora" → mezz' ora."""
        parts: list[str] = []
        origin: list[int] = []
        for index, word in enumerate(words):
            if word.isalpha() and word not in self.spellings:
                parts.append(word)
                origin.append(index)
                continue
            pieces = self._pieces(word, parts[-1] if parts else "")
            parts += pieces
            origin += [index] * len(pieces)
        origin.append(len(words))
        return parts, origin

    def _pieces(self, word: str, previous: str) -> Sequence[str]:
        if len(word) == 1:
            return () if self._is_dropped(word, previous) else (word,)
        if word in self.spellings:
            return self.spellings[word]
        if "'" in word:
            return self._elided(word)
        if word[:1].isdecimal() and "-" in word:
            return self._from_figure(word)
        if word.isdecimal():
            return (word,)
        return self._without_ending(word) or (self._hyphened(word) if "-" in word else self._unglued(word))

    def _is_dropped(self, mark: str, previous: str) -> bool:
        """ "lunedi' alle 9" is an accent typed as an apostrophe, "june '18" a year, "oct. 2" an abbreviation."""
        if mark == "'":
            return previous not in self._months and not previous.isdecimal()
        return mark == "." and previous in self._shortened

    def _from_figure(self, word: str) -> Sequence[str]:
        """As in "13-15", "8-july": a figure, a hyphen, and something else."""
        head, _, tail = word.partition("-")
        if tail in self._endings:
            return head, tail
        return split_range(word) or ((head, "-", tail) if tail in self._lexicon else self._unglued(word))

    def _without_ending(self, word: str) -> Sequence[str]:
        """A figure and the ending that is written onto it, or nothing."""
        for ending in self._endings:
            if (head := word.removesuffix(ending)) != word and head[-1:].isdecimal():
                return head, ending
        return ()

    def _hyphened(self, word: str) -> Sequence[str]:
        """As in "mid-july", "ten-thirty", "half-past": words of time held together; "twenty-five" stays one number."""
        parts = word.split("-")
        if not all(map(self._is_word, parts)) or word in self._lexicon or self._numbers.read_ordinal((word,), 0):
            return (word,)
        number = self._numbers.whole((word,), 0)
        if number is not None or not (
            any(part in self._telling for part in parts) or all(map(self._numbers.knows, parts))
        ):
            return (word,)
        # "mon-wed" is a range, "mid-july" is not.
        return (parts[0], "-", parts[1]) if len(parts) == 2 and self._named.issuperset(parts) else parts

    def _is_word(self, part: str) -> bool:
        return part in self._lexicon or (bool(part) and self._numbers.knows(part))

    def _elided(self, word: str) -> Sequence[str]:
        if word not in self.words:  # "year's" is one word in "new year's eve"
            for head in self._elisions:
                if word.startswith(head) and len(word) > len(head):
                    return head, word[len(head) :]
            for tail in self._possessives:
                if word.endswith(tail) and len(word) > len(tail):
                    return word[: -len(tail)], tail
        return (word,)

    def _unglued(self, word: str) -> Sequence[str]:
        """As in "feb13", "31-oct-1974", "dec.2018": one month, and figures."""
        parts: list[str] = _RUNS.findall(word)
        named = [part for part in parts if part in self._months]
        others = [part for part in parts if part.isalnum() and part not in named]
        return parts if len(named) == 1 and others and all(part[0].isdecimal() for part in others) else (word,)

    def table(self, words: Sequence[str], hits: Sequence[int], this_year: int) -> list[Atoms]:
        """What may begin at each word around the hits, as far as words are known; elsewhere nothing can."""
        table: list[Atoms] = [()] * len(words)
        end, last = 0, min(len(words), hits[-1] + _LONGEST)
        for hit in hits:
            if hit < end:
                continue
            start = hit
            while start > end and self._known(words[start - 1]):
                start -= 1
            end = hit + 1
            while end < last and self._known(words[end]):
                end += 1
            for at in range(start, end):
                table[at] = tuple(self._atoms_at(words, at, this_year))
        return table

    def _known(self, word: str) -> bool:
        return word in self.words or self._numbers.knows(word) or self._numbers.may_be_ordinal(word)

    def _atoms_at(self, words: Sequence[str], at: int, this_year: int) -> Iterator[tuple[str, object, int]]:
        word = words[at]
        for rest, key, value in self._lexicon.get(word, ()):
            end = at + 1 + len(rest)
            if not rest or tuple(words[at + 1 : end]) == rest:
                yield key, value, end
        if len(word) == 2 and word.isdecimal():
            yield "{yy}", full_year(int(word), this_year), at + 1
        elif word[:1].isdecimal() and len(word) > 1:
            for key, value in self._figures.atoms(word, this_year):
                yield key, value, at + 1
        if self._numbers.knows(word):
            yield from self._number_atoms(words, at)
        if self._numbers.may_be_ordinal(word):
            yield from self._ordinal_atoms(words, at)

    def _number_atoms(self, words: Sequence[str], at: int) -> Iterator[tuple[str, object, int]]:
        count = self._numbers.read(words, at)
        if count is not None:
            yield "{count}", *count
        number = self._numbers.whole(words, at)
        if number is None:
            return
        value, end = number
        if 100 <= value <= 2400 and value % 100 == 0 and not words[at].isdecimal():
            yield "{hundred}", value // 100, end
        for key, least, most in _RANGES:
            if least <= value <= most:
                yield key, value, end
        if FIRST_YEAR <= value * 100 <= LAST_YEAR and end < len(words):  # "nineteen ninety nine"
            rest = self._numbers.whole(words, end)
            if rest is not None and 10 <= rest[0] <= 99 and not words[at].isdecimal():
                yield "{year}", value * 100 + rest[0], rest[1]

    def _ordinal_atoms(self, words: Sequence[str], at: int) -> Iterator[tuple[str, object, int]]:
        ordinal = self._numbers.read_ordinal(words, at)
        if ordinal is not None:
            yield "{ordinal}", *ordinal
            if words[at][:1].isdecimal() and 1 <= ordinal[0] <= 31:
                yield "{nth}", *ordinal


Entry = tuple[tuple[str, ...], str, object]  # the words after the first, the key, the value


def _lexicon(
    spec: DateSpec, keys: Iterable[str], further: Iterable[tuple[str, Iterable[tuple[str, Any]]]]
) -> tuple[dict[str, tuple[Entry, ...]], dict[str, list[str]]]:
    """First word → entries; and for every key the phrases that give it."""
    lexicon: dict[str, dict[Entry, None]] = {}
    words_of: dict[str, list[str]] = {}

    def add(key: str, value: object, phrases: Iterable[str]) -> None:
        for phrase in phrases:
            words_of.setdefault(key, []).append(phrase)
            # A lone letter keeps its accent: Italian "è" is no "e".
            for written in {phrase, bare(phrase)} if len(phrase) > 1 else {phrase}:
                first, *rest = written.split()
                lexicon.setdefault(first, {})[(tuple(rest), key, value)] = None

    for key, entries in (*_slots(spec), *further):
        for phrase, value in entries:
            add(key, value, [phrase])
    for name, phrases in spec.words.items():
        add(f"<{name}>", WORD, phrases)
    for key in sorted(keys):
        if key[0] not in "{<":
            add(key, WORD, [key])
        elif key[0] == "<" and key[1:-1] not in spec.words:
            raise ValueError(f"rules refer to {key}, which `words` does not list")
    return {first: tuple(entries) for first, entries in lexicon.items()}, words_of


def _meridiems(spec: DateSpec) -> Sequence[Mapping[str, Sequence[str]]]:
    return spec.meridiem, spec.meridiem_marks


def _slots(spec: DateSpec) -> Iterator[tuple[str, Iterable[tuple[str, Any]]]]:
    yield "{weekday}", _numbered(spec.weekdays, 0)
    yield "{month}", _numbered(spec.months, 1)
    yield "{unit}", _inverted(spec.units)
    yield "{part}", _inverted(spec.parts)
    yield "{meridiem}", _inverted(spec.meridiem)
    yield "{day_word}", spec.day_words.items()
    yield "{part_word}", spec.part_words.items()
    yield "{count}", spec.counts.items()
    yield "{fraction}", spec.fractions.items()
    yield "{mday}", spec.month_days.items()
    yield "{named_time}", spec.named_times.items()
    yield "{holiday}", spec.holidays.items()
    yield "{weekdays}", _numbered(spec.weekday_plurals, 0)
    yield "{quarter}", spec.quarters.items()


def _numbered(groups: Sequence[Sequence[str]], start: int) -> Iterator[tuple[str, int]]:
    return ((word, number) for number, group in enumerate(groups, start) for word in group)


def _inverted(groups: Mapping[Any, Sequence[str]]) -> Iterator[tuple[str, Any]]:
    return ((word, name) for name, group in groups.items() for word in group)
