"""Holds what training gives a pack: the gate, and how a score becomes a probability."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from zlib import crc32

import msgspec

from sayso.engine.text.tokens import MARK, QUOTE, Token

Line = tuple[float, float]  # offset and slope, over log odds
_LEAST, _MOST = 0.01, 0.99


class Training(msgspec.Struct, frozen=True, kw_only=True):
    """trained.json."""

    gate: Weights
    confidence: dict[str, Line] = {}


class Trained:
    """The result of training, ready for use. Without training it changes nothing."""

    def __init__(self, training: Training | None = None) -> None:
        self.gate = Gate(training.gate) if training else None
        self._lines = training.confidence if training else {}

    def probability(self, language: str, score: float, edges: tuple[float, ...]) -> float:
        """The share of decisions with such a score that are right. It stays between the edges around the score: the
        decision depends on them, and was made before."""
        line = self._lines.get(language)
        if line is None:
            return score
        known = min(max(score, _LEAST), _MOST)
        likely = 1 / (1 + math.exp(-(line[0] + line[1] * math.log(known / (1 - known)))))
        low = max((edge for edge in edges if edge <= score), default=_LEAST)
        high = min((edge - 0.001 for edge in edges if edge > score), default=_MOST)
        return round(min(max(likely, low), high), 3)


MOST_LITERAL = 4  # words of a frame that count
_KEPT = 20_000  # words whose features are kept
_READ = 60  # words of a message that are looked at
_TELLING = "?!:"
_FLAT = str.maketrans("123456789", "000000000")
_SHORT, _LONG = 3, 5  # runs of letters


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """The result of training. `table` holds one signed byte for each feature."""

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
        """The probability that a reading based only on words is for us. Its frame names `literal` of the words."""
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
    """The message as the model sees it: words without accents, all figures alike, a quotation as a single mark."""
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
