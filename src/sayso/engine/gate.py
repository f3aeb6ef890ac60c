"""Gate: how likely a message is meant for this pack at all, by a small linear model over its words and their letters.

"add john to my contacts" reads like a new task, but people who talk about contacts seldom mean their tasks. The gate
only ever takes belief away: a reading that rests on words alone becomes a question, or nothing.

The model is a table of weights. A word's own part (the word and its runs of three to five letters) is worked out when
the word is first met and kept, so a message costs a few look-ups a word.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from zlib import crc32

import msgspec

from sayso.engine.normalise import MARK, QUOTE, Token

MOST_LITERAL = 4  # words of a frame that count
_KEPT = 20_000  # words whose part is kept
_READ = 60  # words of a message that are looked at
_TELLING = "?!:"
_FLAT = str.maketrans("123456789", "000000000")
_SHORT, _LONG = 3, 5  # runs of letters


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """What training found. `table` holds one signed byte for each feature."""

    scale: float
    bias: float
    line: tuple[float, float, float]  # to the odds that a reading is ours: offset, by score, by word of its frame
    table: bytes


class Gate:
    """Scores messages with the weights of one pack."""

    def __init__(self, weights: Weights) -> None:
        self._table = memoryview(weights.table).cast("b")
        self._mask = len(weights.table) - 1
        self._scale, self._bias, self._line = weights.scale, weights.bias, weights.line
        self._words: dict[str, int] = {}

    def score(self, tokens: Sequence[Token]) -> float:
        """The log odds that the message is for this pack."""
        words = words_of(tokens)
        if not words:
            return self._bias
        total = sum(map(self._of_word, words)) + sum(self._at(feature) for feature in around(words))
        return self._bias + self._scale * total / math.sqrt(len(words))

    def belief(self, tokens: Sequence[Token], literal: int) -> float:
        """The probability that a reading which rests on words alone is for us; its frame names so many of them."""
        offset, by_score, by_word = self._line
        return 1 / (1 + math.exp(-(offset + by_score * self.score(tokens) + by_word * min(literal, MOST_LITERAL))))

    def _of_word(self, word: str) -> int:
        known = self._words.get(word)
        if known is None:
            if len(self._words) >= _KEPT:
                self._words.clear()
            known = self._words[word] = sum(map(self._at, within(word)))
        return known

    def _at(self, feature: str) -> int:
        return self._table[crc32(feature.encode("utf-8", "surrogatepass")) & self._mask]


def words_of(tokens: Sequence[Token]) -> list[str]:
    """What the model sees of a message: words without accents, all figures alike, a quotation as a mark of its own."""
    found: list[str] = []
    for token in tokens[:_READ]:
        if token.kind == QUOTE:
            found.append('"')
        elif token.kind != MARK or token.low in _TELLING:
            found.append(token.bare.translate(_FLAT)[:30])
    return found


def within(word: str) -> Iterator[str]:
    """The features of one word: itself, and its runs of letters."""
    yield f"w{word}"
    edged = f"^{word}$"
    for size in range(_SHORT, _LONG + 1):
        for at in range(len(edged) - size + 1):
            yield f"c{edged[at : at + size]}"


def around(words: Sequence[str]) -> Iterator[str]:
    """The features of words beside each other: two, and three."""
    before, last = "^", ""
    for word in (*words, "$"):
        yield f"b{before} {word}"
        if last:
            yield f"t{last} {before} {word}"
        last, before = before, word
