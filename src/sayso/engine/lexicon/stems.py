"""Reduces words to stems, so that "vaccinated" matches "Vaccinate"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sayso.engine.lexicon.language import Stemming
from sayso.engine.text.tokens import MARK, bare, normalise, plain_words

_REMEMBERED = 50_000
_LONGEST = 400  # characters of a text that are looked at
_PLAIN = 200  # characters of a text so short that none of its words is beyond the limits
_PARTS = re.compile(r"[\s'-]+")


class Stems:
    """A stemmer made from a language's rules."""

    def __init__(self, rules: Stemming, synonyms: Mapping[str, Sequence[str]] | None = None) -> None:
        self._endings = tuple(sorted(rules.endings, key=lambda pair: -len(pair[0])))
        self._shortest = rules.shortest
        self._vowels = frozenset(rules.vowels)
        self._irregular = {bare(word): bare(stem) for word, stem in rules.irregular.items()}
        for same, words in (synonyms or {}).items():
            self._irregular.update((bare(word), bare(same)) for word in words)
        self._remembered: dict[str, str] = {}
        self._texts: dict[str, tuple[str, ...]] = {}

    def stem(self, word: str) -> str:
        found = self._remembered.get(word)
        if found is None:
            found = self._cut(bare(word))
            if len(word) <= _PLAIN:
                if len(self._remembered) >= _REMEMBERED:
                    self._remembered.clear()
                self._remembered[word] = found
        return found

    def of(self, text: str) -> tuple[str, ...]:
        """The stems of a text's words, such as a title's."""
        text = text[:_LONGEST]
        found = self._texts.get(text)
        if found is None:
            if len(self._texts) >= _REMEMBERED:
                self._texts.clear()
            known = self._remembered
            found = self._texts[text] = tuple([known.get(word) or self.stem(word) for word in _words(text)])
        return found

    def _cut(self, word: str) -> str:
        own = self._irregular.get(word)
        if own is not None:
            word = own
        for ending, replacement in self._endings:
            left = word[: len(word) - len(ending)]
            if word.endswith(ending) and len(left) >= self._shortest and not self._vowels.isdisjoint(left):
                word = word[: len(word) - len(ending)] + replacement
                break
        if len(word) > self._shortest and word[-1] == word[-2] and (len(word) > 5 or word[-1] not in "sl"):
            word = word[:-1]  # "dropp" from "dropped"; but not "call"
        return word


def _words(text: str) -> list[str]:
    """The words of a text, without what joins them."""
    if len(text) <= _PLAIN:
        # a sign at the edge of a word joins nothing: there it leaves an empty word, and the text is not plain
        plain = plain_words(text.replace(", ", " ").replace("'", " ").replace("’", " ").replace("-", " "))
        if plain is not None:
            return plain
    tokens = normalise(text).tokens
    return [part for token in tokens if token.kind != MARK for part in _PARTS.split(token.low) if part]
