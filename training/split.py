"""Splits the corpus of a pack into what a reader is trained on and what measures it, and turns both into examples.

    data = stored(split_of("tasks"))
    data.train["tasks-en-2"]     # the examples of one batch
    data.held_out["it"]          # the examples that measure Italian

Examples are built with the rules alone, so that the reader does not learn from itself. Word classes and the titles that
stand on people's lists come from the training batches.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from sayso.decider import Decider
from sayso.engine.decide.room import Thresholds
from training.examples import Example, examples_of, frequent_classes
from training.notation import CORPUS, Batch, batches

LANGUAGES = ("en", "it")
_ROOT = Path(__file__).parent.parent
_STORE = _ROOT / "build" / "training"


class Split(NamedTuple):
    """The batches of a pack."""

    train: list[Batch]
    held_out: list[Batch]


class Data(NamedTuple):
    """The examples of a split."""

    classes: tuple[str, ...]  # the word classes that are flags of words
    train: dict[str, list[Example]]  # by batch
    held_out: dict[str, list[Example]]  # by language

    def every(self) -> list[Example]:
        """The training examples, batch after batch."""
        return [one for each in self.train.values() for one in each]


def split_of(pack: str) -> Split:
    """The batches of a pack; those in `corpus/held-out.txt` are never trained on."""
    names = set((CORPUS / "held-out.txt").read_text("utf-8").splitlines())
    every = [batch for batch in batches() if batch.pack == pack]
    return Split([one for one in every if one.name not in names], [one for one in every if one.name in names])


def data_of(split: Split) -> Data:
    """The examples of a split."""
    classes = frequent_classes(split.train, rules())
    titles = {language: titles_of(split.train, language) for language in LANGUAGES}
    train = {one.name: list(examples_of(one, rules(), titles[one.language], classes)) for one in split.train}
    held_out: dict[str, list[Example]] = {language: [] for language in LANGUAGES}
    for batch in split.held_out:
        held_out[batch.language] += examples_of(batch, rules(), titles[batch.language], classes)
    return Data(classes, train, held_out)


def stored(split: Split, folder: Path = _STORE) -> Data:
    """The examples of a split, built once and then read from a file; a change of corpus or engine builds them again."""
    file = folder / f"{_hash(split)}.msgpack"
    if file.exists():
        return msgspec.msgpack.decode(file.read_bytes(), type=Data)
    data = data_of(split)
    folder.mkdir(parents=True, exist_ok=True)
    file.write_bytes(msgspec.msgpack.encode(data))
    return data


def _hash(split: Split) -> str:
    """A hash over the messages, and over the code and the data that turn them into examples."""
    digest = hashlib.sha256(msgspec.msgpack.encode(split))
    for path in _sources():
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _sources() -> Iterator[Path]:
    yield from (_ROOT / "training" / name for name in ("examples.py", "notation.py", "split.py"))
    yield from sorted(path for path in (_ROOT / "src" / "sayso").glob("**/*") if path.suffix in (".py", ".yaml"))


@cache
def rules() -> Decider:
    """The engine without the learned reader."""
    return Decider.installed(trained=False, thresholds=Thresholds(reader=False))


def titles_of(batches: Iterable[Batch], language: str) -> Sequence[str]:
    """What may stand on somebody's list beside what a message is about."""
    messages = [message for batch in batches if batch.language == language for message in batch.messages]
    said = (one.text[span.start : span.end] for one in messages for span in one.spans if span.slot == "title")
    return tuple(sorted({*said, *(title for one in messages for title in one.on)}))
