"""Reads a message with the learned reader: for each clause the act, the mood and the values, with probabilities.

"call mum tomorrow" → add_task at 0.98, title "call mum", due "tomorrow". The deterministic steps find the meaning of
the values (which day, which of the user's things). The likeliest tags are found for all words together.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import add, mul
from typing import NamedTuple

from sayso.decision import Decision
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.linking.focus import Scene
from sayso.engine.reader.features import MOST_WORDS, Extractor
from sayso.engine.reader.network import Network, Scores, Weights

NOTHING = "none"  # the act of a message that requests no tool
COMMAND = "command"
_MOST_CLAUSES = 6
_UNLIKELY = 0.02  # an act that is less likely is not considered
_POSSIBLE = 0.05  # a second act with this probability is tried if the first one is impossible
_REFUTING = 0.65  # and is believed no more than this, so that Sayso asks
_DIGITS = 4  # of a probability: beyond these, machines may differ


class Value(NamedTuple):
    """Words that fill a slot."""

    slot: str
    first: int
    last: int  # the word after them


class Prediction(NamedTuple):
    """The reader's result for one clause."""

    start: int
    end: int
    act: str
    chance: float  # the probability that the act is right
    mood: str
    values: tuple[Value, ...]
    certainty: float  # the probability that all values are right
    acts: dict[str, float]  # the probabilities of the acts that were considered
    other: Prediction | None = None  # the next likeliest tool, if one is likely


class Reader:
    """The learned reader of a pack."""

    def __init__(self, weights: Weights, takes: Mapping[str, Collection[str]]) -> None:
        """`takes`: the slots whose values each tool takes."""
        self._network = Network(weights)
        names = list(weights.slots)
        self._takes = {act: frozenset(names.index(slot) for slot in takes[act] if slot in names) for act in takes}
        self._acts, self._slots, self._tags = weights.acts, len(weights.slots), tags_for(weights.slots)
        self._classes = weights.classes
        self._extractors: dict[Grammar, Extractor] = {}

    def read(self, sheet: Sheet, scene: Scene) -> tuple[Prediction, ...]:
        """The clauses of a message in order; empty if the message has no words, or too many."""
        grammar = sheet.grammar
        count = len(sheet.words)
        if not 0 < count <= MOST_WORDS:
            return ()
        extract = self._extractors.get(grammar)
        if extract is None:
            extract = self._extractors[grammar] = Extractor(grammar, self._classes)
        scores = self._network(extract(sheet, scene))
        edges = [at for at, score in enumerate(scores.breaks) if score > 0 and at]
        if not edges or len(edges) >= _MOST_CLAUSES:
            return (self._prediction(scores, 0, count),)
        places = [0, *edges, count]
        return tuple(
            self._prediction(self._network(extract(sheet, scene, start, end)), start, end)
            for start, end in pairwise(places)
        )

    def _prediction(self, scores: Scores, start: int, end: int) -> Prediction:
        chances = _softmax(scores.acts)
        moods = {act.partition("/")[2]: chance for act, chance in zip(self._acts, chances, strict=True) if "/" in act}
        acts = {act: chance for act, chance in zip(self._acts, chances, strict=True) if "/" not in act}
        acts[NOTHING] = sum(moods.values())
        act = max(acts, key=acts.__getitem__)
        tagging = decode(scores.tags, self._slots)
        if not self._fits(act, tagging.path):
            act, acts, tagging = self._fitting(acts, scores.tags, tagging)
        mood = max(moods, key=moods.__getitem__) if act == NOTHING and moods else COMMAND
        values = tuple(_values([self._tags[tag] for tag in tagging.path], start))
        certainty = tagging.chance
        rounded = {name: round(chance, _DIGITS) for name, chance in acts.items()}
        found = Prediction(start, end, act, rounded[act], mood, values, round(certainty, _DIGITS), rounded)
        return found._replace(other=self._other(found, scores.tags))

    def _other(self, first: Prediction, tags: Sequence[Sequence[float]]) -> Prediction | None:
        """The second likeliest meaning of the clause. Its probability assumes that the first one is refuted."""
        likely = {act: chance for act, chance in first.acts.items() if act in self._takes and act != first.act}
        act = max(likely, key=likely.__getitem__, default=NOTHING)
        if first.act not in self._takes or likely.get(act, 0.0) < _POSSIBLE:
            return None
        tagging = decode(only(tags, self._takes[act], self._slots), self._slots)
        values = tuple(_values([self._tags[tag] for tag in tagging.path], first.start))
        chance = round(min(_REFUTING, likely[act] / (1 - first.chance)), _DIGITS)
        return first._replace(act=act, chance=chance, values=values, certainty=round(tagging.chance, _DIGITS))

    def _fits(self, act: str, path: Sequence[int]) -> bool:
        """Whether an act takes all values of a tagging. An act without a tool takes any value."""
        taken = self._takes.get(act)
        return taken is None or all((tag - 1) % self._slots in taken for tag in path if tag)

    def _fitting(
        self, acts: dict[str, float], tags: Sequence[Sequence[float]], free: Tagging
    ) -> tuple[str, dict[str, float], Tagging]:
        """The act and the tags that are likeliest together: each act is weighted by how well its own slots match."""
        found: dict[str, Tagging] = {}
        joint: dict[str, float] = {}
        for act, chance in acts.items():
            if chance < _UNLIKELY:
                continue
            taken = self._takes.get(act, frozenset())
            found[act] = decode(only(tags, taken, self._slots), self._slots)
            joint[act] = chance * math.exp(min(0.0, found[act].weight - free.weight))
        total = sum(joint.values()) or 1.0
        best = max(joint, key=joint.__getitem__)
        return best, {act: weight / total for act, weight in joint.items()}, found[best]


