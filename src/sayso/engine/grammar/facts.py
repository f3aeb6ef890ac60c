"""Collects the word classes of a grammar, and computes the facts about a single word.

The class of a verb contains all its forms. A fact also says what it costs a sentence to skip the word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sayso.engine.dates.dates import Dates
from sayso.engine.grammar.pack import Phrasebook
from sayso.engine.lexicon.lexicon import Edges, Lexicon, Readings
from sayso.engine.lexicon.words import Inflection, Language, Stems, Word, is_punctuation
from sayso.engine.text.patterns import literals
from sayso.engine.values.numbers import Numbers

_REMEMBERED = 20_000
_LONGEST = 40  # characters; nobody repeats a longer word


class Fact(NamedTuple):
    """A word's stem, the known words it may mean, and how other readers read it."""

    stem: str
    readings: Readings
    dated: str  # the word as the date reader should see it: a typo corrected, a quotation hidden
    counts: bool  # a number may begin with it
    opens: bool  # the text in a slot may begin with it


class Facts:
    """The facts about words of one language in one pack. `tiny` and `little` are stems of words that tell nothing."""

    def __init__(
        self,
        lexicon: Lexicon,
        stems: Stems,
        readers: tuple[Dates, Numbers],
        tiny: frozenset[str],
        little: frozenset[str],
    ) -> None:
        self._lexicon, self._stems, self._tiny, self._little = lexicon, stems, tiny, little
        self._dates, self._numbers = readers
        self._remembered: dict[tuple[str, str, str], Fact] = {}

    def of(self, word: Word) -> Fact:
        key = (word.low, word.bare, word.kind)
        fact = self._remembered.get(key)
        if fact is None:
            fact = self._work_out(word)
            if len(word.low) <= _LONGEST:
                if len(self._remembered) >= _REMEMBERED:
                    self._remembered.clear()
                self._remembered[key] = fact
        return fact

    def _work_out(self, word: Word) -> Fact:
        low = word.low
        return Fact(
            stem=self._stem(word),
            readings=self._lexicon.readings(word),
            dated=self._dated(word),
            counts=self._numbers.knows(low) or self._numbers.read((low, "1"), 0) is not None,
            opens=not is_punctuation(word) or low == "#",
        )

    def _stem(self, word: Word) -> str:
        """The stem; a little word counts as one even if two of its letters are swapped ("teh")."""
        stem = self._stems.stem(word.low)
        if stem not in self._little and word.kind == "word" and word.low not in self._lexicon.vocabulary:
            for known, _ in self._lexicon.readings(word):
                if sorted(known) == sorted(word.low) and (other := self._stems.stem(known)) in self._tiny:
                    return other
        return stem

    def _dated(self, word: Word) -> str:
        if word.kind == "quote":
            return "\0"
        if word.kind == "word" and word.low not in self._lexicon.vocabulary:
            for known, cost in self._lexicon.readings(word):
                if cost < 1 and (known in self._dates.vocabulary or known in self._numbers.vocabulary):
                    return known
        return word.low


_MARK_SKIP, _SMALL_SKIP, _FUNCTION_SKIP, _POINT_SKIP, _WORD_SKIP, _QUOTE_SKIP, _NEVER = (
    0.03,
    0.06,
    0.12,
    0.6,
    1.2,
    3.0,
    99.0,
)
SMALL = ("hesitation", "filler", "polite", "greeting")
FUNCTION = ("function", "article", "possessive", "be", "of", "link")
POINTING = ("it", "them", "dummy", "all", "wh")


class Skips:
    """The costs of the words of a language, by their classes."""

    def __init__(self, cls: Mapping[str, int]) -> None:
        costs = {cls[name]: _FUNCTION_SKIP for name in FUNCTION}
        costs |= {cls[name]: _SMALL_SKIP for name in (*SMALL, "address")}
        costs |= {cls[name]: _POINT_SKIP for name in POINTING}
        costs[cls["negation"]] = _NEVER
        self._costs, self._article = costs, cls["article"]

    def of(self, words: Sequence[Word], edges: list[Edges]) -> list[float]:
        """The cost of each word."""
        kinds = {"mark": _MARK_SKIP, "quote": _QUOTE_SKIP, "word": _WORD_SKIP}
        skips = [kinds[word.kind] for word in words]
        costs, article = self._costs, self._article
        for at, here in enumerate(edges):
            for cls in costs.keys() & here.keys():
                for end, slips in here[cls]:
                    if slips == 0 or (slips < 0.5 and not (at and article in edges[at - 1])):
                        _lower(skips, at, end, costs[cls])  # after an article, a word that resembles a filler is a name
        return skips


