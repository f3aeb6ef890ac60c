"""Finds the classes of each word of a message, with typos forgiven.

"creat a tsak" → create/add, a/article, task/task_noun. All phrases are one automaton over words.
A word that is not known may be a typo of one that is: "remvoe" → "remove".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from sayso.engine.lexicon.words import Word
from sayso.engine.text.automaton import Automaton, Block, State
from sayso.engine.text.patterns import Choice, Symbol, Tree, is_plain, parse, symbols, words_in
from sayso.engine.text.similarity import all_within
from sayso.engine.text.tokens import bare

_REMEMBERED = 20_000


# What may begin at a place: class → (where it ends, what its slips cost), best first.
Edges = dict[int, list[tuple[int, float]]]
# The known words that one of a message may stand for, each with what that costs.
Readings = tuple[tuple[str, float], ...]


class Lexicon:
    """Phrases by class, compiled."""

    def __init__(self, common: Iterable[str], stem: Callable[[str], str]) -> None:
        self._stem = stem
        self.ids: dict[str, int] = {}
        self.vocabulary: set[str] = set()
        self._patterns: dict[str, list[str]] = {}
        self._trees: dict[str, Tree] = {}  # of classes that others name
        self._automaton: Automaton[int] = Automaton()
        self._never_slips = frozenset(common)
        self._slips: Slips | None = None
        self._accented: dict[str, str] = {}  # by what is left of them without accents
        self._remembered: dict[str, Readings] = {}

    def add(self, name: str, pattern: str) -> None:
        """A pattern of words, and of classes added before, that belongs to this class."""
        number = self.ids.setdefault(name, len(self.ids))
        self._patterns.setdefault(name, []).append(pattern)
        if pattern.isalpha():  # as most are
            self.vocabulary.add(pattern)
            self._automaton.add_words("", number, (pattern,))
            return
        words = words_in(pattern)
        self.vocabulary.update(words)
        if is_plain(pattern):
            self._automaton.add_words("", number, words)
        elif is_plain(pattern.replace("|", " ")):  # one phrase or another: nothing to work out
            for way in pattern.split("|"):
                self._automaton.add_words("", number, words_in(way))
        else:
            self._automaton.add("", number, self._parse(pattern), _word)

    def kept(self) -> Block[int]:
        """All that was added, to be kept."""
        return self._automaton.block("")

    def take(self, ids: Iterable[str], vocabulary: Iterable[str], block: Block[int]) -> None:
        """What was kept, instead of adding it pattern by pattern."""
        self.ids = {name: number for number, name in enumerate(ids)}
        self.vocabulary = set(vocabulary)
        self._automaton.graft("", block)

    def _parse(self, pattern: str) -> Tree:
        if "<" in pattern:
            for symbol in symbols(pattern):
                if symbol.kind == "class" and symbol.name not in self._trees:
                    ways = tuple(self._parse(way) for way in self._patterns.get(symbol.name, ()))
                    self._trees[symbol.name] = Choice(ways, False)
        return parse(pattern, self._trees)

    def knows(self, word: str) -> bool:
        return word in self.vocabulary

    def is_common(self, word: str) -> bool:
        return word in self._never_slips

    def readings(self, word: Word) -> Readings:
        """The known words that this one may stand for."""
        low = word.low
        if low in self.vocabulary:
            return ((low, 0.0),)
        if word.bare in self.vocabulary:
            return ((word.bare, 0.05),)
        if low in self._never_slips or word.kind != "word":
            return ()
        found = self._remembered.get(low)
        if found is None:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            found = self._remembered[low] = self._corrected(low)
        return found

    def _corrected(self, low: str) -> Readings:
        """The known words that a misspelt word may mean. A missing letter may also be a missing accent."""
        if self._slips is None:
            accented = {bare(known): known for known in self.vocabulary if not known.isascii()}
            self._accented = {plain: known for plain, known in accented.items() if plain not in self.vocabulary}
            self._slips = Slips(self.vocabulary | self._accented.keys())
        near = [pair for pair in self._slips.suggest(low) if not self._is_form(low, pair[0])]
        return tuple((self._accented.get(known, known), _cost(low, slips)) for known, slips in near[:3])

    def _is_form(self, word: str, known: str) -> bool:
        """ "slides" is a form of "slide", and no slip of it."""
        return word.startswith(known) and self._stem(word) == self._stem(known)

    def edges(self, readings: Sequence[Readings]) -> list[Edges]:
        """For every position, what may begin there."""
        found: list[Edges] = [{} for _ in readings]
        root = self._automaton.start("")
        if root is not None:
            for at, here in enumerate(found):
                if readings[at]:
                    self._follow(root, readings, at, 0.0, here)
        return found

    def _follow(
        self,
        state: State[int],
        readings: Sequence[Readings],
        at: int,
        cost: float,
        found: Edges,
    ) -> None:
        for known, more in readings[at]:
            after = self._automaton.step(state, known)
            if after is None:
                continue
            for cls in after.labels:
                found.setdefault(cls, []).append((at + 1, cost + more))
            if at + 1 < len(readings) and readings[at + 1]:
                self._follow(after, readings, at + 1, cost + more, found)


def _word(symbol: Symbol) -> str:
    return symbol.name


def _cost(word: str, slips: int) -> float:
    """A slip in a short word leaves more doubt than one in a long word."""
    return slips * (1.1 if len(word) <= 3 else 0.5 if len(word) <= 5 else 0.35)


LONG = 9
_SHORT = 4  # in a word so short a slip may touch both its beginning and its end
_PATIENCE = 60_000  # comparisons; after that many the parts have paid for themselves


class Slips:
    """Suggests known words for an unknown one: by trying them all at first, by their parts once that pays."""

    def __init__(self, vocabulary: Iterable[str], shortest: int = 3) -> None:
        self._words = sorted(word for word in vocabulary if len(word) >= shortest and word.isalpha())
        self._patience = _PATIENCE

    def suggest(self, word: str) -> tuple[tuple[str, int], ...]:
        """Known words within reach, nearest first, with the number of slips."""
        if len(word) < 2 or len(word) > 24 or not word.isalpha():
            return ()
        most = 2 if len(word) >= LONG else 1
        near: Iterable[str] = self._words
        if self._patience > 0:
            self._patience -= len(self._words)
        else:
            near = self._near(word)
        slips = [(known, distance) for known, distance in all_within(most, word, near) if plausible(word, known)]
        return tuple(sorted(slips, key=lambda pair: (pair[1], pair[0][:1] != word[:1], pair[0])))

    def _near(self, word: str) -> list[str]:
        """The known words that share with this one what slips leave as it was."""
        parts = self._parts
        if len(word) <= _SHORT:
            return parts.get("", [])
        places = [f"{word[:2]}-", f"-{word[-2:]}", word[3:6] if len(word) >= LONG else ""]
        return list({known for place in places if place for known in parts.get(place, ())})

    def warm(self) -> None:
        """Be done with trying all words."""
        self._patience = 0
        self._near("")

    @cached_property
    def _parts(self) -> dict[str, list[str]]:
        """Known words by beginning, end and, as slips may move it by a letter, three middles; the short under none."""
        parts: dict[str, list[str]] = defaultdict(list)
        for known in self._words:
            parts[f"{known[:2]}-"].append(known)
            parts[f"-{known[-2:]}"].append(known)
            if len(known) > LONG - 3:
                for middle in {known[2:5], known[3:6], known[4:7]}:
                    parts[middle].append(known)
            if len(known) <= _SHORT + 1:
                parts[""].append(known)
        return parts


def plausible(word: str, known: str) -> bool:
    """In a short word a letter is left out or two change places; anything else makes another word ("vote", "tune")."""
    if len(known) > 4:
        return True
    return len(word) < len(known) or (len(word) == len(known) and sorted(word) == sorted(known))
