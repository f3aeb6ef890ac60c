"""Tells how far the probabilities of a reader can be believed, on the batches that are kept out of training.

    python -m training.trust                          # the weights that ship
    python -m training.trust --weights A.bin B.bin    # others, one table each
    python -m training.trust --batches FOLDER         # batches that are elsewhere than in the corpus

For each tool: how many calls a threshold lets through, how many of them are wrong in act or values, and the exact upper
bound (Clopper-Pearson, 95 %) of that share. Then the mean distance between probability and share (ECE), for the act and
for act and values together, and the shares that are right. The weights are run as the engine runs them, on integers.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sayso.engine.reader.network import Network, Weights, weights_of
from sayso.engine.reader.read import decode, tags_for
from sayso.packs.load import READER, pack_folder
from training.examples import Example, examples_of, spans_of
from training.notation import NOTHING, batches
from training.split import LANGUAGES, rules, split_of, stored, titles_of

_THRESHOLDS = (0.8, 0.85, 0.9, 0.95)
_BINS = 10


class Judged(NamedTuple):
    """What a reader says of one message, and whether that is right."""

    act: str  # "none" for all moods of it
    chance: float  # of the act
    whole: float  # of act and values
    wanted: str
    act_right: bool
    right: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, nargs="+", default=[pack_folder("tasks") / READER])
    parser.add_argument("--thresholds", type=float, nargs="+", default=_THRESHOLDS)
    parser.add_argument("--batches", type=Path, help="a folder of batches to measure on")
    chosen = parser.parse_args()
    for path in chosen.weights:
        weights = weights_of(path.read_bytes())
        for language, each in _examples(chosen.batches, weights.classes).items():
            found = list(judged(weights, each))
            print("\n".join([f"{path.name}, {language}", *report(found, chosen.thresholds)]), flush=True)
    return 0


def _examples(folder: Path | None, classes: tuple[str, ...]) -> dict[str, list[Example]]:
    """The examples by language, and all of them."""
    split = split_of("tasks")
    if folder is None:
        found = stored(split).held_out
    else:
        found = {language: [] for language in LANGUAGES}
        for batch in (one for one in batches(folder) if one.pack == "tasks"):
            found[batch.language] += examples_of(batch, rules(), titles_of(split.train, batch.language), classes)
    return found | {"all": [one for each in found.values() for one in each]}


def judged(weights: Weights, examples: Sequence[Example]) -> Iterator[Judged]:
    """The predictions for the messages of one act."""
    network, names = Network(weights), tags_for(weights.slots)
    for one in examples:
        if one.act is None or one.tags is None:
            continue
        scores = network(one.features)
        most = max(scores.acts)
        shares = [math.exp(score - most) for score in scores.acts]
        chances: dict[str, float] = {}
        for act, share in zip(weights.acts, shares, strict=True):
            chances[_merged(act)] = chances.get(_merged(act), 0.0) + share / sum(shares)
        act = max(chances, key=chances.__getitem__)
        tagging = decode(scores.tags, len(weights.slots))
        known = act == _merged(one.act)
        same = spans_of([names[tag] for tag in tagging.path]) == spans_of(one.tags)
        yield Judged(act, chances[act], chances[act] * tagging.chance, _merged(one.act), known, known and same)


def _merged(act: str) -> str:
    return "none" if act in NOTHING else act


def report(found: Sequence[Judged], thresholds: Sequence[float]) -> Iterator[str]:
    """A Markdown table of the tools and thresholds, and the calibration."""
    yield f"| tool | {' | '.join(f'from {least:.2f}: calls, wrong, bound' for least in thresholds)} |"
    yield f"|{'---|' * (len(thresholds) + 1)}"
    tools = sorted({one.act for one in found} - {"none"})
    for name, acts in (*((tool, [tool]) for tool in tools), ("all", tools)):
        cells: list[str] = []
        for least in thresholds:
            run = [one for one in found if one.act in acts and one.whole >= least]
            wrong = sum(not one.right for one in run)
            cells.append(f"{len(run)}, {wrong}, {100 * upper_bound(wrong, len(run)):.1f} %")
        yield f"| {name} | {' | '.join(cells)} |"
    calls = [one for one in found if one.act != "none"]
    act = calibration([(one.chance, one.act_right) for one in found])
    whole = calibration([(one.whole, one.right) for one in calls])
    yield f"ECE of the act {act:.3f}, of act and values {whole:.3f}"
    wanted = [one.right for one in found if one.wanted != "none"]
    shares = [100 * sum(each) / max(1, len(each)) for each in ([one.act_right for one in found], wanted)]
    yield f"{len(found)} examples: act right {shares[0]:.1f} %, act and values {shares[1]:.1f} %"


def upper_bound(wrong: int, count: int, level: float = 0.95) -> float:
    """The largest share of wrong ones that so few among so many leave possible: exact, one-sided."""
    if wrong >= count:
        return 1.0
    low, high = wrong / count, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(wrong, count, middle) > 1 - level else (low, middle)
    return high


def _at_most(wrong: int, count: int, share: float) -> float:
    """The probability of no more than so many wrong ones, where this share is wrong in the long run."""
    ways = (math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in range(wrong + 1))
    logs = (way + k * math.log(share) + (count - k) * math.log1p(-share) for k, way in enumerate(ways))
    return math.fsum(map(math.exp, logs))


def calibration(pairs: Sequence[tuple[float, bool]]) -> float:
    """The mean distance between probability and share of right ones, over bins of equal width."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for chance, right in pairs:
        bins[min(_BINS - 1, int(chance * _BINS))].append((chance, right))
    return sum(abs(sum(chance - right for chance, right in each)) for each in bins) / max(1, len(pairs))


if __name__ == "__main__":
    sys.exit(main())
