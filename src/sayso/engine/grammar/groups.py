"""Finds the names of groups of things, such as the lists that tasks are on.

"put the slides on my work list" names the list "work", and so does "move it to work" if such a list exists.
"my list" and "my to-do list" name no list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sayso.engine.grammar.pack import Naming
from sayso.engine.lexicon.lexicon import Edges
from sayso.engine.lexicon.words import Word, is_punctuation
from sayso.engine.text.tokens import shown


class Named(NamedTuple):
    """A group that is named by the words from start to end."""

    start: int
    end: int
    name: str
    by_noun: bool = True  # its noun is next to the name


class _Way(NamedTuple):
    """The `Naming` of one slot, prepared for comparison."""

    nouns: frozenset[str]
    before: frozenset[str]
    after: tuple[tuple[str, ...], ...]
    loose: tuple[tuple[str, ...], ...]
    called: tuple[tuple[str, ...], ...]
    kinds: frozenset[str]
    alone: frozenset[str]
    onto: tuple[tuple[str, ...], ...]
    never: frozenset[str]
    ends: frozenset[str]
    longest: int


class Groups:
    """Finds the names of groups in a message.

    A name does not extend back over a word of the classes `verbs`, does not start with one of `heads`, and contains
    none of `small`.
    """

    def __init__(
        self, named: Mapping[str, Naming], verbs: frozenset[int], heads: frozenset[int], small: frozenset[int]
    ) -> None:
        self._ways = {slot: _way(naming) for slot, naming in named.items()}
        self._verbs, self._heads, self._small = verbs, heads, small

    def of(self, slot: str, words: Sequence[Word], edges: Sequence[Edges]) -> Iterator[Named]:
        """Groups that are named together with their noun, or by a usual name without it ("to groceries"), in order."""
        way = self._ways.get(slot)
        if way is None:
            return
        for at, word in enumerate(words):
            if word.low in way.nouns:
                found = self._called(way, words, at) or self._before(way, words, edges, at)
                found = found or self._after(way, words, edges, at)
                if found is not None:
                    yield found
            elif self._is_alone(way, words, at):
                yield Named(at, at + 1, _text(words, at, at + 1))

    def has_noun(self, slot: str, lows: Sequence[str]) -> bool:
        way = self._ways.get(slot)
        return way is not None and not way.nouns.isdisjoint(lows)

    def known(self, slot: str, words: Sequence[Word], names: Mapping[str, str]) -> Iterator[Named]:
        """Where the name of an existing group occurs, with its noun if that is next to the name."""
        way = self._ways.get(slot)
        for found in _occurrences(words, names):
            start, end = (found.start, found.end) if way is None else _with_noun(way, words, found)
            yield Named(start, end, found.name, by_noun=end - start > found.end - found.start)

    def _is_alone(self, way: _Way, words: Sequence[Word], at: int) -> bool:
        """Whether a usual name comes last after a preposition: "add milk to groceries"."""
        ends = at + 1 == len(words) or is_punctuation(words[at + 1])
        return ends and words[at].low in way.alone and _precedes(words, at, way.onto)

    def _called(self, way: _Way, words: Sequence[Word], at: int) -> Named | None:
        """As in "a list called Summer trip"."""
        start = _past(words, at + 1, way.called)
        return self._forward(way, words, at, start, way.longest) if start > at + 1 else None

    def _before(self, way: _Way, words: Sequence[Word], edges: Sequence[Edges], at: int) -> Named | None:
        """As in "the summer trip list": the name starts after an article, a preposition, a verb or a pause."""
        first = at
        while first > 0 and not self._bounds(way, words[first - 1], edges[first - 1]):
            first -= 1
            if at - first > way.longest or words[first].low in way.never or _has(edges[first], self._small):
                return None
        if not way.before or first == at or (first and words[first - 1].low in way.never):
            return None
        return Named(first, at + 1, _text(words, first, at))

    def _bounds(self, way: _Way, word: Word, edges: Edges) -> bool:
        return word.low in way.before or (word.kind == "mark" and is_punctuation(word)) or _has(edges, self._verbs)

    def _after(self, way: _Way, words: Sequence[Word], edges: Sequence[Edges], at: int) -> Named | None:
        """As in "la lista del lavoro". Without an article, anything may follow: "in lista comprare il pane"."""
        strict = _past(words, at + 1, way.after)
        if strict > at + 1:
            return self._forward(way, words, at, strict, 1)
        start = _past(words, at + 1, way.loose) if way.loose else len(words)
        if start >= len(words) or not way.after:
            return None
        word = words[start]
        named = word.low in way.kinds or word.kind == "quote"
        if start == at + 1:
            named = named or word.text[:1].isupper() or self._is_last(words, edges, start)
        return self._forward(way, words, at, start, 1) if named else None

    def _is_last(self, words: Sequence[Word], edges: Sequence[Edges], start: int) -> bool:
        """Whether the word after the noun comes last, and is not a command."""
        ends = start + 1 == len(words) or is_punctuation(words[start + 1])
        return ends and not self._opens(edges, start - 1) and not _has(edges[start], self._verbs | self._heads)

    def _opens(self, edges: Sequence[Edges], at: int) -> bool:
        """Whether a verb is right in front of the noun and its preposition: "aggiungi alla lista | latte"."""
        return at < 2 or _has(edges[at - 2], self._verbs)

    def _forward(self, way: _Way, words: Sequence[Word], at: int, start: int, longest: int) -> Named | None:
        """The name that starts here: a quotation, up to `longest` words, or more words if all are capitalised."""
        end = start
        while end < len(words) and end - start < way.longest:
            word = words[end]
            proud = word.text[:1].isupper() and words[start].text[:1].isupper()
            if _ends_name(way, word) or (end - start >= longest and not proud):
                break
            end += 1
            if word.kind == "quote":
                break
        return Named(at, end, _text(words, start, end)) if end > start else None


def _occurrences(words: Sequence[Word], names: Mapping[str, str]) -> Iterator[Named]:
    if not names:
        return
    lows = [word.text.casefold() for word in words]
    firsts: dict[str, list[tuple[list[str], str]]] = {}
    for low, name in names.items():
        parts = low.split()
        firsts.setdefault(parts[0], []).append((parts, name))
    for at, low in enumerate(lows):
        for parts, name in firsts.get(low, ()):
            if lows[at : at + len(parts)] == parts:
                yield Named(at, at + len(parts), name)


def _with_noun(way: _Way, words: Sequence[Word], found: Named) -> tuple[int, int]:
    """The place of a name together with the noun before it ("lista di Pasqua") or after it ("the thesis list")."""
    start, end, lows = found.start, found.end, [word.low for word in words]
    if way.after:
        for phrase in ((), *way.after, *way.loose):
            at = start - len(phrase) - 1
            if at >= 0 and lows[at] in way.nouns and tuple(lows[at + 1 : start]) == phrase:
                return at, end
    if way.before and end < len(words) and lows[end] in way.nouns:
        return start, end + 1
    return start, end


def _ends_name(way: _Way, word: Word) -> bool:
    """Whether a word cannot be part of a name."""
    return word.low in way.never or word.low in way.ends or (word.kind == "mark" and is_punctuation(word))


def _has(edges: Edges, classes: frozenset[int]) -> bool:
    """Whether a word of one of these classes starts here, without a slip."""
    return any(ends[0][1] == 0 for cls, ends in edges.items() if cls in classes)


def _text(words: Sequence[Word], first: int, last: int) -> str:
    return shown(" ".join(word.text for word in words[first:last])).strip()


def _past(words: Sequence[Word], at: int, phrases: Sequence[tuple[str, ...]]) -> int:
    """The end of the longest of these phrases that starts here, or `at`."""
    found = at
    for phrase in phrases:
        end = at + len(phrase)
        if end > found and tuple(word.low for word in words[at:end]) == phrase:
            found = end
    return found


def _precedes(words: Sequence[Word], at: int, phrases: Sequence[tuple[str, ...]]) -> bool:
    """Whether one of these phrases ends right before this place, and other words come before the phrase."""
    lows = tuple(word.low for word in words[:at])
    return any(len(phrase) < at and lows[-len(phrase) :] == phrase for phrase in phrases)


def _way(naming: Naming) -> _Way:
    def phrases(texts: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(text.split()) for text in texts)

    return _Way(
        nouns=frozenset(naming.nouns),
        before=frozenset(naming.before),
        after=phrases(naming.after),
        loose=phrases(naming.loose),
        called=phrases(naming.called),
        kinds=frozenset(naming.kinds),
        alone=frozenset(naming.alone),
        onto=phrases(naming.onto),
        never=frozenset(naming.never),
        ends=frozenset(naming.ends),
        longest=naming.longest,
    )
