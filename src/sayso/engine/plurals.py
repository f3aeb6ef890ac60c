"""Plurals: whether words speak of several things, and what one of them is called. The endings are the language's.

"lights" speaks of each "light"; "glass" speaks of one thing, for there is no "glas".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_REMEMBERED = 20_000


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
        """What one is called of those that a phrase speaks of; of a concept's phrase, only words that are known."""
        found = self._remembered.get(phrase)
        if found is None:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            found = self._remembered[phrase] = frozenset(self._forms(phrase))
        named = [self._concepts.get(key[2:], ()) for key in keys if key.startswith("c:")] if found else []
        own = frozenset(form for form in found if any(form in names for names in named))
        return own or frozenset(filter(self._known, found)) if named else found

    def _forms(self, phrase: str) -> Iterator[str]:
        """With its first or its last word for one: "garage doors", "porte scorrevoli"."""
        head, _, last = phrase.rpartition(" ")
        first, _, tail = phrase.partition(" ")
        yield from (f"{head} {form}".strip() for form in self._singular(last))
        yield from (f"{form} {tail}" for form in self._singular(first) if tail)

    def _singular(self, word: str) -> Iterator[str]:
        for ending, one in self._endings:
            if word.endswith(ending) and len(word) > len(ending) + 1:
                yield word[: len(word) - len(ending)] + one
