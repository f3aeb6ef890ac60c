"""Learning curve: the reader's network, trained on more and more of the corpus.

    python -m training.curve                                 # 5, 10 and 20 thousand messages, and all of them
    python -m training.curve --messages 5000 --same-steps    # as many training steps as with all messages

Trains on written messages alone: no recombined messages, no rounds. Each size contains the smaller ones, and keeps the
shares of the languages. Prints a Markdown table of what each network reaches on the held-out batches.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence

from training.examples import Example
from training.fit import fit, shape_of
from training.measure import header, row, score
from training.notation import Batch
from training.split import Data, Split, split_of, stored

_SIZES = (5_000, 10_000, 20_000, 40_000)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, nargs="+", default=_SIZES, help="sizes; at most all messages are taken")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument(
        "--same-steps", action="store_true", help="train smaller sizes for more epochs, as many steps each"
    )
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    split = split_of("tasks")
    data = stored(split)
    print(header("messages"), flush=True)
    for line in curve(split, data, chosen.messages, chosen.epochs, chosen.seed, same_steps=chosen.same_steps):
        print(line, flush=True)
    return 0


def curve(
    split: Split, data: Data, sizes: Sequence[int], epochs: int, seed: int, *, same_steps: bool = False
) -> Iterator[str]:
    """A row for each size: what a network reaches that was trained on so many messages."""
    shape = shape_of([*data.every(), *(one for each in data.held_out.values() for one in each)], data.classes)
    for size in sizes:
        examples, messages = examples_of_sample(split, data, size, seed)
        rounds = round(epochs * len(data.every()) / len(examples)) if same_steps else epochs
        begun = time.monotonic()
        network = fit(examples, shape, epochs=rounds, seed=seed)
        seconds = time.monotonic() - begun
        print(f"{len(examples)} examples, {rounds} epochs, {seconds:.0f} s", file=sys.stderr, flush=True)
        yield row(f"{messages:,}", {language: score(network, each) for language, each in data.held_out.items()})


def examples_of_sample(split: Split, data: Data, size: int, seed: int) -> tuple[list[Example], int]:
    """The examples of about so many messages, and how many messages they are."""
    chosen = sample(split.train, size, seed)
    examples = [one for batch in chosen for one in data.train[batch.name]]
    return examples, sum(len(batch.messages) for batch in chosen)


def sample(batches: Sequence[Batch], size: int, seed: int) -> list[Batch]:
    """Whole batches with about so many messages, the same share of each language."""
    order = list(batches)
    random.Random(seed).shuffle(order)
    total = sum(len(batch.messages) for batch in order)
    found: list[Batch] = []
    for language in sorted({batch.language for batch in order}):
        of_language = [batch for batch in order if batch.language == language]
        left = size / total * sum(len(batch.messages) for batch in of_language)
        for batch in of_language:
            if left >= len(batch.messages) / 2:
                found.append(batch)
            left -= len(batch.messages)
    return found


if __name__ == "__main__":
    sys.exit(main())