def _lower(skips: list[float], start: int, end: int, cost: float) -> None:
    if cost == _NEVER:
        skips[start] = cost
        return
    for at in range(start, end):
        if skips[at] != _NEVER:
            skips[at] = min(skips[at], cost)


_CLASS = re.compile(r"<([\w:.]+)>")


def classes_of(book: Phrasebook, language: Language) -> Iterator[tuple[str, Iterable[str]]]:
    """Every class of the lexicon by name, with its patterns."""
    yield from language.words.classes.items()
    for name, patterns in language.words.moods.items():
        yield f"mood:{name}", patterns
    yield from in_order(book.classes).items()
    for name, values in book.values.items():
        for value, patterns in values.items():
            yield f"value:{name}={value}", patterns
    for name, patterns in book.leads.items():
        yield f"lead:{name}", patterns
    for name, patterns in book.concepts.items():
        yield f"concept:{name}", patterns
    for name, lemmas in book.verbs.items():
        yield from _verb(name, lemmas, language.words.forms)
    for word in sorted(literals(pattern for patterns in book.acts.values() for pattern in patterns)):
        yield f"={word}", [word]


def in_order(classes: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The classes in topological order: each after the classes that its patterns name. In a cycle, one class comes
    before a class that it names."""
    ordered: dict[str, Sequence[str]] = {}
    begun: set[str] = set()

    def put(name: str) -> None:
        if name in begun:
            return
        begun.add(name)
        for pattern in classes[name]:
            if "<" in pattern:
                for inner in sorted(_CLASS.findall(pattern)):
                    if inner in classes:
                        put(inner)
        ordered[name] = classes[name]

    for name in classes:
        put(name)
    return ordered


def _verb(name: str, lemmas: Iterable[str], forms: dict[str, Inflection]) -> Iterator[tuple[str, Iterable[str]]]:
    base = forms.get("base")
    yield name, _inflect(lemmas, base) if base else lemmas
    for form, rules in forms.items():
        if form != "base":
            yield f"{name}:{form}", _inflect(lemmas, rules)


def _inflect(lemmas: Iterable[str], rules: Inflection) -> Iterator[str]:
    """The form of each lemma. In "tick off" the first word changes."""
    for lemma in lemmas:
        first, _, rest = lemma.partition(" ")
        own = rules.irregular.get(first)
        if own is not None:
            yield from (f"{form} {rest}".rstrip() for form in own)
            continue
        for ending, replacements in rules.endings:
            if first.endswith(ending):
                stem = first[: len(first) - len(ending)]
                yield from (f"{stem}{replacement} {rest}".rstrip() for replacement in replacements)
                break


_REMEMBERED_CLASSES = 20_000


class Plurals:
    """The singular forms of a language's words, for the concepts of a pack."""

    def __init__(
        self,
        endings: Sequence[tuple[str, str]],
        concepts: Mapping[str, Sequence[str]],
        known: Callable[[str], bool],
    ) -> None:
        self._endings, self._concepts, self._known = endings, concepts, known
        self._remembered: dict[str, frozenset[str]] = {}

    def ones(self, phrase: str, keys: Iterable[str]) -> frozenset[str]:
        """The singular forms of a plural phrase. For a concept's phrase, only known words."""
        found = self._remembered.get(phrase)
        if found is None:
            found = self._remember(phrase)
        named = [self._concepts.get(key[2:], ()) for key in keys if key.startswith("c:")] if found else []
        if not named:
            return found
        own = frozenset(form for form in found if any(form in names for names in named))
        return own or frozenset(filter(self._known, found))

    def _remember(self, phrase: str) -> frozenset[str]:
        if len(self._remembered) >= _REMEMBERED_CLASSES:
            self._remembered.clear()
        found = self._remembered[phrase] = frozenset(self._forms(phrase))
        return found

    def _forms(self, phrase: str) -> Iterator[str]:
        """The phrase with its first or its last word in the singular: "garage doors", "porte scorrevoli"."""
        head, _, last = phrase.rpartition(" ")
        first, _, tail = phrase.partition(" ")
        yield from (f"{head} {form}".strip() for form in self._singular(last))
        yield from (f"{form} {tail}" for form in self._singular(first) if tail)

    def _singular(self, word: str) -> Iterator[str]:
        for ending, one in self._endings:
            if word.endswith(ending) and len(word) > len(ending) + 1:
                yield word[: len(word) - len(ending)] + one
