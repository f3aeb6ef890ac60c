"""Reduces words to concepts that compare across languages.

"switch the second refrigerator off" and "Spegni Frigo 2" give the same units: a concept for the fridge, a number,
a concept for turning off. Concepts are the pack's lists of words for one thing; any other word is its stem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sayso.engine.grammar.sheet import EXACT, TYPOS, Sheet, Stretch
from sayso.engine.lexicon.lexicon import Edges
from sayso.engine.lexicon.words import Word
from sayso.engine.text.similarity import is_within
from sayso.engine.text.tokens import normalise

if TYPE_CHECKING:
    from sayso.engine.grammar.grammar import Grammar  # used only to read a name

_ASIDE = ("everywhere", "well")  # words beside the request: the place, or the question whether everything is OK
_CARRYING = ("carrier", "show")  # classes that a pack may have, of words that only introduce the request
_ALIKE = 0.85  # another word for the same concept
_CROSSED = 0.5  # two words that share a concept, and each of which has another meaning too
_SURE = 0.6  # the most typos in a word of a concept
_STUB, _SHORTENED = 4, 0.75  # the letters of a shortened name, and how well it matches
_SHORT, _LONG = 5, 8  # letters from which on one typo, and two, are allowed in a name


class Unit(NamedTuple):
    """Some words and the keys that they compare by. A `light` unit has a meaning only if something takes it."""

    start: int
    end: int
    keys: frozenset[str]
    low: str
    light: bool = False
    ones: frozenset[str] = frozenset()  # the singular forms, if it means several

    def names(self, other: Unit) -> float:
        """How well it matches as a name, which may be shortened: "the pils" for "Pilsner"."""
        return _naming(self.keys, self.low, other.keys, other.low)

    def fits(self, other: Unit) -> float:
        """How well two units agree: 1 for a shared key, less for another word or a typo."""
        return _agreement(self.keys, self.low, other.keys, other.low)


@lru_cache(maxsize=100_000)
def _agreement(keys: frozenset[str], low: str, others: frozenset[str], other: str) -> float:
    shared = {key for key in keys & others if key[0] != "m"}  # "Bar" is a place, three bar are not
    if shared:
        same = low == other or any(not key.startswith("c:") for key in shared)
        return 1.0 if same else _CROSSED if _means_more(keys - others) and _means_more(others - keys) else _ALIKE
    return 0.8 if not _means_more(keys) and _is_slip(low, other) else 0.0  # "unlock" is not a typo of "lock"


def _is_slip(low: str, other: str) -> bool:
    if not (low + other).isalpha():
        return False
    shorter = min(len(low), len(other))
    slips = 0 if shorter < _SHORT else 1 if shorter < _LONG else 2
    return slips > 0 and is_within(slips, low, other)


def _means_more(rest: frozenset[str]) -> bool:
    """ "raise" and "lower" both change a value, but each has a further meaning, in which they differ."""
    return any(key.startswith("c:") for key in rest)


@lru_cache(maxsize=100_000)
def _naming(keys: frozenset[str], low: str, others: frozenset[str], other: str) -> float:
    fit = _agreement(keys, low, others, other)
    if fit or len(low) < _STUB or any(key[0] == "c" for key in (*keys, *others)):
        return fit
    return _SHORTENED if other.startswith(low) and 2 * len(low) >= len(other) else 0.0


def said(stretch: Stretch) -> list[Unit]:
    """The units of words[start:end]. Marks and function words are left out, unless they are part of a phrase. Polite
    words count only if a name contains them."""
    sheet, start, end = stretch
    grammar = sheet.grammar
    found: list[Unit] = []
    at = start
    while at < end:
        if passed := _aside_at(sheet, at):
            at = passed
            continue
        unit = _unit(grammar, sheet.words, sheet.lows, sheet.edges, at, end)
        small = sheet.skips[at] <= 0.12 or sheet.stems[at] in grammar.little or sheet.words[at].kind == "mark"
        small = small and not (at > start and _is_letter(sheet.words[at]))
        if unit is not None:
            found.extend(_concept(stretch, unit, little=unit.end - unit.start == 1 and small))
            at = unit.end
        elif counted := _counted_at(sheet, at):
            at = counted
        else:
            found.extend(_plain_word(sheet, at, small=small))
            at += 1
    return found


def _aside_at(sheet: Sheet, at: int) -> int:
    """Where a phrase beside the request ends: "per cento" is not a number."""
    known = sheet.grammar.cls
    carried = sheet.has(at, "carrier", slips=TYPOS) if "carrier" in known else 0
    aside = [name for name in _ASIDE if name in known]
    return max(carried if carried > at + 1 else 0, sheet.has(at, *aside) if aside else 0)


def _counted_at(sheet: Sheet, at: int) -> int:
    """Where a phrase such as "how many" ends."""
    counted = sheet.has(at, "several") if "several" in sheet.grammar.cls else 0
    return counted if counted > at + 1 else 0


def _plain_word(sheet: Sheet, at: int, *, small: bool) -> Iterator[Unit]:
    """A word of no concept, by its stem; a small word only if it may be part of a name: "right fryer"."""
    word, stem, grammar = sheet.words[at], sheet.stems[at], sheet.grammar
    if not small:
        ones = grammar.plurals.ones(word.bare, ())
        yield Unit(at, at + 1, frozenset((f"s:{stem}",)), word.bare, _carries(sheet, at, exactly=bool(ones)), ones)
    elif word.kind == "word" and stem in grammar.asides:
        yield Unit(at, at + 1, frozenset((f"s:{stem}",)), word.bare, True)


def _concept(stretch: Stretch, unit: Unit, *, little: bool) -> Iterator[Unit]:
    """A concept, unless it has no meaning here: "on the water bath" switches nothing on, and the grams of a value name
    nothing."""
    sheet = stretch.sheet
    before_noun = unit.end < stretch.end and sheet.has(unit.end, "article", "possessive")
    measures = all(key[0] in "ms" for key in unit.keys) and any(key[0] == "m" for key in unit.keys)
    if not (little and before_noun) and not measures:
        yield unit._replace(light=little, ones=sheet.grammar.plurals.ones(unit.low, unit.keys))


def _carries(sheet: Sheet, at: int, *, exactly: bool) -> bool:
    """Whether a word only introduces the request: "get", "please"."""
    names = [name for name in _CARRYING if name in sheet.grammar.cls]
    return bool(names) and bool(sheet.has(at, *names, slips=EXACT if exactly else TYPOS))


def named(grammars: Sequence[Grammar], text: str) -> tuple[Unit, ...]:
    """The units of a name, which may be in any language of the pack: read in the language that knows most of it."""
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
    keys, longest = _concepts_at(grammar, edges[at], end)
    number = grammar.numbers.read(lows, at) or grammar.numbers.read_ordinal(lows, at)
    if number is not None and longest <= number[1] <= end:
        return Unit(at, number[1], frozenset((f"n:{number[0]}", *(keys if number[1] == longest else ()))), lows[at])
    if not keys:
        return None
    if longest > at + 1:
        return Unit(at, longest, frozenset(keys), " ".join(lows[at:longest]))
    return Unit(at, longest, frozenset((*keys, f"s:{grammar.stems.stem(words[at].low)}")), words[at].bare)


def _concepts_at(grammar: Grammar, here: Edges, end: int) -> tuple[set[str], int]:
    """The longest concepts that begin at a place, and where they end."""
    longest = 0
    keys: set[str] = set()
    concepts = grammar.concepts
    for cls in here.keys() & concepts.keys():
        for stop, cost in here[cls]:
            if cost <= _SURE and longest <= stop <= end:
                keys = {*keys, concepts[cls]} if stop == longest else {concepts[cls]}
                longest = stop
    return keys, longest


def _is_letter(word: Word) -> bool:
    """The A of "Freezer A"."""
    return len(word.text) == 1 and word.text.isupper()


def is_concept(unit: Unit) -> bool:
    """Whether it is in one of the pack's lists."""
    return any(key.startswith("c:") for key in unit.keys)
