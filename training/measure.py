"""Measures a network on examples that it was not fitted to: acts, values, titles, clause boundaries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import torch

from sayso.engine.reader.read import decode, tags_for
from training.examples import Example, spans_of
from training.network import Network, inputs_of
from training.split import LANGUAGES

_COLUMNS = ("act", "title", "act and values")


class Predicted(NamedTuple):
    """What a model says of one message. What it does not say is None."""

    acts: dict[str, float]  # all moods of no tool together
    tags: list[str] | None = None
    breaks: list[bool] | None = None


def predict(network: Network, examples: Sequence[Example]) -> Iterator[Predicted]:
    """The predictions for examples, in order."""
    network.eval()
    names = tags_for(network.shape.slots)
    with torch.no_grad():
        for at in range(0, len(examples), 256):
            part = examples[at : at + 256]
            acts, tags, breaks = network(inputs_of([one.features for one in part], network.shape))
            for number, one in enumerate(part):
                count = len(one.features.words)
                path, _, _ = decode(tags[number, :count].tolist(), len(network.shape.slots))
                chances = together(network.shape.acts, acts[number].softmax(0).tolist())
                yield Predicted(chances, [names[tag] for tag in path], (breaks[number, :count] > 0).tolist())


def together(acts: Sequence[str], chances: Sequence[float]) -> dict[str, float]:
    """The probabilities of the acts, all moods of no tool together."""
    found: dict[str, float] = defaultdict(float)
    for act, chance in zip(acts, chances, strict=True):
        found[merged(act)] += chance
    return dict(found)


def merged(act: str) -> str:
    return "none" if act.startswith("none") else act


def score(network: Network, examples: Sequence[Example]) -> dict[str, float]:
    """The shares that a network gets right, in per cent."""
    return shares(examples, predict(network, examples))


def shares(examples: Sequence[Example], predicted: Iterable[Predicted]) -> dict[str, float]:
    """The shares of predictions that are right, in per cent."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for one, said in zip(examples, predicted, strict=True):
        if one.act is not None:
            act = max(said.acts, key=said.acts.__getitem__) == merged(one.act)
            counts["act"].append(act)
            if one.tags is not None and said.tags is not None:
                right = spans_of(one.tags) == spans_of(said.tags)
                if merged(one.act) != "none":
                    counts["values"].append(right)
                    counts["act and values"].append(right and act)
                if one.act == "add_task":
                    titles = [[s for s in spans_of(tags) if s[0] == "title"] for tags in (one.tags, said.tags)]
                    counts["title"].append(titles[0] == titles[1])
        if one.breaks is not None and said.breaks is not None and any(one.breaks):
            counts["several"].append([bool(b) for b in one.breaks] == said.breaks)
    return {name: round(100 * sum(right) / len(right), 1) for name, right in counts.items()}


def header(first: str) -> str:
    """The head of a Markdown table of shares; `first` names its rows."""
    columns = [first, *(f"{share}, {language}" for share in _COLUMNS for language in LANGUAGES)]
    return f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}"


def row(name: str, found: Mapping[str, Mapping[str, float]]) -> str:
    """A row of that table: the shares by language; those that were not measured are a dash."""
    cells = (found[language].get(share) for share in _COLUMNS for language in LANGUAGES)
    return f"| {' | '.join([name, *('–' if cell is None else f'{cell:.1f}' for cell in cells)])} |"
