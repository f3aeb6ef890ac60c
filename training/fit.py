"""Fits the network to examples: batches, augmentation, losses."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from sayso.engine.reader.features import Features
from sayso.engine.reader.read import tags_for
from training.examples import OUTSIDE, Example
from training.network import Inputs, Network, Said, Shape, inputs_of, places_of

NOTHING = "none"  # an example whose act is only known to be no tool
_MARK = 4  # the flag of a mark
_CAPITALS = (1, 2)
_MATCHES = (18, 19, 20, 21, 22)  # the flags that a misspelt word may lose
_BATCH = 128
_RATE = 4e-3  # the highest learning rate
_TAGS = 0.6  # the weight of the tags in the loss
_TAUGHT = 0.8  # the weight of the teachers, beside the labels
_POOL = 16  # batches among which messages are sorted by length


class Lesson(NamedTuple):
    """An example, and what teachers say of it as probabilities."""

    example: Example
    taught: Said | None


def fit(
    examples: Sequence[Example], shape: Shape, *, epochs: int, seed: int, dropout: float = 0.3,
    teachers: Sequence[Network] = (), told: Callable[[int, float, float, Network], None] | None = None,
) -> Network:  # fmt: skip
    """A network that was shown the examples so many times, and what its teachers say of them."""
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(mode=True)
    dice = random.Random(seed)
    lessons = [Lesson(one, said) for one, said in zip(examples, taught(teachers, examples), strict=True)]
    network = Network(shape, dropout)
    dense = [value for name, value in network.named_parameters() if name != "table.weight"]
    optimisers = [
        torch.optim.SparseAdam([network.table.weight], lr=_RATE),
        torch.optim.AdamW(dense, lr=_RATE, weight_decay=0.02),
    ]
    steps = epochs * math.ceil(len(examples) / _BATCH)
    schedules = [torch.optim.lr_scheduler.OneCycleLR(one, _RATE, total_steps=steps + 1, pct_start=0.12,
                                                     cycle_momentum=False) for one in optimisers]  # fmt: skip
    for epoch in range(epochs):
        network.train()
        begun, total, count = time.monotonic(), 0.0, 0
        for chosen in _batches(lessons, dice):
            loss = _loss(network, [augmented(one, dice) for one in chosen])
            for optimiser in optimisers:
                optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(dense, 1.0)
            for optimiser, schedule in zip(optimisers, schedules, strict=True):
                optimiser.step()
                schedule.step()
            total, count = total + loss.item(), count + 1
        if told is not None:
            told(epoch, total / count, time.monotonic() - begun, network)
    return network


def shape_of(examples: Sequence[Example], classes: tuple[str, ...], width: int = 64) -> Shape:
    """The shape of a network that can say what these examples say."""
    acts = tuple(sorted({one.act for one in examples if one.act} - {NOTHING}))
    slots = tuple(sorted({tag[2:] for one in examples for tag in one.tags or () if tag != OUTSIDE}))
    return Shape(acts, slots, classes, width=width)


def _batches(lessons: Sequence[Lesson], dice: random.Random) -> list[list[Lesson]]:
    """Batches of messages of similar length, in random order."""
    order = list(lessons)
    dice.shuffle(order)
    size = _BATCH * _POOL
    pools = (
        sorted(order[at : at + size], key=lambda one: len(one.example.features.words))
        for at in range(0, len(order), size)
    )
    found = [pool[at : at + _BATCH] for pool in pools for at in range(0, len(pool), _BATCH)]
    dice.shuffle(found)
    return found


def _loss(network: Network, batch: Sequence[Lesson]) -> Tensor:
    """What the network says of a batch against its labels, and against its teachers where it has some."""
    inputs = inputs_of([one.example.features for one in batch], network.shape)
    said: Said = network(inputs)
    loss = _label_loss(network, said, [one.example for one in batch], inputs.mask)
    wanted = [one.taught for one in batch if one.taught is not None]
    if wanted:
        loss = (1 - _TAUGHT) * loss + _TAUGHT * _taught_loss(network, said, wanted, inputs.mask)
    return loss


def _label_loss(network: Network, said: Said, batch: Sequence[Example], mask: Tensor) -> Tensor:
    numbers = tag_numbers(network.shape.slots)
    counts = [len(one.features.words) for one in batch]
    wanted, begins = torch.zeros(mask.numel(), dtype=torch.long), torch.full((mask.numel(),), -1.0)
    places = places_of(counts)
    wanted[places] = torch.tensor(
        [numbers[tag] for one, count in zip(batch, counts, strict=True) for tag in one.tags or [OUTSIDE] * count]
    )
    begins[places] = torch.tensor(
        [float(edge) for one, count in zip(batch, counts, strict=True) for edge in one.breaks or [-1] * count]
    )
    wanted, begins = wanted.view(mask.shape), begins.view(mask.shape)
    tagged = torch.tensor([one.tags is not None for one in batch])
    loss = _act_loss(network.shape.acts, said.acts, [one.act for one in batch])
    if tagged.any():
        shares = functional.one_hot(wanted[tagged], len(numbers)).to(said.tags.dtype)
        loss = loss + _TAGS * network.sequence_loss(said.tags[tagged], shares, mask[tagged])
    known = begins >= 0
    if known.any():
        loss = loss + functional.binary_cross_entropy_with_logits(
            said.breaks[known], begins[known], pos_weight=torch.tensor(8.0)
        )
    return loss


def taught(teachers: Sequence[Network], examples: Sequence[Example]) -> Iterator[Said | None]:
    """For each example the mean of what the teachers say, as probabilities; None where there are no teachers."""
    if not teachers:
        yield from (None for _ in examples)
        return
    order = sorted(range(len(examples)), key=lambda at: len(examples[at].features.words))
    found: dict[int, Said] = {}
    for start in range(0, len(order), _BATCH):
        here = order[start : start + _BATCH]
        features = [examples[at].features for at in here]
        each = [_probabilities(teacher, inputs_of(features, teacher.shape)) for teacher in teachers]
        acts, tags, breaks = (torch.stack(parts).mean(0) for parts in zip(*each, strict=True))
        for row, at in enumerate(here):
            count = len(features[row].words)
            found[at] = Said(acts[row].clone(), tags[row, :count].clone(), breaks[row, :count].clone())
    yield from (found[at] for at in range(len(examples)))


def _probabilities(network: Network, inputs: Inputs) -> Said:
    network.eval()
    with torch.no_grad():
        acts, tags, breaks = network(inputs)
    return Said(acts.softmax(1), network.tag_shares(tags, inputs.mask), breaks.sigmoid())


def _taught_loss(network: Network, said: Said, wanted: Sequence[Said], mask: Tensor) -> Tensor:
    """What the network says against the probabilities of its teachers."""
    shares = nn.utils.rnn.pad_sequence([one.tags for one in wanted], batch_first=True)
    acts = -(torch.stack([one.acts for one in wanted]) * functional.log_softmax(said.acts, 1)).sum(1).mean()
    breaks = functional.binary_cross_entropy_with_logits(said.breaks[mask], torch.cat([one.breaks for one in wanted]))
    return acts + _TAGS * network.sequence_loss(said.tags, shares, mask) + breaks


def tag_numbers(slots: Sequence[str]) -> dict[str, int]:
    """The numbers of the tags of these slots."""
    return {tag: number for number, tag in enumerate(tags_for(slots))}


def _act_loss(acts: Sequence[str], scores: Tensor, wanted: Sequence[str | None]) -> Tensor:
    """The loss of the acts; where only "no tool" is known, any mood of it counts."""
    numbers = {act: [number] for number, act in enumerate(acts)}
    numbers[NOTHING] = [number for number, act in enumerate(acts) if act.startswith(NOTHING)]
    pairs = [(row, number) for row, act in enumerate(wanted) if act is not None for number in numbers[act]]
    if not pairs:
        return scores.sum() * 0.0
    allowed = torch.zeros(scores.shape, dtype=torch.bool)
    rows = torch.tensor(pairs)
    allowed[rows[:, 0], rows[:, 1]] = True
    known = allowed.any(1)
    logs = functional.log_softmax(scores[known], 1).masked_fill(~allowed[known], -torch.inf)
    return -torch.logsumexp(logs, 1).mean()


def augmented(lesson: Lesson, dice: random.Random) -> Lesson:
    """The lesson as it might be typed on a phone: no capitals, no punctuation, slips of the finger."""
    example, said = lesson
    words, flags = list(example.features.words), [list(one) for one in example.features.flags]
    tags, breaks = example.tags, example.breaks
    sloppy = dice.random()
    if sloppy < 0.35:
        flags = [[0 if flag in _CAPITALS else flag for flag in one] for one in flags]
    if sloppy < 0.25:
        kept = [at for at in range(len(words)) if not _may_go(at, words, flags, tags, breaks)] or [0]
        words, flags = [words[at] for at in kept], [flags[at] for at in kept]
        tags = [tags[at] for at in kept] if tags is not None else None
        breaks = [breaks[at] for at in kept] if breaks is not None else None
        said = _only(said, kept) if said is not None and len(kept) < len(said.tags) else said
    for at, word in enumerate(words):
        if len(word) > 3 and dice.random() < 0.03:
            words[at] = _misspelt(word, dice)
            if dice.random() < 0.5:
                flags[at] = [flag for flag in flags[at] if flag not in _MATCHES]
    seen = Features(words, [tuple(one) for one in flags], example.features.context)
    return Lesson(example._replace(features=seen, tags=tags, breaks=breaks), said)


def _only(said: Said, kept: Sequence[int]) -> Said:
    """What was said of some of the words. The first of them may begin a value, and never goes on with one."""
    tags = said.tags[kept]
    slots = tags.shape[1] // 2
    tags[0, 1 : slots + 1] += tags[0, slots + 1 :]
    tags[0, slots + 1 :] = 0.0
    return said._replace(tags=tags, breaks=said.breaks[kept])


def _may_go(
    at: int, words: list[str], flags: list[list[int]], tags: list[str] | None, breaks: list[int] | None
) -> bool:
    """Whether a mark may be left out: it is in no value, and no clause begins with it."""
    inside = (tags is not None and tags[at] != OUTSIDE) or (breaks is not None and bool(breaks[at]))
    return _MARK in flags[at] and words[at] != '"' and not inside


def _misspelt(word: str, dice: random.Random) -> str:
    at = dice.randrange(1, len(word) - 1)
    match dice.randrange(3):
        case 0:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 1:
            return word[:at] + word[at + 1 :]
        case _:
            return word[:at] + word[at] + word[at:]
