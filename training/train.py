"""Trains the learned reader of a pack and writes its weights.

    python -m training.train tasks                   # all of the corpus but the batches of corpus/held-out.txt
    python -m training.train tasks --out FILE        # elsewhere than into the pack
    python -m training.train tasks --teachers 2      # learns from two wider networks too, not only from the labels

Prints a line for each epoch, then what each network reaches on the batches that were kept out, per language.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from pathlib import Path

import torch

from sayso.engine.reader.network import bytes_of
from sayso.packs.load import READER, pack_folder
from training.examples import Example, examples_of
from training.export import exported
from training.fit import fit, shape_of
from training.measure import score
from training.network import Network
from training.notation import NOTHING as NO_ACT
from training.notation import Batch, Machine, Message, corpus_hash
from training.recombine import exchanged, read_fillers, read_frames, recombined, renamed
from training.rounds import examples_of_rounds, training_files
from training.split import LANGUAGES, data_of, rules, split_of, titles_of

_WIDE = 96  # a teacher's states
_COPIES = 2  # of each message about machines, with other machines
_FOREIGN = 700  # messages to a list of tasks among machines, in each language


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pack", choices=("tasks", "devices"))
    parser.add_argument("--recombined", type=int, default=28_000, help="messages made of frames and fillers")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--dropout", type=float, default=0.3, help="of the reader; teachers have 0.3")
    parser.add_argument("--teachers", type=int, default=0, help="wider networks to learn from, with the next seeds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where the weights go")
    chosen = parser.parse_args()
    begun = time.monotonic()
    split = split_of(chosen.pack)
    random.Random(chosen.seed).shuffle(split.train)
    data = data_of(split)
    examples = data.every()
    written = len(examples)
    if chosen.pack == "tasks":
        examples += _recombined(split.train, data.classes, chosen.recombined, chosen.seed)
    else:
        examples += _renamed(split.train, data.classes, chosen.seed)
    examples += examples_of_rounds(training_files(), rules(), chosen.pack, data.classes)
    tests = data.held_out
    shape = shape_of([*examples, *(one for each in tests.values() for one in each)], data.classes, chosen.width)
    print(f"{len(split.train)} batches, {written} examples, {len(examples)} in all, {len(data.classes)} classes,"
          f" {time.monotonic() - begun:.0f} s", flush=True)  # fmt: skip
    teachers: list[Network] = []
    for seed in range(chosen.seed + 1, chosen.seed + 1 + chosen.teachers):
        teachers.append(fit(examples, shape._replace(width=_WIDE), epochs=chosen.epochs, seed=seed, told=_tell))
        _print_scores(f"teacher {seed}", teachers[-1], tests)
    network = fit(examples, shape, epochs=chosen.epochs, seed=chosen.seed, dropout=chosen.dropout, teachers=teachers,
                  told=_tell)  # fmt: skip
    _print_scores("reader", network, tests)
    made = {"pack": chosen.pack, "seed": str(chosen.seed), "corpus": corpus_hash(), "examples": str(len(examples)),
            "torch": str(torch.__version__), "python": platform.python_version()}  # fmt: skip
    if teachers:
        made |= {"teachers": str(len(teachers)), "dropout": str(chosen.dropout)}
    file = chosen.out or pack_folder(chosen.pack) / READER
    file.write_bytes(bytes_of(exported(network, made)))
    print(f"{file}: {file.stat().st_size} bytes, {time.monotonic() - begun:.0f} s")
    return 0


def _print_scores(name: str, network: Network, tests: dict[str, list[Example]]) -> None:
    for language, each in tests.items():
        print(name, language, len(each), score(network, each), flush=True)


def _recombined(train: list[Batch], classes: tuple[str, ...], count: int, seed: int) -> list[Example]:
    """Messages made of frames and fillers, and of written messages with other values: half and half."""
    found: list[Example] = []
    for language in LANGUAGES:
        dice = random.Random(f"{language}-{seed}")
        fillers, frames = read_fillers(language, train), read_frames(language)
        verbs = frozenset(title.split()[0].casefold() for title in fillers["title:v"])
        pool = [message for batch in train if batch.language == language for message in batch.messages]
        share = round(count * len(pool) / sum(len(batch.messages) for batch in train) / 2)
        endless = recombined(frames, fillers, language, dice)
        made = [next(endless) for _ in range(share)]
        while len(made) < 2 * share:
            other = exchanged(dice.choice(pool), fillers, verbs, dice)
            if other is not None:
                made.append(other)
        batch = Batch(f"recombined-{language}", "tasks", language, (), tuple(made))
        found += examples_of(batch, rules(), titles_of(train, language), classes)
    return found


def _renamed(train: list[Batch], classes: tuple[str, ...], seed: int) -> list[Example]:
    """Each message several times with other machines, and messages to a list of tasks, which no machine can serve."""
    found: list[Example] = []
    dice = random.Random(seed)
    for language in LANGUAGES:
        own = [batch for batch in train if batch.language == language]
        machines = [machine for batch in own for machine in batch.machines]
        made = [renamed(batch, message, machines, dice) for _ in range(_COPIES) for batch in own
                for message in batch.messages]  # fmt: skip
        made += _foreign(language, machines, dice)
        titles = titles_of(train, language)
        found += [one for batch in made for one in examples_of(batch, rules(), titles, classes)]
    return found


def _foreign(language: str, machines: list[Machine], dice: random.Random) -> list[Batch]:
    """Messages of the other pack among machines: none of them asks for anything there."""
    train = [batch for batch in split_of("tasks").train if batch.language == language]
    pool = [one for batch in train for one in batch.messages if not one.clauses]
    found: list[Batch] = []
    for message in dice.sample(pool, _FOREIGN):
        act = message.acts[0] if message.acts[0] in NO_ACT else "none/unsupported"
        alone = Message((act,), message.text, (), ())
        near = tuple(dice.sample(machines, dice.randrange(3, 10)))
        found.append(Batch(f"foreign-{language}", "devices", language, near, (alone,)))
    return found


def _tell(epoch: int, loss: float, seconds: float, _: Network) -> None:
    print(f"epoch {epoch + 1}: loss {loss:.3f}, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
