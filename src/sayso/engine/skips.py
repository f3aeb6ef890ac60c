"""Skips: what it costs a frame to pass over a word that it does not name. A filler costs next to nothing, a negation
can never be passed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sayso.engine.lexicon import Edges
from sayso.engine.words import Word

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
    """The costs of the words of a language, by the classes they are of."""

    def __init__(self, cls: Mapping[str, int]) -> None:
        costs = {cls[name]: _FUNCTION_SKIP for name in FUNCTION}
        costs |= {cls[name]: _SMALL_SKIP for name in (*SMALL, "address")}
        costs |= {cls[name]: _POINT_SKIP for name in POINTING}
        costs[cls["negation"]] = _NEVER
        self._costs, self._article = costs, cls["article"]

    def of(self, words: Sequence[Word], edges: list[Edges]) -> list[float]:
        """What each of the words costs."""
        kinds = {"mark": _MARK_SKIP, "quote": _QUOTE_SKIP, "word": _WORD_SKIP}
        skips = [kinds[word.kind] for word in words]
        costs, article = self._costs, self._article
        for at, here in enumerate(edges):
            for cls in costs.keys() & here.keys():
                for end, slips in here[cls]:
                    if slips == 0 or (slips < 0.5 and not (at and article in edges[at - 1])):
                        _lower(skips, at, end, costs[cls])  # after an article, what is nearly a filler is a name
        return skips


def _lower(skips: list[float], start: int, end: int, cost: float) -> None:
    if cost == _NEVER:
        skips[start] = cost
        return
    for at in range(start, end):
        if skips[at] != _NEVER:
            skips[at] = min(skips[at], cost)
