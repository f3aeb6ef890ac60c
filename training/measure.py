"""Measures a network on examples that it was not fitted to: acts, values, titles, clause boundaries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch

from sayso.engine.reader.sequence import decode, tags_for
from training.examples import Example, spans_of
from training.network import Network, inputs_of


class Predicted(NamedTuple):
    """What the network says of one message."""

    acts: dict[str, float]  # all moods of no tool together
    tags: list[str]
    breaks: list[bool]


def predict(network: Network, examples: Sequence[Example]) -> Iterator[Predicted]:
    """The predictions for examples, in order."""
    network.eval()
    names = tags_for(network.shape.slots)
    with torch.no_grad():
        for at in range(0, len(examples), 256):
            part = examples[at : at + 256]
            acts, tags, breaks = network(inputs_of([one.features for one in part], network.shape))
            for row, one in enumerate(part):
                count = len(one.features.words)
                path, _, _ = decode(tags[row, :count].tolist(), len(network.shape.slots))
                chances: dict[str, float] = defaultdict(float)
                for act, chance in zip(network.shape.acts, acts[row].softmax(0).tolist(), strict=True):
                    chances[merged(act)] += chance
                yield Predicted(dict(chances), [names[tag] for tag in path], (breaks[row, :count] > 0).tolist())


def merged(act: str) -> str:
    return "none" if act.startswith("none") else act


def score(network: Network, examples: Sequence[Example]) -> dict[str, float]:
    """The shares that are right, in per cent."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for one, said in zip(examples, predict(network, examples), strict=True):
        if one.act is not None:
            act = max(said.acts, key=said.acts.__getitem__) == merged(one.act)
            counts["act"].append(act)
            if one.tags is not None:
                right = spans_of(one.tags) == spans_of(said.tags)
                if merged(one.act) != "none":
                    counts["values"].append(right)
                    counts["act and values"].append(right and act)
                if one.act == "add_task":
                    titles = [[s for s in spans_of(tags) if s[0] == "title"] for tags in (one.tags, said.tags)]
                    counts["title"].append(titles[0] == titles[1])
        if one.breaks is not None and any(one.breaks):
            counts["several"].append([bool(b) for b in one.breaks] == said.breaks)
    return {name: round(100 * sum(right) / len(right), 1) for name, right in counts.items()}
