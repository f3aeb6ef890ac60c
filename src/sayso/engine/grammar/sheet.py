"""Holds a message as a grammar reads it, and stretches of its words.

Both know the classes of the words. Places count the words of the whole message, in a stretch as well. A
target is the thing that words are linked to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from sayso.decision import Source, Span
from sayso.engine.grammar.frames import Chunk, View
from sayso.engine.lexicon.lexicon import Edges
from sayso.engine.lexicon.words import Word
from sayso.engine.text.tokens import Text

if TYPE_CHECKING:
    from sayso.engine.grammar.grammar import Grammar

EXACT = 0.0  # the cost of the slips in a phrase that is spelt right
TYPOS = 0.9  # the maximum cost of a misspelt phrase
_COMMAND_TYPOS = 0.49  # the maximum cost of a misspelt command


class Bounded(Protocol):
    """A part of a message with a start and an end: a clause, a piece, a value."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


class Sheet(NamedTuple):
    """A message with everything that can be read word by word."""

    grammar: Grammar
    text: Text
    words: tuple[Word, ...]
    lows: list[str]
    edges: list[Edges]
    chunks: dict[int, list[Chunk]]
    skips: list[float]
    stems: tuple[str, ...]
    view: View
    linked: dict[tuple[Any, ...], Target]  # the targets of stretches that were linked
    groups: tuple[tuple[int, int], ...] = ()  # where existing groups are named with their noun

    @property
    def whole(self) -> Stretch:
        return Stretch(self, 0, len(self.words))

    def since(self, start: int) -> Stretch:
        """The words from here to the end of the message."""
        return Stretch(self, start, len(self.words))

    def over(self, part: Bounded) -> Stretch:
        """The words of a part of the message."""
        return Stretch(self, part.start, part.end)

    def within(self, span: Span) -> Stretch:
        """The words that are completely within these characters."""
        start, end = span
        inside = [at for at, word in enumerate(self.words) if start <= word.start and word.end <= end]
        return Stretch(self, inside[0], inside[-1] + 1) if inside else Stretch(self, 0, 0)

    def has(self, at: int, *names: str, slips: float = EXACT) -> int:
        """Where the longest phrase of one of these classes that begins here ends, or 0."""
        edges, longest = self.edges[at], 0
        if not edges:
            return longest
        wanted = self.grammar.sets.get(names) or self.grammar.together(names)
        if edges.keys().isdisjoint(wanted):  # nearly always true, and this is the most frequent check
            return longest
        for cls in wanted:
            if (found := edges.get(cls)) is not None:
                for end, cost in found:
                    if end > longest and cost <= slips:
                        longest = end
        return longest

    def tells(self, at: int) -> bool:
        """Whether a word has a meaning without others: it is not a mark, an article or the like."""
        return self.words[at].kind != "mark" and self.stems[at] not in self.grammar.little

    def first(self, places: Iterable[int], *names: str) -> int | None:
        """The first of these places where a phrase of one of these classes begins."""
        wanted, edges = self.grammar.sets.get(names) or self.grammar.together(names), self.edges
        for at in places:
            if not edges[at].keys().isdisjoint(wanted) and self.has(at, *names):
                return at
        return None

    def ends(self, at: int, *names: str, slips: float = EXACT) -> set[int]:
        """Where the phrases of these classes that begin here may end."""
        edges, ids = self.edges[at], self.grammar.cls
        return {end for name in names for end, cost in edges.get(ids[name], ()) if cost <= slips}

    def commands(self, at: int, slips: float = _COMMAND_TYPOS) -> bool:
        """Whether a command may begin here, with a word that tells something."""
        if self.stems[at] in self.grammar.little:
            return False
        begins = self.grammar.frames.begins
        return any(begins("command", cls) for cls, ends in self.edges[at].items() if ends[0][1] <= slips)

    def narrows(self, at: int) -> bool:
        """Whether a word here narrows the last list or continues the last action: "just", "also"."""
        return not self.grammar.narrowing.isdisjoint(self.edges[at])

    def vouches(self, at: int) -> bool:
        """Whether a text that begins here is of the pack's kind."""
        names, count = self.grammar.book.vouches, len(self.words)
        while names and at < count and self.stems[at] in self.grammar.little:
            at += 1
        return bool(names) and at < count and bool(self.has(at, *names))

    def continues(self, at: int) -> bool:
        """Whether a sentence that begins here continues the request before it."""
        names = self.grammar.book.continues
        return bool(names) and bool(self.has(at, *names, slips=TYPOS))


class Stretch(NamedTuple):
    """The words of a message from `start` up to `end`."""

    sheet: Sheet
    start: int
    end: int

    @property
    def places(self) -> range:
        return range(self.start, self.end)

    @property
    def words(self) -> tuple[Word, ...]:
        return self.sheet.words[self.start : self.end]

    @property
    def span(self) -> Span:
        """Where it starts and ends in the characters of the message."""
        words = self.sheet.words
        return words[self.start].start, words[self.end - 1].end

    @property
    def text(self) -> str:
        """The message here, without the parts that were taken back."""
        return self.sheet.text.said(*self.span)

    @property
    def chunks(self) -> Iterator[Chunk]:
        """The values that begin in it."""
        return (chunk for at in self.places for chunk in self.sheet.chunks.get(at, ()))

    def narrowed(self, start: int | None = None, end: int | None = None) -> Stretch:
        """A part of it; a bound that is not given stays."""
        return Stretch(self.sheet, self.start if start is None else start, self.end if end is None else end)

    def first(self, *names: str) -> int | None:
        """The first place where a phrase of one of these classes begins."""
        return self.sheet.first(self.places, *names)

    def holds(self, *names: str) -> bool:
        """Whether a phrase of one of these classes begins anywhere in it."""
        return self.sheet.first(self.places, *names) is not None


Problem = Literal["missing", "ambiguous", "not_found", "bulk"]
Allowed = Callable[[str], bool]


class Target(NamedTuple):
    """The result of linking: ids if it is settled, else a problem and the options to offer."""

    ids: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    problem: Problem | None = None
    source: Source = "message"
    certainty: float = 1.0
    span: Span | None = None
    said: str = ""
    pronoun: bool = False
    lost: tuple[str, ...] = ()  # names beside the ids that no thing has
