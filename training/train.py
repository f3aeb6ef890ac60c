"""Trains the learned reader of a pack and writes its weights.

    python -m training.train tasks                   # all of the corpus but the batches of corpus/held-out.txt
    python -m training.train tasks --share 0.5       # for a learning curve
    python -m training.train tasks --out FILE        # elsewhere than into the pack

Examples are built with the rules alone, so that the reader does not learn from itself. Prints a line for each epoch,
then what it reaches on the batches that were kept out, per language.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from pathlib import Path

import msgspec
import torch

from sayso.decider import Decider
from sayso.engine.decide import Thresholds
from sayso.packs.load import READER, pack_folder
from training.examples import Example, examples_of, frequent_classes
from training.export import exported
from training.fit import NOTHING, fit
from training.measure import score
from training.network import Network, Shape
from training.notation import CORPUS, Batch, Machine, Message, batches, corpus_hash
from training.notation import NOTHING as NO_ACT
from training.recombine import exchanged, read_fillers, read_frames, recombined, renamed
from training.rounds import examples_of_rounds, training_files

_LANGUAGES = ("en", "it")
_COPIES = 2  # of each message about machines, with other machines
_FOREIGN = 700  # messages to a list of tasks among machines, in each language


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pack", choices=("tasks", "devices"))
    parser.add_argument("--share", type=float, default=1.0, help="train on this share of the batches")
    parser.add_argument("--recombined", type=int, default=28_000, help="messages made of frames and fillers")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where the weights go")
    chosen = parser.parse_args()
    begun = time.monotonic()
    decider = Decider.installed(trained=False, thresholds=Thresholds(reader=False))
    every = [batch for batch in batches() if batch.pack == chosen.pack]
    kept_out = held_out(every)
    train = [batch for batch in every if batch not in kept_out]
    random.Random(chosen.seed).shuffle(train)
    train = train[: round(len(train) * chosen.share)]
    classes = frequent_classes(train, decider)
    examples = [one for batch in train for one in _examples(batch, train, decider, classes)]
    written = len(examples)
    if chosen.pack == "tasks":
        examples += _recombined(train, decider, classes, round(chosen.recombined * chosen.share), chosen.seed)
    else:
        examples += _renamed(train, decider, classes, chosen.seed)
    examples += examples_of_rounds(training_files(), decider, chosen.pack, classes)
    tests = {language: [one for batch in kept_out if batch.language == language
                        for one in _examples(batch, train, decider, classes)] for language in _LANGUAGES}  # fmt: skip
    shape = _shape([*examples, *(one for each in tests.values() for one in each)], classes, chosen.width)
    print(f"{len(train)} batches, {written} written examples, {len(examples)} in all, {len(classes)} word classes,"
          f" {time.monotonic() - begun:.0f} s", flush=True)  # fmt: skip
    network = fit(examples, shape, epochs=chosen.epochs, seed=chosen.seed, told=_tell)
    for language, each in tests.items():
        print(language, len(each), score(network, each), flush=True)
    made = {"pack": chosen.pack, "seed": str(chosen.seed), "corpus": corpus_hash(), "examples": str(len(examples)),
            "torch": str(torch.__version__), "python": platform.python_version()}  # fmt: skip
    file = chosen.out or pack_folder(chosen.pack) / READER
    file.write_bytes(msgspec.msgpack.encode(exported(network, made)))
    print(f"{file}: {file.stat().st_size} bytes, {time.monotonic() - begun:.0f} s")
    return 0


def held_out(every: list[Batch]) -> list[Batch]:
    """The batches that are never trained on."""
    names = set((CORPUS / "held-out.txt").read_text("utf-8").splitlines())
    return [one for one in every if one.name in names]


def _examples(batch: Batch, others: list[Batch], decider: Decider, classes: tuple[str, ...]) -> list[Example]:
    return list(examples_of(batch, decider, _titles(others, batch.language), classes))


def _titles(others: list[Batch], language: str) -> tuple[str, ...]:
    """What may stand on somebody's list beside what a message is about."""
    known = _TITLES.get(language)
    if known is None:
        messages = [message for batch in others if batch.language == language for message in batch.messages]
        said = (one.text[span.start : span.end] for one in messages for span in one.spans if span.slot == "title")
        known = _TITLES[language] = tuple(sorted({*said, *(title for one in messages for title in one.on)}))
    return known


_TITLES: dict[str, tuple[str, ...]] = {}


def _recombined(train: list[Batch], decider: Decider, classes: tuple[str, ...], count: int, seed: int) -> list[Example]:
    """Messages made of frames and fillers, and of written messages with other values: half and half."""
    found: list[Example] = []
    for language in _LANGUAGES:
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
        found += _examples(batch, train, decider, classes)
    return found


def _renamed(train: list[Batch], decider: Decider, classes: tuple[str, ...], seed: int) -> list[Example]:
    """Each message several times with other machines, and messages to a list of tasks, which no machine can serve."""
    found: list[Example] = []
    dice = random.Random(seed)
    for language in _LANGUAGES:
        own = [batch for batch in train if batch.language == language]
        machines = [machine for batch in own for machine in batch.machines]
        made = [renamed(batch, message, machines, dice) for _ in range(_COPIES) for batch in own
                for message in batch.messages]  # fmt: skip
        made += _foreign(language, machines, dice)
        found += [one for batch in made for one in _examples(batch, train, decider, classes)]
    return found


def _foreign(language: str, machines: list[Machine], dice: random.Random) -> list[Batch]:
    """Messages of the other pack among machines: none of them asks for anything there."""
    every = [batch for batch in batches() if batch.pack == "tasks" and batch.language == language]
    pool = [one for batch in every if batch not in held_out(every) for one in batch.messages if not one.clauses]
    found: list[Batch] = []
    for message in dice.sample(pool, _FOREIGN):
        act = message.acts[0] if message.acts[0] in NO_ACT else "none/unsupported"
        alone = Message((act,), message.text, (), ())
        near = tuple(dice.sample(machines, dice.randrange(3, 10)))
        found.append(Batch(f"foreign-{language}", "devices", language, near, (alone,)))
    return found


def _shape(examples: list[Example], classes: tuple[str, ...], width: int) -> Shape:
    acts = tuple(sorted({one.act for one in examples if one.act} - {NOTHING}))
    slots = tuple(sorted({tag[2:] for one in examples for tag in one.tags or () if tag != "O"}))
    return Shape(acts, slots, classes, width=width)


def _tell(epoch: int, loss: float, seconds: float, _: Network) -> None:
    print(f"epoch {epoch + 1}: loss {loss:.3f}, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
