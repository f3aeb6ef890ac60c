"""Reduces words to concepts that compare across languages.

"switch the second refrigerator off" and "Spegni Frigo 2" come to the same units: a concept for the fridge, a number,
a concept for turning off. Concepts are the pack's lists of words for one thing; a word of no list is its stem.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import EXACT, TYPOS, Sheet, Stretch
from sayso.engine.lexicon.lexicon import Edges
from sayso.engine.lexicon.words import Word
from sayso.engine.text.similarity import is_within
from sayso.engine.text.tokens import normalise

_ASIDE = ("everywhere", "well")  # said beside what is meant: where, or whether all is well
_CARRYING = ("carrier", "show")  # classes that a pack may have, of words that only introduce what is meant
_ALIKE = 0.85  # another word for the same
_CROSSED = 0.5  # a word that means something else as well, as does the other
_SURE = 0.6  # slips that a word of a concept may have
_STUB, _SHORTENED = 4, 0.75  # letters of a name cut short, and how well it fits
_SHORT, _LONG = 5, 8  # letters from which on one slip, and two, are forgiven in a name


class Unit(NamedTuple):
    """Some words and the keys that they compare by. `light` units carry meaning only where something takes them up."""

    start: int
    end: int
    keys: frozenset[str]
    low: str
    light: bool = False
    ones: frozenset[str] = frozenset()  # where it speaks of several: what one of them is called

    def names(self, other: Unit) -> float:
        """How well it fits as a name, which may be cut short: "the pils" for "Pilsner"."""
        return _naming(self.keys, self.low, other.keys, other.low)

    def fits(self, other: Unit) -> float:
        """How well two units agree: 1 for a shared key, less for another word or a slip of the finger."""
        return _agreement(self.keys, self.low, other.keys, other.low)


@lru_cache(maxsize=100_000)
def _agreement(keys: frozenset[str], low: str, others: frozenset[str], other: str) -> float:
    shared = {key for key in keys & others if key[0] != "m"}  # "Bar" is a place, three bar are not
    if shared:
        same = low == other or any(not key.startswith("c:") for key in shared)
        return 1.0 if same else _CROSSED if _means_more(keys - others) and _means_more(others - keys) else _ALIKE
    if any(key.startswith("c:") for key in keys) or not (low + other).isalpha():  # "unlock" is no slip of "lock"
        return 0.0
    shorter = min(len(low), len(other))
    slips = 0 if shorter < _SHORT else 1 if shorter < _LONG else 2
    alike = slips and is_within(slips, low, other)
    return 0.8 if alike else 0.0


def _means_more(rest: frozenset[str]) -> bool:
    """ "raise" and "lower" both change a value, and each means something more, in which they differ."""
    return any(key.startswith("c:") for key in rest)


@lru_cache(maxsize=100_000)
def _naming(keys: frozenset[str], low: str, others: frozenset[str], other: str) -> float:
    fit = _agreement(keys, low, others, other)
    if fit or len(low) < _STUB or any(key[0] == "c" for key in (*keys, *others)):
        return fit
    return _SHORTENED if other.startswith(low) and 2 * len(low) >= len(other) else 0.0


def said(stretch: Stretch) -> list[Unit]:
    """The units of words[start:end]. Marks and function words are left out, unless they are part of a phrase; what is
    said for politeness counts only where a name has it."""
    sheet, start, end = stretch
    grammar = sheet.grammar
    found: list[Unit] = []
    at = start
    while at < end:
        carried = sheet.has(at, "carrier", slips=TYPOS) if "carrier" in grammar.cls else 0
        passed = carried if carried > at + 1 else 0  # "per cento" is no number
        aside = [name for name in _ASIDE if name in grammar.cls]
        passed = max(passed, sheet.has(at, *aside)) if aside else passed
        if passed:
            at = passed
            continue
        unit = _unit(grammar, sheet.words, sheet.lows, sheet.edges, at, end)
        small = sheet.skips[at] <= 0.12 or sheet.stems[at] in grammar.little or sheet.words[at].kind == "mark"
        small = small and not (at > start and _is_letter(sheet.words[at]))
        if unit is None:
            counted = sheet.has(at, "several") if "several" in grammar.cls else 0
            if counted > at + 1:  # "how many"
                at = counted
                continue
            word = sheet.words[at]
            if small and word.kind == "word" and sheet.stems[at] in grammar.asides:
                found.append(Unit(at, at + 1, frozenset((f"s:{sheet.stems[at]}",)), word.bare, True))  # "right fryer"
            if not small:
                ones = grammar.plurals.ones(word.bare, ())
                carries = _carries(sheet, at, exactly=bool(ones))
                found.append(Unit(at, at + 1, frozenset((f"s:{sheet.stems[at]}",)), word.bare, carries, ones))
            at += 1
            continue
        little = unit.end - unit.start == 1 and small
        before_noun = unit.end < end and sheet.has(unit.end, "article", "possessive")
        measures = all(key[0] in "ms" for key in unit.keys) and any(key[0] == "m" for key in unit.keys)
        # "on the water bath" switches nothing on; the grams of a value name nothing
        if not (little and before_noun) and not measures:
            found.append(unit._replace(light=little, ones=grammar.plurals.ones(unit.low, unit.keys)))
        at = unit.end
    return found


def _carries(sheet: Sheet, at: int, *, exactly: bool) -> bool:
    """Whether a word only introduces what is meant: "get", "please"."""
    names = [name for name in _CARRYING if name in sheet.grammar.cls]
    return bool(names) and bool(sheet.has(at, *names, slips=EXACT if exactly else TYPOS))


def named(grammars: Sequence[Grammar], text: str) -> tuple[Unit, ...]:
    """The units of a name, which may be in any language of the pack: as the language has them that knows most of it."""
    read = [_read(grammar, text) for grammar in grammars]
    best = min(read, key=lambda units: (sum(not is_concept(unit) for unit in units), len(units)), default=())
    known = {key for unit in best for key in unit.keys}
    others = (unit._replace(light=True) for units in read for unit in units if not unit.keys <= known)
    return (*best, *others)


def _read(grammar: Grammar, text: str) -> tuple[Unit, ...]:
    words, edges, stems = grammar.look_at(normalise(text.replace("_", " ")))
    lows = [word.low for word in words]
    found: list[Unit] = []
    at = 0
    while at < len(words):
        word = words[at]
        unit = _unit(grammar, words, lows, edges, at, len(words))
        stem = stems[at]
        telling = stem not in grammar.tiny or len(words) == 1 or _is_letter(word)
        if unit is None and word.kind != "mark" and telling:
            unit = Unit(at, at + 1, frozenset((f"s:{stem}",)), word.bare)
        if unit is not None:
            found.append(unit)
        at = unit.end if unit is not None else at + 1
    return tuple(found)


def _unit(
    grammar: Grammar, words: Sequence[Word], lows: Sequence[str], edges: Sequence[Edges], at: int, end: int
) -> Unit | None:
    """The longest concept that begins here, or the number."""
    longest = 0
    keys: set[str] = set()
    here, concepts = edges[at], grammar.concepts
    for cls in here.keys() & concepts.keys():
        name = concepts[cls]
        for stop, cost in here[cls]:
            if cost <= _SURE and longest <= stop <= end:
                keys = {*keys, name} if stop == longest else {name}
                longest = stop
    number = grammar.numbers.read(lows, at) or grammar.numbers.read_ordinal(lows, at)
    if number is not None and number[1] <= end and number[1] >= longest:
        return Unit(at, number[1], frozenset((f"n:{number[0]}", *(keys if number[1] == longest else ()))), lows[at])
    if keys:
        low = words[at].bare if longest == at + 1 else " ".join(lows[at:longest])
        if longest == at + 1:
            keys.add(f"s:{grammar.stems.stem(words[at].low)}")
        return Unit(at, longest, frozenset(keys), low)
    return None


def _is_letter(word: Word) -> bool:
    """The A of "Freezer A"."""
    return len(word.text) == 1 and word.text.isupper()


def is_concept(unit: Unit) -> bool:
    """Whether it is of one of the pack's lists."""
    return any(key.startswith("c:") for key in unit.keys)