def _values(tags: Sequence[str], start: int) -> Iterator[Value]:
    first = -1
    for at, tag in enumerate((*tags, "O")):
        if first >= 0 and not tag.startswith("I-"):
            yield Value(tags[first][2:], start + first, start + at)
            first = -1
        if tag.startswith("B-"):
            first = at


def _softmax(scores: Sequence[float]) -> list[float]:
    most = max(scores)
    weights = [math.exp(score - most) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]


_NEVER = -1e9


def tags_for(slots: Sequence[str]) -> tuple[str, ...]:
    """The names of the tags: O, then B-slot for each slot, then I-slot."""
    return ("O", *(f"B-{slot}" for slot in slots), *(f"I-{slot}" for slot in slots))


class Tagging(NamedTuple):
    """The best tags of a message. `weight` is the log of the summed weight of all taggings that were allowed."""

    path: list[int]
    chance: float  # the probability that all tags are right
    weight: float


def only(scores: Sequence[Sequence[float]], slots: Collection[int], count: int) -> list[list[float]]:
    """The scores with those of all other slots ruled out; `count` is the number of slots."""
    allowed = {0, *(1 + slot for slot in slots), *(1 + count + slot for slot in slots)}
    return [[score if tag in allowed else _NEVER for tag, score in enumerate(row)] for row in scores]


def decode(scores: Sequence[Sequence[float]], slots: int) -> Tagging:
    """The best tags of the words and the probability that all of them are right."""
    first = slots + 1
    best = [*scores[0][:first], *[_NEVER] * slots]
    total, weight = _normalised(best)
    back: list[tuple[int, list[int]]] = []
    for row in scores[1:]:
        most = max(best)
        begun, on = best[1:first], best[first:]
        sources = [at + 1 if new > old else at + first for at, (new, old) in enumerate(zip(begun, on, strict=True))]
        back.append((best.index(most), sources))
        onward = [*[most] * first, *map(max, begun, on)]
        best = list(map(add, onward, row))
        # A value that begins or a word outside may follow anything, and `total` sums to one.
        here, share = _normalised(row)
        going_on = map(mul, map(add, total[1:first], total[first:]), here[first:])
        total = [*here[:first], *going_on]
        whole = sum(total)
        total = [each / whole for each in total]
        weight += share + math.log(whole)
    most = max(best)
    path = [best.index(most)]
    for source, sources in reversed(back):
        path.append(source if path[-1] < first else sources[path[-1] - first])
    return Tagging(path[::-1], math.exp(min(0.0, most - weight)), weight)


def _normalised(row: Sequence[float]) -> tuple[list[float], float]:
    """The weights of a row of scores, summing to one, and the log of their sum before."""
    most = max(row)
    weights = [math.exp(score - most) for score in row]
    whole = sum(weights)
    return [weight / whole for weight in weights], most + math.log(whole)


class Draft(NamedTuple):
    """The decisions of a prediction, with the probability that they are right."""

    prediction: Prediction
    decisions: tuple[Decision, ...]
    chance: float
