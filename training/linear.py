"""A linear model of the acts on the same split: what the reader's network is worth beyond n-grams.

    python -m training.linear
    python -m training.linear --messages 10000

The act is a softmax over the sum of the rows of a table: a row for each word, run of letters, pair and triple of words
and flag of the message. Prints a Markdown table for the held-out batches.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from zlib import crc32

import torch
from torch import Tensor, nn
from torch.nn import functional

from sayso.engine.reader.features import Features, runs_of
from training.curve import examples_of_sample
from training.examples import Example
from training.measure import Predicted, header, row, shares, together
from training.split import split_of, stored

_ROWS = 1 << 20
_BATCH = 512


class Linear(nn.Module):
    """Scores of the acts, from rows of hashed features."""

    def __init__(self, acts: Sequence[str]) -> None:
        super().__init__()
        self.acts = tuple(acts)
        self.table = nn.EmbeddingBag(_ROWS, len(acts), mode="sum", sparse=True)
        nn.init.zeros_(self.table.weight)

    def forward(self, rows: Sequence[Tensor]) -> Tensor:
        counts = torch.tensor([len(one) for one in rows])
        starts = counts.cumsum(0) - counts
        weights = counts.to(torch.float).rsqrt().repeat_interleave(counts)
        scores: Tensor = self.table(torch.cat(list(rows)), starts, per_sample_weights=weights)
        return scores

    def predict(self, examples: Sequence[Example]) -> Iterator[Predicted]:
        """The predictions for examples, in order."""
        with torch.no_grad():
            for at in range(0, len(examples), _BATCH):
                scores = self([row_of(one.features) for one in examples[at : at + _BATCH]])
                yield from (Predicted(together(self.acts, chances)) for chances in scores.softmax(1).tolist())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=40_000, help="how many; at most all messages are taken")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    split = split_of("tasks")
    data = stored(split)
    examples, messages = examples_of_sample(split, data, chosen.messages, chosen.seed)
    model = fit(examples, chosen.epochs, chosen.seed)
    print(header("messages"))
    print(
        row(f"{messages:,}", {language: shares(each, model.predict(each)) for language, each in data.held_out.items()})
    )
    return 0


def fit(examples: Sequence[Example], epochs: int, seed: int, rate: float = 0.05) -> Linear:
    """A linear model that was shown the examples so many times."""
    known = [(row_of(one.features), one.act) for one in examples if one.act is not None]
    model, dice = Linear(sorted({act for _, act in known})), random.Random(seed)
    numbers = {act: number for number, act in enumerate(model.acts)}
    optimiser = torch.optim.SparseAdam(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.02, epochs * -(-len(known) // _BATCH))
    for _ in range(epochs):
        dice.shuffle(known)
        for at in range(0, len(known), _BATCH):
            rows, acts = zip(*known[at : at + _BATCH], strict=True)
            loss = functional.cross_entropy(model(rows), torch.tensor([numbers[act] for act in acts]))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return model


def row_of(features: Features) -> Tensor:
    """The features of a message: rows of the table."""
    words = ["^", *features.words, "$"]
    found = {run for word in features.words for run in _runs(word)}
    for size in (2, 3):
        found |= {_hashed(f"{size} {' '.join(words[at : at + size])}") for at in range(len(words) - size + 1)}
    found |= {_hashed(f"context {flag}") for flag in features.context}
    return torch.tensor(sorted(found))


@cache
def _runs(word: str) -> list[int]:
    return runs_of(word, _ROWS)


def _hashed(feature: str) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass")) & (_ROWS - 1)


if __name__ == "__main__":
    sys.exit(main())
