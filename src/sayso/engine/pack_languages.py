"""Decides which of the pack's languages a message is in.

"add comprare il basilico" is an English command about Italian shopping. A word counts for a language if no other has
it: in the message most, in earlier turns less, in the names of things least. If the words do not decide, a hint does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sayso.case import Case
from sayso.engine.decide.trained import Trained
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.reader.compare import Trust
from sayso.engine.reader.read import Reader
from sayso.engine.text.tokens import Text, normalise, plain_words

if TYPE_CHECKING:
    from sayso.engine.linking.inventory import StockCache
    from sayso.engine.linking.units import Unit

_SHARE = 0.5  # another language is tried if it has at least half as many words that are only its own
LAST_SHARE = 0.3  # the same, if nothing was understood
_HINT = 1.2  # the weight of a hint, or of the language so far: more than one word that only another language has
_BEFORE = 0.15  # a word of an earlier turn
_TURNS = 3
_SHORT = 60  # tokens of a message that may be tried in a second language
_NAMES = 50_000  # names that are cached as units
_THING = 0.03  # a word of a thing's name


class PackLanguage(NamedTuple):
    """A language of a pack: its telling words, and a function that builds its grammar on demand."""

    words: frozenset[str]
    make: Callable[[], Grammar]


class PackLanguages:
    """The languages of a pack. A grammar is built when a message first needs it."""

    def __init__(
        self,
        languages: Mapping[str, PackLanguage],
        trained: Trained | None = None,
        reader: Callable[[], Reader | None] = lambda: None,
        trust: Trust | None = None,
    ) -> None:
        self.trained = trained or Trained()
        self.trust = trust or Trust()
        self._load_reader = reader
        self._languages = dict(languages)
        self._grammars: dict[str, Grammar] = {}
        self._names: dict[str, tuple[Unit, ...]] = {}
        self._stock_cache: StockCache | None = None
        self._own = {
            tag: _written(language.words.difference(*(other.words for name, other in languages.items() if name != tag)))
            for tag, language in languages.items()
        }

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(self._languages)

    @cached_property
    def reader(self) -> Reader | None:
        """The learned reader, if its weights are installed; loaded when a message first needs it."""
        return self._load_reader()

    def grammar(self, tag: str) -> Grammar:
        found = self._grammars.get(tag)
        if found is None:
            found = self._grammars[tag] = self._languages[tag].make()
        return found

    def has_parts(self, tag: str) -> bool:
        """Whether the pack's things have their own parts."""
        return any(kind.parts for kind in self.grammar(tag).pack.entities.values())

    def stock_cache(self, tag: str) -> StockCache:
        """The cache of the users' items."""
        from sayso.engine.linking.inventory import StockCache  # noqa: PLC0415  only packs whose things have parts wait for it

        if self._stock_cache is None:
            self._stock_cache = StockCache(self.grammar(tag).pack.entities, self.read_name)
        return self._stock_cache

    def read_name(self, text: str) -> tuple[Unit, ...]:
        """The units of a name, in any language of the pack."""
        from sayso.engine.linking.units import named  # noqa: PLC0415  only packs whose things have parts wait for it

        found = self._names.get(text)
        if found is None:
            if len(self._names) >= _NAMES:
                self._names.clear()
            found = self._names[text] = named([self.grammar(tag) for tag in self._languages], text)
        return found

    def rank(self, case: Case, text: Text, share: float = _SHARE) -> list[str]:
        """The languages that a message may be in, likeliest first. Others need at least this share of its words."""
        tags = list(self._own)
        if len(tags) < 2:
            return tags
        said = dict.fromkeys(tags, 0.0)
        self._count(said, [token.low for token in text.tokens], 1.0)
        first, *others = self._in_order(case, said)
        if len(text.tokens) > _SHORT:  # a message of this length is in one language
            return [first]
        least = max(1.0, share * said[first]) if any(said.values()) else 0.0  # no word tells: "cancellala"
        return [first, *(tag for tag in others if said[tag] >= least)]

    def _in_order(self, case: Case, said: Mapping[str, float]) -> list[str]:
        """All languages, likeliest first. The answer to a question may be in another language than the question."""
        scores = self._with_surroundings(case, said)
        ordered = sorted(said, key=scores.__getitem__, reverse=True)
        spoken = max(said, key=said.__getitem__)
        if case.pending is not None and said[spoken] and not said[ordered[0]]:
            return [spoken, *(tag for tag in said if tag != spoken)]
        return ordered

    def _with_surroundings(self, case: Case, said: Mapping[str, float]) -> dict[str, float]:
        """The score of each language: its words, the hint of the case, and, if the scores are close, the earlier turns
        and the names of the user's things."""
        scores = dict(said)
        hint = (case.lang or "").split("-")[0].casefold()
        if hint in scores:
            scores[hint] += _HINT
        if _close(scores):
            for turn in case.history[-_TURNS:]:
                self._count(scores, _lows(turn.content[:300]), _BEFORE)
        if _close(scores):
            for entity in case.entities[:20]:
                for value in (entity.text("title"), entity.text("name")):
                    self._count(scores, _lows(value[:100]), _THING)
        return scores

    def tells(self, tag: str, text: Text) -> bool:
        """Whether some word of a message is only in this language."""
        return any(token.low in self._own[tag] for token in text.tokens)

    def _count(self, scores: dict[str, float], lows: Sequence[str], weight: float) -> None:
        first = lows[:60]
        for tag, words in self._own.items():
            for _ in filter(words.__contains__, first):
                scores[tag] += weight


def _written(words: frozenset[str]) -> frozenset[str]:
    """The words without figures and marks: one language may use them for words ("2 do"), but people use them in all."""
    return words.difference([word for word in words if not any(letter.isalpha() for letter in word)])


def _lows(text: str) -> list[str]:
    return plain_words(text) or [token.low for token in normalise(text).tokens]


def _close(scores: dict[str, float]) -> bool:
    best, second = sorted(scores.values(), reverse=True)[:2]
    return best - second < 1
